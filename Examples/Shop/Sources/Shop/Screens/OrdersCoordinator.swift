import Coordinate
import CoordinateMacros

/// The tab of the orders, for customers who are logged in.
final class OrdersCoordinator: NavigationCoordinator<NavigationController>, HasRoutes {
    @Routes
    enum Route {
        @Path("") case list
        @Path("{order}") case order(_ number: Int)
    }

    var activeRoute = Route.list

    private let list = OrderListCoordinator()

    override func start(with completion: @escaping () -> Void = {}) {
        super.start(with: completion)
        goTo(activeRoute)
    }

    func goTo(_ route: Route) {
        root(list, for: .list)
        if case .order(let number) = route { show(OrderCoordinator(number), for: route) }
    }

    override func interceptEvent(_ event: any CoordinateEvents) -> Bool {
        guard case AppEvents.Orders.didSelect(let number) = event else { return false }
        navigate(to: .order(number))
        return true
    }
}

final class OrderListCoordinator: Coordinator<OrderListViewController> {}

final class OrderListViewController: ShopViewController {
    override var currentTitle: String? { text(.orders) }
    override var rows: [Screen.Row] {
        (store.customer?.orders ?? []).map { order in
            Screen.Row(
                id: "\(order.number)", title: text(.order(order.number)), value: text(.money(order.total)),
                action: button(.order(order.number), AppEvents.Orders.didSelect(order.number)))
        }
    }
}

final class OrderCoordinator: ArgumentCoordinator<OrderViewController> {}

/// One order. A link may have the number of another customer's order.
final class OrderViewController: ShopViewController, HasArgument {
    /// The number of the order.
    var argument: Int!

    private var order: Order? { store.customer?.orders.first { $0.number == argument } }

    override var currentTitle: String? { text(.order(argument)) }
    override var status: Screen.Status { order == nil ? .failed : .ready }
    override var message: String? { text(order.map { .total($0.total) } ?? .noOrder) }
    override var rows: [Screen.Row] { order.map { rows(of: $0) } ?? [] }
}
