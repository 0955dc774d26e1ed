import Coordinate

class AppCoordinator: ContainerCoordinator<UIViewController>, HasDependencies {
    var dependencies: AppDependencies?

    var activeRoute: Route = .splash

    override func start(with completion: @escaping () -> Void = {}) {
        self.setDependencies(dependencies: AppDependencies())
        super.start(with: completion)
        goTo(activeRoute)
    }

    override func interceptEvent(_ event: CoordinateEvents) -> Bool {
        if let event = event as? AppEvents.Splash {
            switch event {
            case .willLeaveSplash:
                goTo(.main)
                return true
            }
        }
        return false
    }

    private func showSplash() {
        let coordinator = getCached(SplashCoordinator.self) ?? SplashCoordinator()
        root(coordinator)
    }

    private func showMain() {
        let coordinator = getCached(MainCoordinator.self) ?? MainCoordinator()
        root(coordinator, animated: true, completion: nil)
    }
}

extension AppCoordinator: HasRoutes {
    enum Route: Equatable {
        case splash
        case main
    }

    func goTo(_ route: Route) {
        switch route {
        case .splash: showSplash()
        case .main: showMain()
        }
        self.activeRoute = route
    }
}

class SplashCoordinator: Coordinator<SplashViewController> {
    override var identifier: String {
        get { "Splash" }
        set {}
    }
}

class SplashViewController: UIViewController, Coordinated {
    var parentCoordinator: Coordinating?

    func didTapContinue() {
        emitEvent(AppEvents.Splash.willLeaveSplash)
    }
}
