internal import DequeModule
internal import Fairness

/// The jobs on the lanes, and the order of their turns: each client with something to do has one turn, and then the
/// next client.
///
/// The first jobs of a client take turns among themselves. Its other jobs start when one of those is done.
struct JobQueue {
    typealias Job = any FairScheduler.Job

    /// The length of a turn. A client whose turn took longer is passed over until the others have had as much.
    static let turn = Duration.milliseconds(4)
    /// The most jobs of a client that take turns.
    static let startedLimit = 8

    private struct Entry {
        let job: Job
        var hasStarted = false
    }

    private struct Line {
        /// The jobs that can continue.
        var ready: Deque<Job> = []
        /// The jobs that have not started.
        var waiting: Deque<Job> = []
        /// The number of jobs that have started: ready, being worked on, or paused.
        var started = 0
        /// The time by which its turns were too long.
        var excess = Duration.zero
        /// Whether the client is among ``JobQueue/clients``.
        var hasTurn = false

        var hasWork: Bool { !ready.isEmpty || !waiting.isEmpty && started < JobQueue.startedLimit }

        mutating func popFirst() -> Job? {
            if started < JobQueue.startedLimit, let job = waiting.popFirst() {
                started += 1
                return job
            }
            return ready.popFirst()
        }
    }

    private var entries: [ObjectIdentifier: Entry] = [:]
    private var shares = Shares<ClientKey>(limit: 4_096, share: 1_024)
    private var lines: [ClientKey: Line] = [:]
    /// The clients with something to do, in the order of their turns.
    private var clients: Deque<ClientKey> = []

    var count: Int { entries.count }

    var jobs: [Job] { entries.values.map(\.job) }

    /// Whether any job can be worked on.
    var hasWork: Bool { !clients.isEmpty }

    /// Accepts a job; `false` if there are too many already.
    mutating func enter(_ job: Job) -> Bool {
        let client = job.client
        guard client == .host ? shares.total < shares.limit : shares.hasRoom(for: client) else { return false }
        shares.add(1, for: client)
        entries[ObjectIdentifier(job)] = Entry(job: job)
        lines[client, default: Line()].waiting.append(job)
        line(up: client)
        return true
    }

    /// Puts a job in line for its next turn, unless it has left.
    mutating func ready(_ job: Job) {
        guard entries[ObjectIdentifier(job)] != nil else { return }
        lines[job.client]?.ready.append(job)
        line(up: job.client)
    }

    /// Removes a job. Does nothing if it has left already.
    mutating func leave(_ job: Job) {
        guard let entry = entries.removeValue(forKey: ObjectIdentifier(job)) else { return }
        let client = job.client
        shares.add(-1, for: client)
        if entry.hasStarted { lines[client]?.started -= 1 } else { lines[client]?.waiting.removeAll { $0 === job } }
        line(up: client)
        removeLineIfUnused(of: client)
    }

    /// The next job to work on.
    mutating func next() -> Job? {
        while let client = clients.popFirst() {
            lines[client]?.hasTurn = false
            let isAlone = clients.isEmpty
            var job: Job?
            if let excess = lines[client]?.excess, excess >= Self.turn, !isAlone {
                lines[client]?.excess -= Self.turn
            } else {
                if isAlone { lines[client]?.excess = .zero }
                job = lines[client]?.popFirst()
            }
            line(up: client)
            removeLineIfUnused(of: client)
            guard let job, entries[ObjectIdentifier(job)] != nil else { continue }
            entries[ObjectIdentifier(job)]?.hasStarted = true
            return job
        }
        return nil
    }

    /// Adds the time for which a client's job was worked on.
    mutating func charge(_ time: Duration, to client: ClientKey) {
        lines[client]?.excess += max(.zero, time - Self.turn)
    }

    /// Whether a job is still waiting to start.
    func isWaiting(_ job: Job) -> Bool { entries[ObjectIdentifier(job)]?.hasStarted == false }

    /// Whether a client has several jobs under way.
    func hasSeveral(_ client: ClientKey) -> Bool { client != .host && shares.amount(of: client) > 1 }

    private mutating func line(up client: ClientKey) {
        guard lines[client]?.hasWork == true, lines[client]?.hasTurn == false else { return }
        lines[client]?.hasTurn = true
        clients.append(client)
    }

    private mutating func removeLineIfUnused(of client: ClientKey) {
        if shares.amount(of: client) == 0, lines[client]?.hasTurn == false { lines[client] = nil }
    }
}
