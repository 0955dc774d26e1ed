import Coordinate
import CoordinateClient
import CoordinateTesting
import Racing
import SessionFixtures
import Testing

/// Pressing by title what a session offers.
struct PressTests {
    @Test(arguments: TestTransport.allCases)
    func aFlowIsPressedThrough(over transport: TestTransport) async throws {
        try await withServer(app: RacingApp.make(), over: transport) { server in
            let client = server.client()
            #expect(try await client.press("Continue").path == "/main/teams")
            try await client.press("Ferrari")
            try await client.press("Add to favorites")
            try await client.press("Profile")
            try await client.press("Edit profile")
            let outcome = try await client.press("Save", entering: ["name": "Tifoso"])
            #expect(outcome.path == "/main/profile")
            #expect(outcome.route?.screen.title == "Tifoso")
        }
    }

    @Test func aTitleThatIsNotOfferedIsAnsweredWithThoseThatAre() async throws {
        try await withServer(app: RacingApp.twoTeams(), over: .memory) { server in
            let client = server.client()
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
    }

    @Test func aTitleOfSeveralActionsNeedsARow() async throws {
        try await withServer(app: RacingApp.twoTeams(), over: .memory) { server in
            let client = server.client()
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
    }

    @Test(arguments: [
        ("Alpine", "Ferrari", #"No row on /main/teams is named "Alpine". There are: "Haas", "Ferrari"."#),
        (
            "Haas", "Continue",
            #"No action in the row "Haas" on /main/teams has the title "Continue". There are: "Haas"."#
        ),
    ])
    func aRowHasItsOwnTitles(row: String, title: String, message: String) async throws {
        try await withServer(app: RacingApp.twoTeams(), over: .memory) { server in
            let client = server.client()
            try await client.press("Continue")
            let error = await #expect(throws: PressError.self) { try await client.press(title, inRow: row) }
            #expect(error?.message == message)
        }
    }

    @Test func anInputThatTheFormDoesNotHaveIsNotSent() async throws {
        try await withServer(app: RacingApp.make(), over: .memory) { server in
            let client = try await server.client(options: [:], at: "/main/profile/edit")
            let error = await #expect(throws: UnknownInput.self) {
                try await client.press("Save", entering: ["nmae": "Ada"])
            }
            #expect(error?.message == #"The form has no input "nmae". It has: name."#)
        }
    }

    @Test func whatIsOfferedAndNotHandledFails() async throws {
        try await withServer(app: DeafApp(), over: .memory) { server in
            let client = server.client()
            let error = await #expect(throws: UnexpectedOutcome.self) { try await client.press("Ring") }
            #expect(error?.event == "bell.ring")
            #expect(
                error?.message == """
                    The event "bell.ring" was expected to be handled, but no coordinator handled it at /. \
                    It visited: DeafCoordinator.
                    """)
        }
    }
}

/// An app with a button that does nothing.
private struct DeafApp: CoordinatedApp {
    let name = "Deaf"
    let version = "1.0"
    let events = EventCatalog(BellEvents.self)
    let routes = RouteCatalog()

    func makeRootCoordinator() -> CoordinatorNode { DeafCoordinator() }
}

private final class DeafCoordinator: Coordinator<DeafViewController> {}

private final class DeafViewController: ViewController {
    override var actions: [Action] { [Action(title: "Ring", event: BellEvents.ring)] }
}

private enum BellEvents: DeclaredEvents {
    case ring

    static let declaration = EventDeclaration<Self>("bell", .event("ring", .ring))
}
