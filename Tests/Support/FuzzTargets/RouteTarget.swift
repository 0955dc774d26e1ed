internal import Coordinate

extension FuzzTarget {
    /// A path is read as it was written. A route is read from its own path, and the path that a route was read from
    /// leads to it. This holds for every pattern that can be declared.
    package static let routes = FuzzTarget("routes") { input in
        try checkPath(String(decoding: input, as: UTF8.self))
        var reader = InputReader(input)
        switch reader.number(below: 3) {
        case 0: try checkParts(&reader)
        case 1: try checkRoute(FuzzedRoute(&reader))
        default: try checkPattern(&reader)
        }
    }

    // MARK: Paths

    private static func checkPath(_ text: String) throws {
        let path = RoutePath(text)
        try require((path != nil) == isPath(text), "\(text.debugDescription) is a path for only one of two readers")
        guard let path else { return }
        try checkReadAgain(path)
        let parts = text.utf8.prefix { $0 != UInt8(ascii: "?") }
        let count =
            parts.allSatisfy { $0 == UInt8(ascii: "/") } ? parts.count - 1 : parts.count { $0 == UInt8(ascii: "/") }
        try require(path.components.count == count, "\(path.components) of \(text.debugDescription)")
        guard let route = FuzzedRoute.declaration.route(at: path, in: nil) else { return }
        try checkRoute(route)
    }

    /// The grammar, implemented a second time: a slash first, no fragment, complete escapes, UTF-8, and no query item
    /// without a name.
    private static func isPath(_ text: String) -> Bool {
        guard text.utf8.first == UInt8(ascii: "/"), !text.utf8.contains(UInt8(ascii: "#")) else { return false }
        let halves = text.utf8.split(separator: UInt8(ascii: "?"), maxSplits: 1, omittingEmptySubsequences: false)
        guard halves[0].split(separator: UInt8(ascii: "/")).allSatisfy({ $0.unescaped() != nil }) else { return false }
        guard halves.count == 2 else { return true }
        return halves[1].split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false).allSatisfy { item in
            let sides = item.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            return !sides[0].isEmpty && sides.allSatisfy { $0.unescaped() != nil }
        }
    }

    private static func checkReadAgain(_ path: RoutePath) throws {
        let link = "/\(path)"
        guard let again = RoutePath(link) else { throw Violation(description: "\(link) is not a path") }
        try requireSame("\(again)", "\(path)", "read again")
        try require(again == path, "\(link) is read again as another path")
        try require(again.components == path.components && again.query == path.query, "\(link) has other parts")
        try require(path.appending(nil) == path && path.appending(.empty) == path, "\(link) with nothing below it")
        let twice = path.appending(path)
        try require(twice.components == path.components + path.components, "\(link) below itself")
        try require(twice.query == path.query + path.query, "\(link) below itself")
    }

    /// Checks that any values can be parts of a path.
    private static func checkParts(_ input: inout InputReader) throws {
        let part = RouteDeclaration<PairRoute>(.route("{part}", { PairRoute($0, nil) }) { $0.first })
        let parts = input.list(atMost: 4) { $0.text() }
        let path = parts.reduce(RoutePath.empty) { $0.appending(part.path(of: PairRoute($1, nil))) }
        try require(path.components.elementsEqual(parts) { $0.utf8.elementsEqual($1.utf8) }, "\(path) of \(parts)")
        try checkReadAgain(path)
        try require(isPath("/\(path)"), "\(path) is not a path")
    }

    // MARK: Routes

    private static func checkRoute(_ route: FuzzedRoute) throws {
        guard let path = FuzzedRoute.declaration.wholePath(of: route) else {
            throw Violation(description: "\(route) has no path")
        }
        try checkReadAgain(path)
        try require(FuzzedRoute.declaration.route(at: path, in: nil) == route, "\(path) does not lead to \(route)")
        try require(RouteCatalog(FuzzedRoute.self).contains(path, in: nil), "the catalog lacks \(path)")
        // A literal part may be a value as well, but every path resembles some pattern.
        try require(!RouteCatalog(FuzzedRoute.self).patterns(like: path).isEmpty, "\(path) resembles no pattern")
    }

    /// Checks that a pattern is refused, or that its paths are read as they are written.
    private static func checkPattern(_ input: inout InputReader) throws {
        let (first, second) = (input.text(), input.optional { $0.text() })
        let pattern = input.text()
        let routes: [(RouteDeclaration<PairRoute>, PairRoute)] = [
            (RouteDeclaration(.route(pattern, PairRoute(first, nil))), PairRoute(first, nil)),
            (
                RouteDeclaration(.route(pattern, { PairRoute($0, nil) }) { $0.second == nil ? $0.first : nil }),
                PairRoute(first, nil)
            ),
            (
                RouteDeclaration(.route(pattern, { PairRoute($0, $1) }) { ($0.first, $0.second) }),
                PairRoute(first, second)
            ),
        ]
        for (declaration, route) in routes where declaration.faults().isEmpty {
            guard let path = declaration.path(of: route) else { throw Violation(description: "\(route) has no path") }
            try checkReadAgain(path)
            try require(
                declaration.route(at: path, in: nil) == route, "\(path) of \(pattern) does not lead to \(route)")
            let again = declaration.patterns[0]
            try requireSame(
                RouteDeclaration<PairRoute>(.route(again, route)).patterns[0], again, "the pattern read again")
        }
    }
}

/// A route with two values, compared by their bytes.
private struct PairRoute: Equatable {
    let first: String
    let second: String?

    init(_ first: String, _ second: String?) {
        self.first = first
        self.second = second
    }

    static func == (one: PairRoute, other: PairRoute) -> Bool {
        one.first.utf8.elementsEqual(other.first.utf8)
            && (one.second == nil) == (other.second == nil)
            && (one.second ?? "").utf8.elementsEqual((other.second ?? "").utf8)
    }
}

/// Routes of every form.
private enum FuzzedRoute: DeclaredRoutes {
    case home
    case article(String)
    case number(Int)
    case price(Double)
    case sale(Bool)
    case compare(String, String)
    case day(Int, Int, Int)
    case results(String, page: Int?, isNew: Bool?)
    case filter(String?)
    case order(String, Order?)
    case shelf(Int, label: String?, Order?)

    static let declaration = RouteDeclaration<Self>(
        .route("", .home),
        .route("article/{article}", Self.article) { if case .article(let name) = $0 { name } else { nil } },
        .route("number/{number}", Self.number) { if case .number(let number) = $0 { number } else { nil } },
        .route("price/{price}", Self.price) { if case .price(let price) = $0 { price } else { nil } },
        .route("sale/{sale}/today", Self.sale) { if case .sale(let isOn) = $0 { isOn } else { nil } },
        .route("compare/{article}/{article}", Self.compare) {
            if case .compare(let one, let other) = $0 { (one, other) } else { nil }
        },
        .route("day/{year}/{month}/{day}", Self.day) {
            if case .day(let year, let month, let day) = $0 { (year, month, day) } else { nil }
        },
        .route("results?q={query}&page={page}&is new={isNew}", Self.results) {
            if case .results(let query, let page, let isNew) = $0 { (query, page, isNew) } else { nil }
        },
        .route("filter?by={filter}", Self.filter) { if case .filter(let filter) = $0 { filter } else { nil } },
        .nested("orders/{order}", Self.order) {
            if case .order(let order, let child) = $0 { (order, child) } else { nil }
        },
        .nested("shelf/{shelf}?label={label}", Self.shelf) {
            if case .shelf(let shelf, let label, let child) = $0 { (shelf, label, child) } else { nil }
        }
    )

    init(_ input: inout InputReader) {
        switch input.number(below: 11) {
        case 0: self = .home
        case 1: self = .article(input.text())
        case 2: self = .number(input.int())
        case 3:
            let price = Double(bitPattern: input.bits())
            self = .price(price.isFinite ? price : 0.5)
        case 4: self = .sale(input.bool())
        case 5: self = .compare(input.text(), input.text())
        case 6: self = .day(input.int(), input.int(), input.int())
        case 7: self = .results(input.text(), page: input.optional { $0.int() }, isNew: input.optional { $0.bool() })
        case 8: self = .filter(input.optional { $0.text() })
        case 9: self = .order(input.text(), Order(&input))
        default: self = .shelf(input.int(), label: input.optional { $0.text() }, Order(&input))
        }
    }

    enum Order: DeclaredRoutes {
        case overview
        case payment
        case note(String)
        case list(page: Int)

        static let declaration = RouteDeclaration<Self>(
            .route("", .overview),
            .route("again/payment", .payment),
            .route("note/{note}", Self.note) { if case .note(let text) = $0 { text } else { nil } },
            .route("?page={page}", Self.list) { if case .list(let page) = $0 { page } else { nil } }
        )

        init(_ input: inout InputReader) {
            switch input.number(below: 4) {
            case 0: self = .overview
            case 1: self = .payment
            case 2: self = .note(input.text())
            default: self = .list(page: input.int())
            }
        }
    }
}
