import Coordinate

final class OrdersCoordinator: Coordinator<OrdersViewController>, HasDependencies {
    var dependencies: AppDependencies?

    override func start(with completion: @escaping () -> Void = {}) {
        super.start(with: completion)
        rootViewController.account = dependencies?.account
    }
}

final class OrdersViewController: ViewController {
    var account: Account?

    required init() {
        super.init()
        title = "Orders"
    }

    override var rows: [Screen.Row] {
        account?.orders.map { order in
            Screen.Row(
                id: "\(order)", title: "Order \(order)",
                action: Action(title: "Order \(order)", event: AppEvents.Orders.didSelect(order)))
        } ?? []
    }

    override var actions: [Action] {
        [
            Action(title: "Check out", event: AppEvents.Checkout.begin),
            Action(title: "Log out", event: AppEvents.Account.logOut),
        ]
    }
}
