import CoordinateTesting
import SessionFixtures
import Testing

@testable import CoordinateServer

/// Idle sessions lose their trees. Clients do not notice.
struct PassivationTests {
    /// Requests to a passive session, the statuses of their answers, and whether they need the tree.
    private static let requests: [(method: String, path: String, body: JSON?, status: Int, wakes: Bool)] = [
        ("GET", "", nil, 200, false), ("GET", "/route", nil, 200, true), ("HEAD", "/route", nil, 200, true),
        ("GET", "/route?version=3", nil, 200, false), ("GET", "/route?version=1", nil, 200, false),
        ("GET", "/route?version=9", nil, 404, false), ("GET", "/changes?from=3&to=1", nil, 200, false),
        ("GET", "/changes?from=1&to=9", nil, 404, false), ("GET", "/events", nil, 200, false),
        ("POST", "/events", ["event": "navigation.back"], 200, true), ("PUT", "/route", ["path": "/stack"], 200, true),
        ("POST", "/events", ["event": "unknown.event"], 422, true), ("POST", "/forks", ["version": 2], 201, false),
        ("DELETE", "", nil, 204, false),
    ]

    @Test(.serving(TestApp(), time: .manual, configuration: .make(sessionPassivationTime: 60)))
    func aPassiveSessionAnswersEveryRequestAsBefore() async throws {
        var clients: [(client: SessionClient, route: ServerAnswer)] = []
        for _ in Self.requests {
            let client = server.client()
            for number in 1...3 { try await client.emit("test.push", ["number": .int(number)]) }
            clients.append((client, try await client.get("/route")))
        }
        manualClock.advance(by: 62)
        // The server checks about once a second.
        try await waitUntil("the trees are still there") {
            try await server.client().gauges() == [0, Self.requests.count]
        }
        #expect(testApp.lives.living == 0)

        for (request, (client, route)) in zip(Self.requests, clients) {
            let live = try await client.metric("coordinate_sessions")
            let answer = try await client.request(
                request.method, client.base + request.path, headers: ["Content-Type": "application/json"],
                body: request.body?.encoded)
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
