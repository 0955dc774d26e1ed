import Coordinate
import CoordinateMacros

/// The root: four tabs, and the checkout on top of them. It handles the events that concern several tabs.
class AppCoordinator: TabBarCoordinator<TabBarController>, NeedsDependencies, HasGuard {
    var dependencies: AppDependencies!
    var activeRoute = Route.catalogue(nil)

    private let catalogue = CatalogueCoordinator()
    private let cart = CartCoordinator()
    private let orders = OrdersCoordinator()
    private let account = AccountCoordinator()
    private weak var checkout: CheckoutCoordinator?

    override func start(with completion: @escaping () -> Void = {}) {
        super.start(with: completion)
        let first = activeRoute
        let tabs: [(any Coordinating, Text, symbol: String)] = [
            (catalogue, .catalogue, "house"), (cart, .cart, "cart"), (orders, .orders, "box"),
            (account, .account, "person"),
        ]
        for (tag, (tab, title, symbol)) in tabs.enumerated() {
            tab.getRootViewController().tabBarItem = TabBarItem(
                title: text(title), image: Image(symbol: symbol), tag: tag)
        }
        setCoordinators([
            (catalogue, .catalogue(nil)), (cart, .cart), (orders, .orders(nil)), (account, .account(nil)),
        ])
        goTo(first)
    }

    override func interceptEvent(_ event: any CoordinateEvents) -> Bool {
        switch event {
        case AppEvents.Cart.put(let product, let count):
            guard let cents = store.cents(of: product) else { return false }
            store.cart.put(product, count: count, cents: cents)
            guard store.cart.offer == .notYet, count > 0 else { break }
            store.cart.offer = .on
            perform("offer", after: Cart.offerTime, AppEvents.Cart.offerDidExpire)
        case AppEvents.Cart.offerDidExpire: store.cart.offer = .over
        case AppEvents.Cart.checkOut: navigate(to: .checkout(nil))
        case AppEvents.Catalogue.didSelect(let product): navigate(to: .catalogue(.product(product)))
        case AppEvents.Account.logOut:
            store.customer = nil
            forgetParkedLink()
        default: return false
        }
        updateBadge()
        return true
    }

    private func checkoutDidEnd(with order: Order?) {
        guard let order else { return }
        store.customer?.orders.insert(order, at: 0)
        store.cart.lines = []
        updateBadge()
        goTo(.orders(.order(order.number)))
    }

    private func updateBadge() {
        cart.rootViewController.tabBarItem.badgeValue = store.cart.isEmpty ? nil : "\(store.cart.count)"
    }

    @Routes
    enum Route {
        @Path("catalogue") case catalogue(CatalogueCoordinator.Route?)
        @Path("cart") case cart
        @Path("checkout") case checkout(CheckoutCoordinator.Route?)
        @Path("orders") case orders(OrdersCoordinator.Route?)
        @Path("account") case account(AccountCoordinator.Route?)
    }

    /// Goes to a route. A checkout that is open keeps what the customer has entered when a link leads to another step.
    func goTo(_ route: Route) {
        if case .checkout(let step) = route, let checkout, checkout.isStarted {
            return checkout.goToOnceStarted(step ?? .address)
        }
        dismiss()
        switch route {
        case .catalogue(let route): select(catalogue, at: route)
        case .cart: select(cart)
        case .checkout(let step):
            select(cart)
            let checkout = CheckoutCoordinator()
            self.checkout = checkout
            checkout.goToOnceStarted(step)
            present(checkout, for: route) { [weak self] in self?.checkoutDidEnd(with: $0) }
        case .orders(let route): select(orders, at: route)
        case .account(let route): select(account, at: route)
        }
    }

    func decide(on route: Route) -> RouteDecision<Route> {
        switch (route, store.customer != nil) {
        case (.checkout, _) where store.cart.isEmpty: .redirected(to: .cart)
        case (.checkout, false), (.orders, false), (.account(.edit), false):
            .redirected(to: .account(.login), parking: .untilDismissed)
        case (.account(.overview), false), (.account(nil), false): .redirected(to: .account(.login))
        case (.account(.login), true): .redirected(to: .account(.overview))
        default: .granted
        }
    }
}
