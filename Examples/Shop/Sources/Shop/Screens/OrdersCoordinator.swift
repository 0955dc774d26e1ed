import Coordinate
import CoordinateMacros

/// The tab of the orders, for customers who are logged in.
final class OrdersCoordinator: NavigationCoordinator<NavigationController>, NeedsDependencies, HasRoutes {
    @Routes
    enum Route {
        @Path("") case list
        @Path("{order}") case order(_ number: Int)
    }

    var dependencies: AppDependencies!
    var activeRoute = Route.list

    private let list = OrderListCoordinator()

    func goTo(_ route: Route) {
        root(list, for: .list)
        if case .order(let number) = route { show(OrderCoordinator(number), for: route) }
    }

    override func interceptEvent(_ event: any CoordinateEvents) -> Bool {
        switch event {
        case AppEvents.Orders.didSelect(let number): navigate(to: .order(number))
        case AppEvents.Orders.didCancel(let number): store.customer?[order: number]?.state = .cancelled
        case AppEvents.Orders.didNotCancel(let number): store.customer?[order: number]?.state = .uncancellable
        default: return false
        }
        return true
    }
}

final class OrderListCoordinator: Coordinator<OrderListViewController> {}

final class OrderListViewController: ShopViewController {
    override var currentTitle: String? { text(.orders) }
    override var emptyText: String? { text(.noOrders) }
    override var rows: [Screen.Row] {
        (store.customer?.orders ?? []).map { order in
            let number = order.number
            return Screen.Row(
                id: "\(number)", title: text(.order(number)), subtitle: order.state.text.map { text($0) },
                value: text(.money(order.total)), image: order.lines.first?.product.image,
                action: button(.order(number), AppEvents.Orders.didSelect(number), opens: "/orders/\(number)"))
        }
    }
}

final class OrderCoordinator: ArgumentCoordinator<OrderViewController>, NeedsDependencies {
    var dependencies: AppDependencies!

    /// Cancels the order. The result goes to the tab, because users may leave this screen before.
    override func interceptEvent(_ event: any CoordinateEvents) -> Bool {
        guard case AppEvents.Orders.cancel = event, let number = rootViewController.argument,
            store.customer?[order: number]?.state == .placed
        else { return false }
        store.customer?[order: number]?.state = .cancelling
        perform(
            "cancellation", owner: .ancestor(OrdersCoordinator.self),
            { [desk = services.desk] _ in try await desk.cancel(number) },
            done: { AppEvents.Orders.didCancel(number) }, failed: { _ in AppEvents.Orders.didNotCancel(number) })
        return true
    }
}

/// One order. A link may have the number of another customer's order.
final class OrderViewController: ShopViewController, HasArgument {
    /// The number of the order.
    var argument: Int!

    private var order: Order? { store.customer?[order: argument] }

    override var currentTitle: String? { text(.order(argument)) }
    override var status: Screen.Status { order == nil ? .failed : .ready }
    override var message: String? {
        guard let order else { return text(.noOrder) }
        return text(order.state.text ?? .total(order.total))
    }

    override var sections: [Screen.Section] { orderSections }
    override var rows: [Screen.Row] { order.map { rows(of: $0) } ?? [] }
    override var actions: [Action] {
        order?.state == .placed ? [button(.cancelOrder, AppEvents.Orders.cancel, role: .destructive)] : []
    }
}
