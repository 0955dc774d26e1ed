import Coordinate
import Testing

private typealias Form = TwoShelves.Form

/// A path is made from the screen outwards: the coordinator that shows something gives its part.
struct WayTests {
    private let house = TwoShelves("House")
    private var state: NavigationState { house.navigationState }
    private var crumbs: [String] { state.breadcrumbs.map(\.path) }

    init() throws { try house.turn { [house] in house.start() } }

    @discardableResult
    private func emit(_ event: NavigationEvents) -> Dispatch { house.visibleLeaf.emitEvent(event) }

    @Test func aModalOnTopOfAnothersModalIsWhereItsOwnerSays() {
        house.goTo(.left(.edit))
        house.goTo(.help)
        #expect(house.path == "/help")
        #expect(crumbs == ["/left", "/left/edit", "/help"])
        house.left.present(Leaf("Edit"), for: .edit)
        #expect(house.path == "/left/edit")
        #expect(house.activeRoute == .left(nil))
        emit(.dismiss)
        #expect(house.activeRoute == .help)
    }

    @Test func aModalWithoutARouteIsWhereTheScreenBelowIs() {
        house.goTo(.left(.item(1)))
        house.present(Leaf("Note"), animated: false)
        #expect(house.path == "/left/item/1")
        #expect(state.path == house.path)
        #expect(crumbs == ["/left", "/left/item/1", "/left/item/1"])
    }

    @Test func aModalThatIsCoveredHasNoRoute() {
        house.goTo(.left(.item(1)))
        house.left.topCoordinator?.node("Note")
        house.goTo(.help)
        #expect(house.path == "/help")
        house.left.show(Leaf("Item 2"), for: .item(2))
        #expect(house.path == "/left/item/2")
        #expect(house.activeRoute == .left(nil))
        emit(.back)
        #expect(house.path == "/help")
        #expect(house.activeRoute == .help)
    }

    @Test func aTabThatChangesUnderAModalIsNotWhereTheModalIs() {
        house.left.goTo(.edit)
        house.select(house.right)
        #expect(house.path == "/right")
        house.goTo(.help)
        house.left.present(Leaf("Edit"), for: .edit)
        #expect(house.path == "/help")
        house.select(house.left)
        #expect(house.path == "/help")
        house.dismiss()
        #expect(house.path == "/left/edit")
    }

    @Test func theRouteOfATabThatIsGoneIsNotThatOfTheNext() throws {
        let tabs = [Leaf("A"), Leaf("B")]
        let bar = RouteSettingBar("Bar")
        try bar.turn { bar.start() }
        bar.setCoordinators(tabs)
        try bar.turn {
            bar.select(tabs[0])
            bar.activeRoute = .first
        }
        #expect(bar.path == "/first")
        tabs[0].stop()
        #expect(bar.visibleLeaf === tabs[1])
        #expect(bar.path == "/")
    }

    private final class RouteSettingBar: Tabs, HasRoutes {
        enum Route: DeclaredRoutes {
            case first, second
            static let declaration = RouteDeclaration<Self>(.route("first", .first), .route("second", .second))
        }

        var activeRoute: Route = .second

        func goTo(_ route: Route) {}
    }

    @Test func aRouteThatIsSetForWhatIsGoneAlreadyIsNobodys() throws {
        let stack = RouteSettingStack("Stack")
        try stack.turn {
            stack.start()
            stack.goTo(.list)
        }
        try stack.turn { stack.goTo(.hasty) }
        #expect(stack.path == "/list")
        #expect(stack.activeRoute == .list)
    }

    private final class RouteSettingStack: Stack, HasRoutes {
        enum Route: DeclaredRoutes {
            case list, hasty
            static let declaration = RouteDeclaration<Self>(.route("list", .list), .route("hasty", .hasty))
        }

        var activeRoute: Route = .list

        func goTo(_ route: Route) {
            show(route == .list ? Leaf("List") : Hasty("Hasty"), sender: nil)
            activeRoute = route
        }
    }

    private final class Hasty: Leaf {
        override func start(with completion: @escaping () -> Void = {}) {
            super.start(with: completion)
            stop()
        }
    }

    // MARK: Leaving

    @Test func aContainerThatStaysIsNotAsked() {
        house.goTo(.left(.item(1)))
        house.left.list.hasChanges = true
        emit(.open("/left/item/2"))
        #expect(house.path == "/left/item/2")
    }

    @Test func whatIsCoveredAndEndsIsAsked() {
        house.goTo(.left(.item(1)))
        (house.left.topCoordinator as? Form)?.hasChanges = true
        house.left.show(Leaf("Note"), sender: nil)
        emit(.open("/left/item/2"))
        #expect(house.visibleLeaf.getRootViewController().name == "Alert")
        #expect(house.path == "/left/item/1")
        emit(.choose("discard"))
        #expect(house.path == "/left/item/2")
    }

    @Test func whoeverLosesTheLastOfItsSectionIsAsked() {
        let note = Form("Note")
        house.left.list.present(note, animated: false)
        SectionedNavigationController(for: note).push(Leaf("Guest"))
        #expect(house.visibleLeaf.identifier == "Guest")
        note.hasChanges = true
        emit(.back)
        #expect(house.visibleLeaf.getRootViewController().name == "Alert")
        #expect(note.isStarted)
        emit(.choose("discard"))
        #expect(house.visibleLeaf === house.left.list)
        #expect(!note.isStarted)
    }

    @Test func aTabBehindAModalAsksNobodyThatIsNotSeen() {
        house.left.list.hasChanges = true
        house.present(Leaf("Note"), animated: false)
        emit(.selectTab("Right"))
        #expect(house.path == "/right")
    }

    @Test func aQuestionThatIsCoveredIsAskedAgain() {
        house.left.list.hasChanges = true
        emit(.selectTab("Right"))
        house.present(Leaf("Note"), animated: false)
        #expect(house.visibleLeaf.identifier == "Note")
        emit(.open("/right/item/1"))
        #expect(house.visibleLeaf.getRootViewController().name == "Alert")
        #expect(state.breadcrumbs.map(\.title) == ["List", "Note", "Discard changes?"])
        emit(.choose("discard"))
        #expect(house.path == "/right/item/1")
    }

    @Test func theQuestionOfAHiddenCoordinatorIsSeen() throws {
        let box = Box.started()
        let bar = Tabs("Bar")
        let forms = [Form("A"), Form("B")]
        box.present(bar, animated: false)
        bar.setCoordinators(forms)
        bar.select(forms[1])
        forms[0].hasChanges = true
        box.visibleLeaf.emitEvent(NavigationEvents.dismiss)
        #expect(box.visibleLeaf.id == "Box/Bar/A/AlertCoordinator")
        box.visibleLeaf.emitEvent(NavigationEvents.choose("discard"))
        #expect(box.visibleLeaf === box)
    }
}

extension Coordinating {
    /// Presents a leaf without a route on a coordinator.
    fileprivate func node(_ name: String) { (self as? CoordinatorNode)?.present(Leaf(name), animated: false) }
}
