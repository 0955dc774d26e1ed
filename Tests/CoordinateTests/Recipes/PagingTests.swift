import Coordinate
import Testing

private struct ProductPage: Equatable {
    static let size = 3

    let names: [String]

    var isLast: Bool { names.count < Self.size }
}

extension ProductPage: PlainObject {
    static let declaration = ObjectDeclaration(ProductPage.init, .field("names", \.names))
}

private protocol Shop: Sendable {
    func products(from position: Int) async throws -> ProductPage
}

private struct AppDependencies: AppDependenciesProtocol {
    let shop: any Shop
}

private enum ProductEvents: CoordinateEvents, Equatable {
    case loadMore
    case refresh
    case didLoad(_ page: ProductPage)
    case didFail(_ failure: WorkFailure)
}

extension ProductEvents: DeclaredEvents {
    static let declaration = EventDeclaration<Self>(
        "products",
        .event("loadMore", .loadMore),
        .event("refresh", .refresh),
        .event("didLoad", Self.didLoad, "page") { if case .didLoad(let page) = $0 { page } else { nil } }.appOnly,
        .event("didFail", Self.didFail, "reason") { if case .didFail(let failure) = $0 { failure } else { nil } }
            .appOnly
    )
}

private final class ProductsCoordinator: Coordinator<ProductsViewController>, HasDependencies {
    var dependencies: AppDependencies?

    override func start(with completion: @escaping () -> Void = {}) {
        super.start(with: completion)
        load()
    }

    override func interceptEvent(_ event: any CoordinateEvents) -> Bool {
        guard let event = event as? ProductEvents else { return false }
        switch event {
        case .loadMore:
            guard rootViewController.canLoadMore else { return false }
            load()
        case .refresh:
            cancel("products")
            rootViewController.names = []
            load()
        case .didLoad(let page):
            rootViewController.names += page.names
            rootViewController.state = page.isLast ? .complete : .more
        case .didFail(let failure):
            rootViewController.state = .failed(failure)
        }
        return true
    }

    private func load() {
        guard let shop = dependencies?.shop else { return }
        rootViewController.state = .loading
        perform(
            "products", { [position = rootViewController.names.count] _ in try await shop.products(from: position) },
            done: ProductEvents.didLoad, failed: ProductEvents.didFail)
    }
}

private final class ProductsViewController: ViewController {
    enum State {
        case loading
        case more
        case complete
        case failed(_ failure: WorkFailure)
    }

    var names: [String] = []
    var state = State.complete

    var canLoadMore: Bool {
        switch state {
        case .more, .failed: true
        case .loading, .complete: false
        }
    }

    override var status: Screen.Status {
        switch state {
        case .loading: .loading
        case .failed: .failed
        case .more, .complete: .ready
        }
    }

    override var message: String? {
        if case .failed(let failure) = state { failure.reason } else { nil }
    }

    override var rows: [Screen.Row] {
        names.enumerated().map { Screen.Row(id: "\($0.offset)", title: $0.element) }
    }

    override var actions: [Action] {
        let refresh = Action(title: "Refresh", event: ProductEvents.refresh)
        guard canLoadMore else { return [refresh] }
        return [Action(title: status == .failed ? "Try again" : "Load more", event: ProductEvents.loadMore), refresh]
    }
}

private struct FakeShop: Shop {
    let names = ["Boots", "Sandals", "Slippers", "Clogs"]

    func products(from position: Int) async throws -> ProductPage {
        ProductPage(names: Array(names.dropFirst(position).prefix(ProductPage.size)))
    }
}

struct PagingTests {
    private let app = ProductsCoordinator()

    init() throws {
        app.setDependencies(dependencies: AppDependencies(shop: FakeShop()))
        try app.turn { app.start() }
    }

    private var screen: Screen { app.navigationState.screen }

    @Test func aListGoesOnWhereItEnded() async throws {
        #expect(screen.status == .loading)
        try await app.work.run("products")
        #expect(screen.rows.map(\.title) == ["Boots", "Sandals", "Slippers"])

        try app.press("Load more")
        #expect(screen.status == .loading)
        try await app.work.run("products")
        #expect(screen.rows.map(\.title) == ["Boots", "Sandals", "Slippers", "Clogs"])
        #expect(screen.actions.map(\.title) == ["Refresh"])
    }
}

extension PagingTests {
    @Test func aPageIsAskedForOnce() throws {
        #expect(!app.visibleLeaf.emitEvent(ProductEvents.loadMore).isHandled)
        #expect(app.work.map(\.name) == ["products"])
    }

    @Test func aPageThatFailsLeavesTheOthers() throws {
        try app.work.finish("products", with: ProductPage(names: ["Boots", "Sandals", "Slippers"]))
        try app.press("Load more")
        try app.work.fail("products", with: WorkFailure("The shop is closed."))
        #expect(screen.status == .failed)
        #expect(screen.message == "The shop is closed.")
        #expect(screen.rows.count == 3)

        try app.press("Try again")
        try app.work.finish("products", with: ProductPage(names: ["Clogs"]))
        #expect(screen.rows.map(\.title) == ["Boots", "Sandals", "Slippers", "Clogs"])
    }

    @Test func aPageThatCameTooLateIsIgnored() throws {
        let first = try #require(app.work.first)
        try app.press("Refresh")
        #expect(app.work.map(\.name) == ["products"])
        #expect(app.work.first?.id != first.id)
        try app.work.finish("products", with: ProductPage(names: ["Boots"]))
        #expect(screen.rows.map(\.title) == ["Boots"])
    }
}
