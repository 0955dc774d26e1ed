internal import Coordinate
internal import CoordinateExplore
internal import CoordinateServer
internal import CoordinateSessions
internal import JSON
internal import Logging
internal import MicroHTTPD
internal import Synchronization

/// A server that is called directly, without connections.
final class JotterServer: Sendable {
    static let host: HTTPFields = [.hostField: "localhost"]
    static let json: HTTPFields = [.hostField: "localhost", .contentType: "application/json"]
    /// A moment at which nothing expires.
    static let now = Timestamp(seconds: 1_795_253_400)

    private let server: Server
    private let clients = Atomic(0 as UInt64)

    init(_ configure: (inout ServerConfiguration) -> Void = { _ in }) {
        var configuration = ServerConfiguration()
        configuration.page = .none
        configuration.endpoints = [.map]
        configure(&configuration)
        do {
            server = try Server(
                app: JotterApp(), configuration: configuration,
                logger: Logger(label: "fuzz", factory: { _ in SwiftLogNoOpLogHandler() }),
                clock: SessionClock(uptime: { 0 }, timestamp: { Self.now }), journal: MemoryJournal())
        } catch {
            preconditionFailure("\(error)")
        }
    }

    /// Returns the response to a request of a new client.
    func answer(
        _ method: HTTPRequest.Method, _ target: String, _ headers: HTTPFields = host, body: [UInt8] = []
    ) async throws -> HTTPResponse {
        let number = clients.wrappingAdd(1, ordering: .relaxed).newValue
        let client = IPAddress(
            "2001:\(String(number >> 16 & 0xFFFF, radix: 16)):\(String(number & 0xFFFF, radix: 16))::1")
        let request = try HTTPRequest(method, target, headers: headers, body: body, from: client ?? .loopback)
        guard let response = await server.response(to: request) else {
            throw Violation(description: "\(method) \(target) gets no response")
        }
        try checkForm(of: response, to: method, target)
        return response
    }

    /// Checks that no request causes a server error, and that every JSON document can be read.
    private func checkForm(of response: HTTPResponse, to method: HTTPRequest.Method, _ target: String) throws {
        try require(response.status.kind != .serverError, "\(method) \(target) gets \(response.status)")
        guard response.headers[.contentType]?.hasSuffix("json") == true else { return }
        guard (try? JSONParser.parse(response.body.bytes)) != nil else {
            throw Violation(description: "\(method) \(target) gets a document that is not JSON")
        }
    }

    private func session() async throws -> String {
        let response = try await answer(.post, "/sessions", Self.json)
        guard let location = response.headers[.location] else {
            throw Violation(description: "creating a session got \(response.status)")
        }
        return String(location.dropFirst("/sessions/".count))
    }

    /// The body of an event that is always accepted.
    static let event = Array(#"{"event": "jotter.write", "payload": {"text": "a"}}"#.utf8)

    /// Runs a body with a new session.
    func withSession(_ body: (String) async throws -> Void) async throws {
        let session = try await session()
        try await body(session)
        _ = try await answer(.delete, "/sessions/\(session)")
    }

    /// Returns the number of events that a session has accepted.
    func version(of session: String) async throws -> Int {
        let response = try await answer(.get, "/sessions/\(session)")
        guard case .int(let version) = try JSONParser.parse(response.body.bytes)[field: "version"] else {
            throw Violation(description: "a session has no version")
        }
        return version
    }
}

extension HTTPResponse {
    /// The last part of a problem's type; `nil` if the response is not a problem.
    var problem: String? {
        guard headers[.contentType] == "application/problem+json",
            let type = (try? JSONParser.parse(body.bytes))?[field: "type"]?.string
        else { return nil }
        return String(type.dropFirst("/problems/".count))
    }
}
