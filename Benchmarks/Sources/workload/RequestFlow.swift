import CoordinateServer
import Logging
import MicroHTTPD
import RacingFlow

/// Requests to a server that is called instead of connected to, one after the other on one thread: what they take is ours, and
/// nothing of the kernel's or libmicrohttpd's.
struct RequestFlow {
    enum Kind: String {
        case get, unchanged, minimal, full
    }

    /// How a request names its session.
    enum Form: String {
        /// `GET /route` with the header `Session`.
        case short
        /// `GET /sessions/{id}/route`.
        case long
    }

    private let server: Server
    private let kind: Kind
    /// One session each, which are asked in turn.
    private let targets: [(path: String, headers: HTTPFields)]
    /// Two events that are each other's contrary.
    private let bodies: [[UInt8]]

    init(_ kind: Kind, _ form: Form, sessions: Int) throws {
        var configuration = ServerConfiguration()
        configuration.page = .none
        configuration.maximumSessions = sessions + 1
        let server = try Server(
            app: RacingFlow.app, configuration: configuration,
            logger: Logger(label: "workload", factory: { _ in SwiftLogNoOpLogHandler() }))
        self.server = server
        self.kind = kind
        bodies = ["set", "unset"].map { verb in
            Array(#"{"event": "teams.\#(verb)Favorite", "payload": {"team": "ferrari"}}"#.utf8)
        }
        targets = try (0..<sessions).map { _ in try Self.target(of: kind, form, on: server) }
    }

    /// Makes a session, with the path and the headers of the requests to it.
    private static func target(
        of kind: Kind, _ form: Form, on server: Server
    ) throws -> (path: String, headers: HTTPFields) {
        let json: HTTPFields = [.host: "127.0.0.1:8080", .contentType: "application/json"]
        let link = Array(#"{"path": "/main/teams/team/ferrari"}"#.utf8)
        let new = server.responseAtOnce(to: try HTTPRequest(.post, "/sessions", headers: json, body: link))
        guard let location = new?.headers[.location]?.rawValue else { preconditionFailure("There is no session.") }
        let session: HTTPFields = [.session: HTTPField.Value(String(location.dropFirst("/sessions/".count)))]
        let path = (form == .long ? location : "") + (kind == .get || kind == .unchanged ? "/route" : "/events")
        var headers = form == .long ? json : json + session
        if kind == .minimal { headers.append(.prefer, "return=minimal") }
        if kind == .unchanged {
            let route = server.responseAtOnce(to: try HTTPRequest(.get, "\(location)/route", headers: json))
            guard let tag = route?.headers[.eTag] else { preconditionFailure("There is no route.") }
            headers.append(.ifNoneMatch, tag)
        }
        return (path, headers)
    }

    func send(_ count: Int) throws {
        for number in 0..<count {
            let (round, position) = number.quotientAndRemainder(dividingBy: targets.count)
            let target = targets[position]
            let request: HTTPRequest
            switch kind {
            case .get, .unchanged: request = try HTTPRequest(.get, target.path, headers: target.headers)
            case .minimal, .full:
                request = try HTTPRequest(.post, target.path, headers: target.headers, body: bodies[round % 2])
            }
            let status = server.responseAtOnce(to: request)?.status
            precondition(status == (kind == .unchanged ? 304 : 200), "The answer is \(status ?? 0).")
        }
    }
}
