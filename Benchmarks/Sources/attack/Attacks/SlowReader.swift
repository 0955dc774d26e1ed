import Foundation
import Loopback

/// Follows a deep session that changes, and reads a few bytes now and then, so that as many bytes as possible wait.
struct SlowReader: Attack {
    static let name = "slow-reader"
    static let summary = "136 streams of a deep session, resumed 200 versions back and read 8 bytes at a time"
    static let settings = ServerProgram.littleMemory

    private let target: Target
    private let session: RacingSession

    init(against target: Target) throws {
        self.target = target
        session = try RacingSession.deep(on: target.connect())
    }

    func run() {
        let group = DispatchGroup()
        group.run { post() }
        // One stream after another: the server limits how many catch up at once.
        target.hold(connections: 136, window: 4_096, reading: 8) { _, client in
            try client.write(session.resumedStream)
            let status = String(decoding: try client.sip(bytes: 12).suffix(3), as: UTF8.self)
            guard status == "200" else { throw BenchmarkError("A stream was refused with \(status).") }
        }
        group.wait()
    }

    /// Posts an event every second once all streams are open. More events would exceed the stream's buffer and end it.
    private func post() {
        Target.giveWay()
        while !target.isOver {
            defer { usleep(1_000_000) }
            guard !target.answers.isEmpty else { continue }
            let event = HTTPText.post(
                "/events", RacingSession.favorite(Bool.random()), headers: [session.session, "Prefer: return=minimal"])
            if let answer = try? target.connect().ask(event) { target.count("\(answer.status) for an event") }
        }
    }
}
