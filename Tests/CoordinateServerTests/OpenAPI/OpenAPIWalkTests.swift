import Coordinate
import CoordinateTesting
import Racing
import SeededGenerator
import SessionFixtures
import Testing

/// The documents in many states of the app: each field is described, and fits its schema.
struct OpenAPIWalkTests {
    private let check: DescriptionCheck

    init() throws {
        check = DescriptionCheck(try .shipped())
    }

    @Test(arguments: [1, 2] as [UInt64])
    func documentsFitTheirSchemas(seed: UInt64) async throws {
        try await checkWalk(through: try RacingApp.make(), seed: seed)
    }

    @Test func documentsWithFormsFitTheirSchemas() async throws {
        try await checkWalk(through: FormApp(), seed: 1)
    }

    /// This app parks links and shows alerts.
    @Test(arguments: [1, 2] as [UInt64])
    func documentsWithGuardsFitTheirSchemas(seed: UInt64) async throws {
        try await checkWalk(through: GateApp(), seed: seed)
    }

    private func checkWalk(through app: any CoordinatedApp, seed: UInt64) async throws {
        try await withApp(app) { server in
            let client = server.client()
            var generator = SeededGenerator(state: seed)
            var route = try await client.route()
            let id = try #require(client.sessionID)
            for step in 1...100 {
                let action = try #require(route.offeredActions.randomElement(using: &generator))
                var event = check.description.example(.init("POST", "/sessions/{id}/events"), id: id)
                event.body = action.json.encoded
                let answer = try await check.send(event, as: client, status: 200)
                route = try #require(try answer.decode(Document.Outcome.self).route)
                try await checkReading(id, client, after: step - 1)
            }
            try await checkReading(id, client, after: 0)
            let export = DescribedRequest(.init("GET", "/sessions/{id}/events"), id: id)
                .with(headers: ["Accept": "application/x-ndjson"])
            let journal = try await check.send(export, as: client, status: 200)
            #expect(journal.text.count { $0 == "\n" } == 101)
        }
    }

    /// A nullable field that is always null proves little.
    @Test func nullableFieldsAreNotAlwaysNull() async throws {
        let values = Set(try await (racingRoutes() + workRoutes() + gateRoutes() + formRoutes()).flatMap(\.fields))
        let names = Set(values.filter { $0.value == .null }.map(\.name))
        for name in names { #expect(values.contains { $0.name == name && $0.value != .null }, "\(name)") }
        #expect(
            names.isSuperset(of: [
                "presented", "section", "badge", "index", "route", "delete", "back", "dismiss", "message", "due",
                "parked", "value", "error", "choices",
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

    private func checkReading(_ id: String, _ client: SessionClient, after version: Int) async throws {
        for (path, query) in [
            ("/sessions/{id}", ""), ("/sessions/{id}/route", ""), ("/sessions/{id}/route", "?version=\(version)"),
            ("/sessions/{id}/events", "?after=\(version)"), ("/sessions/{id}/changes", "?from=\(version)&to=0"),
        ] {
            let request = DescribedRequest(.init("GET", path), id: id).with(query: query)
            try await check.send(request, as: client, status: 200)
        }
    }
}

extension Document.Action {
    /// The action as in the document.
    fileprivate var json: JSON { ["title": .string(title), "event": .string(event), "payload": payload] }
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
