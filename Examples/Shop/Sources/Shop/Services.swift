import Coordinate

/// The services outside, which take time and may fail. Only work calls them.
struct Services: Sendable {
    var prices: any PriceSource = PriceList()
    var desk: any OrderDesk = BackOffice()
    var accounts: any AccountService = AccountBook()
}

protocol PriceSource: Sendable { func prices() async throws -> [Price] }
protocol OrderDesk: Sendable {
    /// Places an order. An order with the key of an earlier one is that order, sent again.
    func place(_ order: Order, _ context: WorkContext) async throws -> Placement
    /// Cancels an order; fails if it is too late.
    func cancel(_ number: Int) async throws
}

enum Placement: Sendable {
    case placed(Order)
    case soldOut(Product)
}

protocol AccountService: Sendable {
    /// The customer; `nil` if the name or the password is wrong.
    func customer(_ user: String, password: String) async throws -> Customer?
}

struct PriceList: PriceSource {
    static let all = zip(Product.all, [4900, 12900, 990, 3450]).map(Price.init)

    func prices() async throws -> [Price] { Self.all }
}

/// A desk that has no clocks left, whose line is busy at the first attempt of an express order, and that has delivered
/// the orders before today's.
struct BackOffice: OrderDesk {
    func place(_ order: Order, _ context: WorkContext) async throws -> Placement {
        if order.lines.contains(where: { $0.product == .clock }) { return .soldOut(.clock) }
        if order.delivery == .express, context.attempt == 1 { throw WorkFailure("The line is busy.") }
        var order = order
        order.number = context.key.utf8.reduce(0) { ($0 * 31 + Int($1)) % 900_000 } + 100_000
        return .placed(order)
    }

    func cancel(_ number: Int) async throws {
        if number < 100_000 { throw WorkFailure("The order is delivered.") }
    }
}

struct AccountBook: AccountService {
    func customer(_ user: String, password: String) async throws -> Customer? {
        user == "anna" && password == "open sesame" ? Self.anna : nil
    }

    static let anna: Customer = {
        let address = Address(name: "Anna Berg", street: "Seeweg 3", zip: "8001", country: .ch)
        let lamp = Line(product: .lamp, count: 1, cents: 4500)
        let order = Order(number: 17, lines: [lamp], discount: 0, delivery: .standard, address: address)
        return Customer(address: address, orders: [order])
    }()
}
