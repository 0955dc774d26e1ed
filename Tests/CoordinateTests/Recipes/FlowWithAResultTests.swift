import Coordinate
import Testing

private struct Order: Equatable {
    let number: Int
    let method: String
}

private enum CheckoutEvents: CoordinateEvents, Equatable {
    case start
    case changeMethod
    case didChooseMethod(_ method: String)
    case didPay(_ number: Int)
}

private final class CheckoutCoordinator: NavigationCoordinator<NavigationController>, HasResult {
    typealias ResultType = Order

    private var method = "invoice"

    override func start(with completion: @escaping () -> Void = {}) {
        super.start(with: completion)
        root(OverviewCoordinator())
    }

    override func interceptEvent(_ event: any CoordinateEvents) -> Bool {
        switch event {
        case CheckoutEvents.changeMethod:
            show(MethodCoordinator()) { [weak self] method in
                if let method { self?.method = method }
            }
        case CheckoutEvents.didPay(let number):
            finish(with: Order(number: number, method: method))
        default:
            return false
        }
        return true
    }
}

private final class OverviewCoordinator: Coordinator<ViewController> {}

private final class MethodCoordinator: Coordinator<ViewController>, HasResult {
    typealias ResultType = String

    override func interceptEvent(_ event: any CoordinateEvents) -> Bool {
        guard case CheckoutEvents.didChooseMethod(let method) = event else { return false }
        finish(with: method)
        return true
    }
}

private final class ShopCoordinator: NavigationCoordinator<NavigationController>, HasRoutes {
    enum Route: DeclaredRoutes {
        case cart
        case checkout
        case order(_ number: Int)

        static let declaration = RouteDeclaration<Self>(
            .route("cart", .cart),
            .route("checkout", .checkout),
            .route("order/{order}", Self.order) { if case .order(let number) = $0 { number } else { nil } }
        )
    }

    var activeRoute: Route = .cart
    private(set) var orders: [Order] = []
    private let cart = CartCoordinator()

    override func interceptEvent(_ event: any CoordinateEvents) -> Bool {
        guard case CheckoutEvents.start = event else { return false }
        goTo(.checkout)
        return true
    }

    func goTo(_ route: Route) {
        dismiss()
        root(cart, for: .cart)
        switch route {
        case .cart:
            break
        case .checkout:
            present(CheckoutCoordinator(), for: .checkout) { [weak self] order in
                guard let self, let order else { return }
                orders.append(order)
                goTo(.order(order.number))
            }
        case .order(let number):
            show(OrderCoordinator(number: number), for: route)
        }
    }
}

private final class CartCoordinator: Coordinator<ViewController> {}

private final class OrderCoordinator: Coordinator<ViewController> {
    init(number: Int) {
        super.init()
        rootViewController.title = "Order \(number)"
    }
}

struct FlowWithAResultTests {
    private let shop = ShopCoordinator()

    init() throws {
        try shop.turn { shop.start() }
    }

    @discardableResult
    private func emit(_ event: any CoordinateEvents) throws -> Dispatch {
        try shop.turn { shop.visibleLeaf.emitEvent(event) }
    }

    @Test func whatIsOrderedIsShown() throws {
        try emit(CheckoutEvents.start)
        #expect(shop.path == "/checkout")
        try emit(CheckoutEvents.changeMethod)
        try emit(CheckoutEvents.didChooseMethod("card"))
        try emit(CheckoutEvents.didPay(17))
        #expect(shop.orders == [Order(number: 17, method: "card")])
        #expect(shop.path == "/order/17")
        #expect(shop.navigationState.breadcrumbs.map(\.path) == ["/cart", "/order/17"])
    }
}
