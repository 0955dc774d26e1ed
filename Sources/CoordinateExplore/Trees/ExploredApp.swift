import Coordinate
internal import Synchronization

/// An app with everything that is needed to build trees of it repeatedly.
final class ExploredApp: Sendable {
    /// The time of all turns, until a timer fires: 2026-01-01T00:00:00Z.
    static let time = Timestamp(seconds: 1_767_225_600)

    let app: any CoordinatedApp
    let events: EventCatalog
    let seed: UInt64
    /// The options of the sessions: an object with those that differ from their defaults.
    let options: PlainValue
    let samples: [Sample]
    let invariants: [Invariant]
    /// The paths that are opened at the start: those without values, and the app's samples.
    let links: [String]
    let hasRoutes: Bool
    /// The ends of the links that were opened so far, by their paths.
    private let linkEnds = Mutex<[String: LinkEnd]>([:])

    init(_ app: any CoordinatedApp, options: PlainValue = .object([]), seed: UInt64) {
        self.app = app
        events = app.events
        self.seed = seed
        self.options = options
        samples = app.samples
        invariants = app.invariants
        let patterns = app.routes.patterns
        links = patterns.filter { !$0.contains("{") }.map { "/\($0)" } + samples.links
        hasRoutes = !patterns.isEmpty
    }

    /// Options that differ from the defaults: other values of all options at once, and each alone.
    var otherOptions: [PlainValue] {
        let others = app.declaredOptions.flatMap { option in
            option.otherValues.map { PlainField(option.name, $0) }
        }
        var names: Set<String> = []
        let together = others.filter { names.insert($0.name).inserted }
        return (together.count > 1 ? [.object(together)] : []) + others.map { .object([$0]) }
    }

    /// The names of the work for which there are samples, in their order.
    var sampledWork: [String] {
        var names: [String] = []
        for case .work(let name) in samples.map(\.source) where !names.contains(name) { names.append(name) }
        return names
    }

    /// Returns the end of a link in a new session. Each link is opened once.
    func end(of path: String) -> LinkEnd {
        if let known = linkEnds.withLock({ $0[path] }) { return known }
        let end = LinkEnd(of: path, in: self)
        linkEnds.withLock { $0[path] = end }
        return end
    }
}

extension DeclaredOption {
    /// The values other than the default, if they are known.
    fileprivate var otherValues: [PlainValue] {
        let values = type.choices ?? (type.kind == .bool ? [.bool(true), .bool(false)] : [])
        return values.filter { $0 != defaultValue }
    }
}
