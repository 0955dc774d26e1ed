import Coordinate

final class SplashCoordinator: Coordinator<SplashViewController> {}

final class SplashViewController: ViewController {
    required init() {
        super.init()
        title = "Formula Racing"
    }

    override var actions: [Action] {
        [Action(title: "Continue", event: AppEvents.Splash.didFinish)]
    }
}
