import Foundation
import Loopback

/// A client that follows sessions, one after the other: it drops its stream every now and then, and comes back for what
/// it has missed.
struct Follower {
    let soak: Soak
    let shift: Shift
    var generator: SeededGenerator

    mutating func run() {
        // To the very end stays who does: the last sessions are followed to theirs.
        while !shift.isOver || soak.isOver && !soak.isDone {
            if let session = soak.stage.any(using: &generator) {
                session.follow(1)
                follow(session)
                session.follow(-1)
            }
            pause(0.01...0.1)
        }
    }

    private mutating func pause(_ seconds: ClosedRange<Double>) {
        usleep(UInt32(generator.duration(seconds) / .microseconds(1)))
    }

    /// Follows a session to its end, or until it has had enough of it.
    private mutating func follow(_ session: SoakSession) {
        var last: Int?
        while session.phase != .left, !shift.isOver || soak.isOver {
            let least = session.version
            do {
                let stream = try LiveStream(port: soak.port, session: session.id, after: last)
                session.use()
                soak.tally.count(.streams)
                guard try follow(session, on: stream, from: least, &last) else { return }
                soak.tally.count(.drops)
            } catch let refusal as LiveStream.Refusal {
                if refusal.status == 503 {
                    soak.tally.count(.refusals)
                    pause(1...2)
                    continue
                }
                // Between two streams, it may have come to its end.
                if refusal.status == 404, session.phase != .open || session.mayBeOver { return }
                return soak.tally.fail(.followers, "A stream of \(session.id) was refused with \(refusal.status).")
            } catch {
                return soak.tally.fail(.followers, "A stream of \(session.id) failed: \(error)")
            }
            if generator.once(in: 6) { return }
            pause(generator.once(in: 5) ? 1...4 : 0...0.5)
        }
    }

    /// Follows a session until the stream is dropped.
    ///
    /// - Parameters:
    ///   - least: A version that was acknowledged before the stream was opened.
    ///   - last: The version that it was told of last.
    /// - Returns: Whether it may come back.
    private mutating func follow(
        _ session: SoakSession, on stream: LiveStream, from least: Int, _ last: inout Int?
    ) throws -> Bool {
        let end = ContinuousClock.now + generator.duration(generator.once(in: 4) ? 5...40 : 0...5)
        while ContinuousClock.now < end, session.phase != .left {
            let message = try stream.next(within: .milliseconds(200))
            session.use()
            guard let message else {
                if stream.isOver { throw BenchmarkError("The server ended the stream, and did not say why.") }
                if stream.lastHeard.duration(to: .now) > .seconds(15) {
                    throw BenchmarkError("There was not even a heartbeat in 15 s.")
                }
                continue
            }
            if message.event == "end" {
                if session.phase == .open { throw BenchmarkError("The stream says that it ended, and it did not.") }
                guard last == session.version else {
                    throw BenchmarkError("It ended at \(session.version), and the stream at \(last ?? -1).")
                }
                soak.tally.pass(.followers)
                return false
            }
            let newest = session.version + 1
            let isNext = last.map { message.version == $0 + 1 } ?? ((message.version ?? -1) >= least)
            guard message.event == "route", isNext, let version = message.version, version <= newest,
                message.data.contains("\"session\":\"\(session.id)\",\"version\":\(version),")
            else {
                throw BenchmarkError(
                    "After \(last ?? -1), with \(least) to \(newest) known, came \(message.event) "
                        + "\(message.version ?? -1): \(message.data.prefix(100))")
            }
            last = version
            soak.tally.count(.versions)
        }
        return true
    }
}
