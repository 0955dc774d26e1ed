import Testing

@testable import Coordinate

private final class TeamsListViewController: ViewController {
    override var rows: [Screen.Row] {
        [Screen.Row(id: "a", title: "A", action: Action(title: "A", event: NavigationEvents.selectTab("A")))]
    }

    override var actions: [Action] { [Action(title: "Go", event: NavigationEvents.back)] }
}

struct NavigationStateTests {
    @Test func aScreenIsNamedAfterItsClass() {
        let root = Coordinator<TeamsListViewController>()
        root.start()
        let screen = root.navigationState.screen
        #expect(screen.name == "TeamsList")
        #expect(screen.title == nil)
        #expect(screen.rows.map(\.id) == ["a"])
        #expect(screen.rows.first?.action?.event == "navigation.selectTab")
        #expect(screen.rows.first?.action?.payload == .object([PlainField("tab", .string("A"))]))
        #expect(screen.actions.map(\.title) == ["Go"])
        #expect(root.navigationState.breadcrumbs.map(\.title) == ["TeamsList"])
        #expect(ViewController().name == "ViewController")
    }

    @Test func anEmptyContainerIsTheLeaf() {
        let box = Box.started()
        let state = box.navigationState
        #expect(state.path == "/")
        #expect(state.leaf == "Box")
        #expect(state.breadcrumbs.map(\.title) == ["Box"])
        #expect(state.breadcrumbs.map(\.path) == ["/"])
        #expect(state.back == nil)
        #expect(state.dismiss == nil)
        #expect(state.tree.index == nil)
    }

    @Test(
        arguments: [
            (.back, "navigation.back", []), (.popToRoot, "navigation.popToRoot", []),
            (.selectTab("A"), "navigation.selectTab", [PlainField("tab", .string("A"))]),
            (.dismiss, "navigation.dismiss", []),
            (.open("/main?q=a"), "navigation.open", [PlainField("path", .string("/main?q=a"))]),
            (.choose("save"), "navigation.choose", [PlainField("choice", .string("save"))]),
        ] as [(NavigationEvents, String, [PlainField])])
    func anActionOfAContainerIsThatOfItsEvent(event: NavigationEvents, name: String, payload: [PlainField]) {
        let action = Action(title: "Go", event: event)
        #expect(action.event == name)
        #expect(action.payload == .object(payload))
        #expect(action.emission as? NavigationEvents == event)
    }

    @Test func theLiveStateHasTheSameRoutesAsItsPicture() throws {
        let (tabs, leaves) = Tabs.started("A", "B")
        leaves[0].present(Leaf("M"), animated: false)
        let live = tabs.liveState
        let picture = NavigationState(of: live)
        #expect(picture == tabs.navigationState)
        let presented = try #require(live.root.child(at: 0).presented)
        #expect(presented.id == picture.tree.children[0].presented[0].id)
        #expect(live.route(of: presented) == picture.tree.children[0].presented[0].route)
        #expect(live.root.childCount == 2)
    }

    @Test func aTapNamesItsTabAsItIsCalledNow() {
        final class Plain: Coordinator<ViewController> {}
        let (tabs, _) = Tabs.started()
        let moving = Plain()
        tabs.setCoordinators([Plain(), moving, Leaf("Own")])
        func names(_ tabs: Tabs) -> [String?] {
            tabs.navigationState.tabs.map { $0.action.payload[field: "tab"]?.string }
        }
        #expect(names(tabs) == ["Plain", "Plain-2", "Own"])
        let (others, _) = Tabs.started()
        others.setCoordinators([moving])
        #expect(names(others) == ["Plain"])
        tabs.setCoordinators([moving, tabs.children[0]])
        #expect(names(tabs) == ["Plain-2", "Plain"])
    }

    @Test func ofNestedTabBarsTheInnermostIsOffered() {
        let (outer, _) = Tabs.started()
        let inner = Tabs("Inner")
        outer.setCoordinators([inner, Leaf("Other")])
        inner.setCoordinators([Leaf("A"), Leaf("B")])
        #expect(outer.navigationState.tabs.map(\.title) == ["A", "B"])
    }
}
