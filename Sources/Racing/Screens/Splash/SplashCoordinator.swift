import Coordinate

final class SplashCoordinator: Coordinator<SplashViewController> {}

final class SplashViewController: ViewController {
    required init() {
        super.init()
        title = "Formula Racing"
    }

    func didTapContinue() {
        emitEvent(AppEvents.Splash.didFinish)
    }

    override var actions: [Action] {
        [Action(title: "Continue", event: AppEvents.Splash.didFinish, role: .primary)]
    }
}
