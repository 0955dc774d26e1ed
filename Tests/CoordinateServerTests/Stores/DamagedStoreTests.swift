import JSON
import SessionFixtures
import Testing

@testable import CoordinateServer
@testable import CoordinateTesting

/// An unreadable entry affects only its own session.
struct DamagedStoreTests {
    static let stores = Store.available.filter { [.sqlite, .postgreSQL].contains($0) }

    /// Runs the body with a store with two sessions of three events each, one of whose entries is damaged.
    private nonisolated(nonsending) func withDamage(
        of version: Int, in store: Store,
        _ body:
            nonisolated(nonsending) (TestServer, _ damaged: SessionClient, _ sound: SessionClient) async throws -> Void
    ) async throws {
        let place = try await Store.Place(store)
        var sessions: [String] = []
        try await withApp(TestApp(), on: place) { server in
            for _ in 0..<2 {
                let client = server.client()
                for number in 1...3 { try await client.emit("test.push", ["number": .int(number)]) }
                sessions.append(try #require(client.sessionID))
            }
        }
        try await place.damage(version, of: sessions[0])
        try await withApp(TestApp(), on: place) { server in
            try await body(server, server.client().inSession(sessions[0]), server.client().inSession(sessions[1]))
        }
    }

    private func expectDamage(_ answer: ServerAnswer, at version: Int, _ location: SourceLocation = #_sourceLocation)
        throws
    {
        #expect(answer.status == 409, sourceLocation: location)
        #expect(try answer.json["type"] == "/problems/damaged", sourceLocation: location)
        #expect(try answer.json["version"] == .int(version), sourceLocation: location)
    }

    @Test(arguments: stores) func aDamagedSessionIsRefusedAndCanBeEnded(store: Store) async throws {
        try await withDamage(of: 2, in: store) { server, damaged, sound in
            try expectDamage(try await damaged.get("/route"), at: 2)
            try expectDamage(try await damaged.post("/events", json: ["event": "navigation.back"]), at: 2)
            try expectDamage(try await damaged.get("/route?version=2"), at: 2)
            #expect(try await damaged.session().state == "damaged")
            #expect(try await damaged.delete(damaged.base).status == 204)
            try await sound.emit("navigation.back")
        }
    }

    @Test(arguments: stores) func entriesBeforeTheDamageCanBeReadForkedAndExported(store: Store) async throws {
        try await withDamage(of: 2, in: store) { server, damaged, sound in
            #expect(try await damaged.route(at: 1).version == 1)
            #expect(try await damaged.exportedJournal().split(separator: 0x0A).count == 2)
            let page = try await damaged.journal()
            #expect(page.events.map(\.version) == [1])
            #expect(page.next == 1)
            try expectDamage(try await damaged.get("/events?after=1"), at: 2)
            let fork = try await damaged.fork(at: 1)
            try await fork.emit("test.push", ["number": 7])
            #expect(try await fork.route().version == 2)
        }
    }

    @Test(arguments: stores, [3, 0]) func theListShowsADamagedSession(store: Store, version: Int) async throws {
        try await withDamage(of: version, in: store) { server, damaged, sound in
            let sessions = try await server.client().get("/sessions").json["sessions"]?.array ?? []
            #expect(sessions.count == 2)
            let states = Dictionary(uniqueKeysWithValues: sessions.map { ($0["id"]?.string, $0["state"]?.string) })
            #expect(states[damaged.sessionID] == "damaged")
            #expect(states[sound.sessionID] == "passive")
            try expectDamage(try await damaged.get("/route"), at: version)
            if version == 0 {
                let export = try await damaged.get("/events", headers: ["Accept": "application/x-ndjson"])
                try expectDamage(export, at: 0)
            }
            #expect(try await damaged.delete(damaged.base).status == 204)
            #expect(try await server.client().get("/sessions").json["sessions"]?.array.count == 1)
        }
    }
}
