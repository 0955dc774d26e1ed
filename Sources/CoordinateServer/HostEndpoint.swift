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
    /// Returns the response. An ``EmitError`` that it throws becomes a problem with a fitting status; any other error is
    /// logged, and the client gets the status 500.
    public typealias Answer = @Sendable (_ request: HostRequest, _ server: Server) async throws -> HTTPResponse

    public let method: HTTPRequest.Method
    /// The path: `/x/payments`.
    public let path: String
    /// Whether anybody may send such a request. If not, only the server's operator may.
    public let isOpen: Bool
    private let answer: Answer

    public init(_ method: HTTPRequest.Method, _ path: String, isOpen: Bool = false, _ answer: @escaping Answer) {
        self.method = method
        self.path = path
        self.isOpen = isOpen
        self.answer = answer
    }

    /// The route that calls the closure with a server.
    func route(calling server: ServerReference) -> HostRoute {
        HostRoute(method: method, path: path, isOpen: isOpen) { [answer] request in
            guard let server = server.server else { throw Problem.draining }
            do {
                return try await answer(request, server)
            } catch let error as EmitError {
                throw Problem(error)
            }
        }
    }
}

extension HostEndpoint: Equatable {
    /// Returns whether two endpoints answer the same requests.
    public static func == (one: HostEndpoint, other: HostEndpoint) -> Bool {
        (one.method, one.path, one.isOpen) == (other.method, other.path, other.isOpen)
    }
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
