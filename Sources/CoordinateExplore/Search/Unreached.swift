import Coordinate

/// The paths, events and outcomes of an app that a walk has not reached, with a record of its attempts.
struct Unreached: Sendable {
    /// The fields of a form that the app refused, by the form's event.
    struct RefusedForm: Sendable {
        let event: String
        /// The name of the screen.
        let screen: String
        /// The fields without samples, for which only the shown value was tried.
        let fields: [String]
    }

    /// The patterns of paths, in the order of their declaration.
    private(set) var patterns: [String]
    /// The names of events that were not offered, in the order of their declaration, without the library's own events,
    /// and those that only the app may emit.
    private(set) var events: [String]
    /// The work whose success was not tried, in the order in which it was found.
    private(set) var work: [WorkWithoutSamples] = []
    /// The names of work that has samples, but was not requested.
    private(set) var sampledWork: [String]

    private let routes: RouteCatalog
    private var knownPaths: Set<String> = []
    private var refusedForms: [RefusedForm] = []
    private var acceptedForms: Set<String> = []

    init(of app: ExploredApp) {
        routes = app.app.routes
        patterns = app.app.routes.patterns
        let own = Set(EventCatalog().entries.map(\.name))
        events = app.events.entries.filter { !$0.isAppOnly && !own.contains($0.name) }.map(\.name)
        sampledWork = app.sampledWork
    }

    var isEmpty: Bool { patterns.isEmpty && events.isEmpty && sampledWork.isEmpty }

    /// The forms that were offered, and accepted none of the values that were tried.
    var forms: [RefusedForm] { refusedForms.filter { !acceptedForms.contains($0.event) } }

    // MARK: Reached paths and events

    /// The missing events that a state offers.
    func offered(in state: NavigationState) -> [String] {
        let offered = Set(state.offered.map(\.event))
        return events.filter(offered.contains)
    }

    mutating func strike(_ state: NavigationState) {
        if !events.isEmpty { strike(offered(in: state)) }
        if !sampledWork.isEmpty { sampledWork.removeAll { name in state.pending.contains { $0.name == name } } }
    }

    mutating func strike(_ offered: [String]) {
        if !offered.isEmpty { events.removeAll { offered.contains($0) } }
    }

    mutating func strike(path: String) {
        guard !patterns.isEmpty, knownPaths.insert(path).inserted, let path = RoutePath(path) else { return }
        let seen = routes.patterns(like: path)
        patterns.removeAll { seen.contains($0) }
    }

    // MARK: Attempts

    mutating func record(_ found: [WorkWithoutSamples]) {
        for each in found where !work.contains(where: { $0.name == each.name }) { work.append(each) }
    }

    /// Records whether the app accepted a form.
    ///
    /// - Parameter refused: The fields that it refused; empty if it accepted the form.
    mutating func record(_ form: Move.FormMove, of event: String, on screen: String, refused: [String]) {
        guard !refused.isEmpty else {
            acceptedForms.insert(event)
            return
        }
        let fields = refused.filter(form.withoutSamples.contains)
        guard !fields.isEmpty, !refusedForms.contains(where: { $0.event == event }) else { return }
        refusedForms.append(RefusedForm(event: event, screen: screen, fields: fields))
    }
}
