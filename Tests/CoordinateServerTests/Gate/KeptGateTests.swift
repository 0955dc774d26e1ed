import CoordinateSessions
import CoordinateTesting
import SessionFixtures
import Testing

@testable import CoordinateServer

/// Parked links and alerts come from the session's events, so a rebuilt tree has them.
struct KeptGateTests {
    private static let change: (String, JSON) = ("form.change", ["text": "Ring twice"])

    /// The events that lead to a waiting state, one that ends it, and the path to which that leads.
    private static let waits: [(events: [(String, JSON)], end: (String, JSON), path: String)] = [
        ([("navigation.open", ["path": "/orders/17"])], ("account.logIn", [:]), "/orders/17"),
        (
            [("form.open", [:]), change, ("navigation.back", [:])], ("navigation.choose", ["choice": "discard"]),
            "/home"
        ),
        // A link that waits for an alert's answer while an older one is parked.
        (
            [
                ("navigation.open", ["path": "/orders/17"]), ("navigation.back", [:]), ("form.open", [:]), change,
                ("navigation.open", ["path": "/orders"]),
            ], ("navigation.choose", ["choice": "discard"]), "/login"
        ),
    ]

    @Test(arguments: waits.indices) func aRestartAndAnImportKeepWhatWaits(index: Int) async throws {
        let wait = Self.waits[index]
        let journal = MemoryJournal()
        let (id, before, export) = try await withClient(of: GateApp(), journal: journal) { client in
            for event in wait.events { #expect(try await client.emit(event.0, event.1).handled) }
            let id = try #require(client.sessionID)
            return (id, try await client.get("/route"), try await client.exportedJournal())
        }
        try await withApp(GateApp(), journal: journal) { server in
            let client = server.client(headers: ["Session": id])
            let after = try await client.get("/route")
            #expect(after.body == before.body)
            #expect(after.header("ETag") == before.header("ETag"))
            let copy = try await server.client(replaying: export)
            let imported = try await copy.get("/route").text
            #expect(imported.replacing(try #require(copy.sessionID), with: id) == before.text)
            for client in [client, copy] {
                let outcome = try await client.emit(wait.end.0, wait.end.1)
                #expect(outcome.version == wait.events.count + 1)
                #expect(outcome.path == wait.path)
                #expect(outcome.route?.parked?.path == (wait.path == "/login" ? "/orders" : nil))
            }
            #expect(try GateApp().replay(try await copy.exportedJournal()) == wait.path)
        }
    }
}
