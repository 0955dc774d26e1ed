import CoordinateTesting
import SessionFixtures
import Testing

@testable import CoordinateServer

/// Idle sessions lose their trees. Clients do not notice.
struct PassivationTests {
    private let app = TestApp()
    private let clock = ManualClock()

    /// A request to a passive session, with `{id}` for its id, and the status of its answer.
    struct Request: Sendable {
        let method: String
        let path: String
        var body: JSON?
        var status = 200
        /// Whether the request needs the tree.
        var wakes = true
    }

    static let requests = [
        Request(method: "GET", path: "/sessions/{id}", wakes: false),
        Request(method: "GET", path: "/sessions/{id}/route"),
        Request(method: "HEAD", path: "/sessions/{id}/route"),
        Request(method: "GET", path: "/sessions/{id}/route?version=3", wakes: false),
        Request(method: "GET", path: "/sessions/{id}/route?version=1", wakes: false),
        Request(method: "GET", path: "/sessions/{id}/route?version=9", status: 404, wakes: false),
        Request(method: "GET", path: "/sessions/{id}/changes?from=3&to=1", wakes: false),
        Request(method: "GET", path: "/sessions/{id}/changes?from=1&to=9", status: 404, wakes: false),
        Request(method: "GET", path: "/sessions/{id}/events", wakes: false),
        Request(method: "POST", path: "/sessions/{id}/events", body: ["event": "navigation.back"]),
        Request(method: "PUT", path: "/sessions/{id}/route", body: ["path": "/stack"]),
        Request(method: "POST", path: "/sessions/{id}/events", body: ["event": "unknown.event"], status: 422),
        Request(method: "POST", path: "/sessions/{id}/forks", body: ["version": 2], status: 201, wakes: false),
        Request(method: "DELETE", path: "/sessions/{id}", status: 204, wakes: false),
    ]

    @Test func aPassiveSessionAnswersEveryRequestAsBefore() async throws {
        try await withApp(app, clock: clock.clock, configuration: .make(sessionPassivationTime: 60)) { server in
            var clients: [(client: SessionClient, route: ServerAnswer)] = []
            for _ in Self.requests {
                let client = server.client()
                for number in 1...3 { try await client.emit("test.push", ["number": .int(number)]) }
                clients.append((client, try await client.get("/route")))
            }
            try await passivate(clock, server, app)
            let count = Self.requests.count
            #expect(try await server.client().gauges() == [0, count])

            for (request, (client, route)) in zip(Self.requests, clients) {
                let live = try await client.metric("coordinate_sessions")
                let path = request.path.replacing("{id}", with: client.sessionID ?? "")
                let answer = try await client.request(
                    request.method, path, headers: ["Content-Type": "application/json"], body: request.body?.encoded)
                #expect(answer.status == request.status, "\(request)")
                let trees = request.wakes ? 1 : 0
                #expect(try await client.metric("coordinate_sessions") == live + trees, "\(request)")
                guard request.method == "GET" || request.status >= 400 else { continue }
                let now = try await client.get("/route")
                #expect(now.body == route.body)
                #expect(now.header("ETag") == route.header("ETag"))
                let known = try await client.get("/route", headers: ["If-None-Match": route.header("ETag") ?? ""])
                #expect(known.status == 304)
            }
        }
    }

    /// Advances the clock, and waits for the server to notice. It checks about once a second.
    private nonisolated(nonsending) func passivate(
        _ clock: ManualClock, _ server: TestServer, _ app: TestApp, after seconds: Int = 62
    ) async throws {
        let client = server.client()
        clock.advance(by: seconds)
        try await waitUntil("the trees are still there") { try await client.metric("coordinate_sessions") == 0 }
        #expect(app.lives.living == 0)
    }
}
