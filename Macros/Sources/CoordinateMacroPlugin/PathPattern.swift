/// A path with places for values, read like in `Coordinate`.
struct PathPattern {
    private enum Part: Equatable, CustomStringConvertible {
        case fixed(String)
        case place(String)

        var description: String {
            switch self {
            case .fixed(let text): text
            case .place(let name): "{\(name)}"
            }
        }

        var shape: Self { if case .place = self { .place("") } else { self } }
    }

    private let parts: [Part]
    /// The items of the query: the name of the item, and the name of the place.
    private let items: [(name: String, place: String)]
    /// The reason why this is not a valid pattern. `nil` if it is valid.
    let problem: String?

    /// Parses a pattern. Redundant slashes are ignored.
    init(_ text: String) {
        let end = text.firstIndex(of: "?") ?? text.endIndex
        var problems: [String] = []
        parts = text[..<end].split(separator: "/").map { part in
            if let place = Self.place(part) { return .place(place) }
            if part.contains(where: { "{}".contains($0) }) {
                problems.append(
                    "'\(part)' is neither a word nor a name in braces: write a word, or '{name}' for a value")
            }
            return .fixed(String(part))
        }
        var items: [(name: String, place: String)] = []
        if end != text.endIndex {
            for item in text[end...].dropFirst().split(separator: "&", omittingEmptySubsequences: false) {
                let halves = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                guard halves.count == 2, !halves[0].isEmpty, let place = Self.place(halves[1]) else {
                    problems.append("'\(item)' is no item of a query: write 'name={value}'")
                    continue
                }
                if items.contains(where: { $0.name == halves[0] }) {
                    problems.append("the query has two items '\(halves[0])': give one of them another name")
                }
                items.append((String(halves[0]), place))
            }
        }
        self.items = items
        problem = problems.first
    }

    private static func place(_ text: Substring) -> String? {
        guard text.count > 2, text.first == "{", text.last == "}" else { return nil }
        let name = text.dropFirst().dropLast()
        return name.contains { "{}".contains($0) } ? nil : String(name)
    }

    /// The names of the places in the parts, followed by those in the query.
    var places: [String] { placesInParts + items.map(\.place) }

    /// The names of the places in the parts, which always have a value.
    var placesInParts: [String] {
        parts.compactMap { if case .place(let name) = $0 { name } else { nil } }
    }

    /// Whether two patterns differ only in the names of their places.
    func hasShape(of other: PathPattern) -> Bool {
        parts.map(\.shape) == other.parts.map(\.shape) && items.map(\.name).sorted() == other.items.map(\.name).sorted()
    }

    /// The text with one more place at the end: in the query if there is one, otherwise in the parts.
    func adding(place name: String) -> String {
        let path = parts.map(\.description) + (items.isEmpty ? ["{\(name)}"] : [])
        let query = items.map { "\($0.name)={\($0.place)}" } + (items.isEmpty ? [] : ["\(name)={\(name)}"])
        return path.joined(separator: "/") + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
    }
}
