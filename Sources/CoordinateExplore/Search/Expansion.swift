import Coordinate

/// A state taken further: the outcome of each thing there is to do in it, and what was seen on the way.
struct Expansion: Sendable {
    /// The outcome of one move.
    struct Outcome: Sendable {
        enum Kind: Sendable {
            /// It led to a state; the node is there where nobody has known of that.
            case led(key: String, path: String, by: String?, isHandled: Bool, node: Node?)
            case failed(String)
            /// The app offers it with a payload that it does not take.
            case refused(String)
        }

        let move: Move
        let kind: Kind
    }

    private(set) var outcomes: [Outcome] = []
    /// The part of the picture that was another one when the journal was taken once more; nil where none was.
    private(set) var difference: String?
    /// The place that the state's own path leads to in a new session, where that is another.
    private(set) var otherEnd: String?
    /// The events among those that were missing which are offered after one of the moves.
    private(set) var offered: [String] = []
    /// True where there was no time for all moves.
    private(set) var wasStopped = false
    private var wasRepeated = false

    /// Takes a state further.
    ///
    /// - Parameters:
    ///   - isTaken: False to look only at what is to be found in the state itself.
    ///   - missing: What is looked for after each move, nil for nothing.
    ///   - isKnown: Whether a state is known already, by its key.
    ///   - mayGoOn: Whether there is time for another move.
    init(
        of node: Node, in app: ExploredApp, by key: StateKey, isTaken: Bool, missing: Missing?,
        isKnown: (String) -> Bool, mayGoOn: () -> Bool
    ) {
        var found: Set<String> = []
        for move in isTaken ? node.moves : [] {
            guard mayGoOn() else {
                wasStopped = true
                return
            }
            guard let tree = tree(in: node, of: app) else { break }
            outcome(of: move, on: tree, node, in: app, by: key, missing) { isKnown($0) || !found.insert($0).inserted }
        }
        if !wasRepeated { _ = repeated(node, in: app) }
        otherEnd = app.otherEnd(of: node.picture)
    }

    /// A tree in the state: the one that has found it, and then others; nil where the state cannot be made once more.
    private mutating func tree(in node: Node, of app: ExploredApp) -> sending ExploredTree? {
        if let kept = node.kept?.take() { return kept }
        return repeated(node, in: app)
    }

    /// A tree in the state by its journal. The first one has to show what was found.
    private mutating func repeated(_ node: Node, in app: ExploredApp) -> sending ExploredTree? {
        defer { wasRepeated = true }
        do throws(StepError) {
            let tree = try ExploredTree(app, node.journal)
            if !wasRepeated {
                difference = tree.root.navigationState.difference(from: node.picture)
            } else if difference == nil, tree.root.path != node.picture.path {
                difference = "the path"
            }
            return tree
        } catch {
            difference = difference ?? "an event, which fails or cannot be emitted any more,"
            return nil
        }
    }

    private mutating func outcome(
        of move: Move, on tree: sending ExploredTree, _ node: Node, in app: ExploredApp, by key: StateKey,
        _ missing: Missing?, isKnown: (String) -> Bool
    ) {
        let kind: Outcome.Kind
        do throws(StepError) {
            let (dispatch, path) = try tree.take(move)
            let next = key.text(of: tree, at: path)
            let isNew = !isKnown(next)
            if !isNew, let missing, !missing.events.isEmpty {
                offered += missing.offered(in: tree.root.navigationState)
            }
            kind = .led(
                key: next, path: path, by: dispatch.handledBy, isHandled: dispatch.isHandled,
                node: isNew ? Node(tree, by: key, after: node.journal + [move], in: app) : nil)
        } catch {
            switch error {
            case .failed(let reason): kind = .failed(reason)
            case .refused(let reason): kind = .refused("\(reason.field) \(reason.message)")
            case .nowhere: return
            }
        }
        outcomes.append(Outcome(move: move, kind: kind))
    }
}

extension NavigationState {
    /// The first part that is another one, nil where all is the same.
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
