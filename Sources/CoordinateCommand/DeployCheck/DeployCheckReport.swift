internal import ArgumentParser
internal import CoordinateSessions
internal import JSON

/// The results of trying sessions with a new app: problems, grouped by their first cause.
struct DeployCheckReport: Sendable {
    enum Format: String, CaseIterable, ExpressibleByArgument {
        case text, json
    }

    /// The sessions that first differ in the same way, in the same event.
    private struct Group: Sendable {
        var count = 0
        /// The shortest journal up to its problem; of several, the one with the first id.
        var session: SessionID
        var problem: SessionProblem
    }

    /// The name and the version of the app.
    let app: String
    private let appVersion: String
    /// The policy of the servers for sessions that differ.
    private let policy: AppChangePolicy
    private(set) var ok = 0
    /// By cause and event.
    private var groups: [[String?]: Group] = [:]
    /// Whether the check tried all requested sessions.
    var isComplete = true

    init(of app: String, _ appVersion: String, policy: AppChangePolicy) {
        self.app = app
        self.appVersion = appVersion
        self.policy = policy
    }

    mutating func record(_ results: [(session: SessionID, result: TrialResult)]) {
        for (session, result) in results {
            switch result {
            case .ok: ok += 1
            case .problem(let problem): record(problem, of: session)
            case .ended, .turn: break
            }
        }
    }

    private mutating func record(_ problem: SessionProblem, of session: SessionID) {
        let key = [problem.cause, problem.event]
        var group = groups[key] ?? Group(session: session, problem: problem)
        group.count += 1
        let (old, new) = (group.problem.version ?? .max, problem.version ?? .max)
        if new < old || new == old && session.description < group.session.description {
            (group.session, group.problem) = (session, problem)
        }
        groups[key] = group
    }

    // MARK: Counts

    /// The number of sessions that the app would quarantine.
    private var differs: Int { groups.values.reduce(0) { $0 + $1.count } - unreadable }
    private var unreadable: Int { count(of: SessionProblem.damaged) }
    var crashes: Int { count(of: SessionProblem.crash) }

    private func count(of cause: String) -> Int {
        groups.values.reduce(0) { $1.problem.cause == cause ? $0 + $1.count : $0 }
    }

    /// The groups, largest first.
    private var sorted: [Group] {
        func order(_ group: Group) -> (Int, String, String) {
            (-group.count, group.problem.event ?? "", group.problem.cause)
        }
        return groups.values.sorted { order($0) < order($1) }
    }

    /// The number of sessions with which servers would not continue. With the policy `accept`, these would crash them.
    private var failures: Int { policy == .accept ? crashes : differs }

    /// The exit code: 0 if servers would continue with all sessions. An unreadable session outweighs one that differs.
    var exitCode: ExitCode {
        unreadable > 0 ? .unusable : failures > 0 ? .failure : .success
    }

    func text(as format: Format) -> String {
        switch format {
        case .text: text
        case .json: json
        }
    }

    // MARK: Text

    private var text: String {
        var lines = sorted.flatMap(Self.lines)
        let counts = [("ok", ok), ("differs", differs), ("unreadable", unreadable)].filter { $0.1 > 0 }
        let all = ok + differs + unreadable
        let summary = counts.map { "\($0.1) \($0.0)" }.joined(separator: ", ")
        lines.append(all == 0 ? Self.sessions(0) : "\(Self.sessions(all)): \(summary)")
        if differs > 0, policy == .accept {
            lines.append("No session would be quarantined, because COORDINATE_ON_CHANGE is accept.")
            if crashes > 0 { lines.append("But servers would crash with \(Self.sessions(crashes)).") }
        }
        if !isComplete { lines.append("The check stopped after \(crashes) crashes. Other sessions were not tried.") }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func lines(of group: Group) -> [String] {
        let problem = group.problem
        let place = problem.event.map { " \($0)" } ?? ""
        var lines = ["\(sessions(group.count))  \(problem.cause)\(place)"]
        lines.append(
            "  for example \(group.session)\(problem.version.map { ", version \($0)" } ?? ""): \(problem.reason)")
        if let recorded = problem.recorded { lines.append("  recorded: \(text(of: recorded))") }
        if let now = problem.now { lines.append("  now:      \(text(of: now))") }
        return lines
    }

    private static func text(of outcome: AppChange.Outcome) -> String {
        let handler = outcome.isHandled ? outcome.handledBy.map { "handled by \($0)" } ?? "handled" : "not handled"
        return "\(handler), path \(outcome.path)"
    }

    private static func sessions(_ count: Int) -> String {
        count == 1 ? "1 session" : "\(count) sessions"
    }

    // MARK: JSON

    private var json: String {
        var json = JSONWriter<[UInt8]>()
        json.line {
            $0.object {
                $0.field("deployCheck", 1)
                $0.field("app", app)
                $0.field("appVersion", appVersion)
                $0.field("sessions", ok + differs + unreadable)
                $0.field("ok", ok)
                $0.field("differs", differs)
                $0.field("unreadable", unreadable)
                $0.field("complete", isComplete)
                $0.array("groups", sorted) { json, group in
                    json.object {
                        $0.field("cause", group.problem.cause)
                        $0.field("event", group.problem.event)
                        $0.field("sessions", group.count)
                        $0.object("journal") {
                            $0.field("session", group.session.description)
                            $0.field("version", group.problem.version)
                            $0.outcome("recorded", group.problem.recorded)
                            $0.outcome("now", group.problem.now)
                            $0.field("reason", group.problem.reason)
                        }
                    }
                }
            }
        }
        return String(decoding: json.written(), as: UTF8.self)
    }
}

extension JSONWriter<[UInt8]> {
    fileprivate mutating func outcome(_ name: StaticString, _ outcome: AppChange.Outcome?) {
        guard let outcome else {
            key(name)
            return null()
        }
        object(name) {
            $0.field("event", outcome.event)
            $0.field("handled", outcome.isHandled)
            $0.field("handledBy", outcome.handledBy)
            $0.field("path", outcome.path)
        }
    }
}
