import Coordinate

/// The Drivers tab.
final class DriversCoordinator: BrowseCoordinator {
    override var list: any Coordinating { getCached(DriversListCoordinator.self) ?? DriversListCoordinator() }

    override init() {
        super.init()
        rootViewController.tabBarItem = TabBarItem(title: "Drivers", image: Image(named: "helmet-icon"), tag: 1)
    }
}
