import CoordinateTesting
import SessionFixtures
import Testing

@testable import CoordinateServer

/// Options: declared by the app, set when a session is created, and kept with it.
struct OptionTests {
    private static let lines = ["Accept": "application/x-ndjson"]

    @Test(.serving(WorkApp())) func optionsReachTheAppAndAreKept() async throws {
        let made = try await client.post(
            "/sessions", json: ["path": "/work/page/1", "options": ["greeting": "Hallo", "pace": 2]])
        #expect(made.status == 201)
        let document = try made.json
        #expect(document["options"] == ["greeting": "Hallo", "pace": 2])
        #expect(document["version"] == 1)
        let base = "/sessions/\(document["id"]?.string ?? "")"
        #expect(try await client.get("\(base)/route").json["screen"]?["title"] == "Hallo")
        let journal = try await client.get("\(base)/events", headers: Self.lines).body
        let copy = try await client.request(
            "POST", "/sessions", headers: ["Content-Type": "application/x-ndjson"], body: journal)
        #expect(try copy.json["options"] == document["options"])
        let fork = try await client.post("\(base)/forks", json: ["version": 0])
        #expect(try fork.json["options"] == document["options"])
        let route = try await client.get("/sessions/\(try fork.json["id"]?.string ?? "")/route")
        #expect(try route.json["screen"]?["title"] == "Hallo")
    }

    @Test(.serving(WorkApp())) func withoutOptionsASessionHasNone() async throws {
        for body: JSON in [["options": [:]], [:]] {
            let made = try await server.client().post("/sessions", json: body)
            #expect(made.status == 201)
            #expect(try made.json["options"] == [:])
        }
    }
}
