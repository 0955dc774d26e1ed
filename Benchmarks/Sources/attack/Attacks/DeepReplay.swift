import Loopback

/// Sends the most expensive short requests on 64 connections: for earlier routes of a session with nearly the maximum
/// number of screens.
struct DeepReplay: Attack {
    static let name = "deep-replay"
    static let summary = "64 connections at GET /route?version= of a session 985 screens deep"

    private let target: Target
    private let session: RacingSession

    init(against target: Target) throws {
        self.target = target
        session = try RacingSession.deep(on: target.connect())
    }

    func run() {
        target.flood(connections: 64) { number in
            // The requests differ, because the server computes equal ones once.
            HTTPText.get("/route?version=\(RacingSession.depth - number % 16)", headers: [session.session])
        }
    }
}
