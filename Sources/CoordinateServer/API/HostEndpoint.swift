internal import CoordinateSessions
public import MicroHTTPD
internal import Synchronization

/// A route of the host's own, below `/x/`: for a webhook of another system, for example.
///
/// ```swift
/// configuration.endpoints = [
///     HostEndpoint(.post, "/x/payments", isOpen: true) { request, server in
///         guard isSigned(request) else { return HTTPResponse(status: 403) }
///         // …
///         return HTTPResponse(status: 204)
///     }
/// ]
/// ```
///
/// The server's limits, its rules for hosts and other sites, and its metrics apply as to its own endpoints. A request may
/// wait for a minute; if the client leaves before, the closure's task is cancelled.
public struct HostEndpoint: Sendable {
    /// A request as the closure gets it.
    public struct Request: Sendable {
        public let method: HTTPMethod
        public let path: String
        /// The decoded items of the query, in the order sent.
        public let query: [(name: String, value: String)]
        public let headers: HTTPFields
        public let body: [UInt8]
        /// The client's address, or that of a proxy that is not trusted to report it.
        public let client: String
    }

    /// Returns the response. An ``EmitError`` that it throws becomes a problem with a fitting status; any other error is
    /// logged, and the client gets the status 500.
    public typealias Answer = @Sendable (_ request: Request, _ server: Server) async throws -> HTTPResponse

    public let method: HTTPMethod
    /// The path: `/x/payments`.
    public let path: String
    /// Whether anybody may send such a request. If not, only the server's operator may.
    public let isOpen: Bool
    let answer: Answer

    public init(_ method: HTTPMethod, _ path: String, isOpen: Bool = false, _ answer: @escaping Answer) {
        self.method = method
        self.path = path
        self.isOpen = isOpen
        self.answer = answer
    }
}

extension HostEndpoint: Equatable {
    /// Returns whether two endpoints answer the same requests.
    public static func == (one: HostEndpoint, other: HostEndpoint) -> Bool {
        (one.method, one.path, one.isOpen) == (other.method, other.path, other.isOpen)
    }
}

/// The endpoints of a server's host, by their paths.
final class HostEndpoints: Sendable {
    /// The pattern of their paths, for metrics and logs.
    static let pattern = "/x/{path}"

    private struct Reference: Sendable {
        weak let server: Server?
    }

    private let endpoints: [String: [HostEndpoint]]
    private let reference = Mutex(Reference(server: nil))

    init(_ endpoints: [HostEndpoint]) throws(ServerError) {
        for (index, endpoint) in endpoints.enumerated() {
            let isPath = endpoint.path.hasPrefix("/x/") && endpoint.path.utf8.count > 3
            guard isPath, endpoint.path.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "?") })
            else {
                throw .configuration(
                    "The path \"\(endpoint.path)\" of an endpoint must begin with /x/, as in /x/payments.")
            }
            guard endpoint.method != .head, !endpoints[..<index].contains(where: { endpoint.answersSame(as: $0) })
            else {
                throw .configuration("The endpoint \(endpoint.method.rawValue) \(endpoint.path) exists already.")
            }
        }
        self.endpoints = Dictionary(grouping: endpoints, by: \.path)
    }

    /// The endpoints of a path, one per method.
    func endpoints(at path: String) -> [HostEndpoint] { endpoints.isEmpty ? [] : endpoints[path] ?? [] }

    /// The server that calls them.
    var server: Server? {
        get { reference.withLock { $0.server } }
        set { reference.withLock { $0 = Reference(server: newValue) } }
    }
}

extension HostEndpoint {
    fileprivate func answersSame(as other: HostEndpoint) -> Bool { (method, path) == (other.method, other.path) }
}

extension API {
    /// Answers a request with the host's closure, which runs in a task of its own.
    func answer(_ request: borrowing HTTPRequest, by endpoint: HostEndpoint) throws(Problem) -> HTTPAnswer {
        guard let server = hostEndpoints.server else { throw .draining }
        let incoming = HostEndpoint.Request(
            method: request.method, path: request.path, query: request.queryItems, headers: request.headers,
            body: request.body, client: address(of: request).description)
        return .later(
            atMost: HTTPParkedAnswer.longestWait,
            otherwise: { self.response(to: Problem(self.isDraining ? .draining : .tooBusy)) },
            begin: { answer in
                let task = Task { [weak server] in
                    guard let server else { return }
                    do {
                        answer.answer(with: try await endpoint.answer(incoming, server))
                    } catch {
                        answer.answer(with: self.response(to: self.problem(of: error, in: endpoint)))
                    }
                }
                answer.whenExpired { task.cancel() }
            })
    }

    private func problem(of error: any Error, in endpoint: HostEndpoint) -> Problem {
        switch error as? EmitError {
        case .noSuchSession: return .sessionNotFound
        case .unavailable, .outcomeUnknown: return Problem(.tooBusy)
        case .refused, .appFailed, .appChanged, nil:
            app.report("The endpoint \(endpoint.method.rawValue) \(endpoint.path) failed: \(error)")
            return .internalError
        }
    }
}
