import Coordinate

/// A broken promise.
struct Broken: Sendable {
    /// The name of the promise.
    let promise: String
    /// The way in which it is broken: the second half of a sentence.
    let detail: String
}

/// Two trees that make the same steps, side by side, and are checked after each. The second one shows that replayed
/// events lead to the same state.
final class WatchedTrees {
    private let app: ExploredApp
    private let tree: ExploredTree
    private let twin: ExploredTree
    private var members: TreeMembers
    private(set) var state: NavigationState

    init(_ app: ExploredApp) throws(StepError) {
        self.app = app
        tree = try ExploredTree(app)
        twin = try ExploredTree(app)
        members = TreeMembers(of: tree.root)
        state = tree.picture
    }

    /// Every move that is possible now, and the links that can be opened.
    var moves: [Move] { tree.moves(in: state).all + links }

    /// The links that can be opened.
    var links: [Move] { app.links.compactMap { tree.opening($0) } }

    /// Makes a step, and checks the state after it.
    ///
    /// - Returns: The promise that is broken then; `nil` if none is.
    /// - Throws: ``StepError/nowhere`` and ``StepError/refused(_:)`` if the step cannot be made.
    func perform(_ move: Move) throws(StepError) -> Broken? {
        let dispatch: Dispatch
        do throws(StepError) {
            dispatch = try tree.perform(move).dispatch
        } catch .failed(let reason) {
            return Broken(promise: "no turn fails", detail: "\(move.step.event) fails: \(reason)")
        } catch {
            throw error
        }
        state = tree.picture
        let survivor = members.survivor(outside: tree.root)
        members = TreeMembers(of: tree.root)
        if let survivor {
            return Broken(
                promise: "what leaves the tree has ended", detail: "\(survivor) has left the tree and is still started")
        }
        if !dispatch.isHandled, move.isOffered {
            return Broken(
                promise: "what is offered is handled",
                detail: "no coordinator handles \(move.step.event), which is offered")
        }
        if !dispatch.isHandled, move.isOutcome {
            return Broken(
                promise: "what is pending is handled",
                detail: "no coordinator handles \(move.step.event), an outcome of what is pending")
        }
        return brokenPromise ?? difference(after: move)
    }

    /// The promise that the state breaks, apart from those that a second tree shows; `nil` if it breaks none.
    var brokenPromise: Broken? {
        if let broken = tree.root.brokenPromise(in: state) {
            return Broken(promise: "the picture agrees with the tree", detail: broken)
        }
        return app.invariants.first { !$0.holds(in: tree.root) }.map {
            Broken(promise: $0.name, detail: "the invariant \"\($0.name)\" does not hold")
        }
    }

    private func difference(after move: Move) -> Broken? {
        let promise = "the same events make the same state"
        guard (try? twin.perform(move, isRepeated: true)) != nil else {
            return Broken(promise: promise, detail: "\(move.step.event) fails when it is repeated")
        }
        return twin.difference(from: state, facts: tree.facts).map {
            Broken(promise: promise, detail: "\($0) differs when the same events are repeated")
        }
    }

    /// The promise about links, if the visible path breaks it; `nil` if the path leads here in a new session as well.
    var brokenLink: Broken? {
        app.otherEnd(of: state).map { end in
            Broken(
                promise: "a path leads to where it is shown",
                detail: "\(state.path) shows \(state.screen.name), but leads to \(end) in a new session")
        }
    }
}
