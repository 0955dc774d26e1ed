import Coordinate
import CoordinateSessions
import CoordinateTesting
import Racing
import SeededGenerator
import SessionFixtures
import Testing

/// Random walks through what apps offer: each document fits its schema and agrees with the others, and each version can
/// be read, forked and replayed.
struct OpenAPIWalkTests {
    enum App: CaseIterable {
        case racing, form, gate, library

        func make() throws -> any CoordinatedApp {
            switch self {
            case .racing: try RacingApp.make()
            case .form: FormApp()
            case .gate: GateApp()
            case .library: LibraryApp()
            }
        }
    }

    private static let steps = 100

    private let check: DescriptionCheck

    init() throws {
        check = DescriptionCheck(try .shipped())
    }

    @Test(arguments: App.allCases, [1, 2] as [UInt64])
    func documentsAgreeInEveryState(of kind: App, seed: UInt64) async throws {
        let app = try kind.make()
        try await withApp(app) { server in
            let client = server.client()
            var generator = SeededGenerator(state: seed)
            var routes = [try await client.route()]
            let id = try #require(client.sessionID)
            for step in 1...Self.steps {
                let action = try #require(routes[step - 1].offeredActions.randomElement(using: &generator))
                routes.append(try await send(action, to: client, of: id, at: routes[step - 1]))
                try await checkReading(id, client, after: step - 1)
            }
            let export = DescribedRequest(.init("GET", "/sessions/{id}/events"), id: id)
                .with(headers: ["Accept": "application/x-ndjson"])
            let journal = try await check.send(export, as: client, status: 200)
            #expect(journal.text.count { $0 == "\n" } == Self.steps + 1)
            #expect(try app.replay(journal.body) == routes[Self.steps].path)
            let copy = try await server.client(replaying: journal.body).route()
            #expect(copy.tree == routes[Self.steps].tree)
            #expect(copy.parked == routes[Self.steps].parked)
            for version in stride(from: 0, through: Self.steps, by: 20) {
                #expect(try await client.route(at: version) == routes[version])
                #expect(try await client.fork(at: version).route().tree == routes[version].tree)
            }
        }
    }

    /// Emits an offered action.
    ///
    /// - Returns: The route after it.
    private func send(
        _ action: Document.Action, to client: SessionClient, of id: String, at route: Document.Route
    ) async throws -> Document.Route {
        var event = check.description.example(.init("POST", "/sessions/{id}/events"), id: id)
        event.body = action.json.encoded
        let answer = try await check.send(event, as: client, status: 200)
        let outcome = try answer.decode(Document.Outcome.self)
        try #require(outcome.version == route.version + 1)
        try #require(outcome.handled, "\(action) at \(route.path)")
        try #require(outcome.trace.first?.coordinator == route.leaf)
        try #require(outcome.trace.last?.coordinator == outcome.handledBy)
        let document = try await client.get("/route")
        try #require(answer.text.hasSuffix("\"route\":\(document.text)}"), "the same bytes")
        let next = try #require(outcome.route)
        try #require(next.path == outcome.path && next.leaf == outcome.leaf)
        try #require(next.breadcrumbs.last?.path == next.path)
        return next
    }

    /// A nullable field that is always null proves little.
    @Test func nullableFieldsAreNotAlwaysNull() async throws {
        let values = Set(
            try await (racingRoutes() + workRoutes() + gateRoutes() + formRoutes() + libraryRoutes()).flatMap(\.fields))
        let names = Set(values.filter { $0.value == .null }.map(\.name))
        for name in names { #expect(values.contains { $0.name == name && $0.value != .null }, "\(name)") }
        #expect(
            names.isSuperset(of: [
                "presented", "section", "badge", "index", "route", "delete", "back", "dismiss", "message", "due",
                "parked", "value", "error", "choices", "section", "image", "empty", "content", "role", "opens", "kind",
                "footer", "url", "symbol", "letters", "color",
            ]))
    }

    private func racingRoutes() async throws -> [JSON] {
        try await withRacing { server in
            let client = server.client()
            var documents = [try await client.get("/route").json]
            for link in ["/main/drivers/compare/leclerc", "/main/profile/edit", "/main/teams/team/ferrari"] {
                try await client.open(link)
                documents.append(try await client.get("/route").json)
            }
            for action in try await client.route().screen.actions { try await client.emit(action) }
            try await client.open("/main/profile")
            documents.append(try await client.get("/route").json)
            return documents
        }
    }

    /// Routes with work and a timer, and with failed work.
    private func workRoutes() async throws -> [JSON] {
        let world = World()
        return try await withApp(WorkApp(world)) { server in
            let client = server.client()
            try await client.emit("work.setTimer", ["seconds": 3_600])
            try await client.emit("work.ask", ["name": "pay"])
            let pending = try await client.get("/route").json
            _ = await world.call(0)
            world.fail("pay")
            return [pending, try await client.get("/route?until=settled", headers: ["Prefer": "wait=60"]).json]
        }
    }

    /// Routes with a parked link, and with an alert.
    private func gateRoutes() async throws -> [JSON] {
        try await withApp(GateApp()) { server in
            let client = server.client()
            try await client.open("/orders/17")
            let parked = try await client.get("/route").json
            try await client.open("/form")
            try await client.emit("form.change", ["text": "Ring twice"])
            try await client.emit("navigation.back")
            return [parked, try await client.get("/route").json]
        }
    }

    /// Routes with an invalid form, and with rows that have values and buttons.
    private func formRoutes() async throws -> [JSON] {
        try await withApp(FormApp()) { server in
            let client = server.client()
            let form = try #require(try await client.route().screen.actions.first)
            try await client.emit(form, entering: ["zip": "80", "guests": 2])
            let refused = try await client.get("/route").json
            try await client.emit(form)
            return [refused, try await client.get("/route").json]
        }
    }

    /// Routes with sections, images, links and content, with an empty list, and with fields of every kind.
    private func libraryRoutes() async throws -> [JSON] {
        try await withApp(LibraryApp()) { server in
            let client = server.client()
            var documents = [try await client.get("/route").json]
            try await client.press("Atlas")
            try await client.press("Read")
            documents.append(try await client.get("/route").json)
            try await client.open("/shelf")
            for book in ["atlas", "notes", "ulysses"] { try await client.press("Remove \(book)") }
            documents.append(try await client.get("/route").json)
            try await client.open("/desk")
            return documents + [try await client.get("/route").json]
        }
    }

    private func checkReading(_ id: String, _ client: SessionClient, after version: Int) async throws {
        for (path, query) in [
            ("/sessions/{id}", ""), ("/sessions/{id}/route", ""), ("/sessions/{id}/route", "?version=\(version)"),
            ("/sessions/{id}/events", "?after=\(version)"), ("/sessions/{id}/changes", "?from=\(version)&to=0"),
            ("/sessions/{id}/test", "?as=curl"),
        ] {
            let request = DescribedRequest(.init("GET", path), id: id).with(query: query)
            try await check.send(request, as: client, status: 200)
        }
    }
}

extension Document.Action {
    /// The action as in the document.
    fileprivate var json: JSON {
        [
            "title": .string(title), "event": .string(event), "payload": payload,
            "role": role.map(JSON.string) ?? .null, "opens": opens.map(JSON.string) ?? .null,
        ]
    }
}

private struct Field: Hashable {
    let name: String
    let value: JSON
}

extension JSON {
    /// Every field of every object in this document.
    fileprivate var fields: [Field] {
        object.flatMap { [Field(name: $0.key, value: $0.value)] + $0.value.fields } + array.flatMap(\.fields)
    }
}
