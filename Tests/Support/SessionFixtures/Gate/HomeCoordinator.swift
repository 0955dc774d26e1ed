import Coordinate

final class HomeCoordinator: Coordinator<HomeViewController>, HasDependencies {
    var dependencies: AppDependencies?

    override func start(with completion: @escaping () -> Void = {}) {
        super.start(with: completion)
        rootViewController.account = dependencies?.account
    }
}

final class HomeViewController: ViewController {
    var account: Account?

    required init() {
        super.init()
        title = "Home"
    }

    override var message: String? { account?.note }

    override var actions: [Action] {
        [
            Action(title: "Orders", event: AppEvents.Orders.open),
            Action(title: "Edit note", event: AppEvents.Form.open),
            account?.isLoggedIn == true
                ? Action(title: "Log out", event: AppEvents.Account.logOut)
                : Action(title: "Log in", event: AppEvents.Account.logIn),
        ]
    }
}
