public import Coordinate
public import CoordinateSessions
internal import Dispatch
public import Logging
public import MicroHTTPD
internal import ProcessSupport
internal import Synchronization

/// A server for an app. Each session has its own tree of coordinators and is reached over REST.
///
/// ```swift
/// let server = try Server(app: MyApp())
/// try server.start()
/// print("listening on \(server.url)")
/// // …
/// server.stop()
/// ```
///
/// A server is started once. It cannot be started again after ``stop(deadline:)``.
public final class Server: Sendable {
    /// The version of this library.
    public static let version = API.version

    package let api: API
    let http: HTTPServer
    /// The log of committed events; `nil` if there is none.
    let eventLog: EventLog?
    /// The export of metrics to the program's backend; `nil` if it has none.
    private let metricsExport: MetricsExport?
    private let lazyLocal = LazyValue<LocalHTTPServer>()
    package let logger: Logger
    let configuration: ServerConfiguration
    /// The threads of the lanes, for the watchdog.
    let laneThreads: [BackgroundThread]
    /// The number of host events in progress.
    let emissions = Atomic(0)
    /// The timer that looks after idle sessions while the server runs.
    private let sweeper = Mutex<(any DispatchSourceTimer)?>(nil)

    /// Creates a server and reads its files. It does not serve yet.
    ///
    /// If the program has given `InstrumentationSystem` a tracing backend before, requests, turns, commits and work are
    /// recorded as spans. If it has given `MetricsSystem` a backend, the metrics of `GET /metrics` are reported to that as
    /// well.
    ///
    /// - Parameters:
    ///   - journal: The store of the sessions. They outlive the server if the journal does.
    ///   - hooks: Called when sessions begin and end, and for their events.
    /// - Throws: ``ServerError/configuration(_:)``, also if the app's declarations have ``CoordinatedApp/faults``.
    public convenience init(
        app: any CoordinatedApp, journal: any Journal = MemoryJournal(),
        configuration: ServerConfiguration = ServerConfiguration(), hooks: SessionHooks = SessionHooks(),
        logger: Logger = Logger(label: "coordinate")
    ) throws(ServerError) {
        try self.init(
            app: app, configuration: configuration, hooks: hooks, logger: logger, clock: .system, journal: journal)
    }

    package init(
        app: any CoordinatedApp, configuration: ServerConfiguration, hooks: SessionHooks = SessionHooks(),
        logger: Logger = Logger(label: "coordinate"), clock: SessionClock, journal: any Journal,
        tracing: SpanTracing? = .ofProcess, metrics: MetricsExport? = .ofProcess
    ) throws(ServerError) {
        if let reason = app.whyNotHosted { throw .configuration(reason) }
        if let left = ProcessMemory.addressSpaceLeft, left < ServerConfiguration.leastAddressSpace {
            throw .configuration(
                """
                ulimit -v leaves this process \(left >> 20) MiB of address space, too little for its threads and one \
                session. Raise it by at least \((ServerConfiguration.leastAddressSpace - left) >> 20 + 1) MiB.
                """)
        }
        self.configuration = configuration
        self.logger = logger
        metricsExport = metrics
        let eventLog = try Self.eventLog(at: configuration.eventLog, logger)
        self.eventLog = eventLog
        let laneThreads = Self.laneThreads()
        self.laneThreads = laneThreads
        let scheduler = FairScheduler(count: laneThreads.count, on: { lane, work in laneThreads[lane].async(work) })
        let app = HostedApp(
            app, onChange: configuration.onChange, logger: logger, watch: NotedTurns(), tracing: tracing)
        let sessions = SessionRegistry(
            SessionHost(
                app: app, journal: journal, clock: clock, limits: configuration.limits,
                scheduler: scheduler, hooks: hooks.logging(to: eventLog),
                budget: MemoryBudget(limit: configuration.memoryLimit, journal: journal), encode: app.routeEncoder))
        var parts = ServerParts(of: app.app, files: try Self.files(of: configuration.page, logger))
        let reference = ServerReference()
        for endpoint in configuration.endpoints { try endpoint.add(&parts, reference) }
        api = API(
            parts, sessions: sessions, access: try Self.access(configuration), refusedKeys: RefusedKeys(logger),
            bodyLimit: configuration.http.maximumBodySize)
        let accessLog = AccessLog(queue: .standardError)
        let (isLogged, byRoute) = (configuration.accessLog, api.metrics.byRoute)
        http = HTTPServer(
            configuration: configuration.http, handler: api, memory: api.memory, fallback: { scheduler.run($0) },
            onLog: { logger.debug("libmicrohttpd: \($0)") },
            onExchange: { exchange in
                byRoute.record(exchange)
                metrics?.record(exchange, of: byRoute.route(of: exchange))
                if isLogged { accessLog.record(exchange, pattern: exchange.kind.map(byRoute.pattern)) }
            })
        api.metrics.watch(http)
        api.metrics.watch(eventLog)
        reference.server = self
    }

    /// The threads of the lanes: at least four, because a long turn occupies one.
    private static func laneThreads() -> [BackgroundThread] {
        (0..<max(4, HTTPServerConfiguration.processorCount)).map { BackgroundThread(name: "lane \($0)") }
    }

    private static func eventLog(at path: String, _ logger: Logger) throws(ServerError) -> EventLog? {
        guard !path.isEmpty else { return nil }
        do throws(SystemFailure) {
            return try EventLog(path, logger)
        } catch {
            throw .configuration("The event log \(path) cannot be opened: \(error). Correct \"eventLog\".")
        }
    }

    private static func access(_ configuration: ServerConfiguration) throws(ServerError) -> Access {
        do throws(UnfitSetting) {
            return try Access(
                host: configuration.host, isOnLoopback: configuration.http.isOnLoopback, key: configuration.apiKey,
                clients: configuration.clients,
                hosts: configuration.hosts, origins: configuration.origins,
                trustedProxies: configuration.trustedProxies, forwardingHeader: configuration.forwardingHeader,
                cookieName: configuration.cookieName)
        } catch {
            throw .configuration(error.description)
        }
    }

    private static func files(
        of page: ServerConfiguration.Page, _ logger: Logger
    ) throws(ServerError) -> PublicFiles {
        let own: PublicFiles
        switch page {
        case .none: return PublicFiles()
        case .folder(let folder):
            do throws(UnreadableFolder) {
                own = try PublicFiles(folder: folder)
            } catch {
                throw .configuration(error.description)
            }
        case .shipped: own = PublicFiles()
        }
        if ShippedPage.files == nil, !own.havePage { logger.warning("\(ShippedPage.remedy)") }
        return own.besideShippedFiles()
    }

    /// Starts to listen. Returns once requests are accepted.
    public func start() throws(ServerError) {
        do throws(HTTPServerError) {
            try http.start()
        } catch {
            switch error {
            case .badAddress: throw .configuration(error.description)
            default: throw .unavailable(error.description)
            }
        }
        startSweeping()
        logStart()
    }

    /// Looks after idle sessions from now on, until the server stops.
    package func startSweeping() {
        sweeper.withLock { sweeper in
            let timer = DispatchSource.makeTimerSource()
            timer.setEventHandler { [api, metricsExport] in
                api.sessions.sweep()
                metricsExport?.report(api.currentMetrics)
            }
            timer.schedule(deadline: .now() + 1, repeating: 1, leeway: .milliseconds(250))
            timer.activate()
            sweeper = timer
        }
    }

    private func logStart() {
        let app = api.app
        let version = app.version.isEmpty ? "" : " \(app.version)"
        logger.info(
            """
            Serving the app \(app.name)\(version) on \(url), sessions in \(type(of: api.sessions.host.journal)), \
            libmicrohttpd \(HTTPServer.libraryVersion).
            """)
        guard !api.access.isOnLoopback, api.access.key == nil else { return }
        logger.warning(
            "Anyone who can reach \(url) may use it, because there is no API key. Set COORDINATE_API_KEY, or listen on 127.0.0.1."
        )
    }

    /// Handles everything that is due, as a started server does about once a second. For tests that move a clock.
    package func sweep() {
        api.sessions.sweep()
        metricsExport?.report(api.currentMetrics)
    }

    /// The address at which the server listens: `http://127.0.0.1:8080`.
    public var url: String {
        let host = configuration.host
        return "http://\(host.contains(":") ? "[\(host)]" : host):\(http.port)"
    }

    /// Refuses new requests, finishes those in progress, and releases all sessions. The journal keeps them.
    ///
    /// Blocks its thread. Do not call it on a thread of the cooperative pool.
    ///
    /// - Parameter deadline: The time to finish requests in progress.
    public func stop(deadline: Duration = .seconds(8)) {
        http.drain()
        api.drain()
        api.sessions.drain()
        http.stop(
            deadline: deadline, while: { emissions.load(ordering: .sequentiallyConsistent) > 0 },
            whenAnswered: { api.sessions.releaseAll() })
        sweeper.withLock { $0?.cancel() }
        metricsExport?.report(api.currentMetrics)
        // A server that never listened has not called `whenAnswered`.
        api.sessions.releaseAll()
        eventLog?.flush()
    }
}

extension SessionHooks {
    /// The hooks with a log of the events.
    fileprivate func logging(to log: EventLog?) -> SessionHooks {
        guard let log else { return self }
        var hooks = self
        hooks.didCommit = { [didCommit] event in
            didCommit?(event)
            log.append(event)
        }
        return hooks
    }
}

extension Server {
    /// Responds to a request that did not come from a socket, as to one that did. For tests, and for a program with its
    /// own HTTP server. A live stream does not begin.
    ///
    /// ```swift
    /// let server = try Server(app: MyApp())
    /// let request = try HTTPRequest(.get, "/route", headers: [.host: "localhost"])
    /// let response = await server.response(to: request)
    /// ```
    ///
    /// The server need not be started, but then it does not expire idle sessions by itself.
    ///
    /// - Returns: `nil` if a connection would be closed without a response.
    public func response(to request: consuming HTTPRequest) async -> HTTPResponse? {
        await local.response(to: request)
    }

    /// The response to a request that is too malformed to parse.
    package func response(to refusal: HTTPRefusal) -> HTTPResponse {
        api.refuse(refusal)
    }

    /// Responds to a request on this thread, if that needs no waiting.
    ///
    /// - Returns: `nil` if the request has to wait.
    public func responseAtOnce(to request: consuming HTTPRequest) -> HTTPResponse? {
        local.responseAtOnce(to: request)
    }

    private var local: LocalHTTPServer {
        lazyLocal.value {
            LocalHTTPServer(configuration: configuration.http, handler: api, executor: api.sessions.host.executor)
        }
    }
}
