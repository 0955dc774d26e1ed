/// A route, or a chain of them, as the path of a URL: `main/teams/team/ferrari`, `search?q=shoes`.
///
/// ```swift
/// RoutePath("/main/teams")?.components         // ["main", "teams"]
/// RoutePath("/search?q=red+shoes")?.query      // [RoutePath.Item("q", "red shoes")]
/// RoutePath("/search?q=red+shoes")?.description // "search?q=red%20shoes"
/// ```
///
/// A part may be empty, since a value may: `/team/` has two parts. A path of empty parts alone is written with one
/// slash more, so that `/` has no part and `//` has one.
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
    ///   - hasQuery: True where the text has a query.
    ///   - isBlank: True where all parts are empty.
    init(text: String, hasQuery: Bool, isBlank: Bool) {
        self.text = text
        self.hasQuery = hasQuery
        self.isBlank = isBlank
    }

    /// Reads a path as it is written in a URL: with a slash in front.
    ///
    /// In the query, which begins at the first question mark, a plus sign stands for a space, and an item without an
    /// equals sign has the empty value. `nil` if there is a fragment or an item without a name, or where an escape is
    /// malformed or does not stand for UTF-8.
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

    /// The path without a slash in front, percent-encoded where a part holds a character that would divide it.
    public var description: String { String(relative) }

    /// The ``description``, which is not copied for it.
    package var relative: Substring { isBlank ? text[...] : Substring(text.utf8.dropFirst()) }

    /// The path with a slash in front, as it is shown to clients and can be opened.
    var link: String { isBlank ? "/" + text : text }

    /// The parts, decoded.
    public var components: [String] {
        text.utf8[..<endOfParts].split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).dropFirst()
            .map { Self.decode($0) ?? "" }
    }

    /// The items of the query, decoded, in the order in which they are written.
    public var query: [Item] {
        guard hasQuery else { return [] }
        return text.utf8[endOfParts...].dropFirst().split(separator: UInt8(ascii: "&")).compactMap(Self.item)
    }

    /// Returns true where another path has the same parts, and the same items in any order.
    func isSame(as path: RoutePath) -> Bool {
        if self == path { return true }
        guard hasQuery, path.hasQuery, components == path.components else { return false }
        let isBefore = { (one: Item, other: Item) in (one.name, one.value) < (other.name, other.value) }
        return query.sorted(by: isBefore) == path.query.sorted(by: isBefore)
    }

    /// Returns true where this path is another one, or continues it. Queries are ignored.
    func isBelow(_ path: RoutePath) -> Bool {
        components.starts(with: path.components)
    }

    /// This path, continued by another one. The items of its query come before those of the other.
    public func appending(_ path: RoutePath?) -> RoutePath {
        guard let path else { return self }
        var whole = self
        whole.append(path)
        return whole
    }

    /// Continues this path with another one. Without queries, it costs no more than appending to a string.
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

    /// Creates the path of a route of any type; `nil` if the type declares none.
    init?(route: Any?) {
        guard let declared = route as? any DeclaredRoutes else { return nil }
        guard let path = declared.path else { return nil }
        self = path
    }

    /// Creates the path of a route of any type with those of the children in it; `nil` if the type declares none.
    init?(wholeRoute route: Any) {
        func wholePath<Route: DeclaredRoutes>(_ route: Route) -> RoutePath? { Route.declaration.wholePath(of: route) }
        guard let declared = route as? any DeclaredRoutes, let path = wholePath(declared) else { return nil }
        self = path
    }

    private var endOfParts: String.Index {
        hasQuery ? text.utf8.firstIndex(of: UInt8(ascii: "?")) ?? text.endIndex : text.endIndex
    }
}
