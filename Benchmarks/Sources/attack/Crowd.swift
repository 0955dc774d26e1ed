import Loopback

/// The sessions of people who are away during the attack and return after it.
struct Crowd {
    private let sessions: [RacingSession]

    /// - Parameter size: The number of people.
    init(of size: Int, on client: LoopbackClient) throws {
        sessions = try (0..<size).map { _ in try RacingSession(on: client) }
    }

    /// Returns the number of sessions that are missing or have changed.
    func lost(on client: LoopbackClient) throws -> Int {
        try sessions.count { session in
            let answer = try client.ask(HTTPText.get("/sessions/\(session.id)"))
            return answer.status != 200 || !answer.body.contains(#""version":3,"#)
        }
    }
}
