import Coordinate
import CoordinateClient
import CoordinateTesting
import Racing
import ServerFixtures
import SessionFixtures
import Synchronization
import Testing

/// Pressing by title what a session offers.
@Suite(.serving(try RacingApp.twoTeams())) struct PressTests {
    @Test func aTitleThatIsNotOfferedIsAnsweredWithThoseThatAre() async throws {
        try await client.press("Continue")
        let error = await #expect(throws: PressError.self) { try await client.press("Ferari") }
        #expect(error?.matches == [])
        #expect(
            error?.message == """
                No action on /main/teams has the title "Ferari". \
                There are: "Haas", "Ferrari", "Teams", "Drivers", "Profile".
                """)
        #expect(try await client.session().version == 1)
    }

    @Test func aTitleOfSeveralActionsNeedsARow() async throws {
        try await client.press("Continue")
        for team in ["haas", "ferrari"] { try await client.emit("teams.setFavorite", ["team": .string(team)]) }
        try await client.press("Profile")
        let error = await #expect(throws: PressError.self) { try await client.press("Remove from favorites") }
        #expect(error?.matches.map(\.payload) == [["team": "haas"], ["team": "ferrari"]])
        #expect(
            error?.message == """
                2 actions on /main/profile have the title "Remove from favorites": \
                teams.unsetFavorite {"team":"haas"}, teams.unsetFavorite {"team":"ferrari"}. \
                Name the row with `inRow`, or emit one of the actions.
                """)
        // By its title, and by its id.
        try await client.press("Remove from favorites", inRow: "Haas")
        try await client.press("Remove from favorites", inRow: "ferrari")
        #expect(try await client.route().screen.rows.isEmpty)
    }

    @Test func aTitleOfBackAndATabNeedsAnEvent() async throws {
        let client = try await server.client(options: [:], at: "/main/teams/team/ferrari")
        let ambiguous = await #expect(throws: PressError.self) { try await client.press("Teams") }
        #expect(
            ambiguous?.message == """
                2 actions on /main/teams/team/ferrari have the title "Teams": \
                navigation.back {}, navigation.selectTab {"tab":"TeamsCoordinator"}. \
                Name the event with `event`, or emit one of the actions.
                """)
        let unknown = await #expect(throws: PressError.self) {
            try await client.press("Teams", event: "navigation.bck")
        }
        #expect(
            unknown?.message == """
                No action on /main/teams/team/ferrari with the title "Teams" has the event "navigation.bck". \
                There are: "navigation.back", "navigation.selectTab".
                """)
        #expect(try await client.press("Teams", event: "navigation.back").path == "/main/teams")
    }

    private static let cards: [(card: String, row: String?, advice: String)] = [
        ("two rows", nil, "Name the row with `inRow`, or emit one of the actions."),
        ("two rows", "Bell", "Name the row by its id with `inRow`, or emit one of the actions."),
        ("one row", nil, "Name the event with `event`, or emit one of the actions."),
        ("a row and the screen", nil, "Emit one of the actions."),
    ]

    @Test(.serving(DeafApp()), arguments: cards)
    func theAdviceFitsTheActions(card: String, row: String?, advice: String) async throws {
        let client = try await server.client(options: ["card": .string(card)])
        let error = await #expect(throws: PressError.self) { try await client.press("Ring", inRow: row) }
        #expect(error?.message.hasSuffix(". \(advice)") == true)
    }

    @Test(.working) func aMissingTitleNamesThePendingWork() async throws {
        try await client.emit("work.ask", ["name": "payment"])
        let error = await #expect(throws: PressError.self) { try await client.press("Thanks") }
        #expect(error?.message.hasSuffix(#" "payment" is pending: call settle() first."#) == true)
    }

    /// Creates a client whose session another client changes before each of its first events.
    private func disturbed(_ client: SessionClient, by events: [String]) -> SessionClient {
        let rest = Mutex(events)
        return SessionClient(
            url: client.url, headers: [:],
            answeredBy: { request in
                let event = request.path == "/events" ? rest.withLock { $0.isEmpty ? nil : $0.removeFirst() } : nil
                if let event { try await client.emit(event) }
                return try await client.request(
                    request.method, request.path, headers: request.headers, body: request.body)
            }, streamedBy: { throw $0.failure(.malformed) })
    }

    @Test func aScreenThatChangesIsReadAgain() async throws {
        // The second press looks for the title on the screen that the other client's event has opened.
        let error = await #expect(throws: PressError.self) {
            try await disturbed(client, by: ["splash.didFinish"]).press("Continue")
        }
        #expect(error?.route.path == "/main/teams")
        #expect(try await client.session().version == 1)
        // The screen still has the title, and the action is pressed once.
        let outcome = try await disturbed(client, by: ["splash.didFinish", "splash.didFinish"]).press("Ferrari")
        #expect(outcome.version == 4)
        #expect(outcome.path == "/main/teams/team/ferrari")
    }

    @Test func aScreenThatAlwaysChangesIsNotPressed() async throws {
        let client = try await server.client(options: [:], at: "/main/teams")
        let events = Array(repeating: "splash.didFinish", count: 9)
        let error = await #expect(throws: UnexpectedOutcome.self) {
            try await disturbed(client, by: events).press("Ferrari")
        }
        #expect(error?.problem?.type == "/problems/version-conflict")
        #expect(try await client.session().version == 6)
    }

    @Test(arguments: [
        ("Alpine", "Ferrari", #"No row on /main/teams is named "Alpine". There are: "Haas", "Ferrari"."#),
        (
            "Haas", "Continue",
            #"No action in the row "Haas" on /main/teams has the title "Continue". There are: "Haas"."#
        ),
    ])
    func aRowHasItsOwnTitles(row: String, title: String, message: String) async throws {
        try await client.press("Continue")
        let error = await #expect(throws: PressError.self) { try await client.press(title, inRow: row) }
        #expect(error?.message == message)
    }

    @Test func anInputThatTheFormDoesNotHaveIsNotSent() async throws {
        let client = try await server.client(options: [:], at: "/main/profile/edit")
        let error = await #expect(throws: UnknownInput.self) {
            try await client.press("Save", entering: ["nmae": "Ada"])
        }
        #expect(error?.message == #"The form has no input "nmae". It has: name."#)
    }

    @Test(.serving(DeafApp())) func anOfferedActionThatIsNotHandledFails() async throws {
        let error = await #expect(throws: UnexpectedOutcome.self) { try await client.press("Ring") }
        #expect(error?.event == "bell.ring")
        #expect(
            error?.message == """
                The event "bell.ring" was expected to be handled, but no coordinator handled it at /. \
                It visited: DeafCoordinator.
                """)
    }
}

/// An app with buttons that do nothing.
private struct DeafApp: CoordinatedApp {
    let name = "Deaf"
    let version = "1.0"
    let events = EventCatalog(BellEvents.self)
    let routes = RouteCatalog()

    func makeRootCoordinator(options: DeafOptions) -> CoordinatorNode {
        DeafCoordinator { $0.card = options.card }
    }
}

private struct DeafOptions: SessionOptions {
    /// The place of the buttons.
    var card = "the screen"

    static let declaration = OptionDeclaration<Self>(.option("card", \.card))
}

private final class DeafCoordinator: Coordinator<DeafViewController> {}

private final class DeafViewController: ViewController {
    var card = ""

    private let ring = Action(title: "Ring", event: BellEvents.ring)

    private func pull(_ rope: String) -> Action { Action(title: "Ring", event: BellEvents.pull(rope)) }

    override var rows: [Screen.Row] {
        switch card {
        case "two rows": ["a", "b"].map { Screen.Row(id: $0, title: "Bell", action: pull($0)) }
        case "one row": [Screen.Row(id: "a", title: "Bell", action: ring, actions: [pull("a")])]
        case "a row and the screen": [Screen.Row(id: "a", title: "Bell", action: pull("a"))]
        default: []
        }
    }

    override var actions: [Action] {
        switch card {
        case "the screen": [ring]
        case "a row and the screen": [pull("b")]
        default: []
        }
    }
}

private enum BellEvents: DeclaredEvents, Equatable {
    case ring
    case pull(_ rope: String)

    static let declaration = EventDeclaration<Self>(
        "bell", .event("ring", .ring),
        .event("pull", Self.pull, "rope") { if case .pull(let rope) = $0 { rope } else { nil } })
}
