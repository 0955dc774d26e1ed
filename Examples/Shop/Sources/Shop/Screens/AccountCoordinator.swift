import Coordinate
import CoordinateMacros

/// The account's tab: the login, or the customer who is logged in.
final class AccountCoordinator: ContainerCoordinator<ViewController>, NeedsDependencies, HasRoutes {
    @Routes
    enum Route {
        @Path("") case overview
        @Path("edit") case edit
        @Path("login") case login
    }

    var dependencies: AppDependencies!
    var activeRoute = Route.overview

    func goTo(_ route: Route) {
        dismiss()
        switch route {
        case .login: root(getCached(LoginCoordinator.self) ?? LoginCoordinator(), for: .login)
        case .overview: root(getCached(CustomerCoordinator.self) ?? CustomerCoordinator(), for: .overview)
        case .edit:
            goTo(.overview)
            present(AddressCoordinator(), for: .edit)
        }
    }

    override func interceptEvent(_ event: any CoordinateEvents) -> Bool {
        switch event {
        case AppEvents.Account.edit: navigate(to: .edit)
        case let form as AppEvents.AddressForm:
            store.customer?.address = form.address
            dismiss()
        default: return false
        }
        return true
    }
}

final class CustomerCoordinator: Coordinator<CustomerViewController> {}

final class CustomerViewController: ShopViewController {
    override var currentTitle: String? { text(.account) }
    override var rows: [Screen.Row] {
        guard let address = store.customer?.address else { return [] }
        return [
            Screen.Row(id: "address", title: address.name, subtitle: address.line, image: Image(symbol: "house"))
        ]
    }

    override var actions: [Action] {
        [button(.edit, AppEvents.Account.edit), button(.logOut, AppEvents.Account.logOut)]
    }
}

/// The login. It passes the password to work, and keeps it nowhere.
final class LoginCoordinator: Coordinator<LoginViewController>, NeedsDependencies {
    var dependencies: AppDependencies!

    override func interceptEvent(_ event: any CoordinateEvents) -> Bool {
        switch event {
        case AppEvents.Account.logIn(let user, let password):
            guard store.loginStatus != .loading else { return false }
            rootViewController.user = user
            (store.loginStatus, store.isRefused) = (.loading, false)
            perform(
                "login", with: password,
                { [accounts = services.accounts] in try await accounts.customer(user, password: $1) },
                done: { $0.map(AppEvents.Account.didLogIn) ?? .didRefuse }, failed: AppEvents.Account.didFail)
        case AppEvents.Account.didLogIn(let customer): (store.customer, store.loginStatus) = (customer, .ready)
        case AppEvents.Account.didRefuse: (store.isRefused, store.loginStatus) = (true, .ready)
        case AppEvents.Account.didFail: store.loginStatus = .failed
        default: return false
        }
        return true
    }
}

final class LoginViewController: ShopViewController {
    var user = ""

    override var currentTitle: String? { text(.logIn) }
    override var status: Screen.Status { store.loginStatus }
    override var message: String? { status == .failed ? text(.loginFailed) : nil }

    override var actions: [Action] {
        let notNow = button(.notNow, NavigationEvents.open("/catalogue"), role: .cancel)
        guard status != .loading else { return [notNow] }
        let inputs: [Action.Input] = [
            .init("user", title: text(.user)),
            .init("password", title: text(.password), error: store.isRefused ? text(.wrongPassword) : nil),
        ]
        return [button(.logIn, AppEvents.Account.logIn(user, Secret("")), inputs: inputs, role: .primary), notNow]
    }
}
