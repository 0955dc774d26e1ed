import Foundation
import Loopback

/// Asks for whole journals and does not read them, or a byte at a time.
struct UnreadExport: Attack {
    static let name = "unread-export"
    static let summary = "200 connections that ask for a journal of 20,000 events and sip a byte every now and then"

    private static let events = 20_000

    private let target: Target
    private let session: RacingSession

    init(against target: Target) throws {
        self.target = target
        let client = try target.connect()
        session = try RacingSession(on: client)
        try session.toggleFavourite(times: Self.events, on: client)
    }

    func run() {
        let request = HTTPText.get(
            "/sessions/\(session.id)/events", headers: ["Accept: application/x-ndjson"])
        target.flood(connections: 200) { _, client in
            try client.write(request)
            target.count("unread")
            while !target.isOver {
                try client.sip(bytes: 1)
                usleep(200_000)
            }
        }
    }
}
