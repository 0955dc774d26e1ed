import Coordinate

/// The dependencies of every coordinator and every screen of the shop.
struct AppDependencies: AppDependenciesProtocol {
    let language: Language
    let services: Services
    let store = Store()
}

extension NeedsDependencies where DependenciesType == AppDependencies {
    var store: Store { dependencies.store }
    var services: Services { dependencies.services }
    func text(_ text: Text) -> String { text[dependencies.language] }
}

/// A screen with texts in the session's language, and with the session's data.
class ShopViewController: ViewController, NeedsDependencies {
    final var dependencies: AppDependencies!

    final func button(
        _ title: Text, _ event: some DeclaredEvents, inputs: [Action.Input] = [], role: Action.Role? = nil,
        opens: String? = nil
    ) -> Action {
        Action(title: text(title), event: event, inputs: inputs, role: role, opens: opens)
    }
}
