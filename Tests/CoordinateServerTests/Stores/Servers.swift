import Coordinate
import CoordinateSessions
import CoordinateTesting
@_exported import Stores

@testable import CoordinateServer

/// Runs the body with an app on a new server, with its own journal, which is closed at the end.
nonisolated(nonsending) func withApp<Result>(
    _ app: any CoordinatedApp, on store: Store.Place, clock: SessionClock = .system,
    configuration: ServerConfiguration = .make(), _ body: nonisolated(nonsending) (TestServer) async throws -> Result
) async throws -> Result {
    let journal = try store.open()
    defer { journal.close() }
    return try await withApp(app, clock: clock, journal: journal, configuration: configuration, body)
}

/// Runs the body with two servers on one store, one per app.
nonisolated(nonsending) func withServers<Result>(
    _ apps: [any CoordinatedApp], on store: Store.Place, clock: SessionClock = .system,
    configuration: ServerConfiguration = .make(),
    _ body: nonisolated(nonsending) ([TestServer]) async throws -> Result
) async throws -> Result {
    try await withApp(apps[0], on: store, clock: clock, configuration: configuration) { here in
        try await withApp(apps[1], on: store, clock: clock, configuration: configuration) { there in
            try await body([here, there])
        }
    }
}
