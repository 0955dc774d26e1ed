import Coordinate
import CoordinateMacros

/// The root: two tabs, and the login on top of them.
final class AppCoordinator: TabBarCoordinator<TabBarController>, NeedsDependencies, HasRoutes {
    @Routes
    enum Route {
        @Path("notes") case notes(NotesCoordinator.Route?)
        @Path("pro") case pro
        @Path("login") case login
    }

    var dependencies: AppDependencies!
    var activeRoute = Route.notes(nil)

    private let notes = NotesCoordinator()
    private let pro = ProCoordinator()

    override func start(with completion: @escaping () -> Void = {}) {
        super.start(with: completion)
        notes.rootViewController.tabBarItem.title = "Notes"
        pro.rootViewController.tabBarItem.title = "Pro"
        setCoordinators([(notes, .notes(nil)), (pro, .pro)])
    }

    func goTo(_ route: Route) {
        dismiss()
        switch route {
        case .notes(let route): select(notes, at: route)
        case .pro: select(pro)
        case .login:
            select(notes)
            present(LoginCoordinator(), for: route)
        }
    }
}

extension AppCoordinator: HasGuard {
    func decide(on route: Route) -> RouteDecision<Route> {
        switch (route, dependencies.notebook.user) {
        case (.pro, nil): .redirected(to: .login, parking: .untilDismissed)
        case (.login, _?): .redirected(to: .notes(nil))
        default: .granted
        }
    }
}
