import Coordinate

/// The products that the customer is about to buy. The first one starts an offer.
struct Cart {
    enum Offer { case notYet, on, over }
    static let offerTime = Duration.seconds(300)

    var lines: [Line] = []
    var offer = Offer.notYet

    var isEmpty: Bool { lines.isEmpty }
    var count: Int { lines.reduce(0) { $0 + $1.count } }
    var discount: Int { offer == .on ? lines.total / 10 : 0 }
    var total: Int { lines.total - discount }

    func count(of product: Product) -> Int { lines.first { $0.product == product }?.count ?? 0 }

    /// Sets the number of a product in the cart, 99 at most.
    mutating func put(_ product: Product, count: Int, cents: Int) {
        let line = Line(product: product, count: min(count, 99), cents: cents)
        let index = lines.firstIndex { $0.product == product } ?? lines.endIndex
        lines.replaceSubrange(index..<min(index + 1, lines.endIndex), with: count > 0 ? [line] : [])
    }
}

struct Order: PlainObject, Equatable {
    enum State: String, CaseIterable, PlainValueConvertible { case placed, cancelling, cancelled, uncancellable }

    /// 0 until it is placed.
    var number = 0
    let lines: [Line]
    let discount: Int
    let delivery: Delivery
    let address: Address
    var state = State.placed

    var total: Int { lines.total - discount + delivery.cents }

    static let declaration = ObjectDeclaration(
        Order.init, .field("number", \.number), .field("lines", \.lines), .field("discount", \.discount),
        .field("delivery", \.delivery), .field("address", \.address), .field("state", \.state))
}

enum Delivery: String, CaseIterable, PlainValueConvertible {
    case standard, express
    var cents: Int { self == .standard ? 490 : 1290 }
    var name: Text { self == .standard ? .standardDelivery : .expressDelivery }
}

/// A number of one product, at the price at which it was put into the cart.
struct Line: PlainObject, Equatable {
    let product: Product
    let count: Int
    let cents: Int

    var total: Int { count * cents }

    static let declaration = ObjectDeclaration(
        Line.init, .field("product", \.product), .field("count", \.count), .field("cents", \.cents))
}

extension [Line] { var total: Int { reduce(0) { $0 + $1.total } } }
