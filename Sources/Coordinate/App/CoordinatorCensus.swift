/// A walk through an app that finds every class of coordinator, every screen, and every result of a flow that users can
/// reach.
///
/// It begins at the start and at every path without values or of a sample, and tries what is offered there: the actions,
/// with samples in their inputs, and the outcomes of work for which there are samples. Each offer of a class of leaf is
/// tried once, and once more for each link that is parked meanwhile. Requested work never begins.
package struct CoordinatorCensus {
    /// The most turns of a walk. In a larger app the walk is incomplete.
    private static let maximumTurns = 10_000
    /// The most actions with the same event that are tried in one state: the rows of a list usually lead to screens of
    /// one class.
    private static let triesOfAnEvent = 3

    private struct Step {
        let event: any DeclaredEvents
        /// The work or the timer that ends with the event; `nil` for an action or a link.
        var pending: String?
    }

    private let app: any CoordinatedApp
    private let samples: [Sample]
    private var turns = 0
    private var seen: Set<[String]> = []
    private var remaining: [[Step]] = []

    /// The names of the classes, in the order in which they were found.
    package private(set) var names: [String] = []

    /// A screen, or the result of a flow.
    package struct Part: Sendable {
        /// The name of the screen, or of the flow's class.
        package let name: String
        /// The type of the screen's content, or of the result; `nil` if it has none that clients could read.
        package let type: PlainType?
    }

    /// The screens of leaves, in the order in which they were found.
    package private(set) var screens: [Part] = []
    /// The classes of coordinators with a result, in the order in which they were found.
    package private(set) var results: [Part] = []

    package init(_ app: any CoordinatedApp) {
        self.app = app
        samples = app.samples
        let paths = app.routes.patterns.filter { !$0.contains("{") }.map { "/\($0)" }
        remaining = [[]] + (paths + samples.links).map { [Step(event: NavigationEvents.open($0))] }
        var next = 0
        while next < remaining.count, turns < Self.maximumTurns {
            visit(remaining[next])
            next += 1
        }
    }

    /// Replays steps from the start, and records which steps the resulting state offers.
    private mutating func visit(_ steps: [Step]) {
        let runner = TreeRunner(app, options: .object([]), seed: 0, events: app.events.types)
        let root = runner.root
        let time = Timestamp(seconds: 0)
        turns += 1 + steps.count
        do {
            try runner.start(at: time)
            for (index, step) in steps.enumerated() {
                let place = step.pending.flatMap { root.owner(of: $0) } ?? root.visibleLeaf
                _ = try runner.emit(step.event, at: place, outcomeOf: step.pending, as: index + 1, at: time)
            }
        } catch {
            return
        }
        record(root)
        let leaf = root.visibleLeaf.node.screen
        if !screens.contains(where: { $0.name == leaf.name }) {
            screens.append(Part(name: leaf.name, type: leaf.metadata.content?.type))
        }
        let offered = root.navigationState.offered
        let place = root.visibleLeaf.node.className + (root.navigationState.parked ?? "")
        let options = offered.map(\.event) + root.pendingWork.map(\.name)
        guard options.contains(where: { !seen.contains([place, $0]) }) else { return }
        seen.formUnion(options.map { [place, $0] })
        var tries: [String: Int] = [:]
        for action in offered {
            tries[action.event, default: 0] += 1
            guard tries[action.event, default: 0] <= Self.triesOfAnEvent, let event = filledIn(action, in: root)
            else { continue }
            remaining.append(steps + [Step(event: event)])
        }
        for (asked, pending) in zip(root.askedWork, root.pendingWork) {
            for event in outcomes(of: asked, pending.name) {
                remaining.append(steps + [Step(event: event, pending: pending.id)])
            }
        }
    }

    /// The event of an action with a sample in each input; `nil` if the app refuses them.
    private func filledIn(_ action: Action, in root: CoordinatorNode) -> (any DeclaredEvents)? {
        guard action.isForm else { return action.emission }
        let payload = FormSamples(action, samples).filled
        let event = app.events.entry(named: action.event)
        return try? event?.event(from: payload, in: root.ownDependencies) as? any DeclaredEvents
    }

    private func outcomes(of asked: AskedWork, _ name: String) -> [any DeclaredEvents] {
        switch asked.task {
        case .timer(let event): [event]
        case .work(let body): (samples.brought(by: name) + [()]).compactMap { body.done($0) }
        }
    }

    private mutating func record(_ node: CoordinatorNode) {
        if !names.contains(node.className) {
            names.append(node.className)
            if let flow = type(of: node) as? any HasResult.Type {
                results.append(Part(name: node.className, type: Self.resultType(of: flow)))
            }
        }
        for child in node.children { record(child) }
        if let presentedNode = node.presentedNode { record(presentedNode) }
    }

    private static func resultType<Flow: HasResult>(of flow: Flow.Type) -> PlainType? {
        (Flow.ResultType.self as? any PlainValueConvertible.Type)?.described()
    }
}
