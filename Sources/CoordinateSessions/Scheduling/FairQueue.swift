/// The jobs on the lanes, and their order: the client whose jobs have recently used the least time comes next.
///
/// A client without jobs collects no credit: it begins with the time that the waiting clients have used
/// (start-time fair queueing: Goyal, Vin and Cheng, 1997). The jobs of one client take turns.
struct FairQueue {
    /// The most jobs under way.
    private static let limit = 4_096
    /// The most jobs of one client under way.
    private static let limitPerClient = 1_024
    /// The maximum number of patient jobs under way. Each client without one may exceed it by one.
    static let patientLimit = 32
    static let patientLimitPerClient = 8
    private static let patientLimitWithNewClients = 256
    /// The longest total time that a patient job waits without progress.
    static let longestWait = Duration.seconds(10)

    typealias Instant = ContinuousClock.Instant

    struct Slot: Sendable {
        let job: any FairScheduler.Job
        let client: ClientKey
        /// Whether the job has waited too long and must give up.
        let isOverdue: Bool
    }

    private struct Entry {
        let job: any FairScheduler.Job
        let client: ClientKey
        let urgency: FairScheduler.Urgency
        var readySince: Instant
        /// Its position in the order in which jobs arrived.
        let number: Int
        var waited = Duration.zero
        /// Whether it has had a turn.
        var hasBegun = false
    }

    private struct Share {
        var ready: [any FairScheduler.Job] = []
        var used: Duration
        /// The number of its last turn, or of the turn before which it arrived.
        var lastTurn: Int
        var jobs = 0
        var patient = 0
    }

    /// All jobs under way: ready, being worked on, or paused.
    private var entries: [ObjectIdentifier: Entry] = [:]
    private var shares: [ClientKey: Share] = [:]
    private var patient = 0
    private var turns = 0
    private var lastNumber = 0
    /// The time that the client of the last turn had used.
    private var used = Duration.zero

    var count: Int { entries.count }

    var jobs: [any FairScheduler.Job] { entries.values.map(\.job) }

    /// Accepts a job; `false` if there are too many already.
    mutating func enter(_ job: any FairScheduler.Job, _ urgency: FairScheduler.Urgency, at now: Instant) -> Bool {
        let client = job.client
        var share = shares[client] ?? Share(used: used, lastTurn: turns + 1)
        guard entries.count < Self.limit, client == .host || share.jobs < Self.limitPerClient else {
            return false
        }
        if shares[client] == nil { turns += 1 }
        if urgency == .patient {
            let limit = share.patient == 0 ? Self.patientLimitWithNewClients : Self.patientLimit
            guard patient < limit, share.patient < Self.patientLimitPerClient else { return false }
            patient += 1
            share.patient += 1
        }
        share.jobs += 1
        shares[client] = share
        lastNumber += 1
        entries[ObjectIdentifier(job)] = Entry(
            job: job, client: client, urgency: urgency, readySince: now, number: lastNumber)
        return true
    }

    /// Puts a job in line for its next turn, unless it has left.
    mutating func ready(_ job: any FairScheduler.Job, at now: Instant) {
        guard let client = entries[ObjectIdentifier(job)]?.client else { return }
        entries[ObjectIdentifier(job)]?.readySince = now
        if shares[client]?.ready.isEmpty == true, let share = shares[client] {
            shares[client]?.used = max(share.used, used)
        }
        shares[client]?.ready.append(job)
    }

    /// Removes a job. Does nothing if it has left already.
    mutating func leave(_ job: any FairScheduler.Job) {
        guard let entry = entries.removeValue(forKey: ObjectIdentifier(job)), var share = shares[entry.client] else {
            return
        }
        share.jobs -= 1
        if entry.urgency == .patient {
            patient -= 1
            share.patient -= 1
        }
        shares[entry.client] = share.jobs == 0 ? nil : share
    }

    /// The next job to work on.
    mutating func next(at now: Instant) -> Slot? {
        while let (client, former) = shares.lazy.filter({ !$0.value.ready.isEmpty })
            .min(by: { ($0.value.used, $0.value.lastTurn) < ($1.value.used, $1.value.lastTurn) })
        {
            var share = former
            let job = share.ready.removeFirst()
            turns += 1
            share.lastTurn = turns
            shares[client] = share
            guard let entry = entries[ObjectIdentifier(job)] else { continue }
            used = max(used, share.used)
            let waited = entry.waited + entry.readySince.duration(to: now)
            entries[ObjectIdentifier(job)]?.waited = waited
            entries[ObjectIdentifier(job)]?.hasBegun = true
            return Slot(
                job: job, client: client, isOverdue: entry.urgency == .patient && waited > Self.longestWait)
        }
        return nil
    }

    /// Whether a job waits for its first turn behind others of its client, or takes turns with many that arrived
    /// before it.
    func isKeptWaiting(_ job: any FairScheduler.Job) -> Bool {
        guard let entry = entries[ObjectIdentifier(job)], entry.client != .host else { return false }
        let ahead = entries.values.count { $0.client == entry.client && $0.number < entry.number }
        return ahead >= Self.patientLimitPerClient || !entry.hasBegun && ahead > 0
    }

    /// Whether a client has several jobs under way.
    func hasSeveral(_ client: ClientKey) -> Bool {
        client != .host && shares[client].map { $0.jobs > 1 } ?? false
    }

    /// Adds the time for which a client's job was worked on.
    mutating func note(_ time: Duration, for client: ClientKey) {
        shares[client]?.used += time
    }
}
