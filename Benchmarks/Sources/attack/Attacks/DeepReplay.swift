import Loopback

/// Asks on 64 connections for what costs a server the most for so few bytes: how a session was that has as many screens
/// on its stack as may be.
struct DeepReplay: Attack {
    static let name = "deep-replay"
    static let summary = "64 connections at GET /route?version= of a session 985 screens deep."

    private static let depth = 985
    private static let connections = 64

    func run(against target: Target) throws {
        let client = try target.connect()
        let session = try RacingSession(on: client)
        for _ in 3..<Self.depth {
            try client.send(
                HTTPText.post(
                    "/events", #"{"event": "teams.didSelect", "payload": {"team": "ferrari"}}"#,
                    headers: [session.session, "Prefer: return=minimal"]))
        }
        target.flood(
            { number in
                // Not all ask for the same: that would be made once.
                HTTPText.get("/route?version=\(Self.depth - number % 16)", headers: [session.session])
            }, connections: Self.connections)
    }
}
