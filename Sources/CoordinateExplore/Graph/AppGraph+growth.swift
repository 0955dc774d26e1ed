import Coordinate

extension AppGraph {
    /// A sentence about the names or values that multiplied the states most; `nil` if no kind of them doubled the states.
    package var growth: String? {
        let offers = states.map(\.offer)
        let kinds = [
            Growth("names of pending work and timers", offers.map { $0.leaving(\.pending) }, offers.flatMap(\.pending)),
            Growth("paths", offers.map { $0.leaving(\.path) }, offers.map(\.path)),
            Growth("offered events", offers.map { $0.leaving(\.events) }, offers.flatMap(\.events)),
            Growth("parked links", offers.map { $0.leaving(\.parked) }, offers.compactMap(\.parked)),
            Growth("names of screens", offers.map { $0.leaving(\.screen) }, offers.map(\.screen)),
            Growth(
                "values of facts", offers.map { $0.leaving(\.facts) }, factNames,
                advice: " Give facts(of:) fewer values, or pass --key path."),
            Growth("values that the screens show", offers.map { $0.leaving(nil) }, payloads),
        ]
        guard let most = kinds.max(by: { $0.factor < $1.factor }), most.factor >= 2 else { return nil }
        return most.sentence
    }

    /// The names of facts, once for each value.
    private var factNames: [String] {
        let values = Set(states.flatMap { $0.offer.facts.map { [$0.key, $0.value] } })
        return values.map { $0[0] }
    }

    /// The events that were sent with several payloads, once for each.
    private var payloads: [String] {
        let steps = Set(transitions.map { KnownPayload(event: $0.step.event, payload: $0.step.payload) })
        return steps.map(\.event)
    }

    private struct KnownPayload: Hashable {
        let event: String
        let payload: PlainValue
    }
}

/// A kind of names or values, and how much fewer the states would be without it.
private struct Growth {
    let factor: Double
    private let kind: String
    /// The number of times that each name occurs.
    private let counts: [String: Int]
    private let advice: String

    /// - Parameters:
    ///   - others: For each state, everything but this kind.
    ///   - names: The names of this kind, in all states.
    ///   - advice: Another sentence, with a space before it.
    init(_ kind: String, _ others: [[String]], _ names: [String], advice: String = "") {
        self.kind = kind
        self.advice = advice
        factor = Double(others.count) / Double(max(1, Set(others).count))
        counts = names.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    }

    /// For example: "The paths multiplied the states by 12, most often /bed/1, /bed/2 and /bed/3."
    var sentence: String {
        let names = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(3).map(\.key)
        let examples = names.isEmpty ? "" : ", most often \(names.joined(separator: ", "))"
        return "The \(kind) multiplied the states by \(Int(factor.rounded()))\(examples).\(advice)"
    }
}

extension StateOffer {
    /// The parts of the offer as texts, without one of them.
    fileprivate func leaving(_ part: PartialKeyPath<StateOffer>?) -> [String] {
        let parts: [(PartialKeyPath<StateOffer>, String)] = [
            (\.path, path), (\.screen, screen), (\.status, status.rawValue), (\.coordinator, coordinator),
            (\.events, events.joined(separator: " ")), (\.pending, pending.joined(separator: " ")),
            (\.parked, parked ?? ""), (\.facts, factTexts.joined(separator: " ")),
        ]
        return parts.filter { $0.0 != part }.map(\.1)
    }
}
