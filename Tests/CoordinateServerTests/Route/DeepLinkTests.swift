import CoordinateTesting
import Testing

/// Deep links, also with queries, with values above a child's path, and with all characters in values, over HTTP.
@Suite(.serving(ShopApp())) struct DeepLinkTests {
    private static let patterns = [
        "/article/{article}", "/search?q={query}&page={page}", "/orders/{order}?tab={tab}",
        "/orders/{order}/again/payment?tab={tab}", "/orders/{order}/note?tab={tab}&text={text}",
    ]

    @Test func theCatalogListsQueries() async throws {
        let catalog = try await server.client().get("/catalog").json
        #expect(catalog["paths"]?.array.compactMap(\.string) == Self.patterns)
    }

    @Test(arguments: [
        ("/search?q=shoes", "/search?q=shoes", "shoes"),
        ("/search?page=2&q=red+shoes", "/search?q=red%20shoes&page=2", "red shoes"),
        ("/search?q=", "/search?q=", ""),
        ("/search?q=%F0%9F%8F%81%26%23", "/search?q=%F0%9F%8F%81%26%23", "\u{1F3C1}&#"),
        ("/orders/17?tab=all", "/orders/17?tab=all", "Order 17"),
        ("/orders/-17/again/payment?tab=all", "/orders/-17/again/payment?tab=all", "Payment"),
        ("/orders/17/note?text=a/b?c&tab=all", "/orders/17/note?tab=all&text=a%2Fb%3Fc", "a/b?c"),
        ("/article/", "/article/", ""), ("/article/a%2Fb%3Fc%23d+e", "/article/a%2Fb%3Fc%23d%2Be", "a/b?c#d+e"),
        ("/article/..", "/article/..", ".."),
    ])
    func anOpenedPathIsShownAndCanBeOpenedAgain(link: String, path: String, title: String) async throws {
        let outcome = try await client.open(link)
        #expect(outcome.path == path)
        #expect(outcome.route?.path == path)
        #expect(outcome.route?.screen.title == title)
        #expect(outcome.route?.breadcrumbs.last?.path == path)
        let entry = try #require(try await client.journal().events.first)
        #expect(entry.payload == ["path": .string(link)])
        #expect(entry.path == path)

        let made = try await server.client().post("/sessions", json: ["path": .string(path)])
        #expect(made.status == 201)
        let session = try made.decode(Document.Session.self)
        #expect(session.path == path)
        let other = server.client(headers: ["Session": session.id])
        let route = try await other.route()
        #expect(route.tree == outcome.route?.tree)
        let again = try await other.open(path)
        #expect(again.route?.tree == outcome.route?.tree)

        let replayed = try await server.client(replaying: client.exportedJournal())
        #expect(try await replayed.route().path == path)
    }

    @Test(.racing) func aDeepLinkIsAnEventFromTheRootDown() async throws {
        try await client.start()
        let outcome = try await client.open("/main/drivers/compare/leclerc/hamilton")
        #expect(outcome.version == 2)
        #expect(outcome.event == "navigation.open")
        #expect(outcome.handledBy == "AppCoordinator")
        #expect(outcome.path == "/main/drivers/compare/leclerc/hamilton")
        let route = try await client.route()
        #expect(outcome.route == route)
        #expect(
            route.breadcrumbs.map(\.path) == [
                "/main/drivers", "/main/drivers/driver/leclerc", "/main/drivers/compare/leclerc",
                "/main/drivers/compare/leclerc/hamilton",
            ])
        let entry = try #require(try await client.journal(after: 1).events.first)
        #expect(entry.event == "navigation.open")
        #expect(entry.payload == ["path": "/main/drivers/compare/leclerc/hamilton"])
    }

    @Test(arguments: [
        "/search", "/search?", "/search?p=a", "/search?q=a&p=b", "/search?q=a&q=a", "/search?q=a&page=x",
        "/search?q=a&page=",
        "/search?q=a#top", "/search?q=%zz", "/search/?q=a", "/orders/17", "/orders/17?tab=some", "/orders/?tab=all",
        "/orders/17/again?tab=all", "/orders/17/note?tab=all", "/article", "/article/a/", "/article/a?b=c", "/", "//",
    ])
    func aPathThatLeadsNowhereIsRefused(link: String) async throws {
        try await client.open("/search?q=shoes")
        let before = try await client.route()
        for answer in [
            try await client.put("/route", json: ["path": .string(link)]),
            try await server.client().post("/sessions", json: ["path": .string(link)]),
        ] {
            #expect(answer.isProblem("unknown-path", 422), "\(link)")
            #expect(try answer.json["known"]?.array.compactMap(\.string) == Self.patterns)
        }
        #expect(try await client.route() == before)
    }

    @Test func sessionsCanBeListedByPathPrefix() async throws {
        var ids: [String: String] = [:]
        for link in ["/search?q=shoes", "/search?q=red+shoes&page=1", "/orders/17?tab=all"] {
            let made = try await server.client().post("/sessions", json: ["path": .string(link)])
            ids[link] = try made.decode(Document.Session.self).id
        }
        for (prefix, links) in [
            ("/search", ["/search?q=shoes", "/search?q=red+shoes&page=1"]),
            ("/search?q=shoes", ["/search?q=shoes"]),
            ("%2Fsearch%3Fq%3Dred%2520shoes%26page%3D1", ["/search?q=red+shoes&page=1"]),
            ("/orders/17?tab=all", ["/orders/17?tab=all"]), ("%2Fsearch%3Fq%3Ds%26page", []),
        ] {
            let page = try await server.client().get("/sessions?path=\(prefix)").decode(Document.SessionPage.self)
            #expect(Set(page.sessions.map(\.id)) == Set(links.compactMap { ids[$0] }), "\(prefix)")
        }
    }
}
