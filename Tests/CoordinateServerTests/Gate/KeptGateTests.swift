import CoordinateSessions
import CoordinateTesting
import SessionFixtures
import Testing

@testable import CoordinateServer

/// Parked links and alerts come from the session's events, so a rebuilt tree has them.
struct KeptGateTests {
    /// The events that lead to a waiting state, one that ends it, and the path to which that leads.
    struct Wait: Sendable {
        let events: [Event]
        let end: Event
        let path: String

        struct Event: Sendable {
            let name: String
            var payload: JSON = [:]
        }

        static let all = [
            Wait(events: [link("/orders/17")], end: Event(name: "account.logIn"), path: "/orders/17"),
            Wait(
                events: [Event(name: "form.open"), change, Event(name: "navigation.back")],
                end: choice("discard"), path: "/home"),
            // A link that waits for an alert's answer while an older one is parked.
            Wait(
                events: [
                    link("/orders/17"), Event(name: "navigation.back"), Event(name: "form.open"), change,
                    link("/orders"),
                ],
                end: choice("discard"), path: "/login"),
        ]

        private static let change = Event(name: "form.change", payload: ["text": "Ring twice"])
        private static func link(_ path: String) -> Event {
            Event(name: "navigation.open", payload: ["path": .string(path)])
        }
        private static func choice(_ id: String) -> Event {
            Event(name: "navigation.choose", payload: ["choice": .string(id)])
        }
    }

    /// The answers to requests for a route.
    private struct Seen: Equatable {
        let route: [UInt8]
        let tag: String?

        nonisolated(nonsending) init(_ client: SessionClient) async throws {
            let answer = try await client.get("/route")
            route = answer.body
            tag = answer.header("ETag")
        }
    }

    private func wait(_ wait: Wait, in client: SessionClient) async throws {
        for event in wait.events { #expect(try await client.emit(event.name, event.payload).handled) }
    }

    /// Continues from the waiting state.
    private func checkEnd(of wait: Wait, in client: SessionClient) async throws {
        let outcome = try await client.emit(wait.end.name, wait.end.payload)
        #expect(outcome.version == wait.events.count + 1)
        #expect(outcome.handled)
        #expect(outcome.path == wait.path)
        #expect(outcome.route?.parked?.path == (wait.path == "/login" ? "/orders" : nil))
    }

    /// Whether two routes are equal, except for the session's id.
    private func same(_ one: Document.Route, _ other: Document.Route) -> Bool {
        one.version == other.version && one.path == other.path && one.leaf == other.leaf && one.parked == other.parked
            && one.breadcrumbs == other.breadcrumbs && one.screen == other.screen
            && one.navigation == other.navigation && one.tree == other.tree
    }

    @Test(arguments: Wait.all, Store.Kind.available)
    func aRestartChangesNothing(wait: Wait, kind: Store.Kind) async throws {
        let store = try await Store(kind)
        var known: (id: String, seen: Seen)?
        try await withApp(GateApp(), on: store) { server in
            let client = server.client()
            try await self.wait(wait, in: client)
            known = (try #require(client.sessionID), try await Seen(client))
        }
        let (id, seen) = try #require(known)
        try await withApp(GateApp(), on: store) { server in
            let client = server.client(headers: ["Session": id])
            #expect(try await client.session().state == "passive")
            #expect(try await Seen(client) == seen)
            try await checkEnd(of: wait, in: client)
        }
    }

    @Test(.serving(GateApp()), arguments: Wait.all)
    func anExportIsImportedAndReplayed(wait: Wait) async throws {
        try await self.wait(wait, in: client)
        let route = try await client.route()
        let journal = try await client.exportedJournal()
        #expect(try GateApp().replay(journal) == route.path)
        let copy = try await server.client(replaying: journal)
        let own = try await copy.route()
        #expect(same(own, route))
        try await checkEnd(of: wait, in: copy)
        let whole = try await copy.exportedJournal()
        #expect(try GateApp().replay(whole) == wait.path)

        let other = String(decoding: whole, as: UTF8.self)
            .replacing(#""path":"\#(wait.path)","origin""#, with: #""path":"/form/2","origin""#)
        #expect(throws: JournalReplayError.self) { try GateApp().replay(other.utf8) }
        let type = ["Content-Type": "application/x-ndjson"]
        let answer = try await client.request("POST", "/sessions", headers: type, body: Array(other.utf8))
        #expect(answer.isProblem("invalid-journal", 422))
    }
}
