import Coordinate

/// The expansion of a state: the outcome of each move in it, and the findings on the way.
struct Expansion: Sendable {
    /// The outcome of one move.
    struct Outcome: Sendable {
        enum Kind: Sendable {
            case led(Arrival)
            case failed(String)
            /// The app offers it with a payload that its event refuses.
            case refused(PlainValueError)
        }

        /// The state to which a move led.
        struct Arrival: Sendable {
            let key: String
            let path: String
            let handledBy: String?
            let isHandled: Bool
            /// The fields with errors, if the move sent a form that is shown again.
            let errors: [String]
            /// The place to which a link to the path that the action opens leads, in words; `nil` if the action leads
            /// there, too.
            let linkEnd: String?
            /// The node, if the state was not known.
            let node: Node?
        }

        let move: Move
        let kind: Kind
    }

    private(set) var outcomes: [Outcome] = []
    /// The part of the navigation state that differed when the journal was replayed; `nil` if none did.
    private(set) var difference: String?
    /// The place to which the state's own path leads in a new session, if it is another one.
    private(set) var otherEnd: String?
    /// The missing events that are offered after one of the moves.
    private(set) var offered: [String] = []
    /// Whether the time ran out before all moves.
    private(set) var wasStopped = false
    /// The number of trees that were built from the state's journal.
    private(set) var replays = 0

    /// Expands a state.
    ///
    /// - Parameters:
    ///   - isTaken: Whether to make moves; if not, only the state itself is examined.
    ///   - missing: The paths and events that are searched for after each move; `nil` for none.
    ///   - isKnown: Returns whether a key is that of a known state.
    ///   - mayContinue: Returns whether there is time for another move.
    init(
        of node: Node, in app: ExploredApp, by key: StateKey, isTaken: Bool, missing: Unreached?,
        isKnown: (String) -> Bool, mayContinue: () -> Bool
    ) {
        var found: Set<String> = []
        for move in isTaken ? node.moves : [] {
            guard mayContinue() else {
                wasStopped = true
                return
            }
            guard let tree = tree(in: node, of: app) else { break }
            outcome(of: move, on: tree, node, in: app, by: key, missing) { isKnown($0) || !found.insert($0).inserted }
        }
        if replays == 0 { _ = repeated(node, in: app) }
        otherEnd = app.otherEnd(of: node.picture)
    }

    /// A tree in the state: the one that first found it, then others; `nil` if the state cannot be reproduced.
    private mutating func tree(in node: Node, of app: ExploredApp) -> sending ExploredTree? {
        if let kept = node.kept?.take() { return kept }
        return repeated(node, in: app)
    }

    /// A tree in the state, built from its journal. The first one is compared with the state's navigation state.
    private mutating func repeated(_ node: Node, in app: ExploredApp) -> sending ExploredTree? {
        defer { replays += 1 }
        do throws(StepError) {
            let tree = try ExploredTree(app, node.journal)
            if replays == 0 {
                difference = tree.difference(from: node.picture, facts: node.offer.facts)
            } else if difference == nil, tree.root.path != node.picture.path {
                difference = "the path"
            }
            return tree
        } catch {
            difference = difference ?? "an event, which fails or can no longer be emitted,"
            return nil
        }
    }

    private mutating func outcome(
        of move: Move, on tree: sending ExploredTree, _ node: Node, in app: ExploredApp, by key: StateKey,
        _ missing: Unreached?, isKnown: (String) -> Bool
    ) {
        let kind: Outcome.Kind
        do throws(StepError) {
            let (dispatch, path) = try tree.perform(move)
            let next = key.text(of: tree, at: path)
            let isNew = !isKnown(next)
            if !isNew, let missing, !missing.events.isEmpty {
                offered += missing.offered(in: tree.picture)
            }
            let errors = move.isForm ? tree.picture.errors(ofForm: move.step.event) : []
            kind = .led(
                .init(
                    key: next, path: path, handledBy: dispatch.handledBy, isHandled: dispatch.isHandled, errors: errors,
                    linkEnd: dispatch.isHandled ? otherEnd(of: move, leadingTo: path, node, in: app) : nil,
                    node: isNew ? Node(tree, key: next, after: node.journal + [move], in: app) : nil))
        } catch {
            switch error {
            case .failed(let reason): kind = .failed(reason)
            case .refused(let reason): kind = .refused(reason)
            case .nowhere: return
            }
        }
        outcomes.append(Outcome(move: move, kind: kind))
    }

    /// The place to which a link to the path that an action opens leads in the same state, in words; `nil` if the action
    /// leads there, too. Both may lead to another path, to which a guard redirects.
    private mutating func otherEnd(
        of move: Move, leadingTo path: String, _ node: Node, in app: ExploredApp
    ) -> String? {
        guard let opens = move.opens, opens != path, let tree = repeated(node, in: app) else { return nil }
        guard let parsed = RoutePath(opens), app.app.routes.contains(parsed, in: tree.dependencies),
            let link = tree.opening(opens)
        else { return "nowhere" }
        do throws(StepError) {
            let end = try tree.perform(link).path
            return end == path ? nil : end
        } catch {
            guard case .failed(let reason) = error else { return "nowhere" }
            return "a turn that fails (\(reason))"
        }
    }
}

extension NavigationState {
    /// The fields with errors of the form that sends an event.
    fileprivate func errors(ofForm event: String) -> [String] {
        offered.filter { $0.event == event }.flatMap(\.inputs).filter { $0.error != nil }.map(\.field)
    }

    /// The first part that differs; `nil` if none does.
    func difference(from other: NavigationState) -> String? {
        if self == other { return nil }
        return if path != other.path {
            "the path"
        } else if leaf != other.leaf || screen.name != other.screen.name {
            "the screen"
        } else if screen != other.screen {
            "what the screen shows"
        } else if pending != other.pending {
            "what is pending"
        } else if tabs != other.tabs {
            "a tab"
        } else {
            "the tree of coordinators"
        }
    }
}
