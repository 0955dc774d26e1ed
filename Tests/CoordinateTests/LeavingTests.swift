import Coordinate
import Testing

/// A form that asks before it is left with changes.
private final class Form: Leaf {
    var hasChanges = true
    var saved = false

    override func alertBeforeLeaving() -> Alert? {
        guard hasChanges else { return nil }
        return Alert(
            title: "Discard changes?", message: "They are not saved.",
            choices: [
                .discard("Discard"), .stay("Keep editing"),
                Alert.Choice("save", title: "Save", leaves: true) { [unowned self] in saved = true },
                Alert.Choice("close", title: "Close", leaves: true) { [unowned self] in stop() },
            ])
    }
}

private final class Desk: Tabs, HasRoutes {
    enum Route: DeclaredRoutes {
        case first(Pile.Route?)
        case second

        static let declaration = RouteDeclaration<Self>(
            .nested("first", Self.first) { if case .first(let route) = $0 { route } else { nil } },
            .route("second", .second)
        )
    }

    var activeRoute: Route = .first(nil)
    let pile = Pile("First")
    let second = Leaf("Second")

    override func start(with completion: @escaping () -> Void = {}) {
        super.start(with: completion)
        setCoordinators([(pile, .first(nil)), (second, .second)])
    }

    func goTo(_ route: Route) {
        switch route {
        case .first(let route):
            pile.goToOnceStarted(route)
            select(pile)
        case .second: select(second)
        }
    }
}

private final class Pile: Stack, HasRoutes {
    enum Route: DeclaredRoutes {
        case list, form

        static let declaration = RouteDeclaration<Self>(.route("", .list), .route("form", .form))
    }

    var activeRoute: Route = .list
    let list = Leaf("List")
    let form = Form("Form")

    override func start(with completion: @escaping () -> Void = {}) {
        super.start(with: completion)
        goTo(activeRoute)
    }

    func goTo(_ route: Route) {
        root(list, for: .list)
        if route == .form { show(form, for: .form) }
    }
}

/// A coordinator may ask before it is left.
struct LeavingTests {
    private let desk = Desk("Desk")
    private var form: Form { desk.pile.form }
    private var state: NavigationState { desk.navigationState }

    init() throws {
        try desk.turn { [desk] in
            desk.start()
            desk.goTo(.first(.form))
        }
    }

    @discardableResult
    private func emit(_ event: NavigationEvents) -> Dispatch { desk.visibleLeaf.emitEvent(event) }

    @Test func anAlertIsTheLeafAndThePathStays() {
        #expect(emit(.back).handledBy == "Desk/First")
        #expect(state.leaf == "Desk/First/Form/AlertCoordinator")
        #expect(state.path == "/first/form")
        #expect(state.screen.name == "Alert")
        #expect(state.screen.title == "Discard changes?")
        #expect(state.screen.message == "They are not saved.")
        #expect(state.screen.actions.map(\.title) == ["Discard", "Keep editing", "Save", "Close"])
        #expect(state.screen.actions.map(\.event) == Array(repeating: "navigation.choose", count: 4))
        #expect(state.breadcrumbs.map(\.path) == ["/first", "/first/form", "/first/form"])
        #expect(state.back == nil && state.tabs.isEmpty && state.dismiss == nil)
        #expect(!emit(.choose("other")).isHandled)
        #expect(form.isStarted)
    }

    @Test func toStayChangesNothing() {
        let before = state
        emit(.back)
        #expect(emit(.choose("stay")).handledBy == "Desk/First/Form/AlertCoordinator")
        #expect(state == before)
    }

    @Test func toDismissTheQuestionIsToStay() {
        emit(.back)
        #expect(emit(.dismiss).isHandled)
        #expect(desk.visibleLeaf === form)
        #expect(!emit(.choose("discard")).isHandled)
    }

    private static let wishes: [(NavigationEvents, String)] = [
        (.back, "/first"), (.popToRoot, "/first"), (.selectTab("Second"), "/second"), (.open("/second"), "/second"),
        (.open("/first"), "/first"),
    ]

    @Test(arguments: wishes)
    func toDiscardGoesOnWithWhatWasAsked(wish: NavigationEvents, path: String) {
        emit(wish)
        #expect(state.path == "/first/form")
        emit(.choose("discard"))
        #expect(state.path == path)
        #expect(desk.path == path)
        #expect(state.leaf.hasSuffix(path == "/second" ? "Second" : "List"))
    }

    @Test(arguments: wishes)
    func nobodyIsAskedWithoutChanges(wish: NavigationEvents, path: String) {
        form.hasChanges = false
        emit(wish)
        #expect(state.path == path)
    }

    @Test func aModalIsAskedBeforeItIsDismissed() {
        form.hasChanges = false
        let modal = Form("Modal")
        form.present(modal, animated: false)
        emit(.dismiss)
        #expect(state.leaf == "Desk/First/Form/Modal/AlertCoordinator")
        emit(.choose("discard"))
        #expect(desk.visibleLeaf === form)
        #expect(!modal.isStarted)
    }

    @Test func aChoiceMayDoSomethingFirst() {
        emit(.back)
        emit(.choose("save"))
        #expect(form.saved)
        #expect(state.path == "/first")
    }

    @Test func aChoiceThatClosesTheScreenItselfClosesNoOther() {
        let other = Form("Other")
        desk.pile.show(other, sender: nil)
        emit(.back)
        emit(.choose("close"))
        #expect(desk.visibleLeaf === form)
        form.hasChanges = false
        let modal = Form("Modal")
        form.present(Leaf("Below"), animated: false)
        form.present(modal, animated: false)
        emit(.dismiss)
        emit(.choose("close"))
        #expect(state.leaf == "Desk/First/Form/Below")
    }

    @Test func oneQuestionIsAskedAfterTheOther() {
        let other = Form("Other")
        desk.pile.show(other, sender: nil)
        emit(.popToRoot)
        #expect(state.leaf == "Desk/First/Other/AlertCoordinator")
        emit(.choose("discard"))
        #expect(state.leaf == "Desk/First/Form/AlertCoordinator")
        #expect(other.isStarted)
        emit(.choose("discard"))
        #expect(state.path == "/first")
        #expect(!other.isStarted && !form.isStarted)
    }

    @Test func aNewerWishTakesThePlaceOfTheOneThatWaits() {
        emit(.back)
        emit(.open("/second"))
        #expect(state.leaf == "Desk/First/Form/AlertCoordinator")
        emit(.choose("discard"))
        #expect(state.path == "/second")
    }

    @Test func aLinkToNowhereAsksNobody() {
        #expect(!emit(.open("/nowhere")).isHandled)
        #expect(desk.visibleLeaf === form)
        #expect(emit(.open("/first/form")).isHandled)
        #expect(desk.visibleLeaf === form)
    }

    @Test func theAppItselfAsksNobody() {
        desk.goTo(.second)
        #expect(state.path == "/second")
        desk.goTo(.first(.list))
        #expect(!form.isStarted)
    }

    @Test func aQuestionEndsWithWhoeverAsksIt() {
        emit(.back)
        form.stop()
        #expect(state.path == "/first")
        #expect(desk.visibleLeaf === desk.pile.list)
        #expect(!emit(.choose("discard")).isHandled)
    }

    @Test func anAlertWithoutChoicesCanBeClosed() {
        var answers: [String?] = []
        form.present(Alert(title: "Saved", choices: [])) { answers.append($0?.id) }
        #expect(state.offered.map(\.title) == ["Close"])
        for action in state.offered { desk.visibleLeaf.press(action) }
        #expect(desk.visibleLeaf === form)
        #expect(answers == [nil])
    }

    @Test func anAppAsksQuestionsOfItsOwn() {
        var chosen: [String?] = []
        let alert = Alert(
            title: "Sure?", choices: [Alert.Choice("yes", title: "Yes"), Alert.Choice("no", title: "No")])
        form.present(alert) { chosen.append($0?.id) }
        emit(.choose("no"))
        form.present(alert) { chosen.append($0?.id) }
        emit(.dismiss)
        #expect(chosen == ["no", nil])
    }
}
