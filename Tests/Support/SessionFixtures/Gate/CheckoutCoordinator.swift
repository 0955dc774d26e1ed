import Coordinate

/// The flow from the cart to an order, whose number is its result.
final class CheckoutCoordinator: NavigationCoordinator<NavigationController>, HasResult, HasDependencies {
    typealias ResultType = Int

    var dependencies: AppDependencies?

    override func start(with completion: @escaping () -> Void = {}) {
        super.start(with: completion)
        root(CartCoordinator())
    }

    override func interceptEvent(_ event: any CoordinateEvents) -> Bool {
        switch event {
        case AppEvents.Checkout.next:
            show(PaymentCoordinator(), sender: self)
        case AppEvents.Checkout.pay:
            guard let account = dependencies?.account else { return false }
            finish(with: account.placeOrder())
        default:
            return false
        }
        return true
    }
}

final class CartCoordinator: Coordinator<CartViewController> {}

final class CartViewController: ViewController {
    required init() {
        super.init()
        title = "Cart"
    }

    override var actions: [Action] { [Action(title: "Next", event: AppEvents.Checkout.next)] }
}

final class PaymentCoordinator: Coordinator<PaymentViewController> {}

final class PaymentViewController: ViewController {
    required init() {
        super.init()
        title = "Payment"
    }

    override var actions: [Action] { [Action(title: "Pay", event: AppEvents.Checkout.pay)] }
}
