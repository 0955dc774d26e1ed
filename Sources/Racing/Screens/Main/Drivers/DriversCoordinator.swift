import Coordinate

/// The Drivers tab.
final class DriversCoordinator: BrowseCoordinator {
    init() {
        super.init(list: DriversListCoordinator())
        rootViewController.tabBarItem = TabBarItem(title: "Drivers", image: Image(symbol: "people"), tag: 1)
    }
}
