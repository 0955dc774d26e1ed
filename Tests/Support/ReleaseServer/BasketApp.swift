internal import Coordinate
internal import Foundation

/// A shop: a shelf with products, a basket, and a checkout.
struct BasketApp: CoordinatedApp {
    let name = "Basket"
    let version: String = Release.current.version
    let events = EventCatalog(BasketEvents.self)
    let routes = RouteCatalog(AppCoordinator.Route.self)

    func makeRootCoordinator() -> CoordinatorNode {
        let root = AppCoordinator()
        root.setDependencies(dependencies: BasketDependencies(basket: Basket()))
        return root
    }

    func migrate(_ event: inout RecordedEvent) {
        guard Release.current == .renamed, event.isRecorded(before: "2.0") else { return }
        event.rename("basket.add", to: "basket.put")
        event.renameCoordinator("BasketCoordinator", to: "CartCoordinator")
    }

    func facts(of root: CoordinatorNode) -> [String: String] {
        guard let basket = (root as? AppCoordinator)?.dependencies.basket else { return [:] }
        return ["total": "\(basket.total).00"]
    }

    var samples: [Sample] {
        [
            .input("name", of: "basket.enter", "Ada"), .input("zip", of: "basket.enter", "8001", "80"),
            .link("/shelf/product/lamp"),
        ]
    }
}

struct BasketDependencies: AppDependenciesProtocol { let basket: Basket }

enum Product: String, CaseIterable, PlainValueConvertible {
    case lamp, chair, rug, vase

    /// The products of this release.
    static var sold: [Product] { allCases.filter { $0 != .vase || Release.current == .generous } }

    var title: String { Release.current.text(rawValue.capitalized) }
    var price: Int { rawValue.count * 10 }
}

/// What a user buys, and where it is delivered.
final class Basket {
    enum Offer { case notYet, on, over }

    /// The most pieces of one product.
    static let maximum = 3

    private(set) var items: [(product: Product, count: Int)] = []
    var offer = Offer.notYet
    var address = Address()
    var orders = 0

    var total: Int { items.reduce(0) { $0 + $1.product.price * $1.count } }

    func count(of product: Product) -> Int { items.first { $0.product == product }?.count ?? 0 }

    func add(_ product: Product) {
        guard Release.current != .emptied, count(of: product) < Self.maximum else { return }
        if let index = items.firstIndex(where: { $0.product == product }) {
            items[index].count += 1
        } else {
            items.append((product, 1))
        }
    }

    func remove(_ product: Product) { items.removeAll { $0.product == product } }

    func clear() { items = [] }
}

/// The entries of the checkout's form.
struct Address {
    var name = ""
    var zip = ""

    var zipError: String? { zip.count == 4 && zip.allSatisfy(\.isNumber) ? nil : "Enter a zip of 4 digits." }
    var nameError: String? { name.isEmpty ? "is needed to find the door" : nil }
}

enum BasketEvents: CoordinateEvents, Equatable {
    case look(_ product: Product)
    case add(_ product: Product)
    case open
    case more(_ product: Product)
    case remove(_ product: Product)
    case checkOut
    case enter(name: String, zip: String)
    case offerDidEnd
}

extension BasketEvents: DeclaredEvents {
    static let declaration = EventDeclaration<Self>(
        "basket",
        .event("look", Self.look, "product") { if case .look(let product) = $0 { product } else { nil } },
        .event(Release.current.isRenamed ? "put" : "add", Self.add, "product") {
            if case .add(let product) = $0 { product } else { nil }
        },
        .event("open", .open),
        .event("more", Self.more, "product") { if case .more(let product) = $0 { product } else { nil } },
        .event("remove", Self.remove, "product") { if case .remove(let product) = $0 { product } else { nil } },
        .event("checkOut", .checkOut),
        .event("enter", Self.enter, "name", "zip") {
            if case .enter(let name, let zip) = $0 { (name, zip) } else { nil }
        },
        .event("offerDidEnd", .offerDidEnd).appOnly
    )
}
