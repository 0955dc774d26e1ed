import CoordinateTesting
import Testing

/// `GET /events`: pages of the journal.
struct JournalTests {
    private nonisolated(nonsending) func withFiveEvents(
        _ body: nonisolated(nonsending) (SessionClient) async throws -> Void
    ) async throws {
        try await withRacingClient { client in
            for _ in 0..<5 { try await client.emit("navigation.back") }
            try await body(client)
        }
    }

    /// A query, and the page that it returns.
    struct Page: Sendable {
        let after: Int
        let limit: Int
        let versions: [Int]
        let next: Int?
    }

    static let pages = [
        Page(after: 0, limit: 2, versions: [1, 2], next: 2), Page(after: 2, limit: 2, versions: [3, 4], next: 4),
        Page(after: 4, limit: 2, versions: [5], next: nil),
        Page(after: 3, limit: 2, versions: [4, 5], next: nil),
        Page(after: 0, limit: 4, versions: [1, 2, 3, 4], next: 4),
        Page(after: 0, limit: 5, versions: [1, 2, 3, 4, 5], next: nil),
        Page(after: 0, limit: 1_000, versions: [1, 2, 3, 4, 5], next: nil),
        Page(after: 5, limit: 1, versions: [], next: nil), Page(after: 99, limit: 1, versions: [], next: nil),
        Page(after: .max, limit: 1_000, versions: [], next: nil),
    ]

    @Test(arguments: pages) func aPageHasItsLimitOfEntriesAfterAVersion(page: Page) async throws {
        try await withFiveEvents { client in
            let answer = try await client.journal(after: page.after, limit: page.limit)
            #expect(answer.events.map(\.version) == page.versions)
            #expect(answer.next == page.next)
        }
    }

    @Test(.racing) func aPageHasAHundredEntriesByDefault() async throws {
        for _ in 0..<101 { try await client.emit("navigation.back") }
        let page = try await client.get("/events").decode(Document.Journal.self)
        #expect(page.events.map(\.version) == Array(1...100))
        #expect(page.next == 100)
    }

    @Test(.racing) func aNewSessionHasAnEmptyJournal() async throws {
        let page = try await server.client().get("/events").json
        #expect(page == ["events": [], "next": .null])
    }
}
