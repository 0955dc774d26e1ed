internal import Glibc
internal import Synchronization

/// An HTTP/1.1 server that answers on libmicrohttpd's own worker threads.
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
        var daemon: Daemon?
        var sweeper: ConnectionSweeper?
        var wasStarted = false
    }

    private let service: Service
    private let life = Mutex(Life())
    private let boundPort = Atomic<UInt16>(0)

    /// - Parameters:
    ///   - bodies: The allowance for collected bodies; a larger one that exceeds it is refused.
    ///   - waiting: The allowance that is charged for requests that wait for their answers.
    ///   - onLog: Called with each line that libmicrohttpd logs, from any of its threads.
    ///   - onExchange: Called with the record of each request once it is over, on the thread that served it; nil costs
    ///     nothing.
    public init(
        configuration: HTTPServerConfiguration = HTTPServerConfiguration(),
        handler: some HTTPHandler,
        bodies: HTTPAllowance? = nil,
        waiting: HTTPAllowance? = nil,
        onLog: @escaping @Sendable (String) -> Void = { _ in },
        onExchange: (@Sendable (HTTPExchange) -> Void)? = nil
    ) {
        service = Service(
            configuration: configuration, handler: handler, bodies: bodies, waiting: waiting, onLog: onLog,
            onExchange: onExchange)
    }

    deinit {
        stop(deadline: .zero)
    }

    /// The port at which it listens; 0 before it has started.
    public var port: UInt16 { boundPort.load(ordering: .relaxed) }

    /// True once each answer ends its connection: since `drain()` or `stop(deadline:)`.
    public var isDraining: Bool { service.isDraining }

    /// The load of a server at a moment.
    public struct Load: Sendable {
        /// The number of connections, also of those between two requests.
        public let connections: Int
        /// The number of requests between their line and the last byte of their response, streams among them.
        public let requests: Int
        public let workers: Int
        /// The number of workers, of all servers of the process, that are making a response.
        public let busyWorkers: Int
    }

    /// The present load. Reading it examines all connections.
    public var load: Load {
        let (connections, requests) = service.registry.counts
        return Load(
            connections: connections, requests: requests, workers: workers,
            busyWorkers: ThreadActivity.underWay.count(where: \.isInCall))
    }

    /// Starts to listen, and returns once clients are accepted.
    ///
    /// From then on the process ignores SIGPIPE: a client that leaves early must not end it.
    public func start() throws(HTTPServerError) {
        try life.withLock { life throws(HTTPServerError) in
            guard !life.wasStarted else { throw .alreadyStarted }
            signal(SIGPIPE, SIG_IGN)
            let limits = try connectionLimits()
            service.registry.setLimits(limits)
            let socket = try ListeningSocket(host: service.configuration.host, port: service.configuration.port)
            life.daemon = try Daemon(listeningOn: socket, connectionLimit: limits.open * workers, service: service)
            life.sweeper = ConnectionSweeper(
                registry: service.registry, deadline: service.configuration.requestDeadline)
            life.wasStarted = true
            boundPort.store(socket.port, ordering: .relaxed)
        }
    }

    /// Makes each answer from now on end its connection, so that clients go elsewhere.
    public func drain() {
        service.drain()
    }

    /// Drains, waits for the answers to the requests that have begun, at most until the deadline, and stops.
    ///
    /// Parked requests get the responses of their `otherwise` closures at once. Streams go on while answers are being
    /// made whose effects they may have to report, and end after what was sent until then. Later answers are waited
    /// for; at the deadline the `otherwise` closures respond, and have up to a second for it. A client that has not
    /// read everything at the deadline is disconnected. Once this returns, `onEnd` has been called for every stream
    /// that was an answer, and every `HTTPParkedAnswer` is over.
    ///
    /// It blocks its thread, so do not call it on the cooperative pool, and never on a thread of the server: a
    /// handler's worker would wait for itself. For the same reason no closure of a stream or a parked request may be
    /// the last to hold the server. A second call returns when the first is done, or at once.
    ///
    /// - Parameters:
    ///   - isWorking: Returns true while the owner does other work whose effects streams have to report.
    ///   - whenAnswered: Called once all answers are made, while clients read theirs.
    public func stop(
        deadline: Duration, while isWorking: () -> Bool = { false }, whenAnswered: () -> Void = {}
    ) {
        drain()
        life.withLock { life in
            guard life.daemon != nil else { return }
            let end = ContinuousClock.now + deadline
            service.waitingRoom.beginClosing()
            // Some of the time is left for what the streams have to send.
            Self.wait(until: end - min(deadline / 4, .seconds(1))) { service.registry.isWorkedFor || isWorking() }
            service.waitingRoom.endStreams()
            whenAnswered()
            Self.wait(until: end) { service.registry.isBusy }
            // A daemon that stops with a connection suspended ends the process.
            let answered = service.waitingRoom.close()
            Self.wait(until: .now + .seconds(1)) { answered.contains(where: \.isBusy) }
            life.sweeper = nil
            life.daemon = nil
            service.waitingRoom.finish()
        }
    }

    /// Returns at that time, or earlier once no request is busy; it waits a little first, as one may just have begun.
    private static func wait(until end: ContinuousClock.Instant, while isBusy: () -> Bool) {
        repeat { usleep(1_000) } while isBusy() && ContinuousClock.now < end
    }

    /// The number of threads that serve clients.
    var workers: Int { max(1, service.configuration.workers) }

    /// The configured limits, or lower ones where the system grants fewer files.
    private func connectionLimits() throws(HTTPServerError) -> ConnectionLimits {
        let configuration = service.configuration
        let wanted = min(max(1, configuration.connectionLimit), 1_000_000)
        let granted = try FileLimit.connections(wanted: ConnectionLimits.open(for: wanted), workers: workers)
        let limits = ConnectionLimits(granted: granted, wanted: wanted, unshared: configuration.unsharedPeers)
        if limits.regular < wanted {
            service.onLog(
                "Only \(limits.regular) connections instead of \(wanted): the system grants no more open files.")
        }
        return limits
    }

    /// Disconnects the clients of a blocked worker.
    func disconnectClients(of worker: UInt64, isIdleOnly: Bool) -> Int {
        service.registry.drop(servedBy: worker, isIdleOnly: isIdleOnly)
    }
}
