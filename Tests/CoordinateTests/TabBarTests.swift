import Coordinate
import Testing

struct TabBarTests {
    private let log = Log()

    @Test func aTabIsStartedWhenItIsFirstSelected() {
        let (tabs, leaves) = Tabs.started("A", "B", log: log)
        #expect(leaves.map(\.isStarted) == [true, false])
        tabs.select(leaves[1])
        tabs.select(leaves[0])
        tabs.select(leaves[1])
        #expect(log.flush(only: "start", "stop") == ["B start"])
        #expect(tabs.rootViewController.selectedIndex == 1)
        #expect(tabs.rootViewController.selectedViewController === leaves[1].rootViewController)
    }

    @Test func setCoordinatorsReplacesAndKeepsThoseThatStay() {
        let (tabs, leaves) = Tabs.started("A", "B", "C", log: log)
        let added = Leaf("D", log: log)
        tabs.select(leaves[2])
        _ = log.flush()
        tabs.setCoordinators([leaves[2], added, leaves[1]])
        #expect(tabs.rootViewController.viewControllers?.map(\.title) == ["C", "D", "B"])
        #expect(tabs.selectedCoordinator === leaves[2])
        #expect(log.flush() == ["A stop"])
        #expect(!leaves[0].isStarted)
    }

    @Test func aTabGivenTwiceIsThereOnce() {
        let tabs = Tabs("Tabs")
        let leaf = Leaf("A")
        tabs.start()
        tabs.setCoordinators([leaf, leaf])
        #expect(tabs.rootViewController.viewControllers?.count == 1)
    }

    @Test func selectOfANonTabFailsTheTurnAndSelectsNothing() {
        let (tabs, leaves) = Tabs.started("A", "B")
        let failure = failure(of: tabs) { tabs.select(Leaf("C")) }
        #expect(failure == .unknownTab(tabBar: "Tabs", coordinator: "C"))
        #expect(failure?.description == "C is not a tab of Tabs: set it with setCoordinators(_:) first")
        #expect(tabs.selectedCoordinator === leaves[0])
    }

    @Test func aTapGoesThroughTabTapped() {
        final class Counting: Tabs {
            var taps: [String] = []
            override func tabTapped(for coordinator: any Coordinating) {
                taps.append(coordinator.identifier)
                super.tabTapped(for: coordinator)
            }
        }
        let tabs = Counting("Tabs")
        tabs.start()
        tabs.setCoordinators([Leaf("A"), Leaf("B")])
        #expect(tabs.visibleLeaf.emitEvent(NavigationEvents.selectTab("B")).handledBy == "Tabs")
        #expect(tabs.taps == ["B"])
        #expect(tabs.visibleLeaf.id == "Tabs/B")
        #expect(!tabs.visibleLeaf.emitEvent(NavigationEvents.selectTab("C")).isHandled)
    }

    @Test func rootSelectsATab() {
        let (tabs, leaves) = Tabs.started("A", "B")
        var completions = 0
        tabs.root(leaves[1]) { completions += 1 }
        #expect(tabs.selectedCoordinator === leaves[1])
        #expect(failure(of: tabs) { tabs.root(Leaf("C")) { completions += 1 } } != nil)
        #expect(completions == 2)
    }

    @Test func theBarShowsTheItemsOfTheTabs() {
        let (tabs, leaves) = Tabs.started("A", "B")
        leaves[1].rootViewController.tabBarItem = TabBarItem(title: "Bee", image: Image(named: "bee"), tag: 7)
        tabs.rootViewController.tabBar.items?[1].badgeValue = "3"
        #expect(tabs.rootViewController.tabBar.items?.map(\.title) == ["A", "Bee"])
        #expect(leaves[1].rootViewController.tabBarItem.badgeValue == "3")
        #expect(tabs.navigationState.tabs.map(\.title) == ["A", "Bee"])
        #expect(tabs.navigationState.tabs.map(\.badge) == [nil, "3"])
        #expect(Tabs().rootViewController.tabBar.items == nil)
    }
}
