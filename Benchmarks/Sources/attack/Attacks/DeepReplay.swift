import Loopback

/// Sends, on 64 connections, the short requests that cost a server the most: for earlier routes of a session with nearly
/// as many screens as a tree may have.
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
            // Not all ask for the same: that would be made once.
            HTTPText.get("/route?version=\(RacingSession.depth - number % 16)", headers: [session.session])
        }
    }
}
