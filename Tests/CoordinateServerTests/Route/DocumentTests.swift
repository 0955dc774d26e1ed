import CoordinateSessions
import CoordinateTesting
import Racing
import SessionFixtures
import Testing

@testable import CoordinateServer

/// The shapes of documents: each field is present, and null if it has no value.
@Suite(.racing) struct DocumentTests {
    @Test(.racing(time: .manual)) func aSessionDocumentIsComplete() async throws {
        let id = try await client.newSession()
        manualClock.advance(by: 60)
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
        let main = try #require(route["tree"]["children"][0])
        #expect(main["kind"] == "tabBar")
        #expect(main["children"]?.array.map { $0["started"] } == [true, false, false])
        #expect(main["children"][0]["kind"] == "navigation")
        #expect(main["children"][0]["route"] == "team/ferrari")
        #expect(main["children"][0]["index"] == 1)
    }

    @Test(.working(time: .manual)) func pendingWorkIsInTheRouteDocument() async throws {
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
        let minimal = try await client.post(
            "/events", json: ["event": "navigation.back"], headers: ["Prefer": "respond-async, return=minimal"])
        #expect(minimal.header("Preference-Applied") == "return=minimal")
        #expect(try Set(minimal.json.object.keys) == Set(answer.json.object.keys).subtracting(["route"]))
    }

    @Test(.racing(time: .manual)) func aJournalEntryIsComplete() async throws {
        try await client.start()
        manualClock.advance(by: 1)
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

extension JSON {
    func with(_ name: String, _ value: JSON) -> JSON {
        .object(object.merging([name: value]) { $1 })
    }
}
