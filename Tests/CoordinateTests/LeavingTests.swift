import Coordinate
import Testing

private typealias Form = TwoShelves.Form

/// A coordinator may ask before it is left.
struct LeavingTests {
    private let desk = TwoShelves("Desk")
    private let form: Form
    private var state: NavigationState { desk.navigationState }

    init() throws {
        try desk.turn { [desk] in
            desk.start()
            desk.goTo(.left(.item(1)))
        }
        form = try #require(desk.visibleLeaf as? Form)
        form.hasChanges = true
    }

    @discardableResult
    private func emit(_ event: NavigationEvents) -> Dispatch { desk.visibleLeaf.emitEvent(event) }

    @Test func anAlertIsTheLeafAndThePathStays() {
        #expect(emit(.back).handledBy == "Desk/Left")
        #expect(state.leaf == "Desk/Left/Item 1/AlertCoordinator")
        #expect(state.path == "/left/item/1")
        #expect(state.screen.name == "Alert")
        #expect(state.screen.title == "Discard changes?")
        #expect(state.screen.message == "They are not saved.")
        #expect(state.screen.actions.map(\.title) == ["Discard", "Keep editing", "Save", "Close"])
        #expect(state.screen.actions.map(\.event) == Array(repeating: "navigation.choose", count: 4))
        #expect(state.breadcrumbs.map(\.path) == ["/left", "/left/item/1", "/left/item/1"])
        #expect(state.back == nil && state.tabs.isEmpty && state.dismiss == nil)
        #expect(!emit(.choose("other")).isHandled)
        #expect(form.isStarted)
    }

    @Test func toStayChangesNothing() {
        let before = state
        emit(.back)
        #expect(emit(.choose("stay")).handledBy == "Desk/Left/Item 1/AlertCoordinator")
        #expect(state == before)
    }

    @Test func toDismissTheQuestionIsToStay() {
        emit(.back)
        #expect(emit(.dismiss).isHandled)
        #expect(desk.visibleLeaf === form)
        #expect(!emit(.choose("discard")).isHandled)
    }

    private static let wishes: [(NavigationEvents, String)] = [
        (.back, "/left"), (.popToRoot, "/left"), (.selectTab("Right"), "/right"), (.open("/right"), "/right"),
        (.open("/left"), "/left"),
    ]

    @Test(arguments: wishes) func toDiscardGoesOnWithWhatWasAsked(wish: NavigationEvents, path: String) {
        emit(wish)
        #expect(state.path == "/left/item/1")
        emit(.choose("discard"))
        #expect(state.path == path)
        #expect(desk.path == path)
        #expect(state.leaf == "Desk\(path == "/right" ? "/Right" : "/Left")/List")
    }

    @Test(arguments: wishes) func nobodyIsAskedWithoutChanges(wish: NavigationEvents, path: String) {
        form.hasChanges = false
        emit(wish)
        #expect(state.path == path)
    }

    @Test func aTapOnTheSelectedTabAsksOnlyWhatItRemoves() {
        emit(.selectTab("Left"))
        #expect(desk.visibleLeaf === form)
        desk.onTap = { [unowned desk] in desk.left.popToRoot() }
        emit(.selectTab("Left"))
        #expect(state.leaf == "Desk/Left/Item 1/AlertCoordinator")
        emit(.choose("stay"))
        #expect(desk.visibleLeaf === form)
        emit(.selectTab("Left"))
        emit(.choose("discard"))
        #expect(desk.path == "/left")
    }

    @Test func aLinkToTheScreenBelowAModalShowsIt() {
        form.hasChanges = false
        let modals = [Form.changed("M"), Leaf("N")]
        for modal in modals { form.present(modal) }
        #expect(emit(.open("/left/item/1")).isHandled)
        #expect(state.leaf == "Desk/Left/Item 1/M/AlertCoordinator")
        emit(.choose("stay"))
        #expect(desk.visibleLeaf === modals[1])
        emit(.open("/left/item/1"))
        emit(.choose("discard"))
        #expect(desk.visibleLeaf === form)
        #expect(state.dismiss == nil)
    }

    @Test func aLinkToThePathOfAQuestionMeansToStay() {
        emit(.back)
        #expect(emit(.open("/left/item/1")).isHandled)
        #expect(desk.visibleLeaf === form)
        #expect(!emit(.choose("discard")).isHandled)
    }

    @Test func aChoiceMayDoSomethingFirst() {
        emit(.back)
        emit(.choose("save"))
        #expect(form.saved)
        #expect(state.path == "/left")
    }

    @Test func aChoiceThatClosesTheScreenItselfClosesNoOther() {
        let other = Form.changed("Other")
        desk.left.show(other, sender: nil)
        emit(.back)
        emit(.choose("close"))
        #expect(desk.visibleLeaf === form)
        form.hasChanges = false
        let modal = Form.changed("Modal")
        form.present(Leaf("Below"), animated: false)
        form.present(modal, animated: false)
        emit(.dismiss)
        emit(.choose("close"))
        #expect(state.leaf == "Desk/Left/Item 1/Below")
    }

    @Test func oneQuestionIsAskedAfterTheOther() {
        let other = Form.changed("Other")
        desk.left.show(other, sender: nil)
        emit(.popToRoot)
        #expect(state.leaf == "Desk/Left/Other/AlertCoordinator")
        emit(.choose("discard"))
        #expect(state.leaf == "Desk/Left/Item 1/AlertCoordinator")
        #expect(other.isStarted)
        emit(.choose("discard"))
        #expect(state.path == "/left")
        #expect(!other.isStarted && !form.isStarted)
    }

    @Test func aNewerWishTakesThePlaceOfTheOneThatWaits() {
        emit(.back)
        emit(.open("/right"))
        #expect(state.leaf == "Desk/Left/Item 1/AlertCoordinator")
        emit(.choose("discard"))
        #expect(state.path == "/right")
    }

    // MARK: Who is asked

    @Test func aContainerThatStaysIsNotAsked() {
        form.hasChanges = false
        desk.left.list.hasChanges = true
        emit(.open("/left/item/2"))
        #expect(desk.path == "/left/item/2")
    }

    @Test func whatIsCoveredAndEndsIsAsked() {
        desk.left.show(Leaf("Note"), sender: nil)
        emit(.open("/left/item/2"))
        #expect(state.screen.name == "Alert")
        #expect(desk.path == "/left/item/1")
        emit(.choose("discard"))
        #expect(desk.path == "/left/item/2")
    }

    @Test func aTabBehindAModalAsksNobodyThatIsNotSeen() {
        desk.present(Leaf("Note"), animated: false)
        emit(.selectTab("Right"))
        #expect(desk.path == "/right")
    }

    @Test func aQuestionThatIsCoveredIsAskedAgain() {
        emit(.selectTab("Right"))
        desk.present(Leaf("Note"), animated: false)
        #expect(desk.visibleLeaf.identifier == "Note")
        emit(.open("/right/item/1"))
        #expect(state.breadcrumbs.map(\.title) == ["List", "Item 1", "Note", "Discard changes?"])
        emit(.choose("discard"))
        #expect(desk.path == "/right/item/1")
    }

    @Test func aQuestionEndsWithWhoeverAsksIt() {
        emit(.back)
        form.stop()
        #expect(state.path == "/left")
        #expect(desk.visibleLeaf === desk.left.list)
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
