/// The jobs on the lanes, and their order: the requester whose jobs have recently used the least time comes next.
///
/// A requester without jobs collects no credit: it begins with the time that the waiting requesters have used
/// (start-time fair queueing: Goyal, Vin and Cheng, 1997). The jobs of one requester take turns.
struct LaneRoster {
    /// The most jobs under way.
    private static let limit = 4_096
    /// The most jobs of one requester under way.
    private static let limitPerRequester = 1_024
    /// The maximum number of patient jobs under way. Each requester without one may exceed it by one.
    static let patientLimit = 32
    static let patientLimitPerRequester = 8
    private static let patientLimitWithNewcomers = 256
    /// The longest total time that a patient job waits without progress.
    static let longestWait = Duration.seconds(10)

    typealias Instant = ContinuousClock.Instant

    struct Turn: Sendable {
        let job: any Lanes.Job
        let requester: Requester
        /// Whether the job has waited too long and must give up.
        let isOverdue: Bool
    }

    private struct Entry {
        let job: any Lanes.Job
        let requester: Requester
        let urgency: Lanes.Urgency
        var readySince: Instant
        /// Its position in the order in which jobs arrived.
        let number: Int
        var waited = Duration.zero
        /// Whether it has had a turn.
        var hasBegun = false
    }

    private struct Share {
        var ready: [any Lanes.Job] = []
        var used: Duration
        /// The number of its last turn, or of the turn before which it arrived.
        var lastTurn: Int
        var jobs = 0
        var patient = 0
    }

    /// All jobs under way: ready, being worked on, or paused.
    private var entries: [ObjectIdentifier: Entry] = [:]
    private var shares: [Requester: Share] = [:]
    private var patient = 0
    private var turns = 0
    private var lastNumber = 0
    /// The time that the requester of the last turn had used.
    private var used = Duration.zero

    var count: Int { entries.count }

    var jobs: [any Lanes.Job] { entries.values.map(\.job) }

    /// Accepts a job; `false` if there are too many already.
    mutating func enter(_ job: any Lanes.Job, _ urgency: Lanes.Urgency, at now: Instant) -> Bool {
        let requester = job.requester
        var share = shares[requester] ?? Share(used: used, lastTurn: turns + 1)
        guard entries.count < Self.limit, requester == .host || share.jobs < Self.limitPerRequester else {
            return false
        }
        if shares[requester] == nil { turns += 1 }
        if urgency == .patient {
            let limit = share.patient == 0 ? Self.patientLimitWithNewcomers : Self.patientLimit
            guard patient < limit, share.patient < Self.patientLimitPerRequester else { return false }
            patient += 1
            share.patient += 1
        }
        share.jobs += 1
        shares[requester] = share
        lastNumber += 1
        entries[ObjectIdentifier(job)] = Entry(
            job: job, requester: requester, urgency: urgency, readySince: now, number: lastNumber)
        return true
    }

    /// Puts a job in line for its next turn, unless it has left.
    mutating func ready(_ job: any Lanes.Job, at now: Instant) {
        guard let requester = entries[ObjectIdentifier(job)]?.requester else { return }
        entries[ObjectIdentifier(job)]?.readySince = now
        if shares[requester]?.ready.isEmpty == true, let share = shares[requester] {
            shares[requester]?.used = max(share.used, used)
        }
        shares[requester]?.ready.append(job)
    }

    /// Removes a job. Does nothing if it has left already.
    mutating func leave(_ job: any Lanes.Job) {
        guard let entry = entries.removeValue(forKey: ObjectIdentifier(job)), var share = shares[entry.requester] else {
            return
        }
        share.jobs -= 1
        if entry.urgency == .patient {
            patient -= 1
            share.patient -= 1
        }
        shares[entry.requester] = share.jobs == 0 ? nil : share
    }

    /// The next job to work on.
    mutating func next(at now: Instant) -> Turn? {
        while let (requester, former) = shares.lazy.filter({ !$0.value.ready.isEmpty })
            .min(by: { ($0.value.used, $0.value.lastTurn) < ($1.value.used, $1.value.lastTurn) })
        {
            var share = former
            let job = share.ready.removeFirst()
            turns += 1
            share.lastTurn = turns
            shares[requester] = share
            guard let entry = entries[ObjectIdentifier(job)] else { continue }
            used = max(used, share.used)
            let waited = entry.waited + entry.readySince.duration(to: now)
            entries[ObjectIdentifier(job)]?.waited = waited
            entries[ObjectIdentifier(job)]?.hasBegun = true
            return Turn(
                job: job, requester: requester, isOverdue: entry.urgency == .patient && waited > Self.longestWait)
        }
        return nil
    }

    /// Whether a job waits for its first turn behind others of its requester, or takes turns with many that arrived
    /// before it.
    func isKeptWaiting(_ job: any Lanes.Job) -> Bool {
        guard let entry = entries[ObjectIdentifier(job)], entry.requester != .host else { return false }
        let ahead = entries.values.count { $0.requester == entry.requester && $0.number < entry.number }
        return ahead >= Self.patientLimitPerRequester || !entry.hasBegun && ahead > 0
    }

    /// Whether a requester has several jobs under way.
    func hasSeveral(_ requester: Requester) -> Bool {
        requester != .host && shares[requester].map { $0.jobs > 1 } ?? false
    }

    /// Adds the time for which a requester's job was worked on.
    mutating func note(_ time: Duration, for requester: Requester) {
        shares[requester]?.used += time
    }
}
