import CoordinateTesting
import Foundation
import Racing
import SessionFixtures
import Testing

@testable import Coordinate
@testable import CoordinateMCP

/// The tools that an agent uses to drive the app.
@Suite(.racing) struct AgentToolTests {
    @Test func aSessionIsOpenedReadAndEnded() async throws {
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

    @Test func pressingATitleTellsWhatChanged() async throws {
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

    @Test func aTitleOfNoActionOrOfSeveralListsThem() async throws {
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

    @Test func anUnhandledEventIsAResult() async throws {
        let session = try await agent.session(at: "/main/teams")
        let outcome = try await agent.use("press", ["session": session, "event": "navigation.back"])
        #expect(outcome["handled"] == false)
        #expect(outcome["handled_by"] == .null)
        #expect(outcome["version"] == 2)
        #expect(outcome["changed"] == [])
    }

    @Test func anEventIsEmittedAtACoordinator() async throws {
        let session = try await agent.session(at: "/main/teams")
        let event: JSON = ["session": session, "event": "teams.didSelect", "payload": ["team": "haas"]]
        let unknown = try await agent.mistake("press", event.with("at", "AppCoordinator/Nowhere"))
        #expect(unknown["type"] == "/problems/unknown-coordinator")
        #expect(unknown["known"]?.array.contains("AppCoordinator/MainCoordinator") == true)
        let outcome = try await agent.use("press", event.with("at", "AppCoordinator/MainCoordinator"))
        #expect(outcome["handled_by"] == "AppCoordinator/MainCoordinator")
    }

    @Test func nothingIsDoneIfTheSessionHasChangedSince() async throws {
        let session = try await agent.session()
        let press: JSON = ["session": session, "title": "Continue"]
        #expect(try await agent.use("press", press.with("version", 0))["version"] == 1)
        let late = try await agent.mistake("press", press.with("version", 0))
        #expect(late["type"] == "/problems/version-conflict")
        #expect(late["status"] == 412)
        #expect(late["version"] == 1)
        #expect(try await agent.use("read_screen", ["session": session])["version"] == 1)
    }

    @Test func aLinkIsOpened() async throws {
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

    @Test func aForkTakesAnotherWay() async throws {
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

    @Test func theCatalogIsListed() async throws {
        let catalog = try await agent.client.get("/catalog").json
        #expect(try await agent.use("list_events") == catalog)
    }

    // MARK: Forms

    @Test(.serving(FormApp())) func aFormHasASchemaOfWhatIsTyped() async throws {
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

    /// A format says how a field is entered, and restricts nothing.
    @Test(.serving(LibraryApp())) func aKindOfInputIsItsFormat() async throws {
        let session = try await agent.session(at: "/desk")
        let screen = try await agent.use("read_screen", ["session": session])
        let fields = try #require(screen["screen"]?["actions"]?[0]?["input_schema"]?["properties"])
        let formats = ["email", "phone", "site", "born", "at", "code", "note"].map { fields[$0]?["format"] }
        #expect(formats == ["email", nil, "uri", "date", nil, nil, nil])
        let joined = try await agent.use(
            "press", ["session": session, "title": "Join", "input": ["email": "none", "born": "in May"]])
        #expect(joined["handled"] == true)
    }

    @Test(.serving(LibraryApp())) func changesOfSectionsEmptyListsAndContentAreTold() async throws {
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

    // MARK: Arguments as text

    @Test func numbersAndObjectsMayBeJSONText() async throws {
        let opened = try await agent.use(
            "open_session", ["path": "/main/teams", "options": #"{"liveResults": true}"#])
        let session = try #require(opened["session"])
        let event: JSON = ["session": session, "event": "teams.didSelect"]
        let team = try await agent.use("press", event.with("payload", #"{"team": "ferrari"}"#).with("version", "1"))
        #expect(team["path"] == "/main/teams/team/ferrari")
        let other = try await agent.use("press", event.with("input", #"{"team": "haas"}"#).with("payload", "null"))
        #expect(other["version"] == 3)
        let fork = try await agent.use("fork_session", ["session": session, "version": "2.0"])
        #expect(fork["version"] == 2)
        let waited = try await agent.use(
            "wait", ["session": session, "until": "changed", "version": "1", "seconds": "0.05"])
        #expect(waited["version"] == 3)
    }

    @Test(.serving(FormApp())) func fieldsOfAFormMayBeText() async throws {
        let session = try await agent.session()
        let input: JSON = #"{"name": "Ada", "zip": "8001", "guests": "2", "password": "x"}"#
        _ = try await agent.use("press", ["session": session, "title": "Join", "input": input])
        let history = try await agent.use("read_history", ["session": session, "limit": "1"])
        #expect(history["events"]?[0]?["payload"]?["guests"] == 2)
        #expect(history["events"]?[0]?["payload"]?["zip"] == "8001")
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
        let session = try await agent.session(at: "/main/teams")
        let mistake = try await agent.mistake(tool, arguments.with("session", session))
        #expect(mistake["type"] == .string("/problems/\(problem)"))
        #expect(mistake[field] == value)
        #expect(mistake["detail"]?.string?.isEmpty == false)
        #expect(try await agent.use("read_screen", ["session": session])["version"] == 1)
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
        for id in ["AAAAAAAAAAAAAAAAAAAAAA", "no id", ""] as [JSON] {
            let mistake = try await agent.mistake(tool, (more[tool] ?? [:]).with("session", id))
            #expect(mistake["type"] == "/problems/session-not-found")
        }
        let mistake = try await agent.mistake(tool, more[tool] ?? [:])
        #expect(mistake["pointer"] == "/session")
    }
}
