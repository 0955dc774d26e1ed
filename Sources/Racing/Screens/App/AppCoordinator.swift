import Coordinate

/// The root: the splash screen first, then the tabs.
final class AppCoordinator: ContainerCoordinator<AppViewController>, HasDependencies {
    var dependencies: AppDependencies?

    var activeRoute: Route = .splash

    override func start(with completion: @escaping () -> Void = {}) {
        super.start(with: completion)
        goTo(activeRoute)
    }

    // MARK: - Events

    override func interceptEvent(_ event: any CoordinateEvents) -> Bool {
        guard case AppEvents.Splash.didFinish = event, activeRoute == .splash else { return false }
        goTo(.main(nil))
        return true
    }
}

extension AppCoordinator: HasRoutes {
    enum Route: Equatable {
        case splash
        case main(MainCoordinator.Route?)
    }

    func goTo(_ route: Route) {
        switch route {
        case .splash:
            root(getCached(SplashCoordinator.self) ?? SplashCoordinator(), for: .splash)
        case .main(let tab):
            let main = getCached(MainCoordinator.self) ?? MainCoordinator()
            main.goToOnceStarted(tab)
            root(main, for: .main(nil))
        }
    }
}

extension AppCoordinator.Route: DeclaredRoutes {
    static let declaration = RouteDeclaration<Self>(
        .route("splash", .splash),
        .nested("main", Self.main) { if case .main(let tab) = $0 { tab } else { nil } }
    )
}

final class AppViewController: ViewController {}
