package import Coordinate
package import CoordinateServer
internal import CoordinateSessions
package import CoordinateTesting
internal import Racing
package import SessionFixtures
package import Testing

/// A trait that runs each test with a server of its own, which ``server`` and ``client`` name.
package struct Serving: TestTrait, SuiteTrait, TestScoping {
    /// What the running test has.
    package struct Place: Sendable {
        package let server: TestServer
        package let client: SessionClient
        package let app: any CoordinatedApp
        package let world: World
        package let clock: ManualClock
    }

    /// The clock of a server: the system's, or one that only the test moves.
    package enum Time: Sendable {
        case real, manual
    }

    @TaskLocal fileprivate static var place: Place?

    package let isRecursive = true
    let app: @Sendable (World) throws -> any CoordinatedApp
    let time: Time
    let configuration: ServerConfiguration
    let transport: TestTransport

    package func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        let (world, clock) = (World(), ManualClock())
        try await Self.provide(
            app(world), of: world, clock, time, configuration: configuration, over: transport, performing: function)
    }

    /// Runs a test with an app on a new server.
    package static func provide(
        _ app: any CoordinatedApp, of world: World = World(), _ clock: ManualClock = ManualClock(),
        _ time: Time = .real,
        configuration: ServerConfiguration, over transport: TestTransport, performing test: () async throws -> Void
    ) async throws {
        try await withApp(
            app, clock: time == .manual ? clock.clock : .system, configuration: configuration, over: transport
        ) { server in
            let place = Place(server: server, client: server.client(), app: app, world: world, clock: clock)
            try await $place.withValue(place) { try await test() }
        }
    }

    fileprivate static var current: Place {
        guard let place else { fatalError("The test has no server: give it a trait.") }
        return place
    }
}

extension Trait where Self == Serving {
    /// Runs each test with an app on a server of its own.
    package static func serving(
        _ app: @autoclosure @escaping @Sendable () throws -> any CoordinatedApp, time: Serving.Time = .real,
        configuration: ServerConfiguration = .make(), over transport: TestTransport = .memory
    ) -> Self { Self(app: { _ in try app() }, time: time, configuration: configuration, transport: transport) }

    /// Runs each test with the racing app on a server of its own.
    package static func racing(
        time: Serving.Time = .real, configuration: ServerConfiguration = .make(),
        over transport: TestTransport = .memory
    ) -> Self { .serving(try RacingApp.make(), time: time, configuration: configuration, over: transport) }

    package static var racing: Self { .racing() }

    /// Runs each test with an app on a server of its own, whose work is done by the test's ``world``.
    package static func working(
        _ app: @escaping @Sendable (World) -> any CoordinatedApp = { WorkApp($0) }, time: Serving.Time = .real
    ) -> Self { Self(app: app, time: time, configuration: .make(), transport: .memory) }

    package static var working: Self { .working() }
}

/// The server of the running test, which has a trait such as `racing`.
package var server: TestServer { Serving.current.server }

/// A client of the running test's server. It is the same one during the whole test.
package var client: SessionClient { Serving.current.client }

/// The app of a test with the trait `serving(TestApp())`.
package var testApp: TestApp {
    guard let app = Serving.current.app as? TestApp else { fatalError("The test has another app.") }
    return app
}

/// The world that does the work of a test with the trait `working`.
package var world: World { Serving.current.world }

/// The clock of a server whose time is manual.
package var manualClock: ManualClock { Serving.current.clock }
