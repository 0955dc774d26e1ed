internal import Coordinate

/// A screen that shows the basket or changes it.
class BasketScreen: ViewController, NeedsDependencies {
    final var dependencies: BasketDependencies!

    final var basket: Basket { dependencies.basket }

    final func button(_ title: String, _ event: BasketEvents) -> Action {
        Action(title: Release.current.text(title), event: event)
    }

    final func add(_ product: Product, _ title: String) -> [Action] {
        basket.count(of: product) < Basket.maximum ? [button(title, .add(product))] : []
    }

    override var message: String? { basket.offer == .on ? Release.current.text("Free delivery today") : nil }
}

final class ShelfViewController: BasketScreen {
    override var currentTitle: String? { Release.current.text("Shelf") }
    override var message: String? {
        basket.orders > 0 ? Release.current.text("Thank you, \(basket.address.name)") : super.message
    }
    override var rows: [Screen.Row] {
        Product.sold.map { product in
            Screen.Row(
                id: product.rawValue, title: product.title, value: "\(product.price).00",
                action: Action(title: product.title, event: BasketEvents.look(product)), actions: add(product, "Add"))
        }
    }
    override var actions: [Action] { [button("Basket", .open)] }
}

final class ProductViewController: BasketScreen, HasArgument {
    var argument: Product!

    override var currentTitle: String? { argument.title }
    override var actions: [Action] { add(argument, "Add to basket") + [button("Basket", .open)] }
}

final class BasketViewController: BasketScreen {
    override var currentTitle: String? { Release.current.text("Basket") }
    override var rows: [Screen.Row] {
        basket.items.map { product, count in
            let more = count < Basket.maximum ? [button("One more", .more(product))] : []
            return Screen.Row(
                id: product.rawValue, title: product.title, subtitle: "\(count)",
                value: "\(product.price * count).00",
                actions: more + [button("Remove", .remove(product))])
        }
    }
    override var actions: [Action] {
        basket.items.isEmpty ? [] : [button("Check out", .checkOut)]
    }
}

/// The form of the checkout, which keeps what was entered.
final class CheckoutViewController: BasketScreen {
    override var currentTitle: String? { Release.current.text("Checkout") }
    override var actions: [Action] {
        let address = basket.address
        let isEmpty = address.name.isEmpty && address.zip.isEmpty
        let inputs = [
            Action.Input("name", title: "Name", error: isEmpty ? nil : address.nameError),
            Action.Input("zip", title: "Zip", error: isEmpty ? nil : address.zipError),
        ]
        let event = BasketEvents.enter(name: address.name, zip: address.zip)
        return [Action(title: Release.current.text("Order"), event: event, inputs: inputs)]
    }
}
