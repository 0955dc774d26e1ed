import Coordinate

final class CartCoordinator: Coordinator<CartViewController> {}

final class CartViewController: ShopViewController {
    override var currentTitle: String? { text(.cart) }
    override var message: String? { store.cart.isEmpty ? nil : text(.total(store.cart.total)) }
    override var emptyText: String? { text(.emptyCart) }
    override var rows: [Screen.Row] {
        store.cart.lines.map { row(of: $0, isInCart: true) } + discount(store.cart.discount)
    }
    override var actions: [Action] {
        store.cart.isEmpty ? [] : [button(.checkOut, AppEvents.Cart.checkOut, role: .primary)]
    }
}

extension ShopViewController {
    /// The sections of an order's rows.
    final var orderSections: [Screen.Section] {
        [.init(id: "items", title: text(.items)), .init(id: "delivery", title: text(.delivery))]
    }

    final func rows(of order: Order) -> [Screen.Row] {
        let delivery = Screen.Row(
            id: "delivery", title: text(order.delivery.name), subtitle: order.address.line,
            value: text(.money(order.delivery.cents)), image: Image(symbol: "truck"), section: "delivery")
        return order.lines.map { row(of: $0, in: "items") } + discount(order.discount, in: "items") + [delivery]
    }

    final func row(of line: Line, in section: String? = nil, isInCart: Bool = false) -> Screen.Row {
        func put(_ title: Text, _ count: Int) -> Action {
            button(title, AppEvents.Cart.put(line.product, count: count))
        }
        func show(_ product: Product) -> Action {
            button(product.name, AppEvents.Catalogue.didSelect(product), opens: product.path)
        }
        return Screen.Row(
            id: line.product.id, title: text(line.product.name), subtitle: text(.count(line.count)),
            value: text(.money(line.total)), image: line.product.image, section: section,
            action: isInCart ? show(line.product) : nil,
            delete: isInCart ? put(.remove, 0) : nil,
            actions: isInCart ? [put(.less, line.count - 1), put(.more, line.count + 1)] : [])
    }

    final func discount(_ cents: Int, in section: String? = nil) -> [Screen.Row] {
        let row = Screen.Row(
            id: "discount", title: text(.discount), value: text(.money(-cents)), image: Image(symbol: "clock"),
            section: section)
        return cents == 0 ? [] : [row]
    }
}
