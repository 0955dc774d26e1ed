import Coordinate

final class HomeCoordinator: Coordinator<HomeViewController> {}

final class HomeViewController: ViewController, NeedsDependencies {
    var dependencies: AppDependencies!

    override var currentTitle: String? { "Home" }
    override var message: String? { dependencies.account.note }

    override var actions: [Action] {
        [
            Action(title: "Orders", event: AppEvents.Orders.open),
            Action(title: "Edit note", event: AppEvents.Form.open),
            dependencies.account.isLoggedIn
                ? Action(title: "Log out", event: AppEvents.Account.logOut)
                : Action(title: "Log in", event: AppEvents.Account.logIn),
        ]
    }
}

final class LoginCoordinator: Coordinator<LoginViewController> {}

final class LoginViewController: ViewController {
    override var currentTitle: String? { "Log in" }
    override var actions: [Action] { [Action(title: "Log in", event: AppEvents.Account.logIn)] }
}

final class OrdersCoordinator: Coordinator<OrdersViewController> {}

final class OrdersViewController: ViewController {
    override var currentTitle: String? { "Orders" }

    override var rows: [Screen.Row] {
        [
            Screen.Row(
                id: "17", title: "Order 17", action: Action(title: "Order 17", event: AppEvents.Orders.didSelect(17)))
        ]
    }

    override var actions: [Action] { [Action(title: "Log out", event: AppEvents.Account.logOut)] }
}

final class OrderCoordinator: ArgumentCoordinator<OrderViewController> {}

final class OrderViewController: ViewController, HasArgument {
    var argument: Int!

    override var currentTitle: String? { "Order \(argument!)" }
    override var actions: [Action] { [Action(title: "Log out", event: AppEvents.Account.logOut)] }
}
