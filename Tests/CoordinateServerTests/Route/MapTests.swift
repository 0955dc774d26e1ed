import Coordinate
import CoordinateSessions
import CoordinateTesting
import Dispatch
import MicroHTTPD
import Racing
import SessionFixtures
import Synchronization
import Testing

@testable import CoordinateExplore
@testable import CoordinateServer

/// `GET /map`: the app's states and the events between them, created once and kept.
struct MapTests {
    @Test(arguments: ["GET", "HEAD"]) func theAnswerIs202WhileTheMapIsCreated(method: String) async throws {
        let app = HeldApp(trees: 3)
        try await withClient(of: app) { client in
            for _ in 0..<2 {
                let answer = try await client.request(method, "/map")
                #expect(answer.status == 202)
                #expect(answer.header("Retry-After") == "1")
                #expect(answer.header("Cache-Control") == "no-store")
                #expect(answer.header("ETag") == nil)
                guard method == "GET" else { continue }
                let document = try answer.json
                #expect(document["status"] == "underway")
                #expect(document["documents"]?.array.map { $0["state"] } == [0])
                #expect(document["documents"][0]["route"]["path"] == "/stack")
            }
            app.gate.letAllPass()
            let answer = try await client.map()
            #expect(try answer.json["truncated"] == false)
            let count = app.gate.count
            #expect(try await client.map().text == answer.text)
            #expect(app.gate.count == count, "the map is created once")
        }
    }

    @Test func aRequestCanWaitForTheMap() async throws {
        let known = try await withClient(of: HeldApp(trees: .max)) { client in
            try #require(try await client.map().header("ETag"))
        }
        let app = HeldApp(trees: 3)
        try await withClient(of: app) { client in
            let early = try await client.request("GET", "/map", headers: ["Prefer": "wait=1"])
            #expect(early.status == 202)
            async let late = client.request("GET", "/map", headers: ["Prefer": "wait=60"])
            async let same = client.get("/map", headers: ["Prefer": "wait=60", "If-None-Match": known])
            app.gate.letAllPass()
            let answer = try await late
            #expect(answer.status == 200)
            #expect(try await same.status == 304)
            let tag = try #require(answer.header("ETag"))
            for (known, status) in [(tag, 304), ("\"x\"", 200)] {
                let headers = ["Prefer": "wait=60", "If-None-Match": known]
                #expect(try await client.get("/map", headers: headers).status == status)
            }
        }
    }

    @Test func anAppThatIsSlowToStartDelaysNoRequestForLong() async throws {
        let app = HeldApp(trees: 1)
        try await withClient(of: app) { client in
            let answer = try await client.get("/map")
            #expect(answer.status == 202)
            #expect(try answer.json["documents"] == [])
            app.gate.letAllPass()
            #expect(try await client.map().status == 200)
        }
    }

    @Test func aStoppingServerDoesNotWaitForTheMap() async throws {
        let app = HeldApp(trees: 2)
        let map = AppMap()
        let endpoint = HostEndpoint { parts throws(ServerError) in map.appendEndpoint(to: &parts) }
        let server = try Server(
            app: app, configuration: .make(endpoints: [endpoint]), logger: .silent, clock: .system,
            journal: MemoryJournal())
        try await withServer(server) { running in
            #expect(try await running.client().get("/map").status == 202)
            try await waitUntil("no map is being created") { app.gate.count > 2 }
            await server.stopElsewhere()
        }
        // The creation then ends with what it has.
        app.gate.letAllPass()
        try await waitUntil("the map is still being created") { map.response != nil }
        let json = String(decoding: map.response?.whole.body.bytes ?? [], as: UTF8.self)
        #expect(json.contains(#""truncated":true"#))
        #expect(json.contains(#""documents":[{"state":0,"route":{"version":0"#))
        #expect(!json.contains("not-reached"))
    }
}

extension SessionClient {
    /// The map, once it is created.
    fileprivate func map() async throws -> ServerAnswer {
        try await waitUntil("there is no map") { try await self.get("/map").status == 200 }
        return try await get("/map")
    }
}

/// An app of which only a number of trees can be created, until it allows more.
private struct HeldApp: CoordinatedApp {
    let name = "Held"
    let version = "1.0"
    let gate: Gate
    private let app = TestApp()

    init(trees: Int) { gate = Gate(trees) }

    var events: EventCatalog { app.events }
    var routes: RouteCatalog { app.routes }

    func makeRootCoordinator() -> CoordinatorNode {
        gate.pass()
        return app.makeRootCoordinator()
    }

    final class Gate: Sendable {
        private let passed = Atomic(0)
        private let limit: Int
        private let opening = DispatchSemaphore(value: 0)

        init(_ limit: Int) { self.limit = limit }

        /// The number of created trees.
        var count: Int { passed.load(ordering: .relaxed) }

        func letAllPass() { opening.signal() }

        func pass() {
            guard passed.wrappingAdd(1, ordering: .relaxed).newValue > limit else { return }
            opening.wait()
            opening.signal()
        }
    }
}
