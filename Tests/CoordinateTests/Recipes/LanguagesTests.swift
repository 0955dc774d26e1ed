import Coordinate
import Testing

private enum Language: String, CaseIterable, PlainValueConvertible {
    case english = "en"
    case german = "de"
}

private struct Texts {
    let language: Language

    var cart: String { language == .english ? "Cart" : "Warenkorb" }

    func things(_ count: Int) -> String {
        switch language {
        case .english: count == 1 ? "1 thing" : "\(count) things"
        case .german: count == 1 ? "1 Sache" : "\(count) Sachen"
        }
    }
}

private struct ShopOptions: SessionOptions {
    var locale = Language.english

    static let declaration = OptionDeclaration<Self>(.option("locale", \.locale))
}

private struct AppDependencies: AppDependenciesProtocol {
    let texts: Texts
}

private struct ShopApp: CoordinatedApp {
    let name = "Shop"
    let version = "1.0"
    let events = EventCatalog()
    let routes = RouteCatalog()

    func makeRootCoordinator(options: ShopOptions) -> CoordinatorNode {
        let cart = CartCoordinator()
        cart.setDependencies(dependencies: AppDependencies(texts: Texts(language: options.locale)))
        return cart
    }
}

private final class CartCoordinator: Coordinator<ViewController>, HasDependencies {
    var dependencies: AppDependencies?

    override func start(with completion: @escaping () -> Void = {}) {
        super.start(with: completion)
        rootViewController.title = dependencies?.texts.cart
    }
}

struct LanguagesTests {
    private func cart(_ options: ShopOptions) throws -> NavigationState {
        let root = ShopApp().makeRootCoordinator(options: options)
        try root.turn { root.start() }
        return root.navigationState
    }

    @Test func aSessionSpeaksItsLanguage() throws {
        #expect(try cart(ShopOptions()).screen.title == "Cart")
        #expect(try cart(ShopOptions(locale: .german)).screen.title == "Warenkorb")
    }
}

extension LanguagesTests {
    @Test func theLanguagesAreChoices() {
        #expect(ShopApp().declaredOptions.first?.type.choices == [.string("en"), .string("de")])
        #expect(ShopApp().faults.isEmpty)
    }
}
