package import Coordinate

/// A small shop with a login gate, and a form that confirms before it is left.
package struct GateApp: CoordinatedApp {
    package let name = "Gate"
    package let version = "1.0"
    package let routes = RouteCatalog(AppCoordinator.Route.self)

    package let events = EventCatalog(AppEvents.Account.self, AppEvents.Form.self, AppEvents.Orders.self)

    package init() {}

    package func makeRootCoordinator() -> CoordinatorNode {
        let root = AppCoordinator()
        root.setDependencies(dependencies: AppDependencies(account: Account()))
        return root
    }
}

struct AppDependencies: AppDependenciesProtocol {
    let account: Account
}

/// The data behind one session.
final class Account {
    var isLoggedIn = false
    var note = ""
}
