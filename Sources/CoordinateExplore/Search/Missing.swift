import Coordinate

/// The declared paths and events of an app that were never shown or offered.
struct Missing: Sendable {
    /// The patterns of paths, in the order of their declaration.
    private(set) var patterns: [String]
    /// The names of events, in the order of their declaration; without the library's own, and those that only the app
    /// may emit.
    private(set) var events: [String]

    private let routes: RouteCatalog
    private var knownPaths: Set<String> = []

    init(of app: any CoordinatedApp) {
        routes = app.routes
        patterns = app.routes.patterns
        let own = Set(EventCatalog().entries.map(\.name))
        events = app.events.entries.filter { !$0.isAppOnly && !own.contains($0.name) }.map(\.name)
    }

    var isEmpty: Bool { patterns.isEmpty && events.isEmpty }

    /// The missing events that a state offers.
    func offered(in state: NavigationState) -> [String] {
        let offered = Set(state.offered.map(\.event))
        return events.filter(offered.contains)
    }

    mutating func strike(_ state: NavigationState) {
        if !events.isEmpty { strike(offered(in: state)) }
    }

    mutating func strike(_ offered: [String]) {
        if !offered.isEmpty { events.removeAll { offered.contains($0) } }
    }

    mutating func strike(path: String) {
        guard !patterns.isEmpty, knownPaths.insert(path).inserted, let path = RoutePath(path) else { return }
        let seen = routes.patterns(like: path)
        patterns.removeAll { seen.contains($0) }
    }
}
