internal import CoordinateSessions
public import MicroHTTPD

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

/// A route of the host's own.
struct HostRoute: Sendable {
    let method: HTTPRequest.Method
    let path: String
    /// Whether anybody may use it. If not, only the operator may.
    let isOpen: Bool
    /// Returns the response. A `Problem` that it throws is sent to the client.
    let answer: @Sendable (HostRequest) async throws -> HTTPResponse
}

/// The routes of a server's host, by their paths.
struct HostRoutes: Sendable {
    /// The pattern of their paths, for metrics and logs.
    static let pattern = "/x/{path}"

    private let routes: [String: [HostRoute]]

    /// - Throws: The reason why the routes cannot be served, for the host's author.
    init(_ routes: [HostRoute]) throws(UnservableRoute) {
        for (index, route) in routes.enumerated() {
            let isBelow = route.path.hasPrefix("/x/") && route.path.utf8.count > 3
            guard isBelow, route.path.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "?") }) else {
                throw UnservableRoute(
                    "The path \"\(route.path)\" of an endpoint must begin with /x/, as in /x/payments.")
            }
            let isTaken = routes[..<index].contains { $0.method == route.method && $0.path == route.path }
            guard route.method != .head, !isTaken else {
                throw UnservableRoute("The endpoint \(route.method.rawValue) \(route.path) exists already.")
            }
        }
        self.routes = Dictionary(grouping: routes, by: \.path)
    }

    /// The routes of a path, one per method.
    func routes(at path: String) -> [HostRoute] { routes.isEmpty ? [] : routes[path] ?? [] }
}

/// The reason why a route of the host's own cannot be served.
struct UnservableRoute: Error {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}

extension API {
    /// Answers a request with the host's closure, which runs in a task of its own.
    func answer(_ request: borrowing HTTPRequest, by route: HostRoute) -> HTTPAnswer {
        let incoming = HostRequest(
            method: request.method, path: request.path, query: request.queryItems, headers: request.headers,
            body: request.body, client: address(of: request).description)
        return .later(
            atMost: HTTPParkedAnswer.longestWait,
            otherwise: { self.response(to: Problem(self.isDraining ? .draining : .tooBusy)) },
            begin: { answer in
                let task = Task {
                    do {
                        answer.answer(with: try await route.answer(incoming))
                    } catch {
                        let problem = error as? Problem ?? .internalError
                        if problem.status.kind == .serverError {
                            self.app.report("The endpoint \(route.method.rawValue) \(route.path) failed: \(error)")
                        }
                        answer.answer(with: self.response(to: problem))
                    }
                }
                answer.whenExpired { task.cancel() }
            })
    }
}
