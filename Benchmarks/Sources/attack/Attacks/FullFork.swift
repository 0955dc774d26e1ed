import Loopback

/// Makes the server use as much memory as possible with few bytes.
struct FullFork: Attack {
    static let name = "full-fork"
    static let summary = "8 connections that fork a session of 20,000 events, 985 screens deep, and wake the forks"

    private static let events = 20_000

    private let target: Target
    private let session: RacingSession

    init(against target: Target) throws {
        self.target = target
        session = try RacingSession.deep(events: Self.events, on: target.connect())
    }

    func run() {
        target.flood(connections: 8) { number, client in
            let answer = try client.ask(
                HTTPText.post("/sessions/\(session.id)/forks", #"{"version": \#(Self.events - number)}"#))
            target.count("\(answer.status)")
            guard let path = answer.header("Location") else { return }
            let event = try client.ask(HTTPText.post("\(path)/events", RacingSession.favorite(true)))
            target.count("\(event.status)")
        }
    }
}
