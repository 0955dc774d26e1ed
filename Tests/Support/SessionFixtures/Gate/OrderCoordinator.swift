import Coordinate

final class OrderCoordinator: Coordinator<OrderViewController> {
    init(number: Int) {
        super.init()
        rootViewController.title = "Order \(number)"
    }
}

final class OrderViewController: ViewController {
    override var actions: [Action] { [Action(title: "Log out", event: AppEvents.Account.logOut)] }
}
