public import Coordinate
public import CoordinateServer
internal import Dispatch

/// Serves an app on a free port of this machine for as long as the body runs, and not a moment longer.
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
/// The server is stopped whether the body returns, throws or is cancelled; every session is let go of when this returns.
///
/// - Parameter configuration: The port in it is ignored.
public nonisolated(nonsending) func withServer<Result>(
    app: any CoordinatedApp, configuration: ServerConfiguration = ServerConfiguration(),
    _ body: nonisolated(nonsending) (TestServer) async throws -> Result
) async throws -> Result {
    var configuration = configuration
    configuration.port = 0
    return try await withServer(try Server(app: app, configuration: configuration), body)
}

/// Runs a server that was made elsewhere, for as long as the body runs.
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
/// - Parameter server: One that was not started yet. Let its port be 0, so that tests can run side by side.
public nonisolated(nonsending) func withServer<Result>(
    _ server: Server, _ body: nonisolated(nonsending) (TestServer) async throws -> Result
) async throws -> Result {
    try server.start()
    let result: Result
    do {
        result = try await body(TestServer(url: server.url))
    } catch {
        await stop(server)
        throw error
    }
    await stop(server)
    return result
}

/// Stopping waits for requests under way, so it happens on a thread of its own.
private nonisolated(nonsending) func stop(_ server: Server) async {
    await withCheckedContinuation { continuation in
        DispatchQueue.global().async {
            server.stop()
            continuation.resume()
        }
    }
}

/// A server that runs for a test: see ``withServer(app:configuration:_:)``.
public struct TestServer: Sendable {
    /// The address it listens on: `http://127.0.0.1:43210`.
    public let url: String

    /// A new client, which has no session yet.
    ///
    /// ```swift
    /// let ada = server.client()
    /// let grace = server.client(headers: ["Authorization": "Bearer \(key)"])
    /// ```
    ///
    /// - Parameter headers: What the client sends with every request.
    public func client(headers: [String: String] = [:]) -> TestClient {
        TestClient(url: url, headers: headers)
    }

    /// A client in a new session that has taken the events of an exported journal.
    ///
    /// ```swift
    /// let client = try await server.client(replaying: journal)
    /// #expect(try await client.route().path == "/main/profile")
    /// ```
    ///
    /// - Throws: ``UnexpectedAnswer`` where an event cannot be replayed, or goes another way than it was recorded.
    public func client(replaying journal: [UInt8], headers: [String: String] = [:]) async throws -> TestClient {
        let client = client(headers: headers)
        let type = ["Content-Type": "application/x-ndjson"]
        let answer = try await client.request("POST", "/sessions", headers: type, body: journal)
        return client.inSession(try answer.decode(Document.Session.self, status: 201).id)
    }
}
