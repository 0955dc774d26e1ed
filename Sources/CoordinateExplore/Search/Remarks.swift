import Coordinate

/// The findings of a search as they are made. Similar ones are counted with the first, which has the shortest path.
struct Remarks {
    private struct Kept {
        let kind: Finding.Kind
        let detail: String
        let state: Int?
        let journal: [Step]
        let presses: [String]
        var others = 0
    }

    private struct Likeness: Hashable {
        let kind: Finding.Kind
        let about: String
    }

    private var all: [Kept] = []
    private var indexByLikeness: [Likeness: Int] = [:]

    private mutating func append(
        _ kind: Finding.Kind, about: String, _ state: AppGraph.State?, _ move: Move? = nil, saying detail: String
    ) {
        let likeness = Likeness(kind: kind, about: about)
        if let index = indexByLikeness[likeness] {
            all[index].others += 1
            return
        }
        indexByLikeness[likeness] = all.count
        let journal = (state?.journal ?? []) + [move?.step].compactMap(\.self)
        let presses = (state?.presses ?? []) + [move?.press].compactMap(\.self)
        all.append(Kept(kind: kind, detail: detail, state: state?.id, journal: journal, presses: presses))
    }

    /// The findings by kind, and then in the order in which they were made.
    var findings: [Finding] {
        Finding.Kind.allCases.flatMap { kind in
            all.filter { $0.kind == kind }.map { kept in
                let more = kept.others == 0 ? "" : " (\(kept.others) more like this.)"
                return Finding(
                    kind: kind, detail: kept.detail + more, state: kept.state, journal: kept.journal,
                    presses: kept.presses)
            }
        }
    }

    // MARK: Kinds

    mutating func appendUnhandled(_ state: AppGraph.State, _ move: Move) {
        let about = "\(state.screen) \(move.step.event)"
        switch move.source {
        case .button, .form:
            append(
                .unhandledAction, about: about, state, move,
                saying: "\(state.screen) at \(state.path) offers \(move.words), and no coordinator handles it. "
                    + "Intercept it there or in a parent, or do not offer it.")
        case .work, .timer:
            append(
                .unhandledOutcome, about: move.step.event, state, move,
                saying: "\(move.words) is emitted at \(move.step.at), and no coordinator handles it. "
                    + "Intercept it there or in a parent.")
        case .link: break
        }
    }

    mutating func appendRefused(_ state: AppGraph.State, _ move: Move, _ reason: PlainValueError) {
        let reason = "\(reason.field) \(reason.message)"
        append(
            .unhandledAction, about: "\(state.screen) \(move.step.event) \(reason)", state, move,
            saying: "\(state.screen) at \(state.path) offers \(move.words) with an invalid payload: its field "
                + "\(reason). Offer values that can be sent.")
    }

    mutating func appendOffer(_ state: AppGraph.State, _ diagnostic: Diagnostic) {
        append(
            .unhandledAction, about: "\(diagnostic)", state,
            saying: "\(state.screen) at \(state.path) cannot offer an action as the app declares it: \(diagnostic).")
    }

    mutating func appendDeadEnd(_ state: AppGraph.State) {
        append(
            .deadEnd, about: state.screen, state,
            saying: "\(state.screen) at \(state.path) offers no action, not even Back, and nothing is pending. "
                + "Offer an action, or do not navigate there.")
    }

    mutating func appendLink(_ state: AppGraph.State, _ end: String) {
        append(
            .linkDiffers, about: "\(state.screen) \(end == "nowhere" ? end : String(end.prefix { $0 != " " }))", state,
            saying: "\(state.path) shows \(state.screen), but leads to \(end) in a new session. "
                + "Give the screen its own route, or change goTo(_:) to lead to it.")
    }

    mutating func appendLink(_ state: AppGraph.State, _ move: Move, to path: String, insteadOf end: String) {
        append(
            .linkDiffers, about: "\(state.screen) \(move.step.event)", state, move,
            saying: "\(state.screen) at \(state.path) offers \(move.words), which says that it opens "
                + "\(move.opens ?? ""), but leads to \(path). A link there leads to \(end). "
                + "Correct what the action opens, or change goTo(_:).")
    }

    mutating func appendFailure(_ state: AppGraph.State, _ move: Move, _ reason: String) {
        append(
            .failedTurn, about: "\(state.screen) \(move.step.event) \(reason)", state, move,
            saying: "\(move.words) fails on \(state.screen) at \(state.path): \(reason).")
    }

    mutating func appendFailedStart(_ reason: String) {
        append(.failedTurn, about: reason, nil, saying: "The app fails at its start: \(reason).")
    }

    mutating func appendUnsteady(_ state: AppGraph.State, _ difference: String) {
        append(
            .notDeterministic, about: "\(state.id)", state,
            saying:
                "The same events lead to \(state.screen) at \(state.path), but \(difference) differed the second time. "
                + "Use now and random for time and chance, and keep no state outside of the tree.")
    }
}

extension Remarks {
    // MARK: Findings about things not reached

    /// Adds findings about everything that a complete walk has not reached, with what was tried and what would help.
    ///
    /// - Parameter graph: The graph of the walk. States that it does not distinguish may differ in what no screen shows,
    ///   and something that was not reached may be behind one of those.
    mutating func append(_ unreached: Unreached, of app: ExploredApp, in graph: AppGraph) {
        let states = graph.states.count
        let tried = states == 1 ? "in the only state" : "in \(states) states"
        let idle = graph.idleEvents
        let names = idle.prefix(3).joined(separator: ", ") + (idle.count > 3 ? " and more" : "")
        let last =
            "\(graph.key == .document ? "remove it, " : "")or, if it depends on something that distinguishes no states, "
            + "declare that in facts(of:).\(idle.isEmpty ? "" : " Events that led to no new state: \(names).")"
        for pattern in unreached.patterns { appendPath(pattern, of: app, tried, last) }
        for event in unreached.events {
            append(
                .event, about: event, nil,
                saying:
                    "\(event) is declared, but was not offered \(tried). Offer it, declare it as app-only if clients "
                    + "do not send it, \(last)")
        }
        for form in unreached.forms {
            let lines = form.fields.map { ".input(\"\($0)\", of: \"\(form.event)\", …)" }
            append(
                .event, about: form.event, nil,
                saying: "\(form.event) was sent as \(form.screen) shows it, but the app refused its "
                    + "\(form.fields.joined(separator: ", ")). Add to samples: \(lines.joined(separator: ", ")).")
        }
        for work in unreached.work {
            let others = work.hasOthers ? "; its samples have other types" : ""
            append(
                .outcome, about: work.name, nil,
                saying:
                    "The work \"\(work.name)\" of \(work.asker) was only tried as failed: it returns \(work.type), and "
                    + "there is no sample of that type\(others). Add to samples: .work(\"\(work.name)\", …).")
        }
        for name in unreached.sampledWork {
            append(
                .outcome, about: name, nil,
                saying:
                    "The work \"\(name)\" has samples, but was not requested \(tried). Correct its name, \(last)")
        }
    }

    private mutating func appendPath(_ pattern: String, of app: ExploredApp, _ tried: String, _ last: String) {
        let opened = app.links.filter { link in
            RoutePath(link).map { app.app.routes.patterns(like: $0).contains(pattern) } ?? false
        }
        let ends = opened.map { "\($0) \(app.end(of: $0).words)" }.joined(separator: ", ")
        let help =
            opened.isEmpty
            ? "It has values, so it was not opened as a link. Add to samples: .link(\"/\(pattern)\"), with values"
            : "Opened as a link, \(ends). Add samples of values to enter, or of steps before it"
        append(
            .path, about: pattern, nil,
            saying: "/\(pattern) is declared, but was not shown \(tried). \(help), navigate there, \(last)")
    }
}

extension AppGraph {
    /// The app's events that were handled and led to no new state: each may have changed something that distinguishes no
    /// states. Those that led from a state to itself are first.
    fileprivate var idleEvents: [String] {
        let finders = Set(states.compactMap(\.journal.last?.event)).union(EventCatalog().entries.map(\.name))
        let idle = transitions.filter { $0.handledBy != nil && !finders.contains($0.step.event) }
        var known: Set<String> = []
        return (idle.filter { $0.from == $0.to } + idle).map(\.step.event).filter { known.insert($0).inserted }
    }
}

extension LinkEnd {
    /// The place to which a link led, in words that follow the link.
    fileprivate var words: String {
        switch self {
        case .screen(_, let path), .redirected(let path): "led to \(path)"
        case .nowhere: "led nowhere"
        case .failed(let reason): "failed (\(reason))"
        }
    }
}

extension Move {
    /// The move in words: `"Add" (notes.add)`.
    fileprivate var words: String {
        switch source {
        case .button, .form: "\"\(title ?? "")\" (\(step.event))"
        case .link: step.event
        case .work(let name, let isFailure):
            "\(step.event), the \(isFailure ? "failure" : "outcome") of the work \"\(name)\","
        case .timer(let name): "\(step.event), of the timer \"\(name)\","
        }
    }
}

extension Diagnostic {
    /// Whether it is about an action of a screen that is left out or changed.
    var isAboutOffer: Bool {
        switch self {
        case .undeclaredEvent, .uncataloguedEvent, .appOnlyEvent, .noSuchField: true
        default: false
        }
    }
}
