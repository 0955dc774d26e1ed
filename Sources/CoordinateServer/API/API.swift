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
        Endpoint(.get, "/route", Rights.toReadRoute) { try $0.getRoute($1, $2) },
        Endpoint(.put, "/route", .use) { try $0.putRoute($1, $2) },
        Endpoint(.post, "/events", .use) { try $0.postEvent($1, $2) },
        Endpoint(.get, "/events", Rights.toReadEvents) { try $0.getEvents($1, $2) },
        Endpoint(.get, "/sessions/{id}/route", Rights.toReadRoute) { try $0.getRoute($1, $2) },
        Endpoint(.put, "/sessions/{id}/route", .use) { try $0.putRoute($1, $2) },
        Endpoint(.post, "/sessions/{id}/events", .use) { try $0.postEvent($1, $2) },
        Endpoint(.get, "/sessions/{id}/events", Rights.toReadEvents) { try $0.getEvents($1, $2) },
        Endpoint(.get, "/sessions", .operate) { api, request, _ in try api.getSessions(request) },
        Endpoint(.post, "/sessions", Rights.toPostSession) { try $0.postSession($1, $2) },
        Endpoint(.put, "/sessions/by-key/{key}", .operate) { api, request, _ in try api.putSession(request) },
        Endpoint(.get, "/sessions/by-key/{key}", .operate) { api, request, _ in try api.getSessionByKey(request) },
        Endpoint(.get, "/sessions/by-reference/{reference}", .operate) { api, request, _ in
            try api.getSessionByReference(request)
        },
        Endpoint(.get, "/sessions/{id}", .read) { try $0.getSession($1, $2) },
        Endpoint(.patch, "/sessions/{id}", .develop) { try $0.patchSession($1, $2) },
        Endpoint(.delete, "/sessions/{id}", .use) { try $0.deleteSession($1, $2) },
        Endpoint(.get, "/sessions/{id}/changes", .develop) { try $0.getChanges($1, $2) },
        Endpoint(.post, "/sessions/{id}/forks", .develop) { try $0.postFork($1, $2) },
        Endpoint(.post, "/sessions/{id}/tokens", .operate) { try $0.postToken($1, $2) },
        Endpoint(.get, "/catalog", .read) { api, _, _ in .now(api.getCatalog()) },
        Endpoint(.get, "/map", .develop) { api, request, _ in .now(api.getMap(request)) },
        Endpoint(.get, "/metrics", .develop) { api, _, _ in .now(api.getMetrics()) },
        Endpoint(.post, "/login", []) { api, request, _ in try api.postLogin(request) },
        Endpoint(.post, "/logout", .read) { api, request, _ in .now(api.postLogout(request)) },
        Endpoint(.post, "/mcp", .develop, isForAgents: true) { api, request, _ in try api.postMessage(request) },
        Endpoint(.get, "/app", Rights.toOpenApp, isPage: true) { try $0.getApp($1, $2) },
        Endpoint(.post, "/app", .use, isPage: true) { try $0.postForm($1, $2) },
        Endpoint(.get, "/app/login", .read, isPage: true) { try $0.getLoginPage($1, $2) },
        Endpoint(.post, "/app/login", [], isPage: true) { api, request, _ in try api.postLoginForm(request) },
        Endpoint(.get, "/app/{path}", .read, isPage: true) { try $0.getPage($1, $2) },
        Endpoint(.get, "/livez", [], isProbe: true) { api, _, _ in .now(api.ok) },
        Endpoint(.get, "/readyz", [], isProbe: true) { api, request, _ in try api.getReadiness(request) },
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
    let publicFiles: PublicFiles
    let hostRoutes: HostRoutes
    /// The app as web pages; `nil` if they are turned off.
    let pages: WebPages?
    /// The tools for agents; `nil` if they are turned off.
    let tools: ToolServer?
    let access: Access
    /// The largest body of an event, in bytes.
    let bodyLimit: Int
    let router = Router(endpoints)
    private let draining = Atomic(false)
    let refusedKeys: RefusedKeys
    /// Whether the program has a tracing backend.
    let isTraced: Bool

    /// The catalog, which the tools for agents share.
    private let catalog: SharedCatalog
    let map: AppMap
    let ok = HTTPResponse.json(HTTPBody(#"{"status":"ok"}"#))

    init(
        sessions: SessionRegistry, publicFiles: PublicFiles, pages: WebPages?, hostRoutes: HostRoutes,
        mcp: MCPAccess = .full, access: Access, refusedKeys: RefusedKeys, bodyLimit: Int
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
        self.hostRoutes = hostRoutes
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

    private func route(_ request: borrowing HTTPRequest, _ passage: Passage) throws -> HTTPAnswer {
        if isDraining, !passage.isProbe { throw Problem.draining }
        let endpoint: Endpoint
        switch passage.destination {
        case .preflight(let response): return .now(response)
        case .file(let file): return .now(file.response(to: request))
        case .host(let route): return answer(request, by: route)
        case .endpoint(let destination): endpoint = destination
        }
        let answer = try endpoint.answer(self, request, passage)
        guard endpoint.method != .get, case .later(let time, _, let begin) = answer else { return answer }
        // Its change may be on its way to the journal by then.
        let problem = Problem(SessionError.journal(.outcomeUnknown))
        return .later(atMost: time, otherwise: { self.response(to: problem) }, begin: begin)
    }

    /// The endpoints of a path; `nil` if it has none, or if they are turned off.
    func served(_ path: Span<UInt8>) -> Router.Match? {
        guard let match = router.match(path) else { return nil }
        if pages != nil, tools != nil { return match }
        let isOff = router.endpoints(of: match).contains { $0.isPage && pages == nil || $0.isForAgents && tools == nil }
        return isOff ? nil : match
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
            status: .ok,
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
        convertForPeople(request)
        do throws(Problem) {
            if request.header(.contentEncoding).map({ $0.lowercased() != "identity" }) == true {
                throw .unsupportedContentEncoding
            }
            let passage = try pass(request)
            if let redaction = passage.redaction { convertForPeople(request, redaction: redaction) }
            request.context = passage
            if let plan = planOfForm(request) { return plan }
            return try planOfJournal(request, passage) ?? .collect()
        } catch {
            if let plan = planOfRefusedForm(request) { return plan }
            metrics.countRequest()
            return .refuse(response(to: error))
        }
    }

    /// The plan for a journal, which is replayed while it arrives; `nil` for any other body.
    private func planOfJournal(
        _ request: borrowing HTTPRequest, _ passage: Passage
    ) throws(Problem) -> HTTPBodyPlan? {
        guard request.method == .post, request.withPath({ $0.isEqual(to: "/sessions".utf8.span) }),
            request.isOfType(MediaType.lines)
        else { return nil }
        try checkMayBeginSession(request)
        let withholdsWork = try withholdsWork(request)
        if let shortage = sessions.shortage { throw Problem(shortage) }
        return .stream(
            to: JournalUpload(
                into: sessions, for: client(of: request), bodyLimit: bodyLimit, withholdingWork: withholdsWork),
            limit: JournalUpload.maximumSize)
    }

    func respond(to request: borrowing HTTPRequest) -> HTTPAnswer {
        metrics.countRequest()
        continueTrace(of: request)
        do {
            // A request with a body has passed the gate before.
            if let passage = request.context as? Passage { return try route(request, passage) }
            convertForPeople(request)
            let passage = try pass(request)
            if let redaction = passage.redaction { convertForPeople(request, redaction: redaction) }
            return try route(request, passage)
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
