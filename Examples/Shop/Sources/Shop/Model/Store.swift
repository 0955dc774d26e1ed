import Coordinate

/// The data of one session.
final class Store {
    var prices: [Price] = []
    var pricesStatus = Screen.Status.loading
    var cart = Cart()
    var checkout = Checkout()
    var loginStatus = Screen.Status.ready
    var isRefused = false
    var customer: Customer?

    /// The price of a product; `nil` until the prices are loaded.
    func cents(of product: Product) -> Int? { prices.first { $0.product == product }?.cents }

    /// The order in the checkout; `nil` until it has an address.
    var order: Order? {
        checkout.address.map { address in
            Order(lines: cart.lines, discount: cart.discount, delivery: checkout.delivery, address: address)
        }
    }
}

/// The state of a checkout.
struct Checkout {
    var address: Address?
    var delivery = Delivery.standard
    var status = Screen.Status.ready
    var soldOut: Product?
}

/// A product. Clients know it by its id.
struct Product: KnownByID, Equatable {
    let id: String
    let name: Text

    static func all(in dependencies: (any AppDependenciesProtocol)?) -> [Product]? { all }
    static let all = [lamp, chair, mug, clock]
    static let lamp = Product(id: "lamp", name: Text("Desk lamp", "Schreibtischlampe"))
    static let chair = Product(id: "chair", name: Text("Oak chair", "Eichenstuhl"))
    static let mug = Product(id: "mug", name: Text("Blue mug", "Blauer Becher"))
    static let clock = Product(id: "clock", name: Text("Wall clock", "Wanduhr"))
}

struct Price: PlainObject, Equatable {
    let product: Product
    let cents: Int

    static let declaration = ObjectDeclaration(Price.init, .field("product", \.product), .field("cents", \.cents))
}
