import Coordinate

/// An app with all that is needed to make trees of it repeatedly.
final class ExploredApp: Sendable {
    /// The time of all turns, until a timer fires: 2026-01-01T00:00:00Z.
    static let time = Timestamp(seconds: 1_767_225_600)

    let app: any CoordinatedApp
    let events: EventCatalog
    let seed: UInt64
    /// The options of the sessions: an object with those that differ from their defaults.
    let options: PlainValue
    let samples: [Sample.Source: [Sample]]
    let invariants: [Invariant]
    /// The paths without values, each of which can be opened as it is.
    let links: [String]
    let hasRoutes: Bool

    init(_ app: any CoordinatedApp, options: PlainValue = .object([]), seed: UInt64) {
        self.app = app
        events = app.events
        self.seed = seed
        self.options = options
        samples = Dictionary(grouping: app.samples, by: \.source)
        invariants = app.invariants
        let patterns = app.routes.patterns
        links = patterns.filter { !$0.contains("{") }.map { "/\($0)" }
        hasRoutes = !patterns.isEmpty
    }

    func entered(_ field: String, of event: String) -> [PlainValue] {
        samples[.input(field, event: event)]?.flatMap(\.entered) ?? []
    }

    func brought(by work: String) -> [any Sendable] {
        samples[.work(work)]?.flatMap(\.brought) ?? []
    }
}
