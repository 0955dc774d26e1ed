import Coordinate
package import JSON

/// The differences between an app's graph and an older one. States are matched by their keys, and transitions by those
/// of their states, their event and its payload.
package struct GraphDifference: Sendable {
    package struct Changes<Element: Sendable>: Sendable {
        package let lost: [Element]
        package let gained: [Element]
    }

    package let states: Changes<String>
    package let transitions: Changes<KnownStep>

    /// Whether a state or a transition is missing in the new graph.
    package var hasLost: Bool { !states.lost.isEmpty || !transitions.lost.isEmpty }

    /// Compares a graph with an older one.
    ///
    /// - Parameter old: The document of the older graph.
    package init(from old: [UInt8], to graph: AppGraph) throws(UnreadableGraph) {
        let old = try WrittenGraph(old)
        guard old.key == graph.key.rawValue else {
            throw UnreadableGraph("its states have the key \(old.key), but the new ones have \(graph.key.rawValue).")
        }
        states = Self.changes(from: old.keys, to: graph.states.map(\.key))
        transitions = Self.changes(from: old.steps, to: graph.transitions.map { graph.known($0) })
    }

    private static func changes<Element: Hashable>(from old: [Element], to new: [Element]) -> Changes<Element> {
        let (was, isNow) = (Set(old), Set(new))
        return Changes(lost: old.filter { !isNow.contains($0) }, gained: new.filter { !was.contains($0) })
    }
}

/// An event between two states, in a form that is comparable across graphs and recorded sessions, without ids.
package struct KnownStep: Hashable, Sendable {
    /// The keys of the states.
    package let from: String
    package let to: String
    package let event: String
    /// The payload as JSON, in which 2 and 2.0 are the same number.
    package let payload: [UInt8]

    init(from: String, to: String, event: String, payload: PlainValue) {
        self.from = from
        self.to = to
        self.event = event
        self.payload = payload.json
    }
}

extension AppGraph {
    /// A transition with the keys of its states.
    func known(_ transition: Transition) -> KnownStep {
        KnownStep(
            from: states[transition.from].key, to: states[transition.to].key, event: transition.step.event,
            payload: transition.step.payload)
    }
}

/// The reason why a document is not a graph that can be compared: the second half of a sentence.
package struct UnreadableGraph: Error {
    package let reason: String

    init(_ reason: String) {
        self.reason = reason
    }
}

/// The parts of a graph's document that are compared.
private struct WrittenGraph {
    let key: String
    let keys: [String]
    let steps: [KnownStep]

    init(_ document: [UInt8]) throws(UnreadableGraph) {
        let graph: PlainValue
        do throws(JSONSyntaxError) {
            graph = try JSONParser.parse(document)
        } catch {
            throw UnreadableGraph("it is not JSON: line \(error.line), column \(error.column) needs \(error.expected).")
        }
        guard graph[field: "explore"] == .int(1), let key = graph[field: "key"]?.string,
            case .array(let states) = graph[field: "states"],
            case .array(let transitions) = graph[field: "transitions"]
        else { throw UnreadableGraph("it is not a graph. Write one with explore --format json.") }
        let keys = states.compactMap { $0[field: "key"]?.string }
        guard keys.count == states.count else { throw UnreadableGraph("one of its states has no key.") }
        self.key = key
        self.keys = keys
        var steps: [KnownStep] = []
        for transition in transitions {
            guard case .int(let from) = transition[field: "from"], case .int(let to) = transition[field: "to"],
                keys.indices.contains(from), keys.indices.contains(to),
                let event = transition[field: "event"]?.string, let payload = transition[field: "payload"]
            else { throw UnreadableGraph("its transition \(steps.count + 1) does not connect two of its states.") }
            steps.append(KnownStep(from: keys[from], to: keys[to], event: event, payload: payload))
        }
        self.steps = steps
    }
}

extension JSONWriter<[UInt8]> {
    /// Writes the member `diff`.
    package mutating func difference(_ difference: GraphDifference) {
        object("diff") { json in
            json.object("states") {
                $0.array("lost", difference.states.lost) { $0.string($1) }
                $0.array("gained", difference.states.gained) { $0.string($1) }
            }
            json.object("transitions") {
                $0.array("lost", difference.transitions.lost) { $0.step($1) }
                $0.array("gained", difference.transitions.gained) { $0.step($1) }
            }
        }
    }
}
