import Coordinate

/// The Teams tab.
final class TeamsCoordinator: BrowseCoordinator {
    override var list: any Coordinating { getCached(TeamsListCoordinator.self) ?? TeamsListCoordinator() }

    override init() {
        super.init()
        rootViewController.tabBarItem = TabBarItem(title: "Teams", image: Image(named: "car-icon"), tag: 0)
    }
}
