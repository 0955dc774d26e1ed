import Coordinate

/// The dependencies of every coordinator and every screen of the shop.
struct AppDependencies: AppDependenciesProtocol {
    let language: Language
    let services: Services
    let store = Store()
}

extension HasDependencies where DependenciesType == AppDependencies {
    var store: Store { dependencies?.store ?? Store() }
    var services: Services { dependencies?.services ?? Services() }
    func text(_ text: Text) -> String { text[dependencies?.language ?? .en] }
}

/// A coordinator of one screen, which is given what the coordinator is given.
class ScreenCoordinator<Screen: ShopViewController>: Coordinator<Screen>, HasDependencies {
    var dependencies: AppDependencies?

    convenience init(prepare: (Screen) -> Void) {
        self.init()
        prepare(rootViewController)
    }

    override func start(with completion: @escaping () -> Void = {}) {
        super.start(with: completion)
        rootViewController.dependencies = dependencies
    }
}

class ShopViewController: ViewController, HasDependencies {
    final var dependencies: AppDependencies? { didSet { title = heading.map { text($0) } } }
    var heading: Text? { nil }

    final func button(_ title: Text, _ event: some DeclaredEvents, inputs: [Action.Input] = []) -> Action {
        Action(title: text(title), event: event, inputs: inputs)
    }
}
