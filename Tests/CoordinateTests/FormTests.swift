import Coordinate
import Testing

/// A form is an action with inputs: fields of its event's payload that a user fills in.
struct FormTests {
    private func shown(_ actions: [Action], rows: [Screen.Row] = []) -> NavigationState {
        let screen = Coordinator<DoorViewController>()
        screen.rootViewController.shownActions = actions
        screen.rootViewController.shownRows = rows
        screen.start()
        return screen.navigationState
    }

    @Test func anInputHasTheTypeAndTheValueOfItsField() throws {
        let enter = DoorEvents.enter(name: "Ada", age: nil, .back, Secret("swordfish"))
        let action = Action(
            title: "Enter", event: enter,
            inputs: [
                .init("name", title: "Name", error: "is on no list"), .init("age", title: "Age"),
                .init("door", title: "Door"), .init("word", title: "Password"),
            ])
        let inputs = try #require(shown([action]).screen.actions.first).inputs
        #expect(inputs.map(\.field) == ["name", "age", "door", "word"])
        #expect(inputs.map(\.title) == ["Name", "Age", "Door", "Password"])
        #expect(inputs.map(\.type.kind) == [.string, .int, .string, .string])
        #expect(inputs.map(\.type.isOptional) == [false, true, false, false])
        #expect(inputs.map(\.type.isSecret) == [false, false, false, true])
        #expect(inputs.map(\.value) == [.string("Ada"), .null, .string("back"), .null])
        #expect(inputs.map(\.error) == ["is on no list", nil, nil, nil])
        #expect(inputs.map { $0.choices?.map(\.title) } == [nil, nil, ["front", "back"], nil])
        #expect(inputs[2].choices?.map(\.value) == [.string("front"), .string("back")])
    }

    @Test func choicesHaveTheTitlesThatTheAppGivesThem() {
        let choices: [Action.Input.Choice] = [.init(DoorEvents.Door.back, title: "In the yard")]
        let action = Action(
            title: "Knock", event: DoorEvents.knock(.back), inputs: [.init("door", title: "Door", choices: choices)])
        #expect(shown([action]).screen.actions[0].inputs[0].choices == choices)
    }

    /// What is shown is sent as it is, and then it is what is shown.
    @Test func whatIsShownDecodes() throws {
        let enter = DoorEvents.enter(name: "", age: 3, .front, Secret("swordfish"))
        let action = Action(title: "Enter", event: enter, inputs: [.init("word", title: "Password")])
        let entry = try #require(EventCatalog(DoorEvents.self).entry(named: "door.enter"))
        #expect(try entry.event(from: action.payload, in: nil) as? DoorEvents == enter)
        #expect(!"\(action)".contains("swordfish"))
    }

    @Test func anInputForNoFieldIsLeftOutAndTold() throws {
        let action = Action(
            title: "Knock", event: DoorEvents.knock(.back),
            inputs: [.init("dor", title: "Door"), .init("door", title: "Door")])
        let state = shown([action])
        #expect(state.screen.actions.map { $0.inputs.map(\.field) } == [["door"]])
        #expect(state.diagnostics == [.noSuchField("dor", event: "door.knock", screen: "Door")])
    }

    // MARK: Declarations that are wrong

    @Test func anEventThatIsMissingFromItsDeclarationIsNotOffered() {
        let knock = Action(title: "Knock", event: DoorEvents.knock(.back))
        let ring = Action(title: "Ring", event: DoorEvents.ring(times: 2))
        let row = Screen.Row(id: "bell", title: "Bell", action: ring, delete: ring, actions: [ring, knock])
        let state = shown([ring, knock], rows: [row])
        #expect(state.screen.actions == [knock])
        #expect(state.screen.rows == [Screen.Row(id: "bell", title: "Bell", actions: [knock])])
        let expected = Diagnostic.undeclaredEvent("door.ring", type: "DoorEvents")
        #expect(state.diagnostics == [expected, expected, expected, expected])
        #expect(expected.description.contains("door.ring is missing from the declaration of DoorEvents"))
    }

    @Test func aTimerOfAnEventThatIsMissingFromItsDeclarationFailsTheTurn() {
        let screen = Coordinator<DoorViewController>()
        screen.start()
        #expect(throws: Diagnostic.undeclaredEvent("door.ring", type: "DoorEvents")) {
            try screen.turn { screen.perform("bell", after: .seconds(1), DoorEvents.ring(times: 2)) }
        }
    }

    @Test(arguments: [[], [Action.Input("dor", title: "Door")]])
    func anEventOfNoCatalogIsNotOfferedByAHost(inputs: [Action.Input]) {
        let screen = Coordinator<DoorViewController>()
        screen.beHosted([]) { _ in }
        screen.rootViewController.shownActions = [
            Action(title: "Knock", event: DoorEvents.knock(.back), inputs: inputs)
        ]
        try? screen.turn { screen.start() }
        #expect(screen.navigationState.screen.actions.isEmpty)
        #expect(screen.navigationState.diagnostics == [.uncataloguedEvent("door.knock", type: "DoorEvents")])
    }

    @Test(arguments: [[], [Action.Input("by", title: "By")]])
    func anEventThatOnlyTheAppMayEmitIsNotOffered(inputs: [Action.Input]) {
        let action = Action(title: "Open", event: DoorEvents.didOpen(by: "Ada"), inputs: inputs)
        let state = shown([action])
        #expect(state.screen.actions.isEmpty)
        #expect(state.diagnostics == [.appOnlyEvent("door.didOpen", screen: "Door")])
    }

    @Test(arguments: [3, 40]) func rowsWithOneIDAreNumbered(count: Int) {
        let rows = (1...count).map { Screen.Row(id: "row", title: "\($0)") } + [Screen.Row(id: "row-2", title: "Last")]
        let state = shown([], rows: rows)
        #expect(Set(state.screen.rows.map(\.id)).count == count + 1)
        #expect(state.screen.rows.prefix(3).map(\.id) == ["row", "row-3", "row-4"])
        #expect(state.screen.rows.last?.id == "row-2")
        #expect(state.screen.rows.map(\.title) == rows.map(\.title))
        #expect(state.diagnostics.first == .rowsAlike(screen: "Door", id: "row"))
        #expect(shown([], rows: state.screen.rows).diagnostics.isEmpty)
    }

    // MARK: Style

    @Test func aScreenIsAPageASheetOrAnAlert() {
        let (box, leaf) = (Box("Box"), Leaf("Leaf"))
        box.start()
        box.root(leaf)
        #expect(box.navigationState.screen.style == .page)
        let sheet = NavigationCoordinator<NavigationController>()
        leaf.present(sheet, animated: true)
        sheet.root(Leaf("Inside"))
        #expect(box.navigationState.screen.style == .sheet)
        sheet.present(Alert(title: "Really?", choices: [.stay("No")]))
        #expect(box.navigationState.screen.style == .alert)
        leaf.dismiss()
        #expect(box.navigationState.screen.style == .page)
    }

    @Test func allThatRowsOfferIsOffered() {
        let actions = DoorEvents.Door.allCases.map { Action(title: "Knock", event: DoorEvents.knock($0)) }
        let row = Screen.Row(id: "doors", title: "Doors", value: "2", action: actions[0], actions: actions)
        #expect(shown([], rows: [row]).offered == [actions[0]] + actions)
    }
}

private enum DoorEvents: CoordinateEvents, Equatable {
    case enter(name: String, age: Int?, Door, Secret)
    case knock(Door)
    case didOpen(by: String)
    /// Missing from the declaration.
    case ring(times: Int)

    enum Door: String, CaseIterable, PlainValueConvertible { case front, back }
}

extension DoorEvents: DeclaredEvents {
    static let declaration = EventDeclaration<Self>(
        "door",
        .event("enter", Self.enter, "name", "age", "door", "word") {
            if case .enter(let name, let age, let door, let word) = $0 { (name, age, door, word) } else { nil }
        },
        .event("knock", Self.knock, "door") { if case .knock(let door) = $0 { door } else { nil } },
        .event("didOpen", Self.didOpen, "by") { if case .didOpen(let name) = $0 { name } else { nil } }.appOnly
    )
}

private final class DoorViewController: ViewController {
    var shownActions: [Action] = []
    var shownRows: [Screen.Row] = []

    override var actions: [Action] { shownActions }
    override var rows: [Screen.Row] { shownRows }
}
