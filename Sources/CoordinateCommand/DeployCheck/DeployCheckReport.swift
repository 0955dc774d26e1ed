internal import ArgumentParser
internal import CoordinateSessions

/// The results of replaying sessions with another version of an app, grouped by what differs first.
struct DeployCheckReport: Sendable {
    enum Format: String, CaseIterable, ExpressibleByArgument {
        case text, json
    }

    /// What a check is for.
    enum Purpose: Equatable, Sendable {
        /// Which sessions would be quarantined.
        case check
        /// The places of the sessions are recorded in a file.
        case record(file: String)
        /// The sessions are compared with the places in a file.
        case compare(file: String, recordedBy: String, isStrict: Bool)
    }

    /// The sessions that first differ in the same way.
    struct Group: Sendable {
        enum Kind: String, Sendable {
            case unreadable, quarantined, lost, changed
        }

        let kind: Kind
        var count = 0
        /// The shortest journal up to the difference; of several, the one with the first id.
        var session: SessionID
        var version: Int?
        /// The reason for a quarantine, or why the session cannot be read.
        var problem: SessionProblem?
        /// The differences of the place, first the one that the sessions share.
        var differences: [PlaceComparison.Difference] = []
        /// The number of further differences.
        var unlisted = 0
        /// The path of the recorded place.
        var path: String?
        /// The number of sessions that have another difference as well.
        var others: [PlaceComparison.Difference.Group: Int] = [:]
    }

    /// What the sessions of a group share.
    private enum Key: Hashable {
        case problem(cause: String, event: String?)
        case difference(Group.Kind, PlaceComparison.Difference.Group)
        /// Any other: there are too many groups.
        case other(Group.Kind)
    }

    /// The name and the version of the app.
    let app: String
    let appVersion: String
    let purpose: Purpose
    /// The policy of the servers for sessions that differ.
    let policy: AppChangePolicy
    /// The sessions that keep everything.
    private(set) var ok = 0
    /// Those of them whose texts or values change.
    private(set) var changed = 0
    /// The compared sessions that gain something.
    private(set) var gained = 0
    /// The sessions that were compared with a place, and those that have none in the file.
    private(set) var (compared, notCompared) = (0, 0)
    private var groups: [Key: Group] = [:]
    private static var maximumGroups: Int { 1_000 }
    /// Whether the check tried all requested sessions.
    var isComplete = true

    init(of app: String, _ appVersion: String, for purpose: Purpose, policy: AppChangePolicy) {
        self.app = app
        self.appVersion = appVersion
        self.purpose = purpose
        self.policy = policy
    }

    mutating func record(_ result: TrialResult, of trial: Trial) {
        switch result {
        case .ok, .place: ok += 1
        case .problem(let problem): record(problem, of: trial.session)
        case .compared(let comparison): record(comparison, of: trial.session)
        case .ended, .turn: return
        }
        if trial.place == nil { notCompared += 1 }
    }

    private mutating func record(_ problem: SessionProblem, of session: SessionID) {
        let kind: Group.Kind = problem.cause == SessionProblem.damaged ? .unreadable : .quarantined
        record(
            Group(kind: kind, session: session, version: problem.version, problem: problem),
            under: .problem(cause: problem.cause, event: problem.event), others: [])
    }

    private mutating func record(_ comparison: PlaceComparison, of session: SessionID) {
        compared += 1
        if comparison.gained > 0 { gained += 1 }
        if comparison.lost.isEmpty { ok += 1 }
        if comparison.lost.isEmpty, !comparison.changed.isEmpty { changed += 1 }
        // What has changed does not matter to who has lost something.
        let kind = comparison.lost.isEmpty ? Group.Kind.changed : .lost
        let differences = kind == .lost ? comparison.lost : comparison.changed
        guard let first = differences.first else { return }
        record(
            Group(
                kind: kind, session: session, version: comparison.version, differences: differences,
                unlisted: comparison.unlisted, path: comparison.path),
            under: .difference(kind, first.group), others: Set(differences.map(\.group)).subtracting([first.group]))
    }

    private mutating func record(
        _ example: Group, under key: Key, others: Set<PlaceComparison.Difference.Group>
    ) {
        // Names in an app are few. If it has others, they share a group, so that the report stays small.
        let key = groups[key] == nil && groups.count >= Self.maximumGroups ? .other(example.kind) : key
        var group = groups[key] ?? example
        // Sessions come in the order of their ids.
        if example.version ?? .max < group.version ?? .max {
            let (count, others) = (group.count, group.others)
            group = example
            (group.count, group.others) = (count, others)
        }
        group.count += 1
        for other in others where group.others[other] != nil || group.others.count < Self.maximumGroups {
            group.others[other, default: 0] += 1
        }
        groups[key] = group
    }

    // MARK: Counts

    private func count(_ isMeant: (Group) -> Bool) -> Int {
        groups.values.reduce(0) { isMeant($1) ? $0 + $1.count : $0 }
    }

    /// The number of sessions that the app would quarantine.
    var differs: Int { count { $0.kind == .quarantined } }
    var unreadable: Int { count { $0.kind == .unreadable } }
    /// The number of sessions that would lose something: those that would be quarantined, and those whose place differs.
    var lost: Int { differs + count { $0.kind == .lost } }
    var crashes: Int { count { $0.problem?.cause == SessionProblem.crash } }
    var sessions: Int { ok + lost + unreadable }

    /// The groups: first what is worst, and of one kind the largest.
    var sorted: [Group] {
        func order(_ group: Group) -> (Int, Int, String, String, String) {
            let first = group.differences.first
            return (
                group.kind == .changed ? 1 : 0, -group.count, group.problem?.event ?? first?.name ?? "",
                group.problem?.cause ?? first?.cause.rawValue ?? "", first?.screen ?? ""
            )
        }
        return groups.values.sorted { order($0) < order($1) }
    }

    /// The exit code: 0 if servers would continue with all sessions, and none loses its place. An unreadable session
    /// outweighs one that differs.
    var exitCode: ExitCode {
        if unreadable > 0 { return .unusable }
        // With the policy `accept`, servers would continue with sessions that differ, but crashes would end them.
        let failures = policy == .accept ? lost - differs + crashes : lost
        switch purpose {
        case .check: return failures > 0 ? .failure : .success
        case .record: return isComplete ? .success : .failure
        case .compare(_, _, let isStrict): return failures > 0 || isStrict && changed > 0 ? .failure : .success
        }
    }

    /// What sessions of a group have lost as well, and how many: first the largest number.
    static func sorted(
        _ others: [PlaceComparison.Difference.Group: Int]
    ) -> [(difference: PlaceComparison.Difference.Group, count: Int)] {
        others.map { ($0, $1) }.sorted { ($1.1, text(of: $0.0)) < ($0.1, text(of: $1.0)) }
    }

    func text(as format: Format) -> String {
        switch format {
        case .text: text
        case .json: json
        }
    }
}
