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
    let details: Text
    /// A picture, which says nothing that the name beside it does not.
    let image: Image

    init(_ id: String, _ name: Text, _ details: Text) {
        (self.id, self.name, self.details) = (id, name, details)
        image = Image(file: "/images/\(id).svg", alt: "")
    }

    /// The path of its page.
    var path: String { "/catalogue/product/\(id)" }

    static func all(in dependencies: (any AppDependenciesProtocol)?) -> [Product]? { all }
    static let all = [lamp, chair, mug, clock]
    static let lamp = Product(
        "lamp", Text("Desk lamp", "Schreibtischlampe"), Text("Steel, with a yellow shade", "Stahl, mit gelbem Schirm"))
    static let chair = Product(
        "chair", Text("Oak chair", "Eichenstuhl"), Text("Solid oak, oiled by hand", "Massive Eiche, von Hand geölt"))
    static let mug = Product(
        "mug", Text("Blue mug", "Blauer Becher"), Text("Stoneware, 300 ml", "Steingut, 300 ml"))
    static let clock = Product(
        "clock", Text("Wall clock", "Wanduhr"), Text("Enamel, 30 cm wide", "Emaille, 30 cm breit"))
}

struct Price: PlainObject, Equatable {
    let product: Product
    let cents: Int

    static let declaration = ObjectDeclaration(Price.init, .field("product", \.product), .field("cents", \.cents))
}
