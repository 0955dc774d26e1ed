public import Coordinate
package import JSON

/// A recorder of the states and transitions of a graph that sessions have seen.
///
/// ```swift
/// let footprints = Footprints(on: graph, of: app)
/// footprints.begin("favourites", at: root)
/// footprints.record("teams.didSelect", payload, to: root)
/// footprints.coverage.states.seen   // 2
/// ```
public final class Footprints {
    private let graph: AppGraph
    private let app: any CoordinatedApp
    private let idByKey: [String: Int]
    private let indexByStep: [KnownStep: Int]
    /// The transitions of forms, in which a user may enter any value.
    private let forms: [KnownStep: [Int]]

    private var stateUses: [Int]
    private var transitionUses: [Int]
    private var outside: [Coverage.Stray] = []
    private var knownOutside: Set<KnownStep> = []

    private var journal = ""
    private var version = 0
    private var place = ""

    /// Creates a recorder for the graph of an app, without any footprints.
    public init(on graph: AppGraph, of app: any CoordinatedApp) {
        self.graph = graph
        self.app = app
        stateUses = Array(repeating: 0, count: graph.states.count)
        transitionUses = Array(repeating: 0, count: graph.transitions.count)
        idByKey = graph.idByKey
        let steps = graph.transitions.enumerated().map { (graph.known($0.element), $0.offset) }
        indexByStep = Dictionary(steps) { first, _ in first }
        forms = Dictionary(
            grouping: graph.transitions.indices.filter { graph.transitions[$0].isForm },
            by: { graph.known(graph.transitions[$0]).asForm })
    }

    /// Begins another session, at its first state.
    ///
    /// - Parameters:
    ///   - journal: The name of the session in results.
    ///   - root: The root of its tree, which has started.
    public func begin(_ journal: String, at root: CoordinatorNode) {
        self.journal = journal
        version = 0
        place = key(of: root)
        if let id = idByKey[place] { stateUses[id] += 1 }
    }

    /// Adds an event of the session, and the state to which it led.
    ///
    /// - Parameter root: The root of the session's tree, after the event.
    public func record(_ event: String, _ payload: PlainValue, to root: CoordinatorNode) {
        version += 1
        let next = key(of: root)
        let step = KnownStep(from: place, to: next, event: event, payload: payload)
        place = next
        if let id = idByKey[next] { stateUses[id] += 1 }
        if let index = indexByStep[step] ?? forms[step.asForm]?.first {
            transitionUses[index] += 1
        } else if knownOutside.insert(step).inserted {
            outside.append(
                .init(
                    journal: journal, version: version, from: step.from, to: next, event: event, payload: payload))
        }
    }

    private func key(of root: CoordinatorNode) -> String {
        graph.key.text(of: root.navigationState, facts: app.facts(of: root), at: root.now)
    }

    /// The part that was seen so far.
    public var coverage: Coverage {
        Coverage(
            stateUses: stateUses, transitionUses: transitionUses,
            states: .init(seen: stateUses.count { $0 > 0 }, of: graph.states.count),
            transitions: .init(seen: transitionUses.count { $0 > 0 }, of: graph.transitions.count),
            missedStates: stateUses.indices.filter { stateUses[$0] == 0 },
            missedTransitions: transitionUses.indices.filter { transitionUses[$0] == 0 }, outside: outside)
    }
}

extension KnownStep {
    /// The same step without the values that were entered.
    fileprivate var asForm: KnownStep { KnownStep(from: from, to: to, event: event, payload: .null) }
}

extension JSONWriter<[UInt8]> {
    /// Writes the member `coverage`.
    package mutating func coverage(_ coverage: Coverage, of graph: AppGraph) {
        object("coverage") { json in
            json.share("states", coverage.states)
            json.share("transitions", coverage.transitions)
            json.object("uses") {
                $0.array("states", coverage.stateUses) { $0.int($1) }
                $0.array("transitions", coverage.transitionUses) { $0.int($1) }
            }
            json.array("missed", coverage.missed) { json, missed in
                switch missed {
                case .state(let id):
                    json.object {
                        $0.field("state", id)
                        $0.field("key", graph.states[id].key)
                    }
                case .transition(let index): json.step(graph.known(graph.transitions[index]))
                }
            }
            json.array("outside", coverage.outside) { json, stray in
                json.object {
                    $0.field("journal", stray.journal)
                    $0.field("version", stray.version)
                    $0.field("from", stray.from)
                    $0.field("to", stray.to)
                    $0.field("event", stray.event)
                    $0.plain("payload", stray.payload)
                }
            }
        }
    }

    private mutating func share(_ name: StaticString, _ share: Coverage.Share) {
        object(name) {
            $0.field("seen", share.seen)
            $0.field("of", share.of)
        }
    }

    mutating func step(_ step: KnownStep) {
        object {
            $0.field("from", step.from)
            $0.field("to", step.to)
            $0.field("event", step.event)
            $0.key("payload")
            $0.encoded { $0 += step.payload }
        }
    }
}
