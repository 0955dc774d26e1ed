import Coordinate
import CoordinateSessions
import CoordinateTesting
import Racing
import SessionFixtures
import Testing

@testable import CoordinateServer

/// A trait that runs each test with a server of its own, which ``server`` and ``client`` name.
struct Serving: TestTrait, SuiteTrait, TestScoping {
    @TaskLocal static var current: (server: TestServer, client: SessionClient)?

    let isRecursive = true
    let app: @Sendable () throws -> any CoordinatedApp
    let clock: SessionClock
    let configuration: ServerConfiguration
    let transport: TestTransport

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await withApp(app(), clock: clock, configuration: configuration, over: transport) { server in
            try await Self.$current.withValue((server, server.client())) { try await function() }
        }
    }
}

extension Trait where Self == Serving {
    /// Runs each test with an app on a server of its own.
    static func serving(
        _ app: @autoclosure @escaping @Sendable () throws -> any CoordinatedApp, clock: SessionClock = .system,
        configuration: ServerConfiguration = .make(), over transport: TestTransport = .memory
    ) -> Self { Self(app: app, clock: clock, configuration: configuration, transport: transport) }

    /// Runs each test with the racing app on a server of its own.
    static func racing(
        clock: SessionClock = .system, configuration: ServerConfiguration = .make(),
        over transport: TestTransport = .memory
    ) -> Self { .serving(try RacingApp.make(), clock: clock, configuration: configuration, over: transport) }

    static var racing: Self { .racing() }
}

/// The server of the running test, which has the trait `serving` or `racing`.
var server: TestServer {
    guard let (server, _) = Serving.current else { fatalError("The test has no server: give it a trait.") }
    return server
}

/// A client of the running test's server. It is the same one during the whole test.
var client: SessionClient {
    guard let (_, client) = Serving.current else { fatalError("The test has no server: give it a trait.") }
    return client
}
