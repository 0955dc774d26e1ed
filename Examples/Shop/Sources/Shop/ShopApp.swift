import Coordinate
import CoordinateMacros

/// A shop: a catalogue, a cart, a checkout, and the orders of whoever is logged in.
public struct ShopApp: CoordinatedApp {
    public let name = "Shop"
    public let version = "1.0"
    public let events = EventCatalog(
        AppEvents.Catalogue.self, AppEvents.Cart.self, AppEvents.AddressForm.self, AppEvents.Checkout.self,
        AppEvents.Orders.self, AppEvents.Account.self)
    public let routes = RouteCatalog(AppCoordinator.Route.self)

    var services = Services()

    public init() {}

    public func makeRootCoordinator(options: ShopOptions) -> CoordinatorNode {
        let root = AppCoordinator()
        root.setDependencies(dependencies: AppDependencies(language: options.locale, services: services))
        return root
    }
}

/// The differences between one session and another.
@Options
public struct ShopOptions { public var locale = Language.en }

public enum Language: String, CaseIterable, PlainValueConvertible { case en, de }
