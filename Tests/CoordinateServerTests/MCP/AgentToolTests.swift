import CoordinateTesting
import Foundation
import Racing
import SessionFixtures
import Testing

@testable import Coordinate
@testable import CoordinateMCP

/// The tools that an agent uses to drive the app.
struct AgentToolTests {
    private nonisolated(nonsending) func withAgent(
        _ body: nonisolated(nonsending) (Agent) async throws -> Void
    ) async throws {
        try await withRacing { server in try await body(Agent(server)) }
    }

    @Test func aSessionIsOpenedReadAndEnded() async throws {
        try await withAgent { agent in
            let result = try await agent.call("open_session", [:])
            #expect(result["resultType"] == "complete")
            let opened = try #require(result["structuredContent"])
            #expect(result["content"]?[0]?["type"] == "text")
            let text = result["content"]?[0]?["text"]?.string ?? ""
            #expect(try JSONDecoder().decode(JSON.self, from: Data(text.utf8)) == opened)
            #expect(opened["version"] == 0)
            #expect(opened["path"] == "/splash")
            #expect(opened["changed"] == [])
            #expect(opened["pending"] == [])
            let session = try #require(opened["session"]?.string)

            let route = try await agent.client.get("/sessions/\(session)/route").json
            #expect(opened["screen"] == route["screen"])
            #expect(opened["navigation"] == route["navigation"])
            #expect(try await agent.use("read_screen", ["session": .string(session)]) == opened)

            #expect(try await agent.use("end_session", ["session": .string(session)]) == ["ended": true])
            let gone = try await agent.mistake("read_screen", ["session": .string(session)])
            #expect(gone["type"] == "/problems/session-not-found")
            #expect(gone["status"] == 404)
        }
    }

    @Test func aSessionBeginsAtAPathWithOptions() async throws {
        try await withAgent { agent in
            let opened = try await agent.use(
                "open_session", ["path": "/main/teams/team/ferrari", "options": ["liveResults": true]])
            #expect(opened["version"] == 1)
            #expect(opened["path"] == "/main/teams/team/ferrari")
            #expect(opened["changed"]?.array.first?.string?.hasSuffix("→ Ferrari") == true)
            let id = try #require(opened["session"]?.string)
            #expect(try await agent.client.get("/sessions/\(id)").json["options"]?["liveResults"] == true)
        }
    }

    @Test func pressingATitleTellsWhatChanged() async throws {
        try await withAgent { agent in
            let session = try await agent.session()
            let main = try await agent.use("press", ["session": session, "title": "Continue"])
            #expect(main["handled"] == true)
            #expect(main["handled_by"] == "AppCoordinator")
            #expect(main["version"] == 1)
            #expect(
                main["changed"] == ["screen: Formula Racing → Teams", "tabs appeared: Teams, Drivers, Profile"])
            let team = try await agent.use("press", ["session": session, "title": "Ferrari"])
            #expect(team["changed"] == ["screen: Teams → Ferrari"])
            let marked = try await agent.use("press", ["session": session, "title": "Add to favorites"])
            #expect(
                marked["changed"] == [
                    "action Remove from favorites appeared", "action Add to favorites gone",
                    "tab Profile: badge none → 1",
                ])
            let tab = try await agent.use("press", ["session": session, "title": "Profile"])
            #expect(tab["changed"]?.array.contains("tab: Teams → Profile") == true)
            let form = try await agent.use("press", ["session": session, "title": "Edit profile"])
            #expect(form["screen"]?["style"] == "sheet")
            #expect(form["changed"]?.array.contains("tabs gone") == true)
            let closed = try await agent.use("press", ["session": session, "title": "Close"])
            #expect(closed["path"] == "/main/profile")
            // A swipe on a row.
            let row = try #require(closed["screen"]?["rows"]?.array.first { $0["delete"] != .null })
            let title = try #require(row["delete"]?["title"])
            let removed = try await agent.use("press", ["session": session, "title": title])
            #expect(removed["changed"]?.array.contains("tab Profile: badge 1 → none") == true)
            #expect(
                removed["changed"]?.array.contains(.string("row \(row["title"]?.string ?? "") gone")) == true)
        }
    }

    @Test func backIsPressedByTheTitleOfTheScreenBelow() async throws {
        try await withAgent { agent in
            let session = try await agent.session(at: "/main/drivers/driver/leclerc")
            let compare = try await agent.use(
                "press",
                [
                    "session": session, "event": "comparison.start",
                    "payload": ["driver": "leclerc"],
                ])
            let back = try #require(compare["navigation"]?["back"]?["title"])
            let gone = try await agent.use("press", ["session": session, "title": back])
            #expect(gone["path"] == "/main/drivers/driver/leclerc")
        }
    }

    @Test func aTitleOfNoActionOrOfSeveralListsThem() async throws {
        try await withAgent { agent in
            let session = try await agent.session(at: "/main/teams/team/ferrari")
            let none = try await agent.mistake("press", ["session": session, "title": "Add to favorite"])
            #expect(none["type"] == "/problems/unknown-action")
            #expect(none["status"] == 422)
            #expect(none["didYouMean"] == "Add to favorites")
            #expect(
                none["known"] == [
                    "Add to favorites", "Charles Leclerc", "Lewis Hamilton", "Teams", "Drivers", "Profile",
                ])
            // The tab and the button to the screen below have the same title.
            let several = try await agent.mistake("press", ["session": session, "title": "Teams"])
            #expect(several["type"] == "/problems/ambiguous-action")
            #expect(several["known"]?.array.map { $0["place"] } == ["tab", "back"])
            let back = try #require(several["known"]?[1])
            #expect(back["event"] == "navigation.back")
            let done = try await agent.use(
                "press", ["session": session, "event": back["event"] ?? .null, "payload": back["payload"] ?? .null])
            #expect(done["path"] == "/main/teams")
            #expect(done["version"] == 2)
        }
    }

    @Test func anEventThatNobodyHandlesIsAResult() async throws {
        try await withAgent { agent in
            let session = try await agent.session(at: "/main/teams")
            let outcome = try await agent.use("press", ["session": session, "event": "navigation.back"])
            #expect(outcome["handled"] == false)
            #expect(outcome["handled_by"] == .null)
            #expect(outcome["version"] == 2)
            #expect(outcome["changed"] == [])
        }
    }

    @Test func anEventIsEmittedAtACoordinator() async throws {
        try await withAgent { agent in
            let session = try await agent.session(at: "/main/teams")
            let event: JSON = ["session": session, "event": "teams.didSelect", "payload": ["team": "haas"]]
            let unknown = try await agent.mistake("press", event.with("at", "AppCoordinator/Nowhere"))
            #expect(unknown["type"] == "/problems/unknown-coordinator")
            #expect(unknown["known"]?.array.contains("AppCoordinator/MainCoordinator") == true)
            let outcome = try await agent.use("press", event.with("at", "AppCoordinator/MainCoordinator"))
            #expect(outcome["handled_by"] == "AppCoordinator/MainCoordinator")
        }
    }

    @Test func nothingIsDoneIfTheSessionHasChangedSince() async throws {
        try await withAgent { agent in
            let session = try await agent.session()
            let press: JSON = ["session": session, "title": "Continue"]
            #expect(try await agent.use("press", press.with("version", 0))["version"] == 1)
            let late = try await agent.mistake("press", press.with("version", 0))
            #expect(late["type"] == "/problems/version-conflict")
            #expect(late["status"] == 412)
            #expect(late["version"] == 1)
            #expect(try await agent.use("read_screen", ["session": session])["version"] == 1)
        }
    }

    @Test func aLinkIsOpened() async throws {
        try await withAgent { agent in
            let session = try await agent.session()
            let opened = try await agent.use("open_link", ["session": session, "path": "/main/teams/team/ferrari"])
            #expect(opened["path"] == "/main/teams/team/ferrari")
            #expect(opened["handled"] == nil)
            #expect(opened["changed"]?[0] == "screen: Formula Racing → Ferrari")
            let history = try await agent.use("read_history", ["session": session])
            #expect(history["events"]?[0]?["event"] == "navigation.open")
            let wrong = try await agent.mistake("open_link", ["session": session, "path": "/main/tems"])
            #expect(wrong["type"] == "/problems/unknown-path")
            #expect(wrong["didYouMean"] == "/main/teams")
        }
    }

    @Test func aForkTakesAnotherWay() async throws {
        try await withAgent { agent in
            let session = try await agent.session()
            _ = try await agent.use("press", ["session": session, "title": "Continue"])
            _ = try await agent.use("press", ["session": session, "title": "Ferrari"])
            let fork = try await agent.use("fork_session", ["session": session, "version": 1])
            #expect(fork["session"] != session)
            #expect(fork["version"] == 1)
            #expect(fork["path"] == "/main/teams")
            #expect(fork["changed"] == [])
            let other = try await agent.use("press", ["session": fork["session"] ?? .null, "title": "Haas"])
            #expect(other["path"] == "/main/teams/team/haas")
            #expect(try await agent.use("read_screen", ["session": session])["path"] == "/main/teams/team/ferrari")

            let withheld = try await agent.use(
                "fork_session", ["session": session, "version": 2, "work": "withheld"])
            let id = try #require(withheld["session"]?.string)
            #expect(try await agent.client.get("/sessions/\(id)").json["work"] == "withheld")
            let late = try await agent.mistake("fork_session", ["session": session, "version": 3])
            #expect(late["type"] == "/problems/version-not-found")
        }
    }

    @Test func theCatalogIsListed() async throws {
        try await withAgent { agent in
            let catalog = try await agent.client.get("/catalog").json
            #expect(try await agent.use("list_events") == catalog)
        }
    }

    // MARK: Forms

    @Test func aFormHasASchemaOfWhatIsTyped() async throws {
        try await withApp(FormApp()) { server in
            let agent = Agent(server)
            let session = try await agent.session()
            let screen = try await agent.use("read_screen", ["session": session])
            let form = try #require(screen["screen"]?["actions"]?[0])
            let schema = try #require(form["input_schema"])
            #expect(schema["type"] == "object")
            #expect(schema["required"] == ["name", "zip", "country", "newsletter", "password"])
            let fields = try #require(schema["properties"])
            #expect(fields["zip"] == ["type": "string", "title": "Zip", "default": "8001"])
            #expect(fields["guests"] == ["type": ["integer", "null"], "title": "Guests"])
            #expect(fields["newsletter"]?["type"] == "boolean")
            #expect(fields["country"]?["oneOf"]?[1] == ["const": "de", "title": "Germany"])
            #expect(fields["password"]?["writeOnly"] == true)
            #expect(fields["password"]?["default"] == nil)

            let typed: JSON = ["name": "Ada", "zip": "80", "password": "swordfish"]
            let wrong = try await agent.call(
                "press", ["session": session, "title": "Join", "input": typed])
            #expect(wrong["structuredContent"]?["handled"] == true)
            #expect(
                wrong["structuredContent"]?["changed"]?.array.contains("input Zip: error none → has four digits")
                    == true)
            #expect(!"\(wrong)".contains("swordfish"))
            // By its event, the form's other fields keep the values shown as well.
            let again = try await agent.use(
                "press", ["session": session, "event": "form.join", "input": ["zip": "8002"]])
            let history = try await agent.use("read_history", ["session": session, "after": 1])
            #expect(history["events"]?[0]?["payload"]?["name"] == "Ada")
            #expect(history["events"]?[0]?["payload"]?["zip"] == "8002")
            #expect(again["screen"]?["name"] != screen["screen"]?["name"])
            let unknown = try await agent.mistake(
                "press", ["session": try await agent.session(), "title": "Join", "input": ["zap": "1"]])
            #expect(unknown["type"] == "/problems/unknown-field")
            #expect(unknown["pointer"] == "/input/zap")
            #expect(unknown["didYouMean"] == "zip")
        }
    }

    /// A format says how a field is entered, and restricts nothing.
    @Test func aKindOfInputIsItsFormat() async throws {
        try await withApp(LibraryApp()) { server in
            let agent = Agent(server)
            let session = try await agent.session(at: "/desk")
            let screen = try await agent.use("read_screen", ["session": session])
            let fields = try #require(screen["screen"]?["actions"]?[0]?["input_schema"]?["properties"])
            let formats = ["email", "phone", "site", "born", "at", "code", "note"].map { fields[$0]?["format"] }
            #expect(formats == ["email", nil, "uri", "date", nil, nil, nil])
            let joined = try await agent.use(
                "press", ["session": session, "title": "Join", "input": ["email": "none", "born": "in May"]])
            #expect(joined["handled"] == true)
        }
    }

    @Test func changesOfSectionsEmptyListsAndContentAreTold() async throws {
        try await withApp(LibraryApp()) { server in
            let agent = Agent(server)
            let session = try await agent.session()
            func press(_ title: JSON) async throws -> JSON? {
                try await agent.use("press", ["session": session, "title": title])["changed"]
            }
            #expect(
                try await press("Remove notes") == [
                    "section Novels: footer 3 books in all. → 2 books in all.", "row Notes gone",
                ])
            _ = try await press("Remove atlas")
            #expect(
                try await press("Remove ulysses") == [
                    "section Novels: footer 1 books in all. → 0 books in all.", "empty list: none → No books.",
                    "row Ulysses gone",
                ])
            _ = try await press("Restore")
            _ = try await press("Atlas")
            #expect(try await press("Read") == ["content changed"])
        }
    }

    // MARK: Arguments as text

    @Test func numbersAndObjectsMayBeJSONText() async throws {
        try await withAgent { agent in
            let opened = try await agent.use(
                "open_session", ["path": "/main/teams", "options": #"{"liveResults": true}"#])
            let session = try #require(opened["session"])
            let event: JSON = ["session": session, "event": "teams.didSelect"]
            let team = try await agent.use(
                "press", event.with("payload", #"{"team": "ferrari"}"#).with("version", "1"))
            #expect(team["path"] == "/main/teams/team/ferrari")
            let other = try await agent.use("press", event.with("input", #"{"team": "haas"}"#).with("payload", "null"))
            #expect(other["version"] == 3)
            let fork = try await agent.use("fork_session", ["session": session, "version": "2.0"])
            #expect(fork["version"] == 2)
            let waited = try await agent.use(
                "wait", ["session": session, "until": "changed", "version": "1", "seconds": "0.05"])
            #expect(waited["version"] == 3)
        }
        try await withApp(FormApp()) { server in
            let agent = Agent(server)
            let joined = try await agent.use(
                "press",
                [
                    "session": try await agent.session(), "title": "Join",
                    "input": #"{"name": "Ada", "zip": "8001", "guests": "2", "password": "x"}"#,
                ])
            #expect(joined["handled"] == true)
            let session = try #require(joined["session"])
            let history = try await agent.use("read_history", ["session": session, "limit": "1"])
            let input: JSON = ["name": "Ada", "guests": "3", "password": "x"]
            let byEvent: JSON = ["session": try await agent.session(), "event": "form.join", "input": input]
            #expect(try await agent.use("press", byEvent)["handled"] == true)
            #expect(history["events"]?[0]?["payload"]?["guests"] == 2)
            #expect(history["events"]?[0]?["payload"]?["zip"] == "8001")
        }
    }

    // MARK: The cost of names

    @Test func theCostOfAnInputIsLinear() {
        func cost(_ count: Int) -> Int {
            let fields = (0..<count).map { PlainField("caf\u{e9} e\u{301} \($0)", .int($0)) }
            let form = PlainValue.object(fields)
            return (0..<5).map { _ in
                var times = (timespec(), timespec())
                unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &times.0)
                _ = form.setting(fields.reversed() + [PlainField("last", .null)])
                unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &times.1)
                return (times.1.tv_sec - times.0.tv_sec) * 1_000_000 + (times.1.tv_nsec - times.0.tv_nsec) / 1_000
            }.min() ?? 0
        }
        let (few, many) = (cost(500), cost(2_000))
        #expect(many <= 8 * few, "\(few) µs, and \(many) µs for four times as many fields")
    }

    // MARK: Mistakes

    @Test(
        arguments: [
            ("press", ["event": "teams.didSelct"], "unknown-event", "didYouMean", "teams.didSelect"),
            (
                "press", ["event": "teams.didSelect", "payload": ["team": "ferari"]], "invalid-payload", "didYouMean",
                "ferrari"
            ),
            ("press", ["event": "teams.didSelect"], "invalid-payload", "pointer", "/payload/team"),
            (
                "press", ["event": "teams.didSelect", "payload": ["team": "haas", "colour": 1]], "unknown-field",
                "pointer",
                "/payload/colour"
            ),
            ("press", ["event": "results.didLoad"], "event-not-allowed", "pointer", "/event"),
            ("press", [:], "malformed-request", "pointer", "/title"),
            ("press", ["title": "a", "event": "b"], "malformed-request", "pointer", "/event"),
            ("press", ["title": "a", "payload": [:]], "malformed-request", "pointer", "/payload"),
            ("press", ["title": 1], "malformed-request", "pointer", "/title"),
            ("press", ["event": "a", "payload": []], "malformed-request", "pointer", "/payload"),
            ("press", ["event": "a", "payload": "{team"], "malformed-request", "pointer", "/payload"),
            ("press", ["event": "a", "input": "[]"], "malformed-request", "pointer", "/input"),
            ("press", ["event": "a", "version": "three"], "malformed-request", "pointer", "/version"),
            ("press", ["titel": "a"], "unknown-field", "didYouMean", "title"),
            ("open_link", [:], "malformed-request", "pointer", "/path"),
            ("fork_session", ["version": -1], "malformed-request", "pointer", "/version"),
            ("fork_session", ["version": 0, "work": "begun"], "malformed-request", "pointer", "/work"),
            ("read_history", ["limit": 0], "malformed-request", "pointer", "/limit"),
            ("read_history", ["limit": 1_001], "malformed-request", "pointer", "/limit"),
            ("wait", [:], "malformed-request", "pointer", "/until"),
            ("wait", ["until": "noon"], "malformed-request", "pointer", "/until"),
            ("wait", ["until": "settled", "seconds": 31], "malformed-request", "pointer", "/seconds"),
            ("wait", ["until": "changed", "version": 9], "version-not-found", "title", "Version not found"),
        ] as [(String, JSON, String, String, JSON)])
    func aMistakeIsAResultWithTheProblem(
        tool: String, arguments: JSON, problem: String, field: String, value: JSON
    ) async throws {
        try await withAgent { agent in
            let session = try await agent.session(at: "/main/teams")
            let mistake = try await agent.mistake(tool, arguments.with("session", session))
            #expect(mistake["type"] == .string("/problems/\(problem)"))
            #expect(mistake[field] == value)
            #expect(mistake["detail"]?.string?.isEmpty == false)
            #expect(try await agent.use("read_screen", ["session": session])["version"] == 1)
        }
    }

    @Test func aMistakeIsTheProblemOfHTTP() async throws {
        try await withAgent { agent in
            let session = try await agent.session(at: "/main/teams")
            let event: JSON = ["event": "teams.didSelect", "payload": ["team": "ferari"]]
            let refused = try await agent.client.post("/sessions/\(session.string ?? "")/events", json: event)
            #expect(try await agent.mistake("press", event.with("session", session)) == refused.json)
            let options = try await agent.mistake("open_session", ["options": ["colour": "red"]])
            #expect(
                try await agent.client.post("/sessions", json: ["options": ["colour": "red"]]).json == options)
        }
    }

    /// A model reads the rest on the screen.
    @Test(arguments: [40, 41, 50]) func moreThan40ChangesAreCounted(count: Int) {
        func screen(_ value: String) -> VisibleState {
            VisibleState(
                path: "/", leaf: "", breadcrumbs: [], parked: nil, pending: [],
                screen: Screen(
                    name: "List", title: nil, style: .page, status: .ready, message: nil, sections: [],
                    rows: (1...count).map { Screen.Row(id: "\($0)", title: "", value: value) }, emptyText: nil,
                    actions: [], content: .null),
                back: nil, tabs: [], dismiss: nil, diagnostics: [])
        }
        let phrases = ScreenChanges.phrases(from: screen("0"), to: screen("1"))
        #expect(phrases.count == min(count, 41))
        #expect(count == 40 || phrases.last == "and \(count - 40) more changes")
    }

    @Test(arguments: ["read_screen", "press", "read_history", "wait", "export_journal", "end_session"])
    func unknownSessionsAreNotFound(tool: String) async throws {
        let more: [String: JSON] = ["press": ["title": "x"], "wait": ["until": "settled"]]
        try await withAgent { agent in
            for id in ["AAAAAAAAAAAAAAAAAAAAAA", "no id", ""] as [JSON] {
                let mistake = try await agent.mistake(tool, (more[tool] ?? [:]).with("session", id))
                #expect(mistake["type"] == "/problems/session-not-found")
            }
            let mistake = try await agent.mistake(tool, more[tool] ?? [:])
            #expect(mistake["pointer"] == "/session")
        }
    }
}
