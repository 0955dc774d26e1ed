import CoordinateTesting
import SessionFixtures
import Testing

/// What the server tells without a session.
struct ServerResourcesTests {
    @Test func theCatalogHasEveryEventPathAndCoordinator() async throws {
        try await withRacing { server in
            let client = server.client()
            let answer = try await client.get("/catalog")
            #expect(answer.status == 200)
            #expect(answer.header("Content-Type") == "application/json")
            #expect(answer.header("Set-Cookie") == nil)
            let catalog = try answer.json
            #expect(catalog["app"] == "Racing")
            #expect(catalog["appVersion"] == "1.0")
            let events = try #require(catalog["events"]).array
            let names = Set(events.compactMap { $0["name"]?.string })
            #expect(
                names.isSuperset(of: [
                    "splash.didFinish", "teams.didSelect", "teams.setFavorite", "teams.unsetFavorite",
                    "drivers.didSelect", "drivers.setFavorite", "drivers.unsetFavorite", "navigation.back",
                    "navigation.popToRoot", "navigation.selectTab", "navigation.dismiss",
                ]))
            #expect(
                events.first { $0["name"] == "teams.didSelect" }?["payload"] == ["team": ["type": "string"]])
            #expect(events.first { $0["name"] == "navigation.back" }?["payload"] == [:])
            let paths = Set(try #require(catalog["paths"]).array.compactMap(\.string))
            #expect(
                paths.isSuperset(of: [
                    "/splash", "/main/teams", "/main/teams/team/{team}", "/main/teams/driver/{driver}", "/main/drivers",
                    "/main/drivers/driver/{driver}", "/main/drivers/team/{team}", "/main/profile",
                ]))
            let coordinators = Set(try #require(catalog["coordinators"]).array.compactMap(\.string))
            #expect(
                coordinators.isSuperset(of: [
                    "AppCoordinator", "SplashCoordinator", "MainCoordinator", "TeamsCoordinator",
                    "TeamsListCoordinator", "TeamsDetailsCoordinator", "DriversCoordinator", "DriversListCoordinator",
                    "DriversDetailsCoordinator", "ProfileCoordinator",
                ]))
        }
    }

    @Test func theCatalogNamesTheTypesOfFields() async throws {
        try await withApp(TestApp()) { server in
            let events = try #require(try await server.client().get("/catalog").json["events"]).array
            let payloads = events.prefix(4).map { $0["payload"] }
            #expect(
                payloads == [
                    ["number": ["type": "integer"]], ["factor": ["type": "number"]], ["isOn": ["type": "boolean"]],
                    ["a/b~c": ["type": "string"]],
                ])
        }
    }

    @Test(arguments: ["/livez", "/readyz"])
    func probesSayOK(path: String) async throws {
        try await withRacing { server in
            let client = server.client()
            let answer = try await client.get(path)
            #expect(answer.status == 200)
            #expect(answer.text == #"{"status":"ok"}"#)
            #expect(client.cookies.isEmpty)
        }
    }

    @Test func metricsAreWhatPrometheusReads() async throws {
        try await withRacing { server in
            let client = server.client()
            let answer = try await client.get("/metrics")
            #expect(answer.header("Content-Type") == "text/plain; version=0.0.4; charset=utf-8")
            #expect(answer.text.hasSuffix("\n"))
            var described: Set<Substring> = []
            for line in answer.text.split(separator: "\n") {
                let words = line.split(separator: " ", maxSplits: 3)
                if words[0] == "#" {
                    described.insert(words[2])
                    #expect(["HELP", "TYPE"].contains(words[1]))
                } else {
                    #expect(described.contains(words[0]))
                    #expect(Int(words[1]) != nil)
                }
            }
            #expect(answer.text.contains("# TYPE coordinate_sessions gauge\n"))
            #expect(answer.text.contains("# TYPE coordinate_events_total counter\n"))
        }
    }

    @Test func metricsCountSessionsAndEvents() async throws {
        try await withRacing { server in
            let client = server.client()
            try await client.start()
            try await client.emit("navigation.back")
            _ = try await client.newSession()
            #expect(try await client.metric("coordinate_sessions") == 2)
            #expect(try await client.metric("coordinate_events_total") == 2)
            #expect(try await client.metric("coordinate_events_unhandled_total") == 1)
            _ = try await client.delete("/sessions/\(client.sessionID ?? "")")
            #expect(try await client.metric("coordinate_sessions") == 1)
        }
    }

    @Test func aRouteIsEncodedAtMostOnceAVersion() async throws {
        try await withRacing { server in
            let client = server.client()
            let encodings = "coordinate_route_encodings_total"
            _ = try await client.route()
            let first = try await client.metric(encodings)
            let tag = try await client.get("/route").header("ETag")
            for _ in 0..<5 { #expect(try await client.get("/route").header("ETag") == tag) }
            #expect(try await client.metric(encodings) <= first + 1)

            let settled = try await client.metric(encodings)
            for _ in 0..<5 { _ = try await client.get("/route") }
            #expect(try await client.metric(encodings) == settled)

            try await client.start()
            for _ in 0..<5 { _ = try await client.get("/route") }
            #expect(try await client.metric(encodings) == settled + 1)
            #expect(try await client.get("/route").header("ETag") != tag)

            _ = try await client.post(
                "/events", json: ["event": "navigation.back"], headers: ["Prefer": "return=minimal"])
            #expect(try await client.metric(encodings) == settled + 1)
        }
    }
}
