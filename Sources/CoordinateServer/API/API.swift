internal import Coordinate
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
        Endpoint(.post, "/sessions") { api, request, _ in try api.postSession(request) },
        Endpoint(.get, "/sessions/{id}") { api, _, id in try api.getSession(id) },
        Endpoint(.delete, "/sessions/{id}") { try $0.deleteSession($1, $2) },
        Endpoint(.post, "/sessions/{id}/forks") { try $0.postFork($1, of: $2) },
        Endpoint(.get, "/catalog") { api, _, _ in .now(api.catalog) },
        Endpoint(.get, "/metrics") { api, _, _ in .now(api.getMetrics()) },
        Endpoint(.get, "/livez", isProbe: true) { api, _, _ in .now(api.ok) },
        Endpoint(.get, "/readyz", isProbe: true) { api, _, _ in .now(try api.getReadiness()) },
    ]

    let host: AppHost
    let sessions: SessionRegistry
    private let publicFiles: PublicFiles
    private let apiKey: APIKey?
    private let draining = Atomic(false)

    private let catalog: HTTPResponse
    private let ok = HTTPResponse.json(HTTPBody(#"{"status":"ok"}"#))

    init(host: AppHost, sessions: SessionRegistry, publicFiles: PublicFiles, apiKey: APIKey?) {
        self.host = host
        self.sessions = sessions
        self.publicFiles = publicFiles
        self.apiKey = apiKey
        catalog = .json(CatalogDocument.encode(host.app))
    }

    /// From now on only the probes are answered.
    func drain() {
        draining.store(true, ordering: .relaxed)
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
        guard let file = publicFiles.response(at: path) else { throw Problem.notFound }
        guard method == .get else { throw Problem.methodNotAllowed(["GET", "HEAD"]) }
        return .now(file)
    }

    private func allowedMethods(of endpoints: [Endpoint]) -> [String] {
        endpoints.flatMap { $0.method == .get ? ["GET", "HEAD"] : [$0.method.rawValue] }
    }

    /// Answers at once where that is quick, else on a thread that no other client waits for.
    func answer(_ body: @escaping @Sendable () throws(SessionError) -> HTTPResponse) throws(Problem) -> HTTPAnswer {
        do throws(SessionError) {
            return .now(try body())
        } catch .takesLong {
            return .later {
                Patience.$isUnlimited.withValue(true) {
                    guard !self.isDraining else { return self.response(to: Problem.draining) }
                    do throws(SessionError) { return try body() } catch { return self.response(to: Problem(error)) }
                }
            }
        } catch {
            throw Problem(error)
        }
    }

    // MARK: The server itself

    private func getReadiness() throws(Problem) -> HTTPResponse {
        if isDraining { throw .draining }
        do throws(JournalError) { try host.journal.check() } catch { throw Problem(.journal(error)) }
        return ok
    }

    private func getMetrics() -> HTTPResponse {
        HTTPResponse(
            status: 200,
            headers: [("Content-Type", "text/plain; version=0.0.4; charset=utf-8"), ("Cache-Control", "no-store")],
            body: host.metrics.text(sessions: sessions.count))
    }
}

extension API: HTTPHandler {
    func bodyPlan(for request: borrowing HTTPRequest) -> HTTPBodyPlan {
        guard request.method == .post, request.path == "/sessions", request.isOfType(MediaType.lines) else {
            return .collect()
        }
        // Whoever is to be turned away is told so when all has arrived; until then nothing is done with it.
        let isWelcome = apiKey?.opens(request) != false && !isDraining && !sessions.isFull
        return .stream(to: JournalUpload(to: isWelcome ? host : nil, in: sessions), limit: JournalUpload.maximumSize)
    }

    func respond(to request: borrowing HTTPRequest) -> HTTPAnswer {
        host.metrics.countRequest()
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
        host.metrics.countProblem()
        return (error as? Problem ?? .internalError).response
    }
}
