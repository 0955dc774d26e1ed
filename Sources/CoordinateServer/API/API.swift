internal import Coordinate
internal import CoordinateMCP
internal import CoordinateSessions
internal import MicroHTTPD
internal import ProcessSupport
internal import Synchronization

/// The REST interface. It finds the endpoint of each request and creates the answer.
///
/// Requests are answered on the server's worker threads, many at once.
final class API: Sendable {
    /// The version of this library.
    static let version = "0.1.0"

    static let endpoints: [Endpoint] = [
        Endpoint(.get, "/route") { try $0.getRoute($1, of: $2) },
        Endpoint(.put, "/route") { try $0.putRoute($1, of: $2) },
        Endpoint(.post, "/events") { try $0.postEvent($1, to: $2) },
        Endpoint(.get, "/events") { try $0.getEvents($1, of: $2) },
        Endpoint(.get, "/sessions/{id}/route") { try $0.getRoute($1, of: $2) },
        Endpoint(.put, "/sessions/{id}/route") { try $0.putRoute($1, of: $2) },
        Endpoint(.post, "/sessions/{id}/events") { try $0.postEvent($1, to: $2) },
        Endpoint(.get, "/sessions/{id}/events") { try $0.getEvents($1, of: $2) },
        Endpoint(.get, "/sessions") { api, request, _ in try api.getSessions(request) },
        Endpoint(.post, "/sessions") { api, request, _ in try api.postSession(request) },
        Endpoint(.get, "/sessions/{id}") { try $0.getSession($1, $2) },
        Endpoint(.patch, "/sessions/{id}") { try $0.patchSession($1, $2) },
        Endpoint(.delete, "/sessions/{id}") { try $0.deleteSession($1, $2) },
        Endpoint(.get, "/sessions/{id}/changes") { try $0.getChanges($1, of: $2) },
        Endpoint(.post, "/sessions/{id}/forks") { try $0.postFork($1, of: $2) },
        Endpoint(.get, "/catalog") { api, _, _ in .now(api.getCatalog()) },
        Endpoint(.get, "/map") { api, request, _ in .now(api.getMap(request)) },
        Endpoint(.get, "/metrics") { api, _, _ in .now(api.getMetrics()) },
        Endpoint(.post, "/login", needsKey: false) { api, request, _ in try api.postLogin(request) },
        Endpoint(.post, "/logout") { api, request, _ in .now(api.postLogout(request)) },
        Endpoint(.post, "/mcp", isForAgents: true) { api, request, _ in try api.postMessage(request) },
        Endpoint(.get, "/app", needsKey: false, isPage: true) { api, request, _ in try api.getApp(request) },
        Endpoint(.post, "/app", isPage: true) { api, request, _ in try api.postForm(request) },
        Endpoint(.get, "/app/login", needsKey: false, isPage: true) { api, request, _ in
            try api.getLoginPage(request)
        },
        Endpoint(.post, "/app/login", needsKey: false, isPage: true) { api, request, _ in
            try api.postLoginForm(request)
        },
        Endpoint(.get, "/app/{path}", needsKey: false, isPage: true) { api, request, _ in try api.getPage(request) },
        Endpoint(.get, "/livez", isProbe: true) { api, _, _ in .now(api.ok) },
        Endpoint(.get, "/readyz", isProbe: true) { api, request, _ in try api.getReadiness(request) },
    ]

    let sessions: SessionRegistry
    let app: HostedApp
    let metrics: Metrics
    let budget: MemoryBudget
    /// The accounts of the memory held for clients.
    let memory: HTTPMemory
    let streamQuota: MemoryQuota
    let exportQuota: MemoryQuota
    /// The limit on what clients have not read yet.
    let unread: HTTPReaders
    /// The thread that creates the next pieces of long journals and compares documents.
    let readers = BackgroundThread(name: "readers")
    private let publicFiles: PublicFiles
    /// The app as web pages; `nil` if they are turned off.
    let pages: WebPages?
    /// The tools for agents; `nil` if they are turned off.
    let tools: ToolServer?
    let access: Access
    /// The largest body of an event, in bytes.
    let bodyLimit: Int
    private let router = Router(endpoints)
    private let draining = Atomic(false)
    let refusedKeys: RefusedKeys
    /// Whether the program has a tracing backend.
    let isTraced: Bool

    /// The catalog, which the tools for agents share.
    private let catalog: SharedCatalog
    let map: AppMap
    private let ok = HTTPResponse.json(HTTPBody(#"{"status":"ok"}"#))

    init(
        sessions: SessionRegistry, publicFiles: PublicFiles, pages: WebPages?, mcp: MCPAccess = .full, access: Access,
        refusedKeys: RefusedKeys, bodyLimit: Int
    ) {
        let catalog = SharedCatalog(of: sessions.host.app.app, cookie: pages.map { _ in access.cookies.session })
        self.catalog = catalog
        tools = mcp.tools.map {
            ToolServer(ServerTools(sessions: sessions, catalog: catalog, version: Self.version), $0)
        }
        self.refusedKeys = refusedKeys
        self.sessions = sessions
        app = sessions.host.app
        isTraced = app.tracing != nil
        map = AppMap(of: app.app)
        budget = sessions.host.budget
        unread = HTTPReaders(limit: budget.unreadLimit)
        memory = HTTPMemory(
            bodies: budget.quota(for: .bodies), waiting: budget.quota(for: .waiting),
            answers: budget.quota(for: .answers), connections: budget.quota(for: .connections), readers: unread)
        streamQuota = budget.quota(for: .streams)
        exportQuota = budget.quota(for: .exports)
        metrics = Metrics()
        self.publicFiles = publicFiles
        self.pages = pages
        self.access = access
        self.bodyLimit = bodyLimit
    }

    private func getCatalog() -> HTTPResponse {
        catalog.response
    }

    /// From now on, answers only the probes.
    func drain() {
        draining.store(true, ordering: .sequentiallyConsistent)
        map.stop()
    }

    var isDraining: Bool { draining.load(ordering: .relaxed) }

    private func route(_ request: borrowing HTTPRequest) throws -> HTTPAnswer {
        if let preflight = try admit(request) { return .now(preflight) }
        try checkMarks(in: request)
        let method = request.method == .head ? .get : request.method
        let (match, id) = request.withPath { path in
            let match = served(path)
            return (match, match?.id.flatMap { SessionID(utf8: path.extracting($0)) })
        }
        guard let match, let number = router.number(of: match, for: method) else {
            return try answerWithFile(request, method, allowed: match.map(router.endpoints) ?? [])
        }
        let endpoint = router.endpoints[number]
        request.classify(as: number)
        if request.isOnReserve, !endpoint.isProbe { throw Problem.tooManyConnections }
        try checkRepetitions(in: request, namesSessionInPath: endpoint.namesSession)
        if endpoint.needsKey { try checkKey(of: request) }
        if isDraining, !endpoint.isProbe { throw Problem.draining }
        if endpoint.namesSession, id == nil { throw Problem.sessionNotFound }
        let answer = try endpoint.answer(self, request, id)
        guard endpoint.method != .get, case .later(let time, _, let begin) = answer else { return answer }
        // Its change may be on its way to the journal by then.
        let problem = Problem(SessionError.journal(.outcomeUnknown))
        return .later(atMost: time, otherwise: { self.response(to: problem) }, begin: begin)
    }

    /// The endpoints of a path; `nil` if it has none, or if they are turned off.
    private func served(_ path: Span<UInt8>) -> Router.Match? {
        guard let match = router.match(path) else { return nil }
        if pages != nil, tools != nil { return match }
        let isOff = router.endpoints(of: match).contains { $0.isPage && pages == nil || $0.isForAgents && tools == nil }
        return isOff ? nil : match
    }

    /// Answers with a file, or with the reason why it is missing.
    ///
    /// - Parameter endpoints: The endpoints of the same path, for other methods.
    private func answerWithFile(
        _ request: borrowing HTTPRequest, _ method: HTTPMethod, allowed endpoints: [Endpoint]
    ) throws(Problem) -> HTTPAnswer {
        if request.isOnReserve { throw .tooManyConnections }
        let path = request.path
        let file = endpoints.isEmpty ? publicFiles.file(at: path) : nil
        if file == nil || method != .get { try checkKey(of: request) }
        if isDraining { throw .draining }
        guard endpoints.isEmpty else { throw .methodNotAllowed(allowedMethods(of: endpoints)) }
        guard let file else { throw publicFiles.problem(at: path) }
        request.classify(as: RequestMetrics.files)
        guard method == .get else { throw .methodNotAllowed(["GET", "HEAD"]) }
        return .now(file.response(to: request))
    }

    private func allowedMethods(of endpoints: [Endpoint]) -> [String] {
        endpoints.flatMap { $0.method == .get ? ["GET", "HEAD"] : [$0.method.rawValue] }
    }

    // MARK: The server itself

    private func getReadiness(_ request: borrowing HTTPRequest) throws(Problem) -> HTTPAnswer {
        if isDraining { throw .draining }
        let client = client(of: request)
        return answer(
            sessions.host.journal.check().mapResult(on: executor(of: client)) { result in
                result.mapError(SessionError.init).map { self.ok }
            }, for: client)
    }

    private func getMetrics() -> HTTPResponse {
        HTTPResponse(
            status: 200,
            headers: [.contentType: "text/plain; version=0.0.4; charset=utf-8", .cacheControl: "no-store"],
            body: HTTPBody(metrics.text(of: currentMetrics)))
    }

    /// The metrics as they are now, apart from those of requests.
    var currentMetrics: [Metric] {
        metrics.current(sessions, memory: budget, droppedLines: LogQueue.standardError.droppedCount)
    }
}

extension API: HTTPHandler {
    var singleHeaders: [StaticString] {
        ["authorization", "content-type", "cookie", "idempotency-key", "last-event-id", "origin", "session"]
    }

    func bodyPlan(for request: borrowing HTTPRequest) -> HTTPBodyPlan {
        if request.header(.contentEncoding).map({ $0.lowercased() != "identity" }) == true {
            metrics.countRequest()
            convertForPeople(request)
            return .refuse(response(to: Problem.unsupportedContentEncoding))
        }
        if let plan = planOfForm(request), !request.hasHeader(.expect) { return plan }
        guard request.method == .post, request.withPath({ $0.isEqual(to: "/sessions".utf8.span) }),
            request.isOfType(MediaType.lines)
        else {
            if request.hasHeader(.expect) { return planOfExpected(request) }
            // Lets allowed origins read that the body is too large.
            if !access.origins.isEmpty { _ = try? admit(request) }
            return .collect()
        }
        do {
            return .stream(to: try upload(by: request), limit: JournalUpload.maximumSize)
        } catch {
            metrics.countRequest()
            return .refuse(response(to: error))
        }
    }

    /// The plan for a body that the client sends only after a `100 Continue`. A foreign page or a client without the
    /// key does not get one (RFC 9110, section 10.1.1).
    private func planOfExpected(_ request: borrowing HTTPRequest) -> HTTPBodyPlan {
        do {
            _ = try admit(request)
            let match = request.withPath { path in served(path) }
            let endpoint = match.flatMap { router.number(of: $0, for: request.method) }.map { router.endpoints[$0] }
            if endpoint?.needsKey == true { try checkKey(of: request) }
            if isDraining, endpoint?.isProbe != true { throw Problem.draining }
            return planOfForm(request) ?? .collect()
        } catch {
            metrics.countRequest()
            return .refuse(response(to: error))
        }
    }

    /// The receiver of a journal, or the problem for a client that is refused before the whole journal has arrived.
    private func upload(by request: borrowing HTTPRequest) throws(Problem) -> JournalUpload {
        _ = try admit(request)
        try checkRepetitions(in: request, namesSessionInPath: false)
        try checkKey(of: request)
        if isDraining { throw .draining }
        try checkMayBeginSession(request)
        let withholdsWork = try withholdsWork(request)
        if let shortage = sessions.shortage { throw Problem(shortage) }
        return JournalUpload(
            into: sessions, for: client(of: request), bodyLimit: bodyLimit, withholdingWork: withholdsWork)
    }

    func respond(to request: borrowing HTTPRequest) -> HTTPAnswer {
        metrics.countRequest()
        continueTrace(of: request)
        convertForPeople(request)
        do {
            return try route(request)
        } catch {
            return .now(response(to: error))
        }
    }

    func refuse(_ refusal: HTTPRefusal, of request: borrowing HTTPRequest) -> HTTPResponse {
        convertForPeople(request)
        return refuse(refusal)
    }

    func refuse(_ refusal: HTTPRefusal) -> HTTPResponse {
        response(to: Problem(refusal))
    }

    func response(to error: any Error) -> HTTPResponse {
        metrics.countProblem()
        return (error as? Problem ?? .serverFailed).response
    }
}

extension MemoryBudget {
    /// The budget as a quota for MicroHTTPD.
    func quota(for kind: Kind) -> MemoryQuota {
        MemoryQuota(isUsedUp: { self.isFull }, use: { self.charge($0, to: kind) })
    }
}

extension HTTPReaders.Group {
    /// The groups of a client that reads from a session.
    static func of(_ client: ClientKey, _ session: SessionID) -> [HTTPReaders.Group] {
        [.address(client.number), .resource(UInt64(truncatingIfNeeded: session.hashValue))]
    }
}
