import Coordinate
import CoordinateMacros

/// A shop: a catalogue, a cart, a checkout, and the orders of the customer who is logged in.
public struct ShopApp: CoordinatedApp {
    public let name = "Shop"
    public let version = "1.0"
    public let events = EventCatalog(
        AppEvents.Catalogue.self, AppEvents.Cart.self, AppEvents.AddressForm.self, AppEvents.Checkout.self,
        AppEvents.Orders.self, AppEvents.Account.self)
    public let routes = RouteCatalog(AppCoordinator.Route.self)

    var services = Services()
    /// Creates the root, before its dependencies are set.
    var makeRoot: @Sendable () -> AppCoordinator = { AppCoordinator() }

    public init() {}

    public func makeRootCoordinator(options: ShopOptions) -> CoordinatorNode {
        let root = makeRoot()
        root.setDependencies(dependencies: AppDependencies(language: options.locale, services: services))
        return root
    }
}

extension ShopApp {
    /// The inputs, the outcomes of work and the links with values to explore the shop with.
    public var samples: [Sample] {
        let order = Order(
            number: 18, lines: [Line(product: .mug, count: 1, cents: 990)], discount: 0, delivery: .standard,
            address: AccountBook.anna.address)
        return [
            .work("prices", PriceList.all), .work("login", AccountBook.anna, Customer?.none),
            .work("order", Placement.placed(order), Placement.soldOut(.lamp)),
            .input("query", of: "catalogue.search", "mug"), .input("zip", of: "address.submit", "8001", "80"),
            .link("/catalogue/product/lamp"), .link("/orders/17"),
        ]
    }

    /// The customer who is logged in, whose name only the account shows, and whether an address has errors, which users
    /// are asked about when they leave. What is in the cart is left out, since each content would be a state of the map.
    public func facts(of root: CoordinatorNode) -> [String: String] {
        var facts: [String: String] = [:]
        if let customer = (root as? AppCoordinator)?.store.customer { facts["customer"] = customer.address.name }
        if let address = root.visibleLeaf.getRootViewController() as? AddressViewController, !address.errors.isEmpty {
            facts["address"] = "invalid"
        }
        return facts
    }

    /// The conditions that hold whatever users do. Random walks check them.
    public var invariants: [Invariant] {
        [
            Invariant("the badge of the cart counts what is in it") { (shop: AppCoordinator) in
                let badge = shop.navigationState.tree.children[1].badge
                return badge == (shop.store.cart.isEmpty ? nil : "\(shop.store.cart.count)")
            },
            Invariant("orders are shown after a login only") { (shop: AppCoordinator) in
                shop.store.customer != nil || !shop.path.hasPrefix("/orders")
            },
        ]
    }
}

/// The differences between one session and another.
@Options
public struct ShopOptions { public var locale = Language.en }

public enum Language: String, CaseIterable, PlainValueConvertible { case en, de }
