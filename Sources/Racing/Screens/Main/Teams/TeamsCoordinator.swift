import Coordinate

/// The Teams tab.
final class TeamsCoordinator: BrowseCoordinator {
    init() {
        super.init(list: TeamsListCoordinator())
        rootViewController.tabBarItem = TabBarItem(title: "Teams", image: Image(symbol: "car"), tag: 0)
    }
}
