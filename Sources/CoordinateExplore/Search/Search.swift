import Coordinate
internal import Dispatch
internal import Synchronization

/// A breadth-first walk through an app.
///
/// Several states are expanded at once, on all cores, and their outcomes are merged in the order of the states. So the
/// result does not depend on the number of cores.
struct Search {
    /// The most states that are expanded at once, if there are threads for that.
    private static let largestBatch = 256
    /// The most trees that are kept for the first move of a state: about 10 KiB each.
    private static let maximumKept = 2_000

    private let app: ExploredApp
    private let crew: Crew
    private let depth: Int
    private let maximumStates: Int
    private let isSecondLook: Bool
    private let found: (_ id: Int, _ node: Node) -> Void

    private(set) var graph: AppGraph
    /// The nodes of all states by id; `nil` for those that were expanded.
    private var nodes: [Node?] = []
    private var idByKey: [String: Int] = [:]
    private var keptCount = 0
    /// The states whose journals contain an event that leads to another state each time. Their own differences are not
    /// reported.
    private var unsteady: Set<Int> = []
    private var remarks = Remarks()

    /// The declared paths and events that were not seen yet.
    private(set) var missing: Unreached

    /// - Parameters:
    ///   - missing: The declared paths and events that were not seen yet.
    ///   - isSecondLook: Whether to search for these alone: after each move, in known states as well, until all are
    ///     found.
    ///   - found: Called with each state when it is found, in their order, before its tree is taken.
    init(
        _ app: ExploredApp, by key: StateKey, depth: Int? = nil, maximumStates: Int, crew: Crew, for missing: Unreached,
        isSecondLook: Bool = false, found: @escaping (_ id: Int, _ node: Node) -> Void = { _, _ in }
    ) {
        self.missing = missing
        self.isSecondLook = isSecondLook
        self.found = found
        self.app = app
        self.crew = crew
        self.depth = depth ?? .max
        self.maximumStates = max(1, maximumStates)
        graph = AppGraph(of: app.app, by: key)
    }

    mutating func go() {
        do throws(StepError) {
            let tree = try ExploredTree(app)
            insert(Node(tree, key: graph.key.text(of: tree, at: tree.root.path), after: [], in: app))
        } catch {
            if case .failed(let reason) = error { remarks.appendFailedStart(reason) }
        }
        var next = 0
        let batch = crew.width == 1 ? 1 : Self.largestBatch
        while next < nodes.count, !isSecondLook || !missing.isEmpty, crew.mayContinue() {
            crew.progress(nodes.count, nodes.count - next)
            let end = min(next + batch, nodes.count)
            expand(next..<end)
            next = end
        }
        graph.frontier += nodes.count - next
    }

    /// The graph with its findings.
    ///
    /// - Parameter missing: The paths and events that no other search reached either; `nil` if a limit ended one of
    ///   those.
    consuming func finished(_ missing: Unreached?) -> AppGraph {
        if !graph.isTruncated, let missing { remarks.append(missing, of: app, in: graph) }
        graph.findings = remarks.findings
        return graph
    }

    // MARK: States

    private mutating func expand(_ ids: Range<Int>) {
        for (id, expansion) in zip(ids, expansions(of: ids)) {
            guard let node = nodes[id] else { continue }
            record(node, id, expansion)
            var isWhole = !expansion.wasStopped && (node.journal.count < depth || node.moves.isEmpty)
            for outcome in expansion.outcomes where !merge(outcome, id) { isWhole = false }
            if !isWhole { graph.frontier += 1 }
            if node.kept != nil { keptCount -= 1 }
            self.nodes[id] = nil
        }
    }

    /// Returns the expansions of some states, computed by the crew. The copies that its threads share are released
    /// before they change.
    private func expansions(of ids: Range<Int>) -> [Expansion] {
        let (nodes, known, key, depth, app, missing, mayContinue) = (
            nodes, idByKey, graph.key, depth, app, isSecondLook ? missing : nil, crew.mayContinue
        )
        return crew.map(ids.count) { offset in
            guard let node = nodes[ids.lowerBound + offset] else { preconditionFailure("A state is expanded twice.") }
            return Expansion(
                of: node, in: app, by: key, isTaken: node.journal.count < depth, missing: missing,
                isKnown: { known[$0] != nil }, mayContinue: mayContinue)
        }
    }

    private mutating func record(_ node: Node, _ id: Int, _ expansion: Expansion) {
        let state = graph.states[id]
        graph.replays += expansion.replays
        missing.strike(expansion.offered)
        missing.record(node.workWithoutSamples)
        for diagnostic in node.picture.diagnostics where diagnostic.isAboutOffer {
            remarks.appendOffer(state, diagnostic)
        }
        if node.picture.offered.isEmpty, node.picture.pending.isEmpty { remarks.appendDeadEnd(state) }
        if let end = expansion.otherEnd { remarks.appendLink(state, end) }
        guard let difference = expansion.difference else { return }
        if !unsteady.contains(id) { remarks.appendUnsteady(state, difference) }
        unsteady.insert(id)
    }

    /// Merges the outcome of a move into the graph; `false` if the limit of states is reached.
    private mutating func merge(_ outcome: Expansion.Outcome, _ id: Int) -> Bool {
        let state = graph.states[id]
        let move = outcome.move
        switch outcome.kind {
        case .failed(let reason):
            remarks.appendFailure(state, move, reason)
        case .refused(let reason):
            if let form = move.form, form.withoutSamples.contains(reason.field) {
                missing.record(form, of: move.step.event, on: state.screen, refused: [reason.field])
            } else if move.isShown {
                remarks.appendRefused(state, move, reason)
            }
        case .led(let arrival):
            let key = arrival.key
            if !arrival.isHandled {
                remarks.appendUnhandled(state, move)
            } else if let form = move.form {
                missing.record(form, of: move.step.event, on: state.screen, refused: arrival.errors)
            }
            if let end = arrival.linkEnd { remarks.appendLink(state, move, to: arrival.path, insteadOf: end) }
            if idByKey[key] == nil, let node = arrival.node {
                guard nodes.count < maximumStates else { return false }
                if unsteady.contains(id) { unsteady.insert(nodes.count) }
                insert(node)
            }
            guard let next = idByKey[key] else { return false }
            missing.strike(path: arrival.path)
            graph.transitions.append(
                .init(
                    from: id, to: next, step: move.step, title: move.title, isForm: move.isForm,
                    role: move.role, opens: move.opens, handledBy: arrival.handledBy))
        }
        return true
    }

    private mutating func insert(_ new: Node) {
        var node = new
        let id = nodes.count
        idByKey[node.key] = id
        missing.strike(path: node.picture.path)
        missing.strike(node.picture)
        graph.states.append(
            .init(
                id: id, key: node.key, offer: node.offer, title: node.picture.screen.title,
                journal: node.journal.map(\.step), presses: node.journal.map(\.press)))
        found(id, node)
        if keptCount < Self.maximumKept { keptCount += 1 } else { node.kept = nil }
        nodes.append(node)
    }
}

/// The threads that expand states at the same time.
struct Crew {
    /// The number of threads; `nil` for one per core.
    let width: Int?
    /// Returns whether the threads may make another move; `false` once the time is over.
    var mayContinue: @Sendable () -> Bool = { true }
    /// Called before each batch with the number of states found, and of those still to expand.
    var progress: @Sendable (_ states: Int, _ queued: Int) -> Void = { _, _ in }

    /// The results of a body for each number from 0, in order.
    func map<Result: Sendable>(_ count: Int, _ body: @Sendable (Int) -> Result) -> [Result] {
        guard width != 1, count > 1 else { return (0..<count).map(body) }
        let results = Mutex<[Result?]>(Array(repeating: nil, count: count))
        let next = Atomic(0)
        DispatchQueue.concurrentPerform(iterations: min(width ?? .max, count)) { _ in
            while true {
                let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
                guard index < count else { return }
                let result = body(index)
                results.withLock { $0[index] = result }
            }
        }
        return results.withLock { $0.compactMap(\.self) }
    }
}
