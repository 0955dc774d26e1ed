import CoordinateSessions
import CoordinateTesting
import SessionFixtures
import Testing

@testable import CoordinateServer

/// The shapes of documents: each field is present, and null if it has no value.
@Suite(.racing) struct DocumentTests {
    @Test func aSessionDocumentIsComplete() async throws {
        let clock = ManualClock()
        try await withRacingClient(clock: clock.clock) { client in
            let id = try await client.newSession()
            clock.advance(by: 60)
            let session = try await client.get("/sessions/\(id)").json
            guard case .string(let reference) = session["reference"] else {
                Issue.record("no reference")
                return
            }
            #expect(SessionRecord.isReference(reference) && reference != id)
            #expect(
                session == [
                    "id": .string(id), "version": 0, "path": "/splash", "createdAt": "2026-11-21T09:30:00Z",
                    "expiresAt": "2026-11-21T10:01:00Z", "lastEventAt": .null, "name": .null, "key": .null,
                    "attributes": [:], "reference": .string(reference), "app": "Racing", "appVersion": "1.0",
                    "options": [:], "state": "live", "parent": .null, "pending": 0, "work": .null,
                    "links": [
                        "self": "/sessions/\(id)", "route": "/sessions/\(id)/route", "events": "/sessions/\(id)/events",
                    ],
                ])
        }
    }

    @Test func theRouteDocumentOfTheSplashScreenIsComplete() async throws {
        let answer = try await server.client().get("/route")
        #expect(answer.header("Content-Type") == "application/json")
        #expect(answer.header("X-Content-Type-Options") == "nosniff")
        #expect(answer.header("ETag")?.first == "\"")
        func node(_ id: String, _ kind: JSON) -> JSON {
            [
                "id": .string(id), "coordinator": .string(String(id.split(separator: "/").last ?? "")),
                "kind": kind, "started": true, "title": .null, "badge": .null, "route": .null,
                "section": .null, "index": .null, "presented": .null, "children": [],
            ]
        }
        let splash = node("AppCoordinator/SplashCoordinator", "leaf").with("title", "Formula Racing")
        let app = node("AppCoordinator", "container").with("route", "splash").with("index", 0).with(
            "children", .array([splash]))
        let expected: JSON = [
            "session": .string(try #require(answer.header("Session"))), "version": 0, "path": "/splash",
            "leaf": "AppCoordinator/SplashCoordinator",
            "breadcrumbs": [["title": "Formula Racing", "path": "/splash"]], "parked": .null, "pending": [],
            "screen": [
                "name": "Splash", "title": "Formula Racing", "style": "page", "status": "ready", "message": .null,
                "sections": [], "rows": [], "empty": .null,
                "actions": [
                    [
                        "title": "Continue", "event": "splash.didFinish", "payload": [:], "role": "primary",
                        "opens": .null,
                    ]
                ],
                "content": .null,
            ],
            "navigation": ["back": .null, "tabs": [], "dismiss": .null],
            "tree": app,
        ]
        #expect(try answer.json == expected)
    }

    @Test func theRouteDocumentOfATeamIsComplete() async throws {
        try await client.showTeam()
        let route = try await client.get("/route").json
        #expect(route["path"] == "/main/teams/team/ferrari")
        #expect(route["leaf"] == "AppCoordinator/MainCoordinator/TeamsCoordinator/TeamsDetailsCoordinator")
        #expect(
            route["breadcrumbs"] == [
                ["title": "Teams", "path": "/main/teams"],
                ["title": "Ferrari", "path": "/main/teams/team/ferrari"],
            ])
        #expect(
            route["screen"]["rows"][0] == [
                "id": "leclerc", "section": .null, "title": "Charles Leclerc", "subtitle": "Ferrari",
                "image": ["url": .null, "symbol": .null, "letters": "16", "color": "#e8002d", "alt": "Number 16"],
                "favorite": false,
                "action": [
                    "title": "Charles Leclerc", "event": "drivers.didSelect", "payload": ["driver": "leclerc"],
                    "role": .null, "opens": .null,
                ],
                "delete": .null, "value": .null, "actions": [],
            ])
        #expect(
            route["screen"]["actions"] == [
                [
                    "title": "Add to favorites", "event": "teams.setFavorite", "payload": ["team": "ferrari"],
                    "role": .null, "opens": .null,
                ]
            ])
        #expect(route["screen"]["name"] == "TeamsDetails")
        #expect(
            route["navigation"]["back"] == [
                "title": "Teams", "event": "navigation.back", "payload": [:], "role": .null, "opens": .null,
            ])
        #expect(
            route["navigation"]["tabs"][0] == [
                "title": "Teams", "badge": .null,
                "image": ["url": .null, "symbol": "car", "letters": .null, "color": .null, "alt": ""],
                "selected": true,
                "action": [
                    "title": "Teams", "event": "navigation.selectTab", "payload": ["tab": "TeamsCoordinator"],
                    "role": .null, "opens": "/main/teams",
                ],
            ])
        #expect(route["navigation"]["dismiss"] == .null)
    }

    @Test func pendingWorkIsInTheRouteDocument() async throws {
        let world = World()
        try await withClient(of: WorkApp(world), clock: ManualClock().clock) { client in
            try await client.emit("work.ask", ["name": "pay"])
            try await client.emit("work.setTimer", ["seconds": 60])
            let route = try await client.get("/route").json
            #expect(
                route["pending"] == [
                    [
                        "id": "1-1", "name": "pay", "kind": "work", "at": "WorkCoordinator/WorkPageCoordinator",
                        "due": .null,
                    ],
                    [
                        "id": "2-1", "name": "timer", "kind": "timer", "at": "WorkCoordinator/WorkPageCoordinator",
                        "due": "2026-11-21T09:31:00Z",
                    ],
                ])
            #expect(route["screen"]["status"] == "loading")
            #expect(route["screen"]["message"] == .null)
            _ = await world.call(0)
            world.fail("pay")
            let settled = try await client.get("/route?until=settled", headers: ["Prefer": "wait=60"]).json
            #expect(settled["pending"]?.array.map { $0["kind"] } == ["timer"])
            #expect(settled["screen"]["status"] == "failed")
            #expect(settled["screen"]["message"] == "The world says no.")
        }
    }

    @Test func theTreeHasAllTabs() async throws {
        try await client.showTeam()
        let tree = try #require(try await client.get("/route").json["tree"])
        let main = try #require(tree["children"][0])
        #expect(tree["route"] == "main")
        #expect(main["kind"] == "tabBar")
        #expect(main["index"] == 0)
        #expect(main["children"]?.array.map { $0["started"] } == [true, false, false])
        #expect(main["children"]?.array.map { $0["title"] } == ["Teams", "Drivers", "Profile"])
        let teams = try #require(main["children"][0])
        #expect(teams["kind"] == "navigation")
        #expect(teams["route"] == "team/ferrari")
        #expect(teams["index"] == 1)
        #expect(
            teams["children"]?.array.map { $0["coordinator"] } == [
                "TeamsListCoordinator", "TeamsDetailsCoordinator",
            ])
    }

    @Test func anOutcomeIsComplete() async throws {
        _ = try await client.route()
        let answer = try await client.post("/events", json: ["event": "splash.didFinish"])
        #expect(answer.header("Content-Type") == "application/json")
        #expect(answer.header("Preference-Applied") == nil)
        let route = try await client.get("/route").json
        #expect(
            try answer.json == [
                "version": 1, "event": "splash.didFinish", "handled": true, "handledBy": "AppCoordinator",
                "trace": [
                    ["coordinator": "AppCoordinator/SplashCoordinator", "intercepted": false],
                    ["coordinator": "AppCoordinator", "intercepted": true],
                ],
                "path": "/main/teams", "leaf": route["leaf"] ?? .null, "route": route,
            ])
    }

    @Test(arguments: ["return=minimal", "Return=\"minimal\"; foo", "respond-async, return=minimal"])
    func aMinimalOutcomeLeavesOutTheRoute(preference: String) async throws {
        let answer = try await client.post(
            "/events", json: ["event": "splash.didFinish"], headers: ["Prefer": preference])
        #expect(answer.header("Preference-Applied") == "return=minimal")
        #expect(
            try Set(answer.json.object.keys) == [
                "version", "event", "handled", "handledBy", "trace", "path", "leaf",
            ])
    }

    @Test func aJournalEntryNamesItsWork() async throws {
        let world = World()
        try await withClient(of: WorkApp(world)) { client in
            try await client.emit("work.ask", ["name": "pay"])
            _ = await world.call(0)
            world.finish("pay", with: "receipt")
            _ = try await client.get("/route?until=settled", headers: ["Prefer": "wait=60"])
            let entry = try await client.get("/events?after=1").json["events"][0]
            #expect(entry["event"] == "work.didFinish")
            #expect(entry["payload"] == ["outcome": "pay: receipt"])
            #expect(entry["at"] == "WorkCoordinator/WorkPageCoordinator")
            #expect(entry["origin"] == "work")
            #expect(entry["pending"] == "1-1")
        }
    }

    @Test func aJournalEntryIsComplete() async throws {
        let clock = ManualClock()
        try await withRacingClient(clock: clock.clock) { client in
            try await client.start()
            clock.advance(by: 1)
            try await client.emit("teams.didSelect", ["team": "ferrari"])
            #expect(
                try await client.get("/events?after=1").json == [
                    "events": [
                        [
                            "version": 2, "time": "2026-11-21T09:30:01Z", "event": "teams.didSelect",
                            "payload": ["team": "ferrari"],
                            "at": "AppCoordinator/MainCoordinator/TeamsCoordinator/TeamsListCoordinator",
                            "handled": true, "handledBy": "AppCoordinator/MainCoordinator",
                            "path": "/main/teams/team/ferrari", "origin": "client", "pending": .null,
                        ]
                    ],
                    "next": .null,
                ])
        }
    }
}

extension JSON {
    func with(_ name: String, _ value: JSON) -> JSON {
        .object(object.merging([name: value]) { $1 })
    }
}
