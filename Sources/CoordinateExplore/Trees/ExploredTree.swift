import Coordinate
internal import Synchronization

/// A tree of coordinators after a number of steps. The same steps produce the same tree.
///
/// It makes steps in the way in which a server accepts events, so a server can replay their journal.
final class ExploredTree {
    let app: ExploredApp
    private let runner: TreeRunner
    private var version = 0
    private(set) var now = ExploredApp.time
    private var knownPicture: NavigationState?

    /// Builds the app's tree and starts it.
    init(_ app: ExploredApp) throws(StepError) {
        self.app = app
        runner = TreeRunner(app.app, options: app.options, seed: app.seed, events: app.events.types)
        do {
            try runner.start(at: now)
        } catch {
            throw .failed("\(error)")
        }
    }

    /// Builds a tree and makes steps, one after the other.
    convenience init(_ app: ExploredApp, _ moves: some Sequence<Move>) throws(StepError) {
        try self.init(app)
        for move in moves { try perform(move, isRepeated: true) }
    }

    var root: CoordinatorNode { runner.root }

    /// The navigation state of the tree, which is computed once after each step.
    var picture: NavigationState {
        if let knownPicture { return knownPicture }
        let picture = root.navigationState
        knownPicture = picture
        return picture
    }

    /// The facts that the app declares about the tree.
    var facts: [String: String] { app.app.facts(of: root) }

    var dependencies: (any AppDependenciesProtocol)? { root.ownDependencies }

    /// The first part of the tree that differs from the same steps in another tree; `nil` if none does.
    func difference(from picture: NavigationState, facts other: [String: String]) -> String? {
        self.picture.difference(from: picture) ?? (facts == other ? nil : "a declared fact")
    }

    /// Makes a step as one turn.
    ///
    /// - Parameter isRepeated: Whether the step was made before. If so, its secrets are lost.
    @discardableResult
    func perform(_ move: Move, isRepeated: Bool = false) throws(StepError) -> (dispatch: Dispatch, path: String) {
        let step = move.step
        var due: Timestamp?
        let place: (any Coordinating)?
        if let pending = step.pending {
            place = root.owner(of: pending)
            if step.origin == .timer { due = root.pendingWork.first { $0.id == pending }?.due }
        } else {
            let leaf = root.visibleLeaf
            place = leaf.id == step.at ? leaf : root.coordinator(withID: step.at)
        }
        guard let place, place.isStarted else { throw .nowhere }
        let event: any CoordinateEvents
        do throws(PlainValueError) {
            if move.entry.hasSecrets, !isRepeated { try move.entry.checkSecrets(of: move.sent) }
            event = try move.entry.event(from: isRepeated ? step.payload : move.sent, in: dependencies)
        } catch {
            throw .refused(error)
        }
        version += 1
        knownPicture = nil
        if let due { now = max(now, due) }
        do {
            return try runner.emit(event, at: place, outcomeOf: step.pending, as: version, at: now)
        } catch {
            throw .failed("\(error)")
        }
    }
}

/// The reason why a step could not be made.
enum StepError: Error {
    /// There is no such coordinator, or no such work or timer is pending.
    case nowhere
    /// The event refuses the payload.
    case refused(PlainValueError)
    /// The turn failed.
    case failed(String)
}

/// A tree that one thread has built, and with which another one may continue.
final class KeptTree: Sendable {
    private let tree: Mutex<ExploredTree?>

    init(_ tree: sending ExploredTree) {
        self.tree = Mutex(tree)
    }

    /// Returns the result of a body that only reads the tree; `nil` if it was taken.
    func read<Result: Sendable>(_ body: @Sendable (ExploredTree) -> Result) -> Result? {
        tree.withLock { $0.map(body) }
    }

    /// Returns the tree to the first caller only.
    func take() -> sending ExploredTree? {
        tree.withLock { kept in
            let tree = kept
            kept = nil
            return tree
        }
    }
}
