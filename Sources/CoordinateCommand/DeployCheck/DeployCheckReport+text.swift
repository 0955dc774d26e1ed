internal import CoordinateSessions

extension DeployCheckReport {
    /// The most differences of an example, and the most other changes of a group. The report in JSON has more.
    private static var maximumDifferences: Int { 5 }

    /// The report for people.
    var text: String {
        var lines = sorted.flatMap(lines)
        let counts = counts.filter { $0.1 > 0 }.map { "\($0.1) \($0.0)" }
        lines.append(
            ([Self.sessions(sessions)] + (counts.isEmpty ? [] : [counts.joined(separator: ", ")]))
                .joined(separator: ": "))
        lines += remarks
        if !isComplete { lines.append("The check stopped after \(crashes) crashes. Other sessions were not tried.") }
        return lines.map { $0.onOneLine + "\n" }.joined()
    }

    /// The numbers of the last line, each session in one of them.
    private var counts: [(String, Int)] {
        let (good, bad) =
            switch purpose {
            case .check: ("ok", "differs")
            case .record(let file): ("recorded in \(file)", "cannot be replayed")
            case .compare: ("ok", "lost")
            }
        // What is a failure is not ok.
        let failed = if case .compare(_, _, isStrict: true) = purpose { changed } else { 0 }
        return [(good, ok - failed), ("changed", failed), (bad, lost), ("unreadable", unreadable)]
    }

    /// What the numbers do not say.
    private var remarks: [String] {
        var lines: [String] = []
        switch purpose {
        case .check: break
        case .record(let file): return isComplete ? [] : ["\(file) was not written."]
        case .compare(let file, let recordedBy, let isStrict):
            let counts = [
                (differs, "would be quarantined"), (isStrict ? 0 : changed, "only changed"),
                (gained, "gained something"),
                (notCompared, "not in \(file) and not compared"),
            ]
            let remarks = counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
            if !remarks.isEmpty { lines.append("Of these: \(remarks.joined(separator: ", ")).") }
            if recordedBy == appVersion { lines.append("\(file) was recorded by the same version, \(appVersion).") }
        }
        if differs > 0, policy == .accept {
            lines.append("No session would be quarantined, because COORDINATE_ON_CHANGE is accept.")
            if crashes > 0 { lines.append("But servers would crash with \(Self.sessions(crashes)).") }
        }
        return lines
    }

    private func lines(of group: Group) -> [String] {
        let head = "\(Self.sessions(group.count))  "
        let example = "  for example \(group.session)\(group.version.map { ", version \($0)" } ?? "")"
        guard let problem = group.problem else {
            let first = group.differences.first.map { Self.text(of: $0.group) } ?? ""
            let hidden = max(0, group.differences.count - Self.maximumDifferences) + group.unlisted
            let others = Self.sorted(group.others)
            let shown = group.kind == .changed ? min(others.count, Self.maximumDifferences) : others.count
            return [head + "\(group.kind) \(first)", example + (group.path.map { ", at \($0):" } ?? ":")]
                + group.differences.prefix(Self.maximumDifferences).map { "    \($0)" }
                + (hidden > 0 ? ["    and \(hidden) more"] : [])
                + others.prefix(shown).map { other, count in
                    "  \(count == group.count ? "all" : "\(count)") of them also: \(Self.text(of: other))"
                }
                + (shown < others.count ? ["  and \(others.count - shown) more"] : [])
        }
        let kind = if case .compare = purpose { "\(group.kind) " } else { "" }
        let place = problem.event.map { " \($0)" } ?? ""
        return [head + kind + problem.cause + place, "\(example): \(problem.reason)"]
            + (problem.recorded.map { ["  recorded: \(Self.text(of: $0))"] } ?? [])
            + (problem.now.map { ["  now:      \(Self.text(of: $0))"] } ?? [])
    }

    static func text(of group: PlaceComparison.Difference.Group) -> String {
        // The app's own names of work may be words of this report.
        let known = group.cause == .pending ? group.name.map { "\"\($0)\"" } : group.name
        return group.cause.rawValue + (known.map { " \($0)" } ?? "") + (group.screen.map { " on \($0)" } ?? "")
    }

    private static func text(of outcome: AppChange.Outcome) -> String {
        let handler = outcome.isHandled ? outcome.handledBy.map { "handled by \($0)" } ?? "handled" : "not handled"
        return "\(handler), path \(outcome.path)"
    }

    private static func sessions(_ count: Int) -> String {
        count == 1 ? "1 session" : "\(count) sessions"
    }
}

extension String {
    /// The text with control characters and line separators written as in Swift: a title may have some, and a terminal
    /// would obey them.
    fileprivate var onOneLine: String {
        unicodeScalars.map { scalar in
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator: scalar.escaped(asASCII: true)
            default: "\(scalar)"
            }
        }.joined()
    }
}
