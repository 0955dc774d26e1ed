import Coordinate
import CoordinateMacros

/// The flow from the cart to an order, which is its result: address, delivery, confirmation.
final class CheckoutCoordinator: NavigationCoordinator<NavigationController>, NeedsDependencies, HasRoutes, HasResult {
    typealias ResultType = Order

    @Routes
    enum Route {
        @Path("") case address
        @Path("delivery") case delivery
        @Path("confirmation") case confirmation
    }

    var dependencies: AppDependencies!
    var activeRoute = Route.address

    private let address = AddressCoordinator()

    override func start(with completion: @escaping () -> Void = {}) {
        super.start(with: completion)
        store.checkout = Checkout()
    }

    /// Goes to a step. A link past the first one takes the customer's address.
    func goTo(_ route: Route) {
        root(address, for: .address)
        guard route != .address else { return }
        store.checkout.address = store.checkout.address ?? store.customer?.address
        show(DeliveryCoordinator(), for: .delivery)
        if route == .confirmation { show(ConfirmationCoordinator(), for: .confirmation) }
    }

    override func interceptEvent(_ event: any CoordinateEvents) -> Bool {
        switch event {
        case let form as AppEvents.AddressForm:
            store.checkout.address = form.address
            show(DeliveryCoordinator(), for: .delivery)
        case AppEvents.Checkout.select(let delivery): store.checkout.delivery = delivery
        case AppEvents.Checkout.deliver: show(ConfirmationCoordinator(), for: .confirmation)
        case AppEvents.Checkout.placeOrder: return placeOrder()
        case AppEvents.Checkout.didPlace(let order): finish(with: order)
        case AppEvents.Checkout.didSellOut(let product):
            (store.checkout.status, store.checkout.soldOut) = (.failed, product)
        case AppEvents.Checkout.didFail: store.checkout.status = .failed
        case AppEvents.Cart.put(_, count: 0):
            (store.checkout.status, store.checkout.soldOut) = (.ready, nil)
            return false
        default: return false
        }
        return true
    }

    private func placeOrder() -> Bool {
        guard store.checkout.status != .loading, let order = store.order else { return false }
        (store.checkout.status, store.checkout.soldOut) = (.loading, nil)
        perform(
            "order", retry: .backoff(attempts: 3, first: .milliseconds(200)),
            { [desk = services.desk] in try await desk.place(order, $0) },
            done: { placement in
                switch placement {
                case .placed(let order): AppEvents.Checkout.didPlace(order)
                case .soldOut(let product): AppEvents.Checkout.didSellOut(product)
                }
            },
            failed: AppEvents.Checkout.didFail)
        return true
    }

    /// Users stay until the order is placed or refused.
    override func alertBeforeLeaving() -> Alert? {
        guard store.checkout.status == .loading else { return nil }
        return Alert(title: text(.isBeingPlaced), choices: [.stay(text(.wait))])
    }
}

final class DeliveryCoordinator: Coordinator<DeliveryViewController> {}

final class DeliveryViewController: ShopViewController {
    override var currentTitle: String? { text(.delivery) }
    override var sections: [Screen.Section] { [.init(id: "choices", title: store.checkout.address?.line)] }
    override var rows: [Screen.Row] {
        Delivery.allCases.map { delivery in
            Screen.Row(
                id: delivery.rawValue, title: text(delivery.name), value: text(.money(delivery.cents)),
                section: "choices", isFavorite: delivery == store.checkout.delivery,
                action: button(delivery.name, AppEvents.Checkout.select(delivery)))
        }
    }

    override var actions: [Action] { [button(.goOn, AppEvents.Checkout.deliver, role: .primary)] }
}

final class ConfirmationCoordinator: Coordinator<ConfirmationViewController> {}

final class ConfirmationViewController: ShopViewController {
    override var currentTitle: String? { text(.confirmation) }
    override var status: Screen.Status { store.checkout.status }
    override var sections: [Screen.Section] { orderSections }
    override var rows: [Screen.Row] { store.order.map { rows(of: $0) } ?? [] }

    override var message: String? {
        if let product = store.checkout.soldOut { return text(.soldOut(product.name)) }
        return switch status {
        case .ready: store.order.map { text(.total($0.total)) }
        case .loading: text(.isBeingPlaced)
        case .failed: text(.placingFailed)
        }
    }

    override var actions: [Action] {
        if let product = store.checkout.soldOut {
            return [button(.remove, AppEvents.Cart.put(product, count: 0), role: .primary)]
        }
        let place = AppEvents.Checkout.placeOrder
        return status == .loading ? [] : [button(status == .failed ? .tryAgain : .placeOrder, place, role: .primary)]
    }
}
