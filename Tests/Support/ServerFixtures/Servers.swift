package import Coordinate
internal import CoordinateExplore
internal import CoordinateMCP
package import CoordinateServer
package import CoordinateSessions
package import CoordinateTesting
internal import CoordinateWeb
package import Logging
internal import Racing
internal import SessionFixtures

/// Runs the body with the racing app on a new server, with the given settings.
package nonisolated(nonsending) func withRacing<Result>(
    clock: SessionClock = .system, journal: any Journal = MemoryJournal(), logger: Logger = .silent,
    configuration: ServerConfiguration = .make(), over transport: TestTransport = .memory,
    _ body: nonisolated(nonsending) (TestServer) async throws -> Result
) async throws -> Result {
    try await withApp(
        try RacingApp.make(), clock: clock, journal: journal, logger: logger, configuration: configuration,
        over: transport, body)
}

/// Runs the body with any app on a new server.
package nonisolated(nonsending) func withApp<Result>(
    _ app: any CoordinatedApp, clock: SessionClock = .system, journal: any Journal = MemoryJournal(),
    logger: Logger = .silent, configuration: ServerConfiguration = .make(), over transport: TestTransport = .memory,
    _ body: nonisolated(nonsending) (TestServer) async throws -> Result
) async throws -> Result {
    let server = try Server(app: app, configuration: configuration, logger: logger, clock: clock, journal: journal)
    return try await withServer(server, over: transport, body)
}

/// Runs the body with a client of any app on a new server.
package nonisolated(nonsending) func withClient<Result>(
    of app: any CoordinatedApp, clock: SessionClock = .system, journal: any Journal = MemoryJournal(),
    logger: Logger = .silent, configuration: ServerConfiguration = .make(), over transport: TestTransport = .memory,
    _ body: nonisolated(nonsending) (SessionClient) async throws -> Result
) async throws -> Result {
    try await withApp(
        app, clock: clock, journal: journal, logger: logger, configuration: configuration, over: transport
    ) { try await body($0.client()) }
}

extension ServerConfiguration {
    /// The configuration of a server on a free port, with web pages, tools for agents and the map.
    package static func make(
        publicFolder: String? = nil, apiKey: String = "", maximumSessions: Int = 1_000, sessionIdleTime: Int = 1_800,
        sessionPassivationTime: Int = 300, maximumEvents: Int = 100_000, workers: Int = 0,
        onChange: AppChangePolicy = .quarantine, maximumMemory: Int = 0,
        endpoints: [HostEndpoint] = [.webPages(), .agents(), .map]
    ) -> ServerConfiguration {
        var configuration = ServerConfiguration()
        configuration.port = 0
        configuration.page = publicFolder.map { .folder($0) } ?? .none
        configuration.apiKey = apiKey
        configuration.maximumSessions = maximumSessions
        configuration.sessionIdleTime = sessionIdleTime
        configuration.sessionPassivationTime = sessionPassivationTime
        configuration.maximumEvents = maximumEvents
        configuration.workers = workers
        configuration.onChange = onChange
        configuration.maximumMemory = maximumMemory
        configuration.endpoints = endpoints
        return configuration
    }
}
