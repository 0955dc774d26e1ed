import Coordinate

/// An event of a screen, and the screen to which it leads: an arrow in a drawing of the app.
///
/// Tabs and links are possible on every screen. Outcomes of work and timers do not depend on the screen, but on what
/// has requested them.
struct Way: Hashable, Sendable {
    let event: String
    /// The name of the screen; `nil` for a tab, a link, and an outcome.
    private var from: String?
    /// The name of the screen afterwards; `nil` for a link, and for an outcome that leaves the screen as it is.
    private var to: String?
    /// The tab or the path that is opened; `nil` for other events.
    private var target: String?

    /// - Parameters:
    ///   - from: The name of the screen before the step.
    ///   - to: The name of the screen after it.
    ///   - title: The text of its button; `nil` if it has none.
    init(_ step: Step, from: String, to: String, title: String?) {
        event = step.event
        switch step.event {
        case "navigation.open" where title == nil: target = step.payload[field: "path"]?.string
        case "navigation.selectTab": (target, self.to) = (step.payload[field: "tab"]?.string, to)
        case _ where step.origin != .client: self.to = from == to ? nil : to
        default: (self.from, self.to) = (from, to)
        }
    }

    /// The path that is opened, if it is a link.
    var link: String? { to == nil ? target : nil }
}

extension Way: CustomStringConvertible {
    /// For example: `address.submit from Address to Delivery`, or `navigation.open /cart`.
    var description: String {
        let places = [target.map { " \($0)" }, from.map { " from \($0)" }, to.map { " to \($0)" }]
        return event + places.compactMap(\.self).joined()
    }
}

/// The ways of a graph that coordinators handle, and the shortest paths to them.
struct Ways {
    let graph: AppGraph
    private let idByKey: [String: Int]
    /// The way of each transition, by its position; `nil` if no coordinator handles it.
    private let wayByTransition: [Way?]
    /// The positions of each state's transitions.
    private let transitions: [Range<Int>]
    /// The transition that has found each state; `nil` for the first one.
    private let finders: [Int?]
    /// A transition of each way, nearest to the start. Ways that are far from the start are first, and links last.
    let goals: [(way: Way, transition: Int)]

    init(of graph: AppGraph) {
        self.graph = graph
        idByKey = graph.idByKey
        wayByTransition = graph.transitions.map { transition in
            guard transition.handledBy != nil else { return nil }
            return Way(
                transition.step, from: graph.states[transition.from].screen, to: graph.states[transition.to].screen,
                title: transition.title)
        }
        var ranges = Array(repeating: 0..<0, count: graph.states.count)
        var finders = [Int?](repeating: nil, count: graph.states.count)
        var goals: [(way: Way, transition: Int)] = []
        var known: Set<Way> = []
        for (index, transition) in graph.transitions.enumerated() {
            let start = ranges[transition.from].isEmpty ? index : ranges[transition.from].lowerBound
            ranges[transition.from] = start..<index + 1
            if transition.to != 0, finders[transition.to] == nil { finders[transition.to] = index }
            if let way = wayByTransition[index], known.insert(way).inserted { goals.append((way, index)) }
        }
        transitions = ranges
        self.finders = finders
        func distance(_ goal: (way: Way, transition: Int)) -> Int {
            goal.way.link == nil ? graph.states[graph.transitions[goal.transition].from].depth : -1
        }
        self.goals = goals.enumerated().sorted {
            (-distance($0.element), $0.offset) < (-distance($1.element), $1.offset)
        }.map(\.element)
    }

    /// The id of a state; `nil` if the graph does not contain it.
    func state(withKey key: String) -> Int? { idByKey[key] }

    /// The path from the start by which the walk has found a transition, with it.
    func path(to transition: Int) -> [Int] {
        var path = [transition]
        var state = graph.transitions[transition].from
        while let finder = finders[state] {
            path.append(finder)
            state = graph.transitions[finder].from
        }
        return path.reversed()
    }

    /// The shortest path from a state that ends with one of the ways, without links; `nil` if there is none.
    ///
    /// - Parameters:
    ///   - limit: The most transitions.
    ///   - avoided: Transitions that the path does not contain.
    func path(from state: Int, upTo limit: Int, avoiding avoided: Set<Int>, to ways: Set<Way>) -> [Int]? {
        var known: Set = [state]
        var paths: [(end: Int, path: [Int])] = [(state, [])]
        var next = 0
        while next < paths.count, paths[next].path.count < limit {
            let (state, path) = paths[next]
            next += 1
            for index in transitions[state] where !avoided.contains(index) {
                guard let way = wayByTransition[index], way.link == nil else { continue }
                if ways.contains(way) { return path + [index] }
                let end = graph.transitions[index].to
                if known.insert(end).inserted { paths.append((end, path + [index])) }
            }
        }
        return nil
    }
}
