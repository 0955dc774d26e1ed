import Coordinate
import CoordinateMacros

@Events("login")
enum LoginEvents: CoordinateEvents {
    case logIn(_ user: String, _ password: Secret)
    @AppOnly case didLogIn(_ user: String)
    @AppOnly case didFail(_ failure: WorkFailure)
}

final class LoginCoordinator: Coordinator<LoginViewController>, NeedsDependencies {
    var dependencies: AppDependencies!

    override func interceptEvent(_ event: any CoordinateEvents) -> Bool {
        switch event {
        case LoginEvents.logIn(let user, let password):
            guard !rootViewController.isBusy else { return false }
            rootViewController.user = user
            rootViewController.isBusy = true
            perform(
                "login", with: password,
                { [service = dependencies.service] in try await service.logIn(user, password: $1) },
                done: { LoginEvents.didLogIn(user) }, failed: LoginEvents.didFail)
        case LoginEvents.didLogIn(let user): dependencies.notebook.user = user
        case LoginEvents.didFail(let failure):
            rootViewController.error = failure.reason
            rootViewController.isBusy = false
        default: return false
        }
        return true
    }
}

final class LoginViewController: ViewController {
    var user = ""
    var error: String?
    var isBusy = false

    override var currentTitle: String? { "Log in" }
    override var status: Screen.Status { isBusy ? .loading : .ready }
    override var actions: [Action] {
        let inputs: [Action.Input] = [.init("user", title: "User"), .init("password", title: "Password", error: error)]
        let event = LoginEvents.logIn(user, Secret(""))
        return isBusy ? [] : [Action(title: "Log in", event: event, inputs: inputs)]
    }
}
