internal import CMicroHTTPD
public import Dispatch
internal import Glibc
internal import Synchronization

/// An HTTP/1.1 server that answers on its own worker threads. Each of them runs a libmicrohttpd daemon.
///
/// ```swift
/// let server = HTTPServer(configuration: HTTPServerConfiguration(port: 0), handler: Greeter())
/// try server.start()
/// print("listening on http://127.0.0.1:\(server.port)")
/// // …
/// server.stop(deadline: .seconds(5))
/// ```
///
/// A server is started once. It cannot be started again after `stop(deadline:)`.
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
    ///   - memory: The accounts of the memory held for clients.
    ///   - fallback: Runs the closures of a worker while the app blocks that worker.
    ///   - onLog: Called with each line that libmicrohttpd logs, on any worker.
    ///   - onExchange: Called with the record of each request when it ends, on the worker that served it; `nil` for no
    ///     records.
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

    /// The port on which the server listens; 0 before it has started.
    public var port: UInt16 { boundPort.load(ordering: .relaxed) }

    /// Whether each answer ends its connection, since `drain()` or `stop(deadline:)`.
    public var isDraining: Bool { service.isDraining }

    /// The version of libmicrohttpd that the program is running with, such as `0.9.75`.
    public static var libraryVersion: String {
        unsafe MHD_get_version().map { unsafe String(cString: $0) } ?? ""
    }

    /// The load of a server at one moment.
    public struct Load: Sendable {
        /// The number of connections, including those between two requests.
        public let connections: Int
        /// The number of requests between their line and the last byte of their response, including streams.
        public let requests: Int
        public let workers: Int
        /// The number of workers that are busy.
        public let busyWorkers: Int
    }

    /// The current load. Reading it examines all connections.
    public var load: Load {
        let (connections, requests) = table.counts
        return Load(
            connections: connections, requests: requests, workers: workerCount,
            busyWorkers: workers.count { $0.lastProgress != nil })
    }

    /// The workers; empty before the server has started.
    public var workers: [HTTPWorker] { running.withLock { $0 } }

    /// Starts to listen. Returns once clients are accepted.
    ///
    /// From then on the process ignores SIGPIPE, so that a client that leaves early does not end it.
    ///
    /// - Throws: ``HTTPServerError/library(version:reason:)`` if libmicrohttpd does not behave as required.
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

    /// Starts a worker. Returns once its loop runs.
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

    /// From now on, makes each answer end its connection, so that clients go elsewhere.
    public func drain() {
        service.drain()
    }

    /// The time for which a stopping server waits for the rest of requests that have begun to arrive.
    private static let receivingPatience = Duration.seconds(1)

    /// Drains the server, waits for the answers to the requests in progress, at most until the deadline, and stops.
    ///
    /// The `otherwise` closures answer requests that only wait at once. Streams continue while answers are prepared
    /// whose effects they may have to report, and end after what was sent until then. Requests that do not arrive within
    /// a second are dropped. Answers that are work are awaited; at the deadline the `otherwise` closures respond, and
    /// have up to a second for it. A client that has not read everything at the deadline is disconnected. When this
    /// returns, `onEnd` has been called for every stream that was an answer, and the tasks of all requests without a
    /// response are cancelled.
    ///
    /// Blocks its thread. Do not call it on the cooperative pool or on a thread of the server: a handler's worker would
    /// wait for itself. For the same reason, no closure of a stream or a parked request may hold the last reference to
    /// the server. A second call returns when the first has finished, or at once. A worker that the app has blocked is
    /// abandoned.
    ///
    /// - Parameters:
    ///   - isWorking: Whether the owner is doing other work whose effects streams must report.
    ///   - whenAnswered: Called once all answers are prepared, while clients read theirs.
    public func stop(
        deadline: Duration, while isWorking: () -> Bool = { false }, whenAnswered: () -> Void = {}
    ) {
        drain()
        life.withLock { life in
            guard let acceptor = life.acceptor else { return }
            let end = ContinuousClock.now + deadline
            enter(.closing)
            // Leaves some of the time for what the streams have yet to send.
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

    /// Returns at that time, or earlier when no request is busy. Waits briefly first, because a request may have just
    /// begun.
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
                "Only \(limits.regular) connections instead of \(wanted), because the system grants no more open files."
            )
        }
        return limits
    }
}
