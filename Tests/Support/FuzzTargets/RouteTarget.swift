internal import Coordinate

extension FuzzTarget {
    /// A path is read as it was written, and a route is read from its own path. This holds for every pattern that can be
    /// declared.
    package static let routes = FuzzTarget("routes") { input in
        try checkPath(String(decoding: input, as: UTF8.self))
        var reader = InputReader(input)
        if reader.bool() { try checkParts(&reader) } else { try checkPattern(&reader) }
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
        let parts = input.texts(atMost: 4)
        let path = parts.reduce(RoutePath.empty) { $0.appending(part.path(of: PairRoute($1, nil))) }
        try require(path.components.elementsEqual(parts) { $0.utf8.elementsEqual($1.utf8) }, "\(path) of \(parts)")
        try checkReadAgain(path)
        try require(isPath("/\(path)"), "\(path) is not a path")
    }

    // MARK: Routes

    /// Checks that a pattern is refused, or that its paths are read as they are written.
    private static func checkPattern(_ input: inout InputReader) throws {
        let (first, second) = (input.text(), input.bool() ? input.text() : nil)
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
