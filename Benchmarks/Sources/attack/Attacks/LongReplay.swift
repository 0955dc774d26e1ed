import Loopback

/// Keeps the lanes busy with a long history.
struct LongReplay: Attack {
    static let name = "long-replay"
    static let summary = "32 connections at GET /route?version= of a session of 60,000 events, 985 screens deep"

    private static let events = 60_000

    private let target: Target
    private let session: RacingSession

    init(against target: Target) throws {
        self.target = target
        session = try RacingSession.deep(events: Self.events, on: target.connect())
    }

    func run() {
        target.flood(connections: 32) { number in
            HTTPText.get("/route?version=\(Self.events - 1 - number)", headers: [session.session])
        }
    }
}
