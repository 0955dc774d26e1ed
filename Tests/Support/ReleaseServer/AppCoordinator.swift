internal import Coordinate

/// The root: a stack with the shelf at the bottom.
final class AppCoordinator: NavigationCoordinator<NavigationController>, NeedsDependencies, HasRoutes {
    enum Route: DeclaredRoutes {
        case shelf
        case product(Product)
        case basket
        case checkout

        static let declaration = RouteDeclaration<Self>(
            .route("shelf", .shelf),
            .route("shelf/product/{product}", Self.product) {
                if case .product(let product) = $0 { product } else { nil }
            },
            .route("basket", .basket), .route("basket/checkout", .checkout))
    }

    var dependencies: BasketDependencies!
    var activeRoute = Route.shelf
    private let shelf = ShelfCoordinator()

    override func interceptEvent(_ event: any CoordinateEvents) -> Bool {
        guard let event = event as? BasketEvents else { return false }
        let basket = dependencies.basket
        switch event {
        case .look(let product): navigate(to: .product(product))
        case .add(let product):
            basket.add(product)
            beginOffer()
        case .open: navigate(to: .basket)
        case .checkOut: navigate(to: Release.current == .moved ? .shelf : .checkout)
        case .enter(let name, let zip):
            basket.address = Address(name: name, zip: zip)
            guard basket.address.zipError == nil, basket.address.nameError == nil else { break }
            basket.orders += 1
            basket.clear()
            navigate(to: .shelf)
        case .offerDidEnd: basket.offer = .over
        case .more, .remove: return false
        }
        return true
    }

    /// Begins the offer with the first item of the session.
    private func beginOffer() {
        guard dependencies.basket.offer == .notYet else { return }
        dependencies.basket.offer = .on
        perform("offer", after: .seconds(86_400), BasketEvents.offerDidEnd)
    }

    func goTo(_ route: Route) {
        root(shelf, for: .shelf)
        switch route {
        case .shelf: break
        case .product(let product): show(ProductCoordinator(product), for: route)
        case .basket: showBasket()
        case .checkout:
            showBasket()
            show(CheckoutCoordinator(), for: route)
        }
    }

    private func showBasket() {
        show(Release.current.isRenamed ? CartCoordinator() : BasketCoordinator(), for: .basket)
    }
}

final class ShelfCoordinator: Coordinator<ShelfViewController> {}
final class ProductCoordinator: ArgumentCoordinator<ProductViewController> {}
final class CheckoutCoordinator: Coordinator<CheckoutViewController> {}

class BasketCoordinator: Coordinator<BasketViewController>, NeedsDependencies {
    final var dependencies: BasketDependencies!

    override func interceptEvent(_ event: any CoordinateEvents) -> Bool {
        switch event {
        case BasketEvents.more(let product): dependencies.basket.add(product)
        case BasketEvents.remove(let product): dependencies.basket.remove(product)
        default: return false
        }
        return true
    }
}

/// The basket under its new name.
final class CartCoordinator: BasketCoordinator {}
