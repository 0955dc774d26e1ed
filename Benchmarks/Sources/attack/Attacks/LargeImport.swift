import Loopback

/// Imports journals that take long to read and to replay.
struct LargeImport: Attack {
    static let name = "large-import"
    static let summary = "8 connections that import a journal of 20,000 events, a line of 8 MiB, or 16 MiB of lines"

    private let target: Target
    private let bodies: [String]

    init(against target: Target) throws {
        self.target = target
        let client = try target.connect()
        let session = try RacingSession(on: client)
        try session.toggleFavorite(times: 20_000, on: client)
        let journal = try client.send(
            HTTPText.get("/sessions/\(session.id)/events", headers: ["Accept: application/x-ndjson"])
        ).body
        bodies = [
            journal, String(repeating: "[", count: 8 << 20), String(repeating: "{}\n", count: 5 << 20),
        ]
    }

    func run() {
        target.flood(connections: 8) { number in
            HTTPText.post("/sessions", bodies[number % bodies.count], type: "application/x-ndjson")
        }
    }
}
