internal import CEventLoop
internal import Dispatch
internal import Glibc
internal import Synchronization

/// A thread that serves clients. It has its own event loop, and its connections belong to it for their whole lives.
///
/// Other threads send it messages through its mailbox; a batch of them costs one wake-up. The connections need no lock,
/// because only this thread uses them.
///
/// A worker is also an executor: ``enqueue(_:)`` runs a closure on its thread, between two rounds of requests.
public final class HTTPWorker: Sendable {
    /// A message to the thread. It refers to connections by number, because one may be closed when the message arrives.
    enum Message: Sendable {
        /// A client has connected.
        case connect(ConnectionEntry)
        /// A suspended connection has something to send: an answer, or a piece of its stream.
        case ready(ConnectionID)
        /// A client that did not read its response is disconnected in favor of others.
        case cutOff(ConnectionID)
        /// The server is stopping, and has reached this phase.
        case enter(StoppingPhase)
        /// A closure to run.
        case run(@Sendable () -> Void)
        /// A job of a task that prefers this thread.
        case job(UnownedJob)

        /// Whether another thread can process it as well.
        var isPortable: Bool {
            switch self {
            case .run, .job: true
            case .connect, .ready, .cutOff, .enter: false
            }
        }
    }

    private struct Mailbox {
        var messages: [Message] = []
        /// Whether the thread is waiting and must be woken.
        var isAsleep = false
        /// Whether the app has blocked the thread. Its closures run elsewhere in the meantime.
        var isStuck = false
        var isClosed = false
    }

    /// The number of the worker, from 0.
    public let number: Int
    private let mailbox = Mutex(Mailbox())
    /// Wakes the thread.
    let eventfd: Int32
    /// Runs the closures that a stuck worker cannot run.
    private let fallback: @Sendable (@escaping @Sendable () -> Void) -> Void
    private let table: ConnectionTable
    /// The time of the thread's last progress, in nanoseconds; 0 while it waits for something to do.
    private let progress = Atomic<Int64>(0)
    /// The connection whose request is being answered on the thread; 0 for none.
    private let currentConnection = Atomic<ConnectionID>(0)
    private let currentKind = Atomic(-1)
    private let ownThread = Atomic<UInt64>(0)
    private let ownSystemThread = Atomic<Int32>(0)

    init(
        number: Int, table: ConnectionTable, fallback: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void
    ) throws(HTTPServerError) {
        self.number = number
        self.table = table
        self.fallback = fallback
        eventfd = cloop_eventfd()
        guard eventfd >= 0 else { throw .notEnoughFiles(granted: FileLimit.granted) }
    }

    deinit {
        close(eventfd)
    }

    // MARK: From any thread

    /// Runs a closure on the worker's thread, after those enqueued before, or elsewhere while the thread is stuck.
    public func enqueue(_ job: @escaping @Sendable () -> Void) {
        let message = Message.run(job)
        if !post(message) { processElsewhere(message) }
    }

    private func processElsewhere(_ message: Message) {
        switch message {
        case .run(let body): fallback(body)
        case .job(let job): fallback { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
        case .connect, .ready, .cutOff, .enter: break
        }
    }

    /// The number of the thread, as returned by `pthread_self`.
    public var thread: UInt64 { ownThread.load(ordering: .relaxed) }

    /// The system's number of the thread (gettid(2)); 0 before it has begun.
    public var systemThread: Int32 { ownSystemThread.load(ordering: .relaxed) }

    /// The time of the thread's last progress, in nanoseconds of the monotonic clock; `nil` while it waits for
    /// something to do.
    public var lastProgress: Int64? {
        let last = progress.load(ordering: .relaxed)
        return last == 0 ? nil : last
    }

    /// Records that the app has blocked the thread, or that it continues. The clients of a stuck worker are disconnected,
    /// so that they reach another worker when they reconnect. Its closures run elsewhere.
    ///
    /// - Parameter isSparing: Whether the client whose request is being answered may wait longer.
    /// - Returns: The number of clients that were disconnected.
    @discardableResult
    public func setStuck(_ isStuck: Bool, isSparing: Bool = false) -> Int {
        let messages = mailbox.withLock { mailbox -> [Message] in
            mailbox.isStuck = isStuck
            guard isStuck else { return [] }
            defer { mailbox.messages.removeAll(where: \.isPortable) }
            return mailbox.messages.filter(\.isPortable)
        }
        for message in messages { processElsewhere(message) }
        guard isStuck else { return 0 }
        return table.shutDown(servedBy: number, except: isSparing ? currentConnection.load(ordering: .relaxed) : 0)
    }

    /// Whether new clients should go to other workers, because the thread is stuck or has been busy for a while.
    var isAvoided: Bool { lastProgress.map { cloop_nanoseconds() - $0 > 50_000_000 } ?? false }

    /// Sends a message to the thread.
    ///
    /// - Returns: Whether the message arrives. A stuck worker accepts no closures, and one that has ended accepts
    ///   nothing.
    @discardableResult
    func post(_ message: Message) -> Bool {
        let (isIn, isAsleep) = mailbox.withLock { mailbox in
            if mailbox.isStuck, message.isPortable { return (false, false) }
            guard !mailbox.isClosed else { return (false, false) }
            mailbox.messages.append(message)
            defer { mailbox.isAsleep = false }
            return (true, mailbox.isAsleep)
        }
        if isAsleep { cloop_signal(eventfd) }
        return isIn
    }

    // MARK: The worker's thread

    /// Records the thread, which begins its loop.
    func begin() {
        ownThread.store(UInt64(pthread_self()), ordering: .relaxed)
        ownSystemThread.store(cloop_thread(), ordering: .relaxed)
    }

    /// Removes and returns the messages.
    func takeMessages() -> [Message] {
        mailbox.withLock { mailbox in
            guard !mailbox.messages.isEmpty else { return [] }
            defer { mailbox.messages = [] }
            return mailbox.messages
        }
    }

    /// Records that the thread is about to wait.
    ///
    /// - Returns: `false` if messages have arrived, so that it must not wait.
    func fallAsleep() -> Bool {
        let canSleep = mailbox.withLock { mailbox in
            mailbox.isAsleep = mailbox.messages.isEmpty
            return mailbox.isAsleep
        }
        if canSleep { progress.store(0, ordering: .relaxed) }
        return canSleep
    }

    func recordProgress(at now: Int64) {
        progress.store(now, ordering: .relaxed)
    }

    func recordCurrent(_ connection: ConnectionID) {
        currentConnection.store(connection, ordering: .relaxed)
        if connection == 0 { currentKind.store(-1, ordering: .relaxed) }
    }

    func recordCurrent(kind: Int) {
        currentKind.store(kind, ordering: .relaxed)
    }

    /// The number of the kind of request that the thread processes, from `HTTPRequest.classify(as:)`; `nil` if there is
    /// none.
    public var requestKind: Int? {
        let kind = currentKind.load(ordering: .relaxed)
        return kind < 0 ? nil : kind
    }

    /// Closes the mailbox.
    ///
    /// - Returns: The messages that have arrived since the last look.
    func closeMailbox() -> [Message] {
        progress.store(0, ordering: .relaxed)
        return mailbox.withLock { mailbox in
            mailbox.isClosed = true
            defer { mailbox.messages = [] }
            return mailbox.messages
        }
    }
}

extension HTTPWorker: TaskExecutor {
    /// Runs a job of a task on the worker's thread, after those enqueued before, or elsewhere while the thread is stuck.
    public func enqueue(_ job: consuming ExecutorJob) {
        let message = Message.job(UnownedJob(job))
        if !post(message) { processElsewhere(message) }
    }
}

/// The phases of a stopping server.
enum StoppingPhase: Int, Sendable, Comparable {
    case open
    /// Parked requests are answered at once. The server waits for answers that are being prepared.
    case closing
    /// The pieces sent now are the last.
    case ending
    /// No connection may be suspended any more.
    case closed
    /// The loop ends.
    case over

    static func < (one: StoppingPhase, other: StoppingPhase) -> Bool { one.rawValue < other.rawValue }
}
