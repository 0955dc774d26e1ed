package import Coordinate
internal import JSON

/// An event between two states, in a form that is comparable across graphs and recorded sessions, without ids.
package struct KnownStep: Hashable, Sendable {
    /// The keys of the states.
    package let from: String
    package let to: String
    package let event: String
    package let payload: PlainValue
    /// The payload as JSON, in which 2 and 2.0 are the same number.
    private let text: [UInt8]

    package init(from: String, to: String, event: String, payload: PlainValue) {
        self.from = from
        self.to = to
        self.event = event
        self.payload = payload
        var json = JSONWriter<[UInt8]>(capacity: 64)
        json.plain(payload)
        text = json.finish()
    }

    package static func == (one: KnownStep, other: KnownStep) -> Bool {
        one.event == other.event && one.from == other.from && one.to == other.to && one.text == other.text
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(from)
        hasher.combine(to)
        hasher.combine(event)
        hasher.combine(text)
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
