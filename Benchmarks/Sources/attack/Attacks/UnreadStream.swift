import Foundation
import Loopback

/// Follows a session from its start without reading, while the session changes.
struct UnreadStream: Attack {
    static let name = "unread-stream"
    static let summary = "200 streams of a deep session that are resumed, not read and abandoned"

    private let target: Target
    private let session: RacingSession

    init(against target: Target) throws {
        self.target = target
        session = try RacingSession.deep(on: target.connect())
    }

    func run() {
        target.flood(connections: 201) { number, client in
            guard number > 0 else {
                try session.toggleFavorite(times: 2, on: client)
                usleep(10_000)
                return
            }
            try client.write(session.resumedStream)
            try client.sip(bytes: 1)
            target.count("unread")
            usleep(UInt32.random(in: 500_000...2_000_000))
            throw GivenUp()
        }
    }

    private struct GivenUp: Error {}
}
