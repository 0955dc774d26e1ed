internal import CMicroHTTPD
public import Dispatch
internal import Glibc
internal import Synchronization

/// An HTTP/1.1 server that answers on worker threads of its own, each of which runs a libmicrohttpd daemon.
///
/// ```swift
/// let server = HTTPServer(configuration: HTTPServerConfiguration(port: 0), handler: Greeter())
/// try server.start()
/// print("listening on http://127.0.0.1:\(server.port)")
/// // …
/// server.stop(deadline: .seconds(5))
/// ```
///
/// A server is started once. It never starts again after `stop(deadline:)`: make a new one.
public final class HTTPServer: Sendable {
    private struct Life: ~Copyable {
        var acceptor: Acceptor?
        var threads: [LoopThread] = []
        var wasStarted = false
    }

    private let service: Service
    private let table = ConnectionTable()
    private let life = Mutex(Life())
    private let boundPort = Atomic<UInt16>(0)
    private let running = Mutex<[HTTPWorker]>([])
    private let fallback: @Sendable (@escaping @Sendable () -> Void) -> Void

    /// - Parameters:
    ///   - memory: The accounts of the memory that is held for clients.
    ///   - fallback: Runs a closure that a worker should run, while the app blocks that worker.
    ///   - onLog: Called with each line that libmicrohttpd logs, on any worker.
    ///   - onExchange: Called with the record of each request once it is over, on the worker that served it; nil costs
    ///     nothing.
    public init(
        configuration: HTTPServerConfiguration = HTTPServerConfiguration(),
        handler: some HTTPHandler,
        memory: HTTPMemory = HTTPMemory(),
        fallback: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void = {
            DispatchQueue.global().async(execute: $0)
        },
        onLog: @escaping @Sendable (String) -> Void = { _ in },
        onExchange: (@Sendable (HTTPExchange) -> Void)? = nil
    ) {
        self.fallback = fallback
        service = Service(
            configuration: configuration, handler: handler, memory: memory, onLog: onLog, onExchange: onExchange)
    }

    deinit {
        stop(deadline: .zero)
    }

    /// The port at which it listens; 0 before it has started.
    public var port: UInt16 { boundPort.load(ordering: .relaxed) }

    /// True once each answer ends its connection: since `drain()` or `stop(deadline:)`.
    public var isDraining: Bool { service.isDraining }

    /// The version of libmicrohttpd that the program runs with: `0.9.75`.
    public static var libraryVersion: String {
        unsafe MHD_get_version().map { unsafe String(cString: $0) } ?? ""
    }

    /// The load of a server at a moment.
    public struct Load: Sendable {
        /// The number of connections, also of those between two requests.
        public let connections: Int
        /// The number of requests between their line and the last byte of their response, streams among them.
        public let requests: Int
        public let workers: Int
        /// The number of workers that have something to do.
        public let busyWorkers: Int
    }

    /// The present load. Reading it examines all connections.
    public var load: Load {
        let (connections, requests) = table.counts
        return Load(
            connections: connections, requests: requests, workers: workerCount,
            busyWorkers: workers.count { $0.lastProgress != nil })
    }

    /// The workers; none before the server has started.
    public var workers: [HTTPWorker] { running.withLock { $0 } }

    /// Starts to listen, and returns once clients are accepted.
    ///
    /// From then on the process ignores SIGPIPE: a client that leaves early must not end it.
    ///
    /// - Throws: ``HTTPServerError/library(version:reason:)`` if libmicrohttpd does not behave as it must.
    public func start() throws(HTTPServerError) {
        try life.withLock { life throws(HTTPServerError) in
            guard !life.wasStarted else { throw .alreadyStarted }
            signal(SIGPIPE, SIG_IGN)
            try SelfTest.run()
            let limits = try connectionLimits()
            table.setLimits(limits, workers: workerCount)
            let socket = try ListeningSocket(host: service.configuration.host, port: service.configuration.port)
            var workers: [HTTPWorker] = []
            for number in 0..<workerCount {
                workers.append(try HTTPWorker(number: number, table: table, fallback: fallback))
            }
            let acceptor = try Acceptor(on: socket, table: table, workers: workers)
            for worker in workers {
                life.threads.append(try start(worker, limit: limits.open))
            }
            running.withLock { $0 = workers }
            try acceptor.start()
            life.acceptor = acceptor
            life.wasStarted = true
            boundPort.store(socket.port, ordering: .relaxed)
        }
    }

    /// Starts a worker, and returns once its loop runs.
    private func start(_ worker: HTTPWorker, limit: Int) throws(HTTPServerError) -> LoopThread {
        let started = DispatchSemaphore(value: 0)
        let failure = Mutex<HTTPServerError?>(nil)
        let thread = try LoopThread(name: "worker \(worker.number)") { [service, table] in
            let loop = EventLoop(worker, of: service, table: table)
            do throws(HTTPServerError) {
                try loop.start(limit: limit)
            } catch {
                failure.withLock { $0 = error }
                started.signal()
                return
            }
            started.signal()
            loop.run()
        }
        started.wait()
        if let failure = failure.withLock({ $0 }) { throw failure }
        return thread
    }

    /// Makes each answer from now on end its connection, so that clients go elsewhere.
    public func drain() {
        service.drain()
    }

    /// The time for which a server that stops waits for the rest of requests that have begun to come in.
    private static let receivingPatience = Duration.seconds(1)

    /// Drains, waits for the answers to the requests that have begun, at most until the deadline, and stops.
    ///
    /// Parked requests get the responses of their `otherwise` closures at once. Streams go on while answers are being
    /// made whose effects they may have to report, and end after what was sent until then. Requests that do not come in
    /// within a second are not waited for. Later answers are; at the deadline the `otherwise` closures respond, and have up
    /// to a second for it. A client that has not read everything at the deadline is disconnected. Once this returns,
    /// `onEnd` has been called for every stream that was an answer, and every `HTTPParkedAnswer` is over.
    ///
    /// It blocks its thread, so do not call it on the cooperative pool, and never on a thread of the server: a
    /// handler's worker would wait for itself. For the same reason no closure of a stream or a parked request may be
    /// the last to hold the server. A second call returns when the first is done, or at once. A worker that the app has
    /// blocked is left behind.
    ///
    /// - Parameters:
    ///   - isWorking: Returns true while the owner does other work whose effects streams have to report.
    ///   - whenAnswered: Called once all answers are made, while clients read theirs.
    public func stop(
        deadline: Duration, while isWorking: () -> Bool = { false }, whenAnswered: () -> Void = {}
    ) {
        drain()
        life.withLock { life in
            guard let acceptor = life.acceptor else { return }
            let end = ContinuousClock.now + deadline
            enter(.closing)
            // Some of the time is left for what the streams have to send.
            Self.wait(until: end - min(deadline / 4, .seconds(1))) { table.isWorkedFor || isWorking() }
            enter(.ending)
            whenAnswered()
            Self.wait(until: min(end, .now + Self.receivingPatience)) { table.isBusy }
            Self.wait(until: end) { table.isAnswering }
            acceptor.stop()
            enter(.closed)
            Self.wait(until: .now + .seconds(1)) { table.isAnswering }
            enter(.over)
            for thread in life.threads { thread.join(atMost: .seconds(2)) }
            life.acceptor = nil
            life.threads = []
        }
    }

    private func enter(_ phase: StoppingPhase) {
        for worker in workers { worker.post(.enter(phase)) }
    }

    /// Returns at that time, or earlier once no request is busy; it waits a little first, as one may just have begun.
    private static func wait(until end: ContinuousClock.Instant, while isBusy: () -> Bool) {
        repeat { usleep(1_000) } while isBusy() && ContinuousClock.now < end
    }

    /// The number of threads that serve clients.
    private var workerCount: Int { max(1, service.configuration.workers) }

    /// The configured limits, or lower ones if the system grants fewer files.
    private func connectionLimits() throws(HTTPServerError) -> ConnectionLimits {
        let configuration = service.configuration
        let wanted = min(max(1, configuration.connectionLimit), 1_000_000)
        let granted = try FileLimit.connections(wanted: ConnectionLimits.open(for: wanted), workers: workerCount)
        let limits = ConnectionLimits(granted: granted, wanted: wanted, unshared: configuration.unsharedPeers)
        if limits.regular < wanted {
            service.onLog(
                "Only \(limits.regular) connections instead of \(wanted): the system grants no more open files.")
        }
        return limits
    }
}
