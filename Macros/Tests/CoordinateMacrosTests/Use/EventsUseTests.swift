public import Coordinate
import CoordinateMacros
import Testing

public struct ShopEvents {
    @Events("cart")
    public enum Cart: CoordinateEvents {
        case add(_ product: Product, count: Int, note: String?)
        case remove(_ product: Product)
        case annotate(_ note: String?)
        case resize(_ sizes: [Size], of: Product)
        @AppOnly case didLoad(_ products: [Product])
        @AppOnly case didFail
        case `default`
        case `init`(in: Int)
    }

    @CoordinateMacros.Events("menu")
    enum Menu: CoordinateEvents, Equatable {
        case open(_ size: Size)
    }

    @Events("hidden")
    fileprivate enum Hidden {
        case open(_ size: Size)
    }
}

@Events("top")
private enum TopEvents {
    case open

    fileprivate struct Inner {
        @Events("inner")
        public enum Events {
            case open
        }
    }
}

/// The same events as `ShopEvents.Cart`, declared by hand.
enum HandwrittenCart: DeclaredEvents, Equatable {
    case add(_ product: Product, count: Int, note: String?)
    case remove(_ product: Product)
    case annotate(_ note: String?)
    case resize(_ sizes: [Size], of: Product)
    case didLoad(_ products: [Product])
    case didFail
    case `default`
    case `init`(in: Int)

    static let declaration = EventDeclaration<Self>(
        "cart",
        .event("add", Self.add, "product", "count", "note") {
            if case .add(let product, let count, let note) = $0 { (product, count, note) } else { nil }
        },
        .event("remove", Self.remove, "product") { if case .remove(let product) = $0 { product } else { nil } },
        .event("annotate", Self.annotate, "note") { if case .annotate(let note) = $0 { note } else { nil } },
        .event("resize", Self.resize, "sizes", "of") {
            if case .resize(let sizes, let product) = $0 { (sizes, product) } else { nil }
        },
        .event("didLoad", Self.didLoad, "products") {
            if case .didLoad(let products) = $0 { products } else { nil }
        }.appOnly,
        .event("didFail", .didFail).appOnly,
        .event("default", .default),
        .event("init", Self.`init`, "in") { if case .`init`(let number) = $0 { number } else { nil } }
    )
}

struct EventsUseTests {
    private let catalog = EventCatalog(
        ShopEvents.Cart.self, ShopEvents.Menu.self, ShopEvents.Hidden.self, TopEvents.self,
        TopEvents.Inner.Events.self)

    @Test func theCatalogEqualsThatOfADeclarationByHand() {
        let written = EventCatalog(ShopEvents.Cart.self).entries
        let byHand = EventCatalog(HandwrittenCart.self).entries
        #expect(written.map(\.name) == byHand.map(\.name))
        #expect(written.map(\.isAppOnly) == byHand.map(\.isAppOnly))
        let dependencies = ShopDependencies()
        #expect(written.map { $0.fields(in: dependencies) } == byHand.map { $0.fields(in: dependencies) })
    }

    @Test(arguments: [
        ShopEvents.Cart.add(.shoes, count: 2, note: nil), .add(.hat, count: 1, note: "blue"), .remove(.hat),
        .annotate(nil), .annotate("gift"), .resize([.small, .large], of: .shoes), .didLoad([.hat]), .didFail,
        .default, .`init`(in: 3),
    ])
    func anEventIsDecodedAsItWasEncoded(_ event: ShopEvents.Cart) throws {
        let action = Action(title: "Again", event: event)
        let entry = try #require(catalog.entry(named: action.event))
        let read = try entry.event(from: action.payload, in: ShopDependencies())
        #expect(read as? ShopEvents.Cart == event)
    }

    @Test func thePayloadEqualsThatOfADeclarationByHand() {
        let written = Action(title: "Add", event: ShopEvents.Cart.add(.shoes, count: 2, note: nil))
        let byHand = Action(title: "Add", event: HandwrittenCart.add(.shoes, count: 2, note: nil))
        #expect(written == byHand)
    }

    @Test func enumsOfAnyAccessLevelCanBeDeclared() {
        let names = catalog.entries.map(\.name)
        #expect(Set(["menu.open", "hidden.open", "top.open", "inner.open"]).isSubset(of: names))
        #expect(ShopEvents.Hidden.open(.small) == .open(.small))
    }
}
