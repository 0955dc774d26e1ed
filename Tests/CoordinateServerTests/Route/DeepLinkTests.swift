import Coordinate
import CoordinateTesting
import SessionFixtures
import Testing

/// Deep links, also with queries, and with all characters in values, over HTTP.
struct DeepLinkTests {
    @Test(.serving(ParcelApp())) func theCatalogListsQueries() async throws {
        let paths: JSON = ["/start", "/customer/{customer}", "/search?q={query}&speed={speed}&page={page}"]
        #expect(try await client.get("/catalog").json["paths"] == paths)
    }

    private static let links: [(app: any CoordinatedApp, link: String, path: String)] = [
        (ParcelApp(), "/search?q=shoes", "/search?q=shoes"),
        (ParcelApp(), "/search?page=2&q=red+shoes", "/search?q=red%20shoes&page=2"),
        (ParcelApp(), "/search?q=", "/search?q="),
        (ParcelApp(), "/search?q=%F0%9F%8F%81%26%23", "/search?q=%F0%9F%8F%81%26%23"),
        (LibraryApp(), "/shelf/book/", "/shelf/book/"), (LibraryApp(), "/shelf/book/..", "/shelf/book/.."),
        (LibraryApp(), "/shelf/book/a%2Fb%3Fc%23d+e", "/shelf/book/a%2Fb%3Fc%23d%2Be"),
    ]

    @Test(arguments: links)
    func anOpenedPathIsShownAndCanBeOpenedAgain(app: any CoordinatedApp, link: String, path: String) async throws {
        try await withApp(app) { server in
            let client = server.client()
            let outcome = try await client.open(link)
            #expect(outcome.path == path)
            #expect(outcome.route?.path == path)
            #expect(outcome.route?.breadcrumbs.last?.path == path)
            let entry = try #require(try await client.journal().events.first)
            #expect(entry.payload == ["path": .string(link)])
            #expect(entry.path == path)

            let made = try await client.post("/sessions", json: ["path": .string(path)])
            let other = client.inSession(try made.decode(Document.Session.self).id)
            #expect(try await other.session().path == path)
            #expect(try await other.route().tree == outcome.route?.tree)
            #expect(try await other.open(path).route?.tree == outcome.route?.tree)
            let replayed = try await server.client(replaying: client.exportedJournal())
            #expect(try await replayed.route().path == path)
        }
    }
}
