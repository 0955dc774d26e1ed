internal import Coordinate
internal import CoordinateSessions
internal import MicroHTTPD
internal import Synchronization

/// The REST interface: which request is answered by what.
///
/// Requests are answered on the server's worker threads, many at once.
final class API: Sendable {
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
        Endpoint(.get, "/sessions/{id}") { api, _, id in try api.getSession(id) },
        Endpoint(.delete, "/sessions/{id}") { try $0.deleteSession($1, $2) },
        Endpoint(.post, "/sessions/{id}/forks") { try $0.postFork($1, of: $2) },
        Endpoint(.get, "/catalog") { api, _, _ in .now(api.getCatalog()) },
        Endpoint(.get, "/metrics") { api, _, _ in .now(api.getMetrics()) },
        Endpoint(.get, "/livez", isProbe: true) { api, _, _ in .now(api.ok) },
        Endpoint(.get, "/readyz", isProbe: true) { api, _, _ in try api.getReadiness() },
    ]

    let sessions: SessionRegistry
    let app: HostedApp
    let metrics: Metrics
    /// What waits for slow clients, over all sessions: 256 MiB.
    let streamAllowance = HTTPStream.Allowance(bytes: 256 * 1024 * 1024)
    private let publicFiles: PublicFiles
    let apiKey: APIKey?
    /// True where only this machine can reach the server, unless somebody passes requests on.
    let isOnLoopback: Bool
    /// The largest body of an event, in bytes.
    let bodyLimit: Int
    private let draining = Atomic(false)

    /// Made when it is first asked for: the app is walked through for it.
    private let catalog = Mutex<HTTPResponse?>(nil)
    private let ok = HTTPResponse.json(HTTPBody(#"{"status":"ok"}"#))

    init(sessions: SessionRegistry, publicFiles: PublicFiles, apiKey: APIKey?, isOnLoopback: Bool, bodyLimit: Int) {
        self.sessions = sessions
        app = sessions.host.app
        metrics = Metrics()
        self.publicFiles = publicFiles
        self.apiKey = apiKey
        self.isOnLoopback = isOnLoopback
        self.bodyLimit = bodyLimit
    }

    private func getCatalog() -> HTTPResponse {
        catalog.withLock { catalog in
            let response = catalog ?? .json(CatalogDocument.encode(app.app))
            catalog = response
            return response
        }
    }

    /// From now on only the probes are answered, and what takes long is given up.
    func drain() {
        draining.store(true, ordering: .relaxed)
        sessions.drain()
    }

    var isDraining: Bool { draining.load(ordering: .relaxed) }

    private func route(_ request: borrowing HTTPRequest) throws -> HTTPAnswer {
        let path = request.path
        let method = request.method == .head ? .get : request.method
        // A path without an id is not taken apart: that is a twentieth of such a request.
        let whole = Self.endpoints.firstIndex { $0.path == path && $0.method == method }
        let parts = whole == nil ? path.split(separator: "/", omittingEmptySubsequences: false).dropFirst() : []
        let index = whole ?? Self.endpoints.firstIndex { $0.method == method && $0.matches(parts) }
        let endpoint = index.map { Self.endpoints[$0] }
        if endpoint?.isProbe != true {
            if let apiKey, !apiKey.opens(request) { throw Problem.unauthorized }
            if isDraining { throw Problem.draining }
        }
        if let endpoint { return try endpoint.answer(self, request, endpoint.id(in: parts)) }
        let matching = Self.endpoints.filter { $0.matches(parts) }
        guard matching.isEmpty else { throw Problem.methodNotAllowed(allowedMethods(of: matching)) }
        guard let file = publicFiles.response(at: path) else { throw publicFiles.problem(at: path) }
        guard method == .get else { throw Problem.methodNotAllowed(["GET", "HEAD"]) }
        return .now(file)
    }

    private func allowedMethods(of endpoints: [Endpoint]) -> [String] {
        endpoints.flatMap { $0.method == .get ? ["GET", "HEAD"] : [$0.method.rawValue] }
    }

    // MARK: When a request is answered

    /// Answers with what comes of a session, once it is there.
    func answer(
        _ session: Future<Session, SessionError>,
        _ body: @escaping @Sendable (Session) -> Future<HTTPResponse, SessionError>
    ) -> HTTPAnswer {
        if case .now(.success(let session)) = session { return answer(body(session)) }
        return answer(
            session.then { result in
                switch result {
                case .success(let session): body(session)
                case .failure(let error): .failed(error)
                }
            })
    }

    /// Answers at once where all is there, else when it is; no thread waits for it.
    func answer(_ response: Future<HTTPResponse, SessionError>) -> HTTPAnswer {
        answer(response) { $0 }
    }

    /// Answers at once where the value is there that the answer is made of, else when it is.
    func answer<Value: Sendable>(
        _ value: Future<Value, SessionError>, _ respond: @escaping @Sendable (Value) -> HTTPResponse
    ) -> HTTPAnswer {
        if let result = value.result { return .now(response(to: result, respond)) }
        return .later(
            atMost: HTTPParkedAnswer.longestWait,
            otherwise: { self.response(to: Problem(self.isDraining ? .draining : .tooBusy)) },
            begin: { answer in
                value.whenDone(for: WaitingClient(for: answer)) { answer.answer(with: self.response(to: $0, respond)) }
            })
    }

    private func response<Value>(
        to result: Result<Value, SessionError>, _ respond: (Value) -> HTTPResponse
    ) -> HTTPResponse {
        switch result {
        case .success(let value): respond(value)
        case .failure(let error): response(to: Problem(error))
        }
    }

    // MARK: The server itself

    private func getReadiness() throws(Problem) -> HTTPAnswer {
        if isDraining { throw .draining }
        return answer(
            sessions.host.journal.check().mapResult { result in
                result.mapError(SessionError.init).map { self.ok }
            })
    }

    private func getMetrics() -> HTTPResponse {
        HTTPResponse(
            status: 200,
            headers: [("Content-Type", "text/plain; version=0.0.4; charset=utf-8"), ("Cache-Control", "no-store")],
            body: metrics.text(
                sessions.host.counters, sessions: sessions.count, running: sessions.caretaker.running,
                journal: sessions.host.journal.statistics))
    }
}

extension API: HTTPHandler {
    func bodyPlan(for request: borrowing HTTPRequest) -> HTTPBodyPlan {
        guard request.method == .post, request.path == "/sessions", request.isOfType(MediaType.lines) else {
            return .collect()
        }
        // Whoever is to be turned away is told so when all has arrived; until then nothing is done with it.
        let isWelcome = apiKey?.opens(request) != false && !isDraining && !sessions.isFull
        return .stream(
            to: JournalUpload(into: isWelcome ? sessions : nil, for: requester(of: request), bodyLimit: bodyLimit),
            limit: JournalUpload.maximumSize)
    }

    func respond(to request: borrowing HTTPRequest) -> HTTPAnswer {
        metrics.countRequest()
        do {
            return try route(request)
        } catch {
            return .now(response(to: error))
        }
    }

    func refuse(_ refusal: HTTPRefusal) -> HTTPResponse {
        response(to: Problem(refusal))
    }

    func response(to error: any Error) -> HTTPResponse {
        metrics.countProblem()
        return (error as? Problem ?? .internalError).response
    }
}
