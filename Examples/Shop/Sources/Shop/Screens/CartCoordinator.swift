import Coordinate

final class CartCoordinator: Coordinator<CartViewController> {}

final class CartViewController: ShopViewController {
    override var currentTitle: String? { text(.cart) }
    override var message: String? { text(store.cart.isEmpty ? .emptyCart : .total(store.cart.total)) }
    override var rows: [Screen.Row] {
        store.cart.lines.map { row(of: $0, isInCart: true) } + discount(store.cart.discount)
    }
    override var actions: [Action] { store.cart.isEmpty ? [] : [button(.checkOut, AppEvents.Cart.checkOut)] }
}

extension ShopViewController {
    final func rows(of order: Order) -> [Screen.Row] {
        let delivery = Screen.Row(
            id: "delivery", title: text(order.delivery.name), subtitle: order.address.line,
            value: text(.money(order.delivery.cents)))
        return order.lines.map { row(of: $0) } + discount(order.discount) + [delivery]
    }

    final func row(of line: Line, isInCart: Bool = false) -> Screen.Row {
        func put(_ title: Text, _ count: Int) -> Action {
            button(title, AppEvents.Cart.put(line.product, count: count))
        }
        return Screen.Row(
            id: line.product.id, title: text(line.product.name), subtitle: "\(line.count)",
            value: text(.money(line.total)),
            action: isInCart ? button(line.product.name, AppEvents.Catalogue.didSelect(line.product)) : nil,
            delete: isInCart ? put(.remove, 0) : nil,
            actions: isInCart ? [put(.less, line.count - 1), put(.more, line.count + 1)] : [])
    }

    final func discount(_ cents: Int) -> [Screen.Row] {
        cents == 0 ? [] : [Screen.Row(id: "discount", title: text(.discount), value: text(.money(-cents)))]
    }
}
