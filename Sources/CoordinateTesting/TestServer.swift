public import Coordinate
@_exported public import CoordinateClient
public import CoordinateServer
public import CoordinateSessions
internal import Dispatch

/// Serves an app while the body runs, without a socket.
///
/// ```swift
/// @Test func aTeamIsShown() async throws {
///     try await withServer(app: MyApp()) { server in
///         let client = server.client()
///         try await client.emit("teams.didSelect", ["team": "ferrari"])
///         #expect(try await client.route().path == "/main/teams/team/ferrari")
///     }
/// }
/// ```
///
/// The server is also stopped if the body throws or is cancelled. When this returns, all sessions are released. If the
/// body throws a client's error, the test fails at the line of the client's call, and this throws the error of a failed
/// requirement. Outside of a test it throws the client's error.
///
/// - Parameters:
///   - configuration: The settings. The port is ignored.
///   - journal: The store of the sessions. They outlive the server if the journal does.
///   - clock: The clock of the server; `nil` for the system's clock.
///   - transport: The way in which clients reach the server. Pass `.socket` if other programs, or clients that you
///     create yourself, connect to its `url`.
public nonisolated(nonsending) func withServer<Result>(
    app: any CoordinatedApp, configuration: ServerConfiguration = ServerConfiguration(),
    journal: any Journal = MemoryJournal(), clock: TestClock? = nil, over transport: TestTransport = .memory,
    _ body: nonisolated(nonsending) (TestServer) async throws -> Result
) async throws -> Result {
    var configuration = configuration
    configuration.port = 0
    guard let clock else {
        let server = try Server(app: app, journal: journal, configuration: configuration)
        return try await withServer(server, over: transport, body)
    }
    let server = try Server(app: app, configuration: configuration, clock: clock.sessionClock, journal: journal)
    let place = clock.insert { [weak server] in server?.sweep() }
    defer { clock.remove(place) }
    return try await withServer(server, over: transport, body)
}

/// Runs an existing server while the body runs.
///
/// ```swift
/// var configuration = ServerConfiguration()
/// configuration.port = 0
/// let server = try Server(app: MyApp(), configuration: configuration, logger: logger)
/// try await withServer(server) { server in
///     let answer = try await server.client().get("/livez")
///     #expect(answer.status == 200)
/// }
/// ```
///
/// - Parameters:
///   - server: A server that is not started yet. Set its port to 0, so that tests can run in parallel.
///   - transport: The way in which clients reach the server.
public nonisolated(nonsending) func withServer<Result>(
    _ server: Server, over transport: TestTransport = .memory,
    _ body: nonisolated(nonsending) (TestServer) async throws -> Result
) async throws -> Result {
    switch transport {
    case .socket: try server.start()
    case .memory: server.startSweeping()
    }
    let result: Result
    do {
        result = try await body(
            transport == .socket ? TestServer(url: server.url, server: server) : TestServer(inMemory: server))
    } catch {
        await stop(server)
        try (error as? any ClientError)?.record()
        throw error
    }
    await stop(server)
    return result
}

/// Uses a server that already runs at an address, in this process or another one, while the body runs. If the body throws
/// a client's error, the test fails at the line of the client's call.
///
/// ```swift
/// @Test func theShopIsOpen() async throws {
///     try await withServer(at: "http://127.0.0.1:8080") { server in
///         try await server.client().press("Check out")
///     }
/// }
/// ```
///
/// - Parameter url: The address of the server without a path.
public nonisolated(nonsending) func withServer<Result>(
    at url: String, _ body: nonisolated(nonsending) (TestServer) async throws -> Result
) async throws -> Result {
    do {
        return try await body(TestServer(url: url))
    } catch {
        try (error as? any ClientError)?.record()
        throw error
    }
}

/// Stops a server on a separate thread, because stopping waits for requests in progress.
private nonisolated(nonsending) func stop(_ server: Server) async {
    await withCheckedContinuation { continuation in
        DispatchQueue.global().async {
            server.stop()
            continuation.resume()
        }
    }
}

/// The way in which a test's clients reach their server. The same test can run with each.
///
/// ```swift
/// @Test(arguments: TestTransport.allCases)
/// func aTeamIsShown(over transport: TestTransport) async throws {
///     try await withServer(app: MyApp(), over: transport) { server in … }
/// }
/// ```
public enum TestTransport: CaseIterable, Sendable {
    /// Over HTTP, on a free port of this machine: for tests of other programs, of connections and of their limits.
    case socket
    /// With calls, about ten times as fast. The answers are the same, live streams included. Metrics have no times of
    /// requests, tracing has no spans of them, there is no access log, and their memory is not charged.
    case memory
}

/// A server that runs during a test: see ``withServer(app:configuration:journal:clock:over:_:)``.
public struct TestServer: Sendable {
    /// The address on which it listens, such as `http://127.0.0.1:43210`; `http://localhost` if it does not listen.
    public let url: String
    /// The server; `nil` if only its address is known.
    private let server: Server?
    private let isInMemory: Bool

    init(url: String, server: Server? = nil) {
        self.url = url
        self.server = server
        isInMemory = false
    }

    init(inMemory server: Server) {
        url = "http://localhost"
        self.server = server
        isInMemory = true
    }

    /// Creates a client that has no session yet.
    ///
    /// ```swift
    /// let ada = server.client()
    /// let grace = server.client(headers: ["Authorization": "Bearer \(key)"])
    /// ```
    ///
    /// - Parameter headers: The headers to send with every request.
    public func client(headers: [String: String] = [:]) -> SessionClient {
        if isInMemory, let server {
            return SessionClient(
                url: url, headers: headers, answeredBy: { try await server.answer($0) },
                streamedBy: { try await server.stream($0) })
        }
        // Long imports are replayed only while the processors have no other work, such as parallel tests.
        var limits = SessionClient.Limits()
        limits.requestTime = .seconds(600)
        return SessionClient(url: url, headers: headers, limits: limits)
    }

    /// Creates a client in a new session with some of the app's options.
    ///
    /// ```swift
    /// let client = try await server.client(options: ["locale": "de"], at: "/main/profile")
    /// ```
    ///
    /// - Parameters:
    ///   - options: The options. Those left out have their defaults.
    ///   - path: A deep link as the session's first event; `nil` for none.
    /// - Throws: ``UnexpectedAnswer`` if the app has no such option, or the path leads nowhere.
    public func client(
        options: JSON, at path: String? = nil, headers: [String: String] = [:],
        fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
    ) async throws -> SessionClient {
        let client = client(headers: headers)
        var session: [String: JSON] = ["options": options]
        if let path { session["path"] = .string(path) }
        let answer = try await client.post(
            "/sessions", json: .object(session), fileID: fileID, filePath: filePath, line: line, column: column)
        return client.inSession(try answer.decode(Document.Session.self, status: 201).id)
    }

    /// Emits a host event into a client's session, including events that only the app and its host may emit.
    ///
    /// ```swift
    /// try await server.emit(AppEvents.Orders.didShip(order), into: client)
    /// ```
    ///
    /// - Parameter coordinator: The id of the coordinator at which to emit it; `nil` for the visible leaf.
    /// - Throws: ``HostEventFailure`` if the session does not accept the event, or the client has no session yet.
    @discardableResult
    public func emit(
        _ event: some DeclaredEvents, into client: SessionClient, at coordinator: String? = nil,
        fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
    ) async throws -> EventOutcome {
        do throws(EmitError) {
            guard let server else {
                throw .unavailable("Host events need the server itself. Pass it to withServer instead of its address.")
            }
            guard let session = client.sessionID.flatMap(SessionID.init) else { throw .noSuchSession }
            return try await server.emit(event, into: session, at: coordinator)
        } catch {
            throw HostEventFailure(
                event: event.encoded.name, reason: error,
                callSite: CallSite(fileID: fileID, filePath: filePath, line: line, column: column))
        }
    }

    /// Creates a client in a new session that has replayed the events of an exported journal.
    ///
    /// ```swift
    /// let client = try await server.client(replaying: journal)
    /// #expect(try await client.route().path == "/main/profile")
    /// ```
    ///
    /// - Parameter work: `withheld` if pending work must not start in the new session.
    /// - Throws: ``UnexpectedAnswer`` if an event cannot be replayed, or leads elsewhere than when it was recorded.
    public func client(
        replaying journal: [UInt8], work: Document.Session.Work? = nil, headers: [String: String] = [:],
        fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
    ) async throws -> SessionClient {
        let client = client(headers: headers)
        let type = ["Content-Type": "application/x-ndjson"]
        let path = "/sessions\(work.map { "?work=\($0.rawValue)" } ?? "")"
        let answer = try await client.request(
            "POST", path, headers: type, body: journal, fileID: fileID, filePath: filePath, line: line,
            column: column)
        return client.inSession(try answer.decode(Document.Session.self, status: 201).id)
    }
}

/// The error for a host event that a session did not accept.
public struct HostEventFailure: ClientError, Equatable {
    /// The full name of the event.
    public let event: String
    public let reason: EmitError
    public let callSite: CallSite

    public var message: String { "The session did not accept the host event \"\(event)\": \(reason)" }
}
