internal import CEventLoop
internal import CMicroHTTPD
internal import Glibc
internal import Synchronization

/// The loop of one worker. It waits for sockets, messages and deadlines, and handles them.
///
/// Everything here is used only on the worker's thread: libmicrohttpd's daemon, which has no thread of its own, the
/// connections, and what waits for them.
///
/// Each resume makes libmicrohttpd examine all its suspended connections. So all ready connections are resumed
/// together, and the pause until the next time grows with their number.
@safe final class EventLoop {
    let worker: HTTPWorker
    let service: Service
    private let table: ConnectionTable
    private let settings: UnsafeMutablePointer<CMHDSettings>
    private var daemon: OpaquePointer!
    private var descriptor: Int32 = -1

    private var connections: [ConnectionID: Connection] = [:]
    /// The connections that libmicrohttpd was given and has not begun, by socket. Version 0.9.75 begins them at once,
    /// 1.0 when it next runs.
    private var arriving: [Int32: ConnectionEntry] = [:]
    private var deadlines = Deadlines<ConnectionID>()
    private var nextDeadline = Int64.max
    /// The suspended connections that have something to send.
    private var ready: [Connection] = []
    private var suspendedCount = 0
    private(set) var phase = StoppingPhase.open

    /// The times, in nanoseconds, of the next resume, of the next search for slow requests, and of the next search for
    /// clients that have left.
    private var nextResume: Int64 = 0
    private var nextSweep: Int64 = 0
    private var nextWatch: Int64 = 0
    /// The connections that the current sweep has yet to check.
    private var toBeSwept: [ConnectionID] = []

    /// The interval at which the clients of suspended connections are checked, in nanoseconds.
    private static let watchPeriod: Int64 = 1_000_000_000
    /// The number of parts of a sweep of all connections, so that no request waits for a whole sweep.
    private static let sweepParts = 16

    init(_ worker: HTTPWorker, of service: Service, table: ConnectionTable) {
        self.worker = worker
        self.service = service
        self.table = table
        unsafe settings = .allocate(capacity: 1)
    }

    deinit {
        unsafe settings.deallocate()
    }

    /// Starts the daemon.
    ///
    /// - Parameter limit: The most connections of this loop.
    func start(limit: Int) throws(HTTPServerError) {
        let configuration = service.configuration
        unsafe settings.initialize(
            to: CMHDSettings(
                connection_limit: UInt32(clamping: limit),
                idle_timeout: UInt32(clamping: max(1, configuration.idleTimeout.components.seconds)),
                connection_memory: configuration.connectionMemory,
                context: Unmanaged.passUnretained(self).toOpaque(),
                request_part: { unsafe EventLoop.requestPart($0, $1, $2, $3, $4, $5, $6, $7) },
                request_line: { unsafe EventLoop.requestLine($0, $1, $2) },
                unescape: { unsafe EventLoop.unescape($2) },
                request_completed: { context, _, slot, _ in unsafe EventLoop.requestCompleted(context, slot) },
                connection_changed: { unsafe EventLoop.connectionChanged($0, $1, $2, $3) },
                log: { unsafe EventLoop.log($0, $1) }))
        guard let daemon = unsafe cmhd_start(settings) else { throw .daemon }
        unsafe self.daemon = unsafe daemon
        descriptor = unsafe cmhd_epoll_descriptor(daemon)
    }

    /// Stops the daemon, which closes all connections. None may be suspended.
    func stop() {
        resumeAll()
        unsafe _ = MHD_run(daemon)
        unsafe MHD_stop_daemon(daemon)
        unsafe daemon = nil
    }

    // MARK: The loop

    /// Serves until the server has stopped. Runs on the worker's thread.
    func run() {
        worker.begin()
        while phase != .over {
            waitForMore()
            doRound()
        }
        for message in worker.closeMailbox() { handle(message) }
        stop()
    }

    /// Does everything that is due.
    func doRound() {
        for message in worker.takeMessages() { handle(message) }
        let now = cloop_nanoseconds()
        worker.recordProgress(at: now)
        if !ready.isEmpty, now >= nextResume { resumeReady(at: now) }
        unsafe _ = MHD_run(daemon)
        if now >= nextDeadline { meetDeadlines(at: now) }
        if now >= nextWatch {
            nextWatch = now + Self.watchPeriod
            findDisconnected()
        }
        if now >= nextSweep { sweep(at: now) }
    }

    /// Waits for sockets, messages, or the next deadline.
    func waitForMore(atMost limit: Int64 = .max) {
        guard worker.fallAsleep() else { return }
        var next = connections.isEmpty ? Int64.max : nextSweep
        if !ready.isEmpty { next = min(next, nextResume) }
        if suspendedCount > 0 { next = min(next, nextWatch) }
        next = min(next, nextDeadline)
        var time = next == .max ? Int64.max : max(0, next - cloop_nanoseconds())
        let timeout = unsafe cmhd_timeout(daemon)
        if timeout >= 0 { time = min(time, timeout * 1_000_000) }
        time = min(time, limit)
        let woken = cloop_wait(descriptor, worker.eventfd, time == .max ? -1 : time)
        if woken & 2 != 0 { cloop_clear(worker.eventfd) }
    }

    private func handle(_ message: HTTPWorker.Message) {
        switch message {
        case .connect(let entry): add(entry)
        case .ready(let id):
            if let connection = connections[id] { prepare(connection) }
        case .cutOff(let id):
            if let connection = connections[id], connection.reader != nil { connection.shutDown() }
        case .enter(let phase): enter(phase)
        case .run(let job):
            worker.recordProgress(at: cloop_nanoseconds())
            job()
        case .job(let job):
            worker.recordProgress(at: cloop_nanoseconds())
            unsafe job.runSynchronously(on: worker.asUnownedTaskExecutor())
        }
    }

    // MARK: Connections

    private func add(_ entry: ConnectionEntry) {
        guard phase < .closed else {
            table.remove(entry)
            close(entry.socket)
            return
        }
        arriving[entry.socket] = entry
        guard unsafe cmhd_add_connection(daemon, entry.socket) != .YES else { return }
        // libmicrohttpd has closed the socket.
        arriving[entry.socket] = nil
        table.remove(entry)
    }

    /// Creates the record of a connection that libmicrohttpd has begun.
    func begin(_ raw: OpaquePointer) -> Connection? {
        guard let entry = arriving.removeValue(forKey: unsafe cmhd_socket(raw)) else { return nil }
        let connection = unsafe Connection(
            entry, raw: raw, in: self, isObserved: service.onExchange != nil,
            chargedTo: service.memory.connections)
        connections[entry.id] = connection
        if connections.count == 1 { nextSweep = cloop_nanoseconds() }
        return connection
    }

    /// Answers a request whose header is complete, and which libmicrohttpd 0.9.75 is about to refuse. It would send the
    /// head of its own answer twice.
    ///
    /// Called while the library logs the reason. Every other complete header has been handed over.
    func answerRefusedHeader(_ reason: HTTPRefusal.Reason) {
        let refused = connections.values.first { connection in
            guard case .fresh = connection.stage, let raw = unsafe connection.raw else { return false }
            return unsafe connection.isReceiving && cmhd_header_size(raw) > 0
        }
        refused?.end(with: service.refuse(HTTPRefusal(reason)))
    }

    /// Removes a connection whose socket is about to be closed.
    func end(_ connection: Connection) {
        guard let entry = connection.entry else { return }
        table.remove(entry)
        deadlines.remove(entry.id)
        connections[entry.id] = nil
    }

    // MARK: Suspending

    /// Suspends a connection in libmicrohttpd. Call it only within a callback for the connection.
    func suspend(_ connection: Connection) {
        guard let raw = unsafe connection.raw, !connection.isSuspended else { return }
        connection.isSuspended = true
        suspendedCount += 1
        if suspendedCount == 1 { nextWatch = cloop_nanoseconds() + Self.watchPeriod }
        unsafe MHD_suspend_connection(raw)
    }

    private func resume(_ connection: Connection) {
        connection.isReady = false
        guard let raw = unsafe connection.raw, connection.isSuspended else { return }
        connection.isSuspended = false
        suspendedCount -= 1
        unsafe MHD_resume_connection(raw)
    }

    /// Sets a time at which a connection needs attention.
    func enter(_ connection: Connection, at time: ContinuousClock.Instant) {
        guard let id = connection.entry?.id else { return }
        let left = max(.zero, ContinuousClock.now.duration(to: time))
        let due = cloop_nanoseconds() + Int64(clamping: Int(left / .nanoseconds(1)))
        deadlines.enter(id, at: due)
        nextDeadline = min(nextDeadline, due + Deadlines<ConnectionID>.step)
    }

    /// Prepares to resume a suspended connection, if it has something to send.
    private func prepare(_ connection: Connection) {
        switch connection.stage {
        case .parked(let answer):
            guard let response = answer.take() else { return }
            deadlines.remove(answer.connection)
            connection.stage = .answered(response)
        case .sending(let stream):
            if stream.isCutOff { connection.shutDown() }
            guard connection.isSuspended, stream.prepareToResume() else { return }
        case .fresh, .collecting, .streaming, .answered, .discarding, .abandoned:
            return
        }
        setReady(connection)
    }

    private func setReady(_ connection: Connection) {
        guard connection.isSuspended, !connection.isReady else { return }
        connection.isReady = true
        ready.append(connection)
    }

    private func resumeReady(at now: Int64) {
        for connection in ready { resume(connection) }
        ready.removeAll(keepingCapacity: true)
        nextResume = now + Self.pause(among: suspendedCount)
    }

    /// The least time from one resume to the next, in nanoseconds. It is many times what libmicrohttpd needs to examine
    /// that many connections, and too short to be noticed.
    static func pause(among suspended: Int) -> Int64 {
        suspended <= 64 ? 0 : Int64(min(2 * suspended, 10_000)) * 1_000
    }

    // MARK: Waiting requests

    /// Answers a parked request with the handler's `otherwise` closure.
    private func expire(_ connection: Connection, _ answer: PendingAnswer) {
        guard answer.expire() else { return }
        deadlines.remove(answer.connection)
        connection.stage = .answered(answer.otherwise())
        setReady(connection)
    }

    /// Closes the connection of a parked request whose client has left.
    private func abandon(_ connection: Connection, _ answer: PendingAnswer) {
        guard answer.expire() else { return }
        deadlines.remove(answer.connection)
        connection.stage = .abandoned
        setReady(connection)
    }

    private func meetDeadlines(at now: Int64) {
        for id in deadlines.removeDue(by: now) {
            guard let connection = connections[id] else { continue }
            switch connection.stage {
            case .parked(let answer): expire(connection, answer)
            case .sending(let stream):
                if let next = stream.beat(.now) { enter(connection, at: next) }
                prepare(connection)
            default: break
            }
        }
        nextDeadline = deadlines.next ?? .max
    }

    /// Checks whether the clients of suspended connections are still connected. libmicrohttpd does not.
    private func findDisconnected() {
        guard suspendedCount > 0 else { return }
        let watched = connections.values.filter { $0.isSuspended && !$0.isReady }
        var sockets = watched.map { pollfd(fd: $0.socket, events: cloop_peer_closed, revents: 0) }
        guard unsafe poll(&sockets, nfds_t(sockets.count), 0) > 0 else { return }
        for (socket, connection) in zip(sockets, watched) where socket.revents != 0 {
            let isGone = socket.revents & Int16(POLLERR | POLLHUP) != 0
            switch connection.stage {
            case .parked(let answer):
                if isGone || !answer.isStillAwaited(at: .now) { abandon(connection, answer) }
            case .sending(let stream):
                stream.abort()
                prepare(connection)
            default: break
            }
        }
    }

    // MARK: Slow clients

    /// Checks a part of the connections for requests that arrive too slowly and answers that are read too slowly.
    private func sweep(at now: Int64) {
        let deadline = service.configuration.requestDeadline
        let period = min(max(deadline / 8, .milliseconds(5)), .seconds(1))
        if toBeSwept.isEmpty { toBeSwept = Array(connections.keys) }
        let part = max(1, (connections.count + Self.sweepParts - 1) / Self.sweepParts)
        let instant = ContinuousClock.now
        for id in toBeSwept.suffix(part) {
            guard let connection = connections[id], let entry = connection.entry else { continue }
            let progress = entry.progress.load(ordering: .relaxed)
            if connection.timeout.isOver(progress, of: entry.socket, now: instant, deadline: deadline) {
                connection.shutDown()
            }
        }
        toBeSwept.removeLast(min(part, toBeSwept.count))
        let nanoseconds = Int64(clamping: Int(period / .nanoseconds(1)))
        // A few connections form one part.
        nextSweep =
            now
            + (toBeSwept.isEmpty && connections.count < Self.sweepParts
                ? nanoseconds : nanoseconds / Int64(Self.sweepParts))
    }

    // MARK: Stopping

    private func enter(_ phase: StoppingPhase) {
        self.phase = phase
        for connection in Array(connections.values) {
            switch (connection.stage, phase) {
            case (.parked(let answer), .closing) where !answer.isWorkedOn: expire(connection, answer)
            case (.parked(let answer), .closed):
                prepare(connection)
                expire(connection, answer)
            case (.sending(let stream), .ending):
                stream.endUnlessSourced()
                prepare(connection)
            case (.sending(let stream), .closed):
                stream.abort()
                prepare(connection)
            default: break
            }
        }
        if phase >= .closed { resumeAll() }
    }

    private func resumeAll() {
        for connection in Array(connections.values) where connection.isSuspended { resume(connection) }
        ready = []
    }
}
