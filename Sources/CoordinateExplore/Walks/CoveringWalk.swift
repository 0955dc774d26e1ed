import Coordinate

/// A session that follows the transitions of a graph, and records where they lead.
///
/// States of a graph may differ in what their key leaves out, so a path of transitions may lead elsewhere.
struct CoveringWalk {
    private let app: ExploredApp
    private let network: Ways
    private(set) var recording: Recording
    /// The session as a replay creates it.
    private var replay: ExploredTree
    /// The ways of the recorded steps.
    private(set) var ways: [Way] = []
    /// The screens before the first step, and after each.
    private(set) var screens: [String]
    /// The transitions that were not possible, or led elsewhere.
    private var avoided: Set<Int> = []

    init(_ app: ExploredApp, on network: Ways) throws(StepError) {
        (self.app, self.network) = (app, network)
        recording = try Recording(app, by: JournalSuite.generator)
        replay = try ExploredTree(app)
        screens = [recording.tree.screen]
    }

    /// Takes the way of a transition, and then others that are near.
    ///
    /// - Parameters:
    ///   - left: The ways that no journal has so far.
    ///   - length: The number of steps after which it ends, unless the first way needs more.
    mutating func go(to goal: Int, covering left: Set<Way>, upTo length: Int) throws(StepError) {
        try follow(network.path(to: goal))
        while ways.count < length {
            let left = left.subtracting(ways)
            let rest = length - ways.count
            if let state, let path = network.path(from: state, upTo: rest, avoiding: avoided, to: left) {
                try follow(path)
            } else if ways.allSatisfy({ $0.link != nil }),
                let link = network.goals.lazy.map(\.way).first(where: { $0.link != nil && left.contains($0) })?.link,
                let move = recording.tree.opening(link), try perform(move)
            {
                // Links have a journal of their own.
            } else {
                break
            }
        }
        var left = left
        var useful = 0
        for (index, way) in ways.enumerated() where left.remove(way) != nil { useful = index + 1 }
        try cut(to: useful)
    }

    /// The id of the present state; `nil` if the graph does not contain it.
    private var state: Int? {
        network.state(withKey: network.graph.key.text(of: recording.tree, at: recording.tree.root.path))
    }

    /// Follows transitions, until one is not possible or leads elsewhere.
    private mutating func follow(_ path: [Int]) throws(StepError) {
        for index in path {
            let transition = network.graph.transitions[index]
            guard let move = move(like: transition), try perform(move), state == transition.to else {
                avoided.insert(index)
                return
            }
        }
    }

    /// Ends the walk after fewer steps.
    private mutating func cut(to length: Int) throws(StepError) {
        guard length < recording.moves.count else { return }
        ways.removeSubrange(length...)
        screens.removeSubrange((length + 1)...)
        let moves = recording.moves.prefix(length)
        recording = try Recording(app, by: JournalSuite.generator)
        for move in moves { try recording.perform(move) }
        replay = try ExploredTree(app, moves)
    }

    /// Makes a step; `false`, without a change, if no coordinator handles it, or a replay does not repeat it.
    private mutating func perform(_ move: Move) throws(StepError) -> Bool {
        if let (dispatch, path) = try? recording.perform(move), dispatch.isHandled,
            let (repeated, end) = try? replay.perform(move, isRepeated: true),
            repeated.handledBy == dispatch.handledBy, end == path
        {
            screens.append(recording.tree.screen)
            ways.append(Way(move.step, from: screens[ways.count], to: screens[ways.count + 1], title: move.title))
            return true
        }
        try cut(to: ways.count)
        return false
    }

    /// The possible move that is most like a transition. What the screen shows may differ, such as a number of items.
    private func move(like transition: AppGraph.Transition) -> Move? {
        let step = transition.step
        if transition.title == nil, step.event == "navigation.open" {
            return step.payload[field: "path"]?.string.flatMap(recording.tree.opening)
        }
        let moves = recording.tree.moves(in: recording.tree.picture).all.filter {
            $0.step.event == step.event && $0.step.origin == step.origin && $0.title == transition.title
        }
        return moves.first { $0.step.payload == step.payload } ?? moves.first
    }
}

extension ExploredTree {
    /// The name of the visible screen.
    fileprivate var screen: String { root.visibleLeaf.getRootViewController().name }
}
