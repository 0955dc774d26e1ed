import Loopback

/// The sessions of people who are away while the server is attacked, and come back.
struct Crowd {
    private let sessions: [RacingSession]

    /// - Parameter size: The number of people.
    init(of size: Int, on client: LoopbackClient) throws {
        sessions = try (0..<size).map { _ in try RacingSession(on: client) }
    }

    /// The number of the sessions that are not found as they were left.
    func lost(on client: LoopbackClient) throws -> Int {
        try sessions.count { session in
            let answer = try client.ask(HTTPText.get("/sessions/\(session.id)"))
            return answer.status != 200 || !answer.body.contains(#""version":3,"#)
        }
    }
}
