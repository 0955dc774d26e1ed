/// A route, or a chain of routes, as the path of a URL: `main/teams/team/ferrari`, `search?q=shoes`.
///
/// ```swift
/// RoutePath("/main/teams")?.components         // ["main", "teams"]
/// RoutePath("/search?q=red+shoes")?.query      // [RoutePath.Item("q", "red shoes")]
/// RoutePath("/search?q=red+shoes")?.description // "search?q=red%20shoes"
/// ```
///
/// A part may be empty, because a value may be empty: `/team/` has two parts. A path of only empty parts has one more
/// slash, so `/` has no parts and `//` has one.
public struct RoutePath: Hashable, Sendable, CustomStringConvertible {
    /// One item of a query, decoded.
    public struct Item: Hashable, Sendable {
        /// The text before the equals sign; never empty.
        public let name: String
        /// The text after the equals sign.
        public let value: String

        /// Creates an item.
        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The path without parts and without a query.
    public static let empty = RoutePath(text: "", hasQuery: false, isBlank: true)

    /// Each part with a slash in front, then the query, percent-encoded: `/main/teams`, `/search?q=shoes`, `?q=shoes`.
    private(set) var text: String
    private(set) var hasQuery: Bool
    /// Whether all parts are empty.
    private(set) var isBlank: Bool

    /// - Parameters:
    ///   - text: Each part with a slash in front, then the query, percent-encoded.
    ///   - hasQuery: Whether the text has a query.
    ///   - isBlank: Whether all parts are empty.
    init(text: String, hasQuery: Bool, isBlank: Bool) {
        self.text = text
        self.hasQuery = hasQuery
        self.isBlank = isBlank
    }

    /// Reads a path as in a URL, with a slash in front; `nil` if it is not valid.
    ///
    /// The query begins at the first question mark. In it, a plus sign is a space, and an item without an equals sign
    /// has an empty value. A path is not valid if it has a fragment, an item without a name, or an escape that is
    /// malformed or not UTF-8.
    public init?(_ path: String) {
        let path = path.utf8
        guard path.first == UInt8(ascii: "/"), !path.contains(UInt8(ascii: "#")) else { return nil }
        let end = path.firstIndex(of: UInt8(ascii: "?")) ?? path.endIndex
        guard var text = Self.canonicalParts(path[..<end].dropFirst()) else { return nil }
        isBlank = text.utf8.allSatisfy { $0 == UInt8(ascii: "/") }
        hasQuery = end != path.endIndex
        if hasQuery {
            guard let query = Self.canonicalQuery(path[end...].dropFirst()) else { return nil }
            text += query
        }
        self.text = text
    }

    /// Whether there are neither parts nor a query.
    public var isEmpty: Bool { text.isEmpty }

    /// The path without a slash in front, percent-encoded.
    public var description: String { String(relative) }

    /// The ``description`` as a substring, without a copy.
    package var relative: Substring { isBlank ? text[...] : Substring(text.utf8.dropFirst()) }

    /// The path with a slash in front, as clients see it and can open it.
    var link: String { isBlank ? "/" + text : text }

    /// The parts, decoded.
    public var components: [String] {
        text.utf8[..<endOfParts].split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).dropFirst()
            .map { Self.decode($0) ?? "" }
    }

    /// The items of the query, decoded, in their written order.
    public var query: [Item] {
        guard hasQuery else { return [] }
        return text.utf8[endOfParts...].dropFirst().split(separator: UInt8(ascii: "&")).compactMap(Self.item)
    }

    /// Returns whether another path has the same parts, and the same query items in any order.
    func isSame(as path: RoutePath) -> Bool {
        if self == path { return true }
        guard hasQuery, path.hasQuery, components == path.components else { return false }
        let isBefore = { (one: Item, other: Item) in (one.name, one.value) < (other.name, other.value) }
        return query.sorted(by: isBefore) == path.query.sorted(by: isBefore)
    }

    /// Returns whether this path begins with all parts of another one. Queries are ignored.
    func isBelow(_ path: RoutePath) -> Bool {
        components.starts(with: path.components)
    }

    /// Returns this path, continued by another one. The items of this path's query come first.
    public func appending(_ path: RoutePath?) -> RoutePath {
        guard let path else { return self }
        var whole = self
        whole.append(path)
        return whole
    }

    /// Appends another path. Without queries, it costs no more than appending to a string.
    mutating func append(_ path: RoutePath) {
        isBlank = isBlank && path.isBlank
        guard hasQuery || path.hasQuery else {
            text += path.text
            return
        }
        let query = text.utf8[endOfParts...]
        let other = path.text.utf8[path.endOfParts...]
        var whole = String(text.utf8[..<endOfParts]) ?? ""
        whole += String(path.text.utf8[..<path.endOfParts]) ?? ""
        whole += String(hasQuery ? query : other) ?? ""
        if hasQuery, path.hasQuery {
            whole += "&"
            whole += String(other.dropFirst()) ?? ""
        }
        text = whole
        hasQuery = true
    }

    /// Creates the path of a route of any type; `nil` if the type declares no paths.
    init?(route: Any?) {
        guard let declared = route as? any DeclaredRoutes else { return nil }
        guard let path = declared.path else { return nil }
        self = path
    }

    /// Creates the path of a route of any type, including those of nested children; `nil` if the type declares no
    /// paths.
    init?(wholeRoute route: Any) {
        func wholePath<Route: DeclaredRoutes>(_ route: Route) -> RoutePath? { Route.declaration.wholePath(of: route) }
        guard let declared = route as? any DeclaredRoutes, let path = wholePath(declared) else { return nil }
        self = path
    }

    private var endOfParts: String.Index {
        hasQuery ? text.utf8.firstIndex(of: UInt8(ascii: "?")) ?? text.endIndex : text.endIndex
    }
}
