import Coordinate

/// The Teams tab.
final class TeamsCoordinator: BrowseCoordinator {
    init() {
        super.init(list: TeamsListCoordinator())
        rootViewController.tabBarItem = TabBarItem(title: "Teams", image: Image(named: "car-icon"), tag: 0)
    }
}
