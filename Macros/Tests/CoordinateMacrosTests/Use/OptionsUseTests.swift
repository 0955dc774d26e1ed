import CoordinateMacros
import Testing

@testable public import Coordinate

@Options
public struct ShopOptions: SessionOptions {
    var size = Size.small
    public var testPayments = false
    var limit: Int?
    var labels: [String] = [] { didSet { labels.sort() } }
    var isLarge: Bool { size == .large }
}

/// The same options as `ShopOptions`, declared by hand.
struct HandwrittenOptions: SessionOptions {
    var size = Size.small
    var testPayments = false
    var limit: Int?
    var labels: [String] = []

    static let declaration = OptionDeclaration<Self>(
        .option("size", \.size), .option("testPayments", \.testPayments), .option("limit", \.limit),
        .option("labels", \.labels))
}

private struct PlainApp: CoordinatedApp {
    @Options
    struct Settings {
        var `default` = 1
    }

    let name = "Plain"
    let version = "1.0"
    let events = EventCatalog()
    let routes = RouteCatalog()

    func makeRootCoordinator(options: Settings) -> CoordinatorNode { Coordinator<ViewController>() }
}

struct OptionsUseTests {
    private struct App<Options: SessionOptions>: CoordinatedApp {
        let name = "Shop"
        let version = "1.0"
        let events = EventCatalog()
        let routes = RouteCatalog()

        func makeRootCoordinator(options: Options) -> CoordinatorNode { Coordinator<ViewController>() }
    }

    @Test func theOptionsEqualThoseOfADeclarationByHand() {
        #expect(App<ShopOptions>().declaredOptions == App<HandwrittenOptions>().declaredOptions)
        #expect(PlainApp().declaredOptions.map(\.name) == ["default"])
    }

    @Test func theOptionsOfAClientAreDecoded() throws {
        let sent = PlainValue.object([
            PlainField("size", .string("large")), PlainField("limit", .int(3)),
            PlainField("labels", .array([.string("b"), .string("a")])),
        ])
        let options = try ShopOptions.declaration.options(from: sent) { (error) throws(PlainValueError) in throw error }
        #expect(options.isLarge)
        #expect(!options.testPayments)
        #expect(options.limit == 3)
        #expect(options.labels == ["a", "b"])
    }
}
