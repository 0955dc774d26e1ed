import Loopback

/// Requests whole journals and reads single bytes, slowly.
struct UnreadExport: Attack {
    static let name = "unread-export"
    static let summary = "2,000 connections that request a journal of 20,000 events and read a byte now and then"
    static let settings = ServerProgram.littleMemory

    private static let events = 20_000

    private let target: Target
    private let session: RacingSession

    init(against target: Target) throws {
        self.target = target
        let client = try target.connect()
        session = try RacingSession(on: client)
        try session.toggleFavorite(times: Self.events, on: client)
    }

    func run() {
        let request = HTTPText.get(
            "/sessions/\(session.id)/events", headers: ["Accept: application/x-ndjson"])
        target.hold(connections: 2_000, window: 4_096, reading: 1) { _, client in try client.write(request) }
    }
}
