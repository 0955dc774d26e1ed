internal import Coordinate
package import CoordinateSessions
package import MicroHTTPD
internal import ProcessSupport
internal import Synchronization

/// The REST interface. It finds the endpoint of each request and creates the answer.
///
/// Requests are answered on the server's worker threads, many at once.
package final class API: Sendable {
    /// The version of this library.
    package static let version = "0.1.0"

    /// The endpoints that every server has.
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
        Endpoint(.get, "/sessions/{id}/test", .develop) { try $0.getTest($1, $2) },
        Endpoint(.post, "/sessions/{id}/forks", .develop) { try $0.postFork($1, $2) },
        Endpoint(.post, "/sessions/{id}/tokens", .operate) { try $0.postToken($1, $2) },
        Endpoint(.get, "/catalog", .read) { api, _, _ in .now(api.getCatalog()) },
        Endpoint(.get, "/metrics", .develop) { api, _, _ in .now(api.getMetrics()) },
        Endpoint(.post, "/login", []) { api, request, _ in try api.postLogin(request) },
        Endpoint(.post, "/logout", .read) { api, request, _ in .now(api.postLogout(request)) },
        Endpoint(.get, "/livez", [], isProbe: true) { api, _, _ in .now(api.alive) },
        Endpoint(.get, "/readyz", [], isProbe: true) { api, _, _ in try api.getReadiness() },
    ]

    package let sessions: SessionRegistry
    package let app: HostedApp
    let metrics: Metrics
    package let budget: MemoryBudget
    /// The accounts of the memory held for clients.
    let memory: HTTPMemory
    let streamQuota: MemoryQuota
    let exportQuota: MemoryQuota
    /// The limit on what clients have not read yet.
    let unread: HTTPReaders
    /// The thread that creates the next pieces of long journals and compares documents.
    let readers = BackgroundThread(name: "readers")
    let publicFiles: PublicFiles
    /// The paths that people's browsers open; `nil` if there are none.
    let pages: PageFolder?
    let access: Access
    /// The largest body of an event, in bytes.
    package let bodyLimit: Int
    let router: Router
    private let draining = Atomic(false)
    let refusedKeys: RefusedKeys
    /// Whether the program has a tracing backend.
    let isTraced: Bool

    private let sharedCatalog: SharedCatalog
    let ok = HTTPResponse.json(HTTPBody(#"{"status":"ok"}"#))
    /// The same with an entity tag that differs for each run of the server.
    let alive = HTTPResponse.json(
        HTTPBody(#"{"status":"ok"}"#), headers: [.eTag: "\"\(String(UInt64.random(in: 0 ... .max), radix: 36))\""])

    init(
        _ parts: ServerParts, sessions: SessionRegistry, access: Access, refusedKeys: RefusedKeys, bodyLimit: Int
    ) {
        pages = parts.pages
        sharedCatalog = SharedCatalog(
            of: sessions.host.app.app, page: parts.pages?.root, cookie: access.cookies.session)
        router = Router(parts.endpoints + parts.ownEndpoints)
        metrics = Metrics(of: parts.endpoints)
        publicFiles = parts.files
        self.refusedKeys = refusedKeys
        self.sessions = sessions
        app = sessions.host.app
        isTraced = app.tracing != nil
        budget = sessions.host.budget
        unread = HTTPReaders(limit: budget.unreadLimit)
        memory = HTTPMemory(
            bodies: budget.quota(for: .bodies), waiting: budget.quota(for: .waiting),
            answers: budget.quota(for: .answers), connections: budget.quota(for: .connections), readers: unread)
        streamQuota = budget.quota(for: .streams)
        exportQuota = budget.quota(for: .exports)
        self.access = access
        self.bodyLimit = bodyLimit
    }

    private func getCatalog() -> HTTPResponse {
        sharedCatalog.response
    }

    /// The catalog of the app's events, as JSON.
    package var catalog: [UInt8] { sharedCatalog.response.body.bytes }

    /// The file at a path, given as the request sends it.
    func file(at path: String) -> PublicFile? {
        guard let file = publicFiles.file(at: path) else { return nil }
        return file === publicFiles.shippedDescription ? sharedCatalog.description(insteadOf: file) : file
    }

    /// From now on, answers only the probes.
    func drain() {
        draining.store(true, ordering: .sequentiallyConsistent)
    }

    package var isDraining: Bool { draining.load(ordering: .relaxed) }

    private func route(_ request: borrowing HTTPRequest, _ passage: Passage) throws -> HTTPAnswer {
        if isDraining, !passage.isProbe { throw Problem.draining }
        let endpoint: Endpoint
        switch passage.destination {
        case .preflight(let response): return .now(response)
        case .file(let file): return .now(file.response(to: request))
        case .endpoint(let destination): endpoint = destination
        }
        let answer = try endpoint.answer(self, request, passage)
        guard endpoint.method != .get, case .async(let time, isWork: true, _, let respond) = answer else {
            return answer
        }
        // Its change may be on its way to the journal when the time is over.
        return .async(
            atMost: time, isWork: true, otherwise: { self.response(to: SessionError.journal(.outcomeUnknown)) },
            respond: respond)
    }

    // MARK: The server itself

    private func getReadiness() throws(Problem) -> HTTPAnswer {
        if isDraining { throw .draining }
        return answer {
            try await self.sessions.host.journal.check()
            return self.ok
        }
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
    package var singleHeaders: [StaticString] {
        ["authorization", "content-type", "cookie", "idempotency-key", "last-event-id", "origin", "session"]
    }

    package func bodyPlan(for request: borrowing HTTPRequest) -> HTTPBodyPlan {
        convertForPeople(request)
        do throws(Problem) {
            if request.header(.contentEncoding).map({ $0.lowercased() != "identity" }) == true {
                throw .unsupportedContentEncoding
            }
            let passage = try pass(request)
            if passage.decidesConversion { convertForPeople(request, by: passage) }
            request.context = passage
            if isForPage(request), let plan = pages?.bodyPlan(self, request, false) { return plan }
            return try planOfJournal(request, passage) ?? .collect()
        } catch {
            if isForPage(request), let plan = pages?.bodyPlan(self, request, true) { return plan }
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

    package func respond(to request: borrowing HTTPRequest) -> HTTPAnswer {
        metrics.countRequest()
        continueTrace(of: request)
        do {
            // A request with a body has passed the gate before.
            if let passage = request.context as? Passage { return try route(request, passage) }
            convertForPeople(request)
            let passage = try pass(request)
            if passage.decidesConversion { convertForPeople(request, by: passage) }
            return try route(request, passage)
        } catch {
            return .now(response(to: error))
        }
    }

    package func refuse(_ refusal: HTTPRefusal, of request: borrowing HTTPRequest) -> HTTPResponse {
        convertForPeople(request)
        return refuse(refusal)
    }

    package func refuse(_ refusal: HTTPRefusal) -> HTTPResponse {
        response(to: Problem(refusal))
    }

    /// The response to an error of an endpoint.
    package func response(to error: any Error) -> HTTPResponse {
        metrics.countProblem()
        return Problem(of: error).response
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
