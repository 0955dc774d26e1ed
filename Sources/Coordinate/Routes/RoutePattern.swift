/// A path with placeholders for values: `team/{team}`, `search?q={query}`.
@usableFromInline
struct RoutePattern: Sendable, CustomStringConvertible {
    private enum Part: Sendable, Equatable {
        case fixed(String)
        case place(String)
    }

    private struct Item: Sendable {
        let name: String
        /// The encoded name with the equals sign.
        let start: String
        let place: String
    }

    private let parts: [Part]
    private let items: [Item]
    /// The text before, between and after the placeholders of the parts. It is encoded once, because paths are written
    /// in every turn.
    private let fixed: [String]
    private let hasFixedPart: Bool
    /// The reason why the pattern is malformed; `nil` if it is not.
    private let error: String?

    /// Reads a pattern. Empty parts are ignored.
    @usableFromInline
    init(_ pattern: String) {
        let end = pattern.firstIndex(of: "?") ?? pattern.endIndex
        var errors: [String] = []
        let parts = pattern[..<end].split(separator: "/").map { part in
            if let place = Self.place(part) { return Part.place(place) }
            if part.contains(where: { "{}".contains($0) }) {
                errors.append("\(part) is neither a word nor a name in braces")
            }
            return Part.fixed(String(part))
        }
        var items: [Item] = []
        if end != pattern.endIndex {
            for item in pattern[end...].dropFirst().split(separator: "&", omittingEmptySubsequences: false) {
                let halves = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                guard halves.count == 2, !halves[0].isEmpty, let place = Self.place(halves[1]) else {
                    errors.append("\"\(item)\" is not of the form name={value}")
                    continue
                }
                let name = String(halves[0])
                items.append(Item(name: name, start: RoutePath.encode(name) + "=", place: place))
            }
        }
        self.init(parts, items, error: errors.first)
    }

    private init(_ parts: [Part], _ items: [Item], error: String?) {
        self.parts = parts
        self.items = items
        let twice = items.indices.first { index in items[..<index].contains { $0.name == items[index].name } }
        self.error = error ?? twice.map { "the query has two items \(items[$0].name)" }
        var fixed = [""]
        for part in parts {
            fixed[fixed.count - 1] += "/"
            switch part {
            case .fixed(let text): fixed[fixed.count - 1] += RoutePath.encode(text)
            case .place: fixed.append("")
            }
        }
        self.fixed = fixed
        hasFixedPart = fixed.contains { $0.utf8.contains { $0 != UInt8(ascii: "/") } }
    }

    private static func place(_ text: Substring) -> String? {
        guard text.count > 2, text.first == "{", text.last == "}" else { return nil }
        let name = text.dropFirst().dropLast()
        return name.contains { "{}".contains($0) } ? nil : String(name)
    }

    /// Returns the reason why the pattern cannot be declared with these values; `nil` if it can.
    ///
    /// - Parameter values: For each value of the case, in order, the places where it is allowed.
    func problem(of values: [PlaceInRoutes]) -> String? {
        if let problem { return problem }
        let places = placeCount
        guard values.count == places + items.count else {
            return "\"\(self)\" has \(places + items.count) places in braces for \(values.count) values"
        }
        if values.contains(.nowhere) { return "\"\(self)\" has a list, an object or a secret in it" }
        return values[..<places].contains(.query) ? "\"\(self)\" has an optional value outside of its query" : nil
    }

    /// The reason why the pattern is malformed, as a sentence; `nil` if it is not.
    var problem: String? { error.map { "\"\(self)\" is not a valid pattern: \($0)" } }

    @usableFromInline var description: String {
        let path = parts.map { part in
            switch part {
            case .fixed(let text): text
            case .place(let name): "{\(name)}"
            }
        }
        let query = items.map { "\($0.name)={\($0.place)}" }
        return path.joined(separator: "/") + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
    }

    /// The number of placeholders outside of the query.
    var placeCount: Int { fixed.count - 1 }

    /// Returns whether every path of another pattern fits this one, for any values.
    func covers(_ pattern: RoutePattern) -> Bool {
        guard parts.count == pattern.parts.count else { return false }
        let fits = zip(parts, pattern.parts).allSatisfy { part, other in
            if case .place = part { true } else { part == other }
        }
        return fits && pattern.items.allSatisfy { item in items.contains { $0.name == item.name } }
    }

    func appending(_ pattern: RoutePattern) -> RoutePattern {
        RoutePattern(parts + pattern.parts, items + pattern.items, error: error ?? pattern.error)
    }

    /// Returns the path with values in the placeholders, in order. It omits query items whose value is `nil`.
    @usableFromInline
    func path(_ values: [PlainValue?]) -> RoutePath {
        let places = fixed.count - 1
        // A declared pattern always has enough values.
        guard values.count >= places else { return .empty }
        var text = fixed[0]
        for index in 1..<fixed.count {
            if let value = values[index - 1] { text += RoutePath.encode(value.text) }
            // Most patterns end with a value, and appending an empty string is as slow as appending another one.
            if !fixed[index].isEmpty { text += fixed[index] }
        }
        let isBlank = !hasFixedPart && text.utf8.allSatisfy { $0 == UInt8(ascii: "/") }
        guard !items.isEmpty else { return RoutePath(text: text, hasQuery: false, isBlank: isBlank) }
        var hasQuery = false
        for (item, value) in zip(items, values[places...]) {
            guard let value else { continue }
            text += hasQuery ? "&" : "?"
            text += item.start
            text += RoutePath.encode(value.text)
            hasQuery = true
        }
        return RoutePath(text: text, hasQuery: hasQuery, isBlank: isBlank)
    }

    /// Returns the values in the placeholders, in order, of a path that begins with this pattern; `nil` if it does not.
    /// The value of a missing query item is `nil`.
    ///
    /// - Parameter path: The path. The parts and items that are read are removed from it.
    @usableFromInline
    func values(from path: inout UnreadPath) -> [String?]? {
        guard path.parts.count >= parts.count else { return nil }
        var values: [String?] = []
        for (text, part) in zip(path.parts, parts) {
            if case .fixed(let fixed) = part {
                guard text == fixed else { return nil }
            } else {
                values.append(text)
            }
        }
        path.parts = path.parts.dropFirst(parts.count)
        for item in items {
            let index = path.items.firstIndex { $0.name == item.name }
            values.append(index.map { path.items.remove(at: $0).value })
        }
        return values
    }

    /// Returns the path of this pattern that is most similar to another path, with its values; `nil` if the pattern has
    /// placeholders and the number of parts differs.
    func path(like path: RoutePath) -> RoutePath? {
        let texts = path.components
        let hasPlaces = fixed.count > 1
        guard texts.count == parts.count || !hasPlaces else { return nil }
        let components = parts.enumerated().map { index, part in
            if case .fixed(let text) = part { text } else { texts[index] }
        }
        let names = items.map(\.name)
        let query = path.query.compactMap { item in
            item.name.nearest(among: names).map { RoutePath.Item($0, item.value) }
        }
        return RoutePath(components, query)
    }
}

/// The rest of a path that has not been read yet: parts in order, query items in any order.
@usableFromInline
struct UnreadPath: Sendable {
    var parts: ArraySlice<String>
    var items: [RoutePath.Item]
    /// Whether the path may end where a child's path begins. A link may not, if the child has no route with an empty
    /// path; the way to a screen may, because the child may show something without a route.
    private let mayEndAboveChild: Bool

    init(_ path: RoutePath, mayEndAboveChild: Bool = false) {
        parts = path.components[...]
        items = path.query
        self.mayEndAboveChild = mayEndAboveChild
    }

    @usableFromInline var isEmpty: Bool { parts.isEmpty && items.isEmpty }

    /// Returns the child's route that this path leads to, or no route if it may end here; `nil` if it leads nowhere.
    ///
    /// - Parameter orNone: Whether a link may end here as well.
    @usableFromInline
    func child<Child: DeclaredRoutes>(
        _ type: Child.Type, orNone: Bool, in dependencies: (any AppDependenciesProtocol)?
    ) -> Child?? {
        if let route = Child.declaration.route(at: self, in: dependencies) { return .some(route) }
        return (orNone || mayEndAboveChild) && isEmpty ? .some(nil) : nil
    }
}

/// An unknown value in a path.
struct RouteMisfit: Sendable, CustomStringConvertible {
    /// The decoded text; `nil` if an item of the query is missing.
    let text: String?
    let problem: PlainValueError

    /// For example: "lotus" is not the id of any Team
    var description: String {
        text.map { "\"\($0)\" \(problem.message)" } ?? "an item of the query \(problem.message)"
    }
}
