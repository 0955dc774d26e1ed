import CoordinateTesting
import Racing
import SessionFixtures
import Testing

@testable import CoordinateServer

/// `PATCH /sessions/{id}`: the name of a session.
@Suite(.racing) struct SessionNameTests {
    private func rename(_ client: SessionClient, _ body: JSON) async throws -> ServerAnswer {
        try await client.request(
            "PATCH", client.base, headers: ["Content-Type": "application/json"], body: body.encoded)
    }

    @Test func aSessionIsNamedWithoutANewVersion() async throws {
        try await client.showTeam()
        #expect(try await client.session().name == nil)
        let answer = try await rename(client, ["name": "checkout bug"])
        #expect(answer.status == 200)
        #expect(try answer.decode(Document.Session.self).name == "checkout bug")
        #expect(try await client.session().name == "checkout bug")
        #expect(try await client.session().version == 2)
        #expect(try await rename(client, ["name": .null]).status == 200)
        #expect(try await client.session().name == nil)
    }

    @Test func forksAndExportsHaveNoName() async throws {
        try await client.showTeam()
        let export = try await client.exportedJournal()
        _ = try await rename(client, ["name": "checkout bug"])
        #expect(try await client.exportedJournal() == export)
        #expect(try await client.fork(at: 1).session().name == nil)
    }

    @Test(
        arguments: [
            (["name": ""], 400), (["name": .string(String(repeating: "é", count: 81))], 400), (["name": 1], 400),
            ([:], 200),
            ([], 400), (["name": "x", "title": "y"], 422), (["name": .string(String(repeating: "é", count: 80))], 200),
            // One character of many bytes, characters that end a line, and one that turns the direction of text.
            (["name": .string("e" + String(repeating: "\u{301}", count: 160))], 400), (["name": "a\0b"], 400),
            (["name": "a\nb"], 400), (["name": "a\u{202E}b"], 400), (["name": "a\u{2067}b"], 400),
            (["name": "a\u{2028}b"], 400), (["name": "a\u{2029}b"], 400),
        ] as [(JSON, Int)])
    func aNameHasOneToEightyCharactersAndFewBytes(body: JSON, status: Int) async throws {
        try await client.showTeam()
        #expect(try await rename(client, body).status == status)
    }

    @Test(arguments: Store.Kind.available) func aNameOutlivesItsServer(kind: Store.Kind) async throws {
        let store = try await Store(kind)
        let id = try await withApp(RacingApp.make(), on: store) { server -> String? in
            let client = server.client()
            try await client.showTeam()
            #expect(try await rename(client, ["name": "checkout \"bug\""]).status == 200)
            #expect(try await client.delete("/sessions/none").status == 404)
            return client.sessionID
        }
        try await withApp(RacingApp.make(), on: store) { server -> Void in
            let client = server.client().inSession(try #require(id))
            #expect(try await client.session().name == "checkout \"bug\"")
            #expect(try await client.route().version == 2)
            #expect(try await client.delete(client.base).status == 204)
            #expect(try await rename(client, ["name": "late"]).status == 404)
        }
    }
}
