import Coordinate
import CoordinateMacros

/// The catalogue's tab. It loads the prices.
final class CatalogueCoordinator: NavigationCoordinator<NavigationController>, NeedsDependencies, HasRoutes {
    @Routes
    enum Route {
        @Path("") case list
        @Path("product/{product}") case product(_ product: Product)
        @Path("search?q={query}") case search(_ query: String)
    }

    var dependencies: AppDependencies!
    var activeRoute = Route.list

    private let list = ProductListCoordinator()

    override func start(with completion: @escaping () -> Void = {}) {
        super.start(with: completion)
        loadPrices()
    }

    func goTo(_ route: Route) {
        root(list, for: .list)
        switch route {
        case .list: break
        case .product(let product): show(ProductCoordinator(product), for: route)
        case .search(let query): show(ProductListCoordinator { $0.query = query }, for: route)
        }
    }

    override func interceptEvent(_ event: any CoordinateEvents) -> Bool {
        guard let event = event as? AppEvents.Catalogue else { return false }
        switch event {
        case .search(let query): navigate(to: query.isEmpty ? .list : .search(query))
        case .didSelect(let product): show(ProductCoordinator(product), for: .product(product))
        case .reload: loadPrices()
        case .pricesDidLoad(let prices): (store.prices, store.pricesStatus) = (prices, .ready)
        case .pricesDidFail: store.pricesStatus = .failed
        }
        return true
    }

    private func loadPrices() {
        store.pricesStatus = .loading
        cancel("prices")
        perform(
            "prices", { [source = services.prices] _ in try await source.prices() },
            done: AppEvents.Catalogue.pricesDidLoad, failed: AppEvents.Catalogue.pricesDidFail)
    }
}

/// A screen with prices, which may still be loading.
class PricesViewController: ShopViewController {
    override var status: Screen.Status { store.pricesStatus }
    override var message: String? { status == .failed ? text(.pricesFailed) : nil }
    override var actions: [Action] { status == .failed ? [button(.tryAgain, AppEvents.Catalogue.reload)] : [] }
    final func price(of product: Product) -> String? { store.cents(of: product).map { text(.money($0)) } }
}

final class ProductListCoordinator: Coordinator<ProductListViewController> {}

/// All products, or those whose names contain the query.
final class ProductListViewController: PricesViewController {
    var query = ""

    override var currentTitle: String? { text(query.isEmpty ? .catalogue : .search) }
    override var emptyText: String? { text(.notFound(query)) }
    override var rows: [Screen.Row] {
        let found = Product.all.filter { text($0.name).lowercased().contains(query.lowercased()) }
        return found.map { product in
            // After a search, Back leads to what was found, but after a link to all products.
            let select = button(
                product.name, AppEvents.Catalogue.didSelect(product), opens: query.isEmpty ? product.path : nil)
            return Screen.Row(
                id: product.id, title: text(product.name), value: price(of: product), image: product.image,
                action: select)
        }
    }

    override var actions: [Action] {
        let inputs = [Action.Input("query", title: text(.name), kind: .search)]
        return super.actions + [button(.search, AppEvents.Catalogue.search(query), inputs: inputs)]
    }
}

final class ProductCoordinator: ArgumentCoordinator<ProductViewController> {}

final class ProductViewController: PricesViewController, HasArgument {
    var argument: Product!

    private var product: Product { argument }

    override var currentTitle: String? { text(product.name) }
    override var rows: [Screen.Row] {
        [Screen.Row(id: product.id, title: text(product.details), value: price(of: product), image: product.image)]
    }
    override var actions: [Action] {
        guard status == .ready else { return super.actions }
        let put = AppEvents.Cart.put(product, count: store.cart.count(of: product) + 1)
        return [button(.addToCart, put, role: .primary)]
    }
}
