import Coordinate

/// The findings of a search as they come in. Similar ones are counted with the first, which has the shortest way.
struct Remarks {
    private struct Kept {
        let kind: Finding.Kind
        let detail: String
        let state: Int?
        let journal: [Step]
        var others = 0
    }

    private struct Likeness: Hashable {
        let kind: Finding.Kind
        let about: String
    }

    private var all: [Kept] = []
    private var indexByLikeness: [Likeness: Int] = [:]

    private mutating func add(
        _ kind: Finding.Kind, about: String, _ state: AppGraph.State?, _ move: Move? = nil, saying detail: String
    ) {
        let likeness = Likeness(kind: kind, about: about)
        if let index = indexByLikeness[likeness] {
            all[index].others += 1
            return
        }
        indexByLikeness[likeness] = all.count
        let journal = (state?.journal ?? []) + [move?.step].compactMap(\.self)
        all.append(Kept(kind: kind, detail: detail, state: state?.id, journal: journal))
    }

    /// The findings by kind, and then in the order in which they were made.
    var findings: [Finding] {
        Finding.Kind.allCases.flatMap { kind in
            all.filter { $0.kind == kind }.map { kept in
                let more = kept.others == 0 ? "" : " (\(kept.others) more like it.)"
                return Finding(
                    kind: kind, detail: kept.detail + more, state: kept.state, journal: kept.journal)
            }
        }
    }

    // MARK: Kinds

    mutating func addUnhandled(_ state: AppGraph.State, _ move: Move) {
        add(
            .unhandledAction, about: "\(state.screen) \(move.step.event)", state, move,
            saying: "\(state.screen) at \(state.path) offers \(move.words), and nobody handles it: "
                + "intercept it there or further up, or do not offer it.")
    }

    mutating func addRefused(_ state: AppGraph.State, _ move: Move, _ reason: String) {
        add(
            .unhandledAction, about: "\(state.screen) \(move.step.event) \(reason)", state, move,
            saying:
                "\(state.screen) at \(state.path) offers \(move.words) with a payload that is refused, as its field \(reason): "
                + "offer values that can be sent.")
    }

    mutating func addDeadEnd(_ state: AppGraph.State) {
        add(
            .deadEnd, about: state.screen, state,
            saying: "\(state.screen) at \(state.path) offers nothing, not even Back, and nothing is pending: "
                + "offer a way on, or do not lead there.")
    }

    mutating func addUnreachable(_ patterns: [String]) {
        for pattern in patterns {
            add(
                .unreachablePath, about: pattern, nil,
                saying:
                    "/\(pattern) is declared and never shown: lead there, give samples of what has to be entered for it, or "
                    + "take it out of the routes.")
        }
    }

    mutating func addUnused(_ events: [String]) {
        for event in events {
            add(
                .unusedEvent, about: event, nil,
                saying:
                    "\(event) is declared and never offered: offer it, declare it as appOnly if users do not send it, or take "
                    + "it out of the declaration.")
        }
    }

    mutating func addLink(_ state: AppGraph.State, _ end: String) {
        add(
            .linkDiffers, about: "\(state.screen) \(end == "nowhere" ? end : String(end.prefix { $0 != " " }))", state,
            saying: "\(state.path) shows \(state.screen), and leads to \(end) when it is opened in a new session: "
                + "show the screen for a route of its own, or make goTo(_:) lead to it.")
    }

    mutating func addFailure(_ state: AppGraph.State, _ move: Move, _ reason: String) {
        add(
            .failedTurn, about: "\(state.screen) \(move.step.event) \(reason)", state, move,
            saying: "\(move.words) fails on \(state.screen) at \(state.path): \(reason).")
    }

    mutating func addFailedStart(_ reason: String) {
        add(.failedTurn, about: reason, nil, saying: "The app fails as it starts: \(reason).")
    }

    mutating func addUnsteady(_ state: AppGraph.State, _ difference: String) {
        add(
            .notDeterministic, about: "\(state.id)", state,
            saying:
                "The same events lead to \(state.screen) at \(state.path), but \(difference) was another one when they were "
                + "taken once more: take time and chance from now and random, and keep no state outside of the tree.")
    }
}

extension Move {
    /// The move in words: `"Add" (notes.add)`.
    fileprivate var words: String {
        title.map { "\"\($0)\" (\(step.event))" } ?? step.event
    }
}
