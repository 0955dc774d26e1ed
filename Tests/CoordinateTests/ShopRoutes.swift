import Coordinate

/// Routes of every form that can be declared.
enum ShopRoute: DeclaredRoutes {
    case home
    case article(String)
    case number(Int)
    case price(Double)
    case sale(Bool)
    case compare(String, String)
    case day(Int, Int, Int)
    case visit(Int, Int, Int, place: String, zone: String?)
    case search(String)
    case results(String, page: Int?, isNew: Bool?)
    case filter(String?)
    case order(String, OrderRoute?)
    case shelf(String, Int, OrderRoute?)
    case box(Int, Int, label: String?, OrderRoute?)
    case help(HelpRoute?)

    static let declaration = RouteDeclaration<Self>(
        .route("", .home),
        .route("article/{article}", Self.article) { if case .article(let name) = $0 { name } else { nil } },
        .route("number/{number}", Self.number) { if case .number(let number) = $0 { number } else { nil } },
        .route("price/{price}", Self.price) { if case .price(let price) = $0 { price } else { nil } },
        .route("sale/{sale}/today", Self.sale) { if case .sale(let isOn) = $0 { isOn } else { nil } },
        .route("compare/{article}/{article}", Self.compare) {
            if case .compare(let one, let other) = $0 { (one, other) } else { nil }
        },
        .route("day/{year}/{month}/{day}", { $1 > 12 ? nil : .day($0, $1, $2) }) {
            if case .day(let year, let month, let day) = $0 { (year, month, day) } else { nil }
        },
        .route("visit/{year}/{month}/{day}?place={place}&zone={zone}", Self.visit) {
            if case .visit(let year, let month, let day, let place, let zone) = $0 {
                (year, month, day, place, zone)
            } else {
                nil
            }
        },
        .route("search?q={query}", Self.search) { if case .search(let query) = $0 { query } else { nil } },
        .route("results?q={query}&page={page}&is new={isNew}", Self.results) {
            if case .results(let query, let page, let isNew) = $0 { (query, page, isNew) } else { nil }
        },
        .route("filter?by={filter}", Self.filter) { if case .filter(let filter) = $0 { filter } else { nil } },
        .nested("orders/{order}", { order, child in .order(order, child) }) {
            if case .order(let order, let child) = $0 { (order, child) } else { nil }
        },
        .nested("shelf/{shelf}?row={row}", { $1 < 0 ? nil : .shelf($0, $1, $2) }) {
            if case .shelf(let shelf, let row, let child) = $0 { (shelf, row, child) } else { nil }
        },
        .nested("box/{row}/{column}?label={label}", Self.box) {
            if case .box(let row, let column, let label, let child) = $0 { (row, column, label, child) } else { nil }
        },
        .nested("", Self.help) { if case .help(let child) = $0 { child } else { nil } }
    )
}

/// The routes below an order, a shelf or a box.
enum OrderRoute: DeclaredRoutes {
    case overview
    case payment
    case note(String)
    case list(page: Int)
    case item(String, from: String?)
    case deeper(String, HelpRoute?)

    static let declaration = RouteDeclaration<Self>(
        .route("", .overview), .route("again/payment", .payment),
        .route("note/{note}", Self.note) { if case .note(let text) = $0 { text } else { nil } },
        .route("?page={page}", Self.list) { if case .list(let page) = $0 { page } else { nil } },
        .route("item/{item}?from={place}", Self.item) {
            if case .item(let item, let place) = $0 { (item, place) } else { nil }
        },
        .nested("deeper?level={level}", Self.deeper) {
            if case .deeper(let level, let child) = $0 { (level, child) } else { nil }
        })
}

/// Routes whose paths stand directly where their parent's do.
enum HelpRoute: DeclaredRoutes {
    case help
    case topic(String, language: String?)

    static let declaration = RouteDeclaration<Self>(
        .route("help", .help),
        .route("help/{topic}/in?language={language}", Self.topic) {
            if case .topic(let topic, let language) = $0 { (topic, language) } else { nil }
        })
}
