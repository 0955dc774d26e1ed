import Loopback

/// Requests the largest pages of a journal and does not read them.
struct UnreadPage: Attack {
    static let name = "unread-page"
    static let summary = "5,000 connections that request 1,000 events with long names each, and do not read them"
    static let settings = ServerProgram.littleMemory

    private static let events = 4_000

    private let target: Target
    private let session: RacingSession

    init(against target: Target) throws {
        self.target = target
        let client = try target.connect()
        session = try RacingSession(on: client)
        // The longest name that the app accepts: 80 characters of four bytes.
        let name = String(repeating: "🏁", count: 80)
        for _ in 0..<Self.events {
            try client.send(
                HTTPText.post(
                    "/events", #"{"event": "profile.rename", "payload": {"name": "\#(name)"}}"#,
                    headers: [session.session, "Prefer: return=minimal"]))
        }
    }

    func run() {
        target.hold(connections: 5_000, window: 4_096, reading: 1) { number, client in
            try client.write(
                HTTPText.get("/events?limit=1000&after=\(number % (Self.events - 1_000))", headers: [session.session]))
        }
    }
}
