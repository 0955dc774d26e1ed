internal import CoordinateSessions
public import MicroHTTPD
internal import Synchronization

/// An endpoint that a host adds to its server: a route of its own below `/x/`, such as a webhook of another system, or a
/// part of this package that the host links.
///
/// ```swift
/// import CoordinateMCP
/// import CoordinateServer
/// import CoordinateWeb
///
/// configuration.endpoints = [
///     .webPages(), .agents(.read),
///     HostEndpoint(.post, "/x/payments", isOpen: true) { request, server in
///         guard isSigned(request) else { return HTTPResponse(status: .forbidden) }
///         // …
///         return HTTPResponse(status: .noContent)
///     },
/// ]
/// ```
///
/// The server's limits, its rules for hosts and other sites, and its metrics apply as to its other endpoints. A request to
/// a route of the host's own may wait for a minute; if the client leaves before, the closure's task is cancelled.
public struct HostEndpoint: Sendable {
    /// Returns the response. An ``EmitError`` that it throws becomes a problem with a fitting status; any other error is
    /// logged, and the client gets the status 500.
    public typealias Answer = @Sendable (_ request: HostRequest, _ server: Server) async throws -> HTTPResponse

    /// Adds to the parts of a server, which exists once it has them.
    let add: @Sendable (inout ServerParts, _ server: ServerReference) throws(ServerError) -> Void

    /// Creates a route of the host's own.
    ///
    /// - Parameters:
    ///   - path: The path: `/x/payments`.
    ///   - isOpen: Whether anybody may send such a request. If not, only the server's operator may.
    public init(_ method: HTTPRequest.Method, _ path: String, isOpen: Bool = false, _ answer: @escaping Answer) {
        add = { parts, server throws(ServerError) in
            let isBelow = path.hasPrefix("/x/") && path.utf8.count > 3
            guard isBelow, path.utf8.allSatisfy({ (0x21...0x7E).contains($0) && !Array("?{".utf8).contains($0) })
            else {
                throw .configuration("The path \"\(path)\" of an endpoint must begin with /x/, as in /x/payments.")
            }
            let isTaken = parts.ownEndpoints.contains { $0.method == method && $0.pattern == path }
            guard method != .head, !isTaken else {
                throw .configuration("The endpoint \(method.rawValue) \(path) exists already.")
            }
            parts.ownEndpoints.append(
                Endpoint(method, path, isOpen ? [] : .operate) { api, request, _ in
                    api.answer(request, to: "\(method.rawValue) \(path)", of: server, answer)
                })
        }
    }

    package init(adding add: @escaping @Sendable (inout ServerParts) throws(ServerError) -> Void) {
        self.add = { parts, _ throws(ServerError) in try add(&parts) }
    }
}

/// A request to a route of the host's own.
public struct HostRequest: Sendable {
    public let method: HTTPRequest.Method
    public let path: String
    /// The decoded items of the query, in the order sent.
    public let query: [(name: String, value: String)]
    public let headers: HTTPFields
    public let body: [UInt8]
    /// The client's address, or that of a proxy that is not trusted to report it.
    public let client: String
}

/// A weak reference to a server, which is set once the server exists.
final class ServerReference: Sendable {
    private struct Reference: Sendable {
        weak let server: Server?
    }

    private let reference = Mutex(Reference(server: nil))

    var server: Server? {
        get { reference.withLock { $0.server } }
        set { reference.withLock { $0 = Reference(server: newValue) } }
    }
}

extension API {
    /// Answers a request with the host's closure, which does not run on the worker because it may block its thread.
    ///
    /// - Parameter name: The name of the endpoint in the log.
    fileprivate func answer(
        _ request: borrowing HTTPRequest, to name: String, of server: ServerReference,
        _ closure: @escaping HostEndpoint.Answer
    ) -> HTTPAnswer {
        let incoming = HostRequest(
            method: request.method, path: request.path, query: request.queryItems, headers: request.headers,
            body: request.body, client: address(of: request).description)
        return answer {
            guard let server = server.server else { throw Problem.draining }
            do {
                return try await withTaskExecutorPreference(globalConcurrentExecutor) {
                    try await closure(incoming, server)
                }
            } catch {
                let problem = error as? Problem ?? (error as? EmitError).map(Problem.init) ?? .internalError
                if problem.status.kind == .serverError { self.app.report("The endpoint \(name) failed: \(error)") }
                throw problem
            }
        }
    }
}

extension Problem {
    fileprivate init(_ error: EmitError) {
        switch error {
        case .noSuchSession: self = .sessionNotFound
        case .unavailable, .outcomeUnknown: self.init(.tooBusy)
        case .refused(let reason): self.init(.eventNotAllowed, reason)
        case .appChanged(let reason): self.init(.appChanged, reason)
        case .appFailed: self = .internalError
        }
    }
}
