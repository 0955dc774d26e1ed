import CoordinateSessions
import CoordinateTesting
import SessionFixtures
import Testing

/// The server's resources outside of sessions.
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
            let rename = events.first { $0["name"] == "profile.rename" }
            #expect(rename?["payload"] == ["name": ["type": "string", "required": true, "secret": false]])
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
            func payload(_ field: String, _ type: JSON) -> JSON {
                .object([field: ["type": type, "required": true, "secret": false]])
            }
            #expect(
                payloads == [
                    payload("number", "integer"), payload("factor", "number"), payload("isOn", "boolean"),
                    payload("a/b~c", "string"),
                ])
        }
    }

    @Test func theCatalogHasOriginsOfEventsAndSecretFields() async throws {
        try await withApp(WorkApp()) { server in
            let events = try #require(try await server.client().get("/catalog").json["events"]).array
            func event(_ name: String) -> JSON? { events.first { $0["name"]?.string == name } }
            #expect(event("work.ask")["origin"] == "client")
            #expect(event("work.didFire")["origin"] == "app")
            #expect(event("navigation.back")["origin"] == "client")
            #expect(
                event("work.login")["payload"] == ["password": ["type": "string", "required": true, "secret": true]])
        }
    }

    @Test func theCatalogHasTheOptionsWithTheirTypesAndDefaults() async throws {
        try await withApp(WorkApp()) { server in
            let catalog = try await server.client().get("/catalog").json
            #expect(
                catalog["options"] == [
                    ["name": "greeting", "type": "string", "default": "Hello"],
                    ["name": "asksAtStart", "type": "boolean", "default": false],
                    ["name": "firstTimer", "type": "integer", "default": 0],
                    ["name": "pace", "type": "number", "default": 1],
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

    @Test func metricsHaveThePrometheusFormat() async throws {
        try await withRacing { server in
            let client = server.client()
            try await client.start()
            try await waitUntil("no request is counted") {
                try await client.get("/metrics").text.contains("\ncoordinate_http_request_duration_seconds_bucket{")
            }
            let answer = try await client.get("/metrics")
            #expect(answer.header("Content-Type") == "text/plain; version=0.0.4; charset=utf-8")
            #expect(answer.text.hasSuffix("\n"))
            var described: Set<Substring> = []
            var type: Substring = ""
            for line in answer.text.split(separator: "\n") {
                let words = line.split(separator: " ", maxSplits: 3)
                if words[0] == "#" {
                    described.insert(words[2])
                    #expect(["HELP", "TYPE"].contains(words[1]))
                    type = words[3]
                    continue
                }
                let sample = words[0].prefix { $0 != "{" }
                let suffixes =
                    switch type {
                    case "summary": ["_sum", "_count"]
                    case "histogram": ["_bucket", "_sum", "_count"]
                    default: [""]
                    }
                let suffix = try #require(suffixes.first { sample.hasSuffix($0) }, "\(line)")
                #expect(described.contains(sample.dropLast(suffix.count)))
                #expect((suffix == "_sum" ? Double(words[1]) : Int(words[1]).map(Double.init)) != nil)
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

    @Test func metricsMeasureWakings() async throws {
        let journal = MemoryJournal()
        let session = try await withRacing(journal: journal) { server in
            let client = server.client()
            try await client.start()
            _ = try await client.route()
            #expect(try await client.metric("coordinate_wakings_seconds_count") == 0)
            #expect(try await client.get("/metrics").text.contains("\ncoordinate_wakings_seconds_sum 0.0\n"))
            return try #require(client.sessionID)
        }
        try await withRacing(journal: journal) { server in
            let client = server.client(headers: ["Session": session])
            _ = try await client.session()
            #expect(try await client.metric("coordinate_wakings_seconds_count") == 0)
            for _ in 0..<3 { _ = try await client.route() }
            #expect(try await client.metric("coordinate_wakings_seconds_count") == 1)
            let lines = try await client.get("/metrics").text.split(separator: "\n")
            let sum = try #require(
                lines.first { $0.hasPrefix("coordinate_wakings_seconds_sum ") }?.split(separator: " "))
            #expect(try #require(Double(sum[1])) > 0)
        }
    }

    @Test(arguments: [
        (JournalError.conflict, 503, "coordinate_journal_conflicts_total"),
        (.outcomeUnknown, 504, "coordinate_journal_unknown_outcomes_total"),
    ])
    func metricsCountTheJournalsOutcomes(error: JournalError, status: Int, name: String) async throws {
        let journal = FailingJournal()
        try await withRacing(journal: journal) { server in
            let client = server.client()
            try await client.start()
            #expect(try await client.metric(name) == 0)
            journal.fail(with: error)
            #expect(try await client.post("/events", json: ["event": "navigation.back"]).status == status)
            #expect(try await client.metric(name) == 1)
            #expect(try await client.post("/sessions").status == status)
            #expect(try await client.metric(name) == 2)
            journal.fail(with: nil)
            try await client.emit("navigation.back")
            #expect(try await client.metric(name) == 2)
        }
    }

    @Test func aRouteIsEncodedAtMostOncePerVersion() async throws {
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
