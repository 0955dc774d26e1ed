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
