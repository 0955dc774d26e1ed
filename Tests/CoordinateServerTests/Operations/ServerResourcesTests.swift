import CoordinateSessions
import CoordinateTesting
import Racing
import SessionFixtures
import Testing

/// The server's resources outside of sessions.
struct ServerResourcesTests {
    @Test(.racing) func theCatalogDescribesTheApp() async throws {
        let answer = try await client.get("/catalog")
        #expect(answer.status == 200)
        #expect(answer.header("Content-Type") == "application/json")
        #expect(answer.header("Set-Cookie") == nil)
        let catalog = try answer.json
        #expect(catalog["app"] == "Racing")
        #expect(catalog["appVersion"] == "1.0")
        #expect(catalog["paths"]?.array.contains("/main/teams/team/{team}") == true)
        let coordinators = Set(try #require(catalog["coordinators"]).array.compactMap(\.string))
        #expect(coordinators.isSuperset(of: ["AppCoordinator", "MainCoordinator", "DriversDetailsCoordinator"]))
    }

    @Test(.serving(WorkApp())) func theCatalogHasOriginsOfEventsAndSecretFields() async throws {
        let events = try #require(try await server.client().get("/catalog").json["events"]).array
        func event(_ name: String) -> JSON? { events.first { $0["name"]?.string == name } }
        #expect(event("work.ask")["origin"] == "client")
        #expect(event("work.didFire")["origin"] == "app")
        #expect(event("navigation.back")["origin"] == "client")
        #expect(
            event("work.login")["payload"] == ["password": ["type": "string", "required": true, "secret": true]])
    }

    @Test func theTagOfTheProbeDiffersForEachRun() async throws {
        var tags: [String] = []
        for _ in 0..<2 {
            try await withServer(app: TestApp()) { server in
                let answers = [try await server.client().get("/livez"), try await server.client().get("/livez")]
                let run = Set(answers.compactMap { $0.header("ETag") })
                #expect(run.count == 1)
                tags += run
            }
        }
        #expect(Set(tags).count == 2)
    }

    @Test(.racing, arguments: ["/livez", "/readyz"]) func probesSayOK(path: String) async throws {
        let answer = try await client.get(path)
        #expect(answer.status == 200)
        #expect(answer.text == #"{"status":"ok"}"#)
        #expect(client.cookies.isEmpty)
    }

    @Test(.racing(over: .socket)) func metricsHaveThePrometheusFormat() async throws {
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

    @Test func metricsMeasureWakings() async throws {
        let journal = MemoryJournal()
        let session = try await withRacing(journal: journal) { server in
            let client = server.client()
            try await client.start()
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
        let journal = FaultyJournal()
        try await withClient(of: RacingApp.make(), journal: journal) { client in
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

    @Test(.racing) func aRouteIsEncodedAtMostOncePerVersion() async throws {
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
