import Coordinate

final class LoginCoordinator: Coordinator<LoginViewController> {}

final class LoginViewController: ViewController {
    required init() {
        super.init()
        title = "Log in"
    }

    override var actions: [Action] { [Action(title: "Log in", event: AppEvents.Account.logIn)] }
}
