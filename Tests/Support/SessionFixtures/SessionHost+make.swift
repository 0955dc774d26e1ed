package import Coordinate
package import CoordinateSessions
package import Logging

extension SessionRegistry {
    /// Creates a registry of sessions whose routes are the navigation states themselves.
    package static func make(
        app: any CoordinatedApp, journal: any Journal = MemoryJournal(), clock: SessionClock = .system,
        limits: SessionLimits = .make(), onChange: AppChangePolicy = .quarantine, logger: Logger = .silent,
        scheduler: FairScheduler = .unhurried, memory: Int = .max
    ) -> SessionRegistry {
        SessionRegistry(
            SessionHost(
                app: HostedApp(app, onChange: onChange, logger: logger), journal: journal, clock: clock, limits: limits,
                scheduler: scheduler, executor: InlineExecutor.shared,
                budget: MemoryBudget(limit: memory, journal: journal),
                encode: { state, session, version in StateRoute(state, of: session, version: version) }))
    }
}

/// An executor that runs jobs on the caller's thread, for tests that follow each step.
package final class InlineExecutor: TaskExecutor {
    package static let shared = InlineExecutor()

    package func enqueue(_ job: consuming ExecutorJob) {
        unsafe job.runSynchronously(on: asUnownedTaskExecutor())
    }
}

extension FairScheduler {
    /// FairScheduler on which jobs take no time, so that the caller's thread finishes them.
    package static var unhurried: FairScheduler {
        let now = ContinuousClock.now
        return FairScheduler(count: 1, clock: { now }, on: { _, work in work() })
    }
}

extension SessionLimits {
    package static func make(
        maximumSessions: Int = 1_000, idleTime: Int = 1_800, passivationTime: Int = 300, maximumEvents: Int = 100_000
    ) -> SessionLimits {
        SessionLimits(
            maximumSessions: maximumSessions, idleTime: idleTime, passivationTime: passivationTime,
            maximumEvents: maximumEvents)
    }
}

/// A route that is the navigation state itself, for tests without HTTP.
package final class StateRoute: EncodedRoute {
    package let state: NavigationState
    package let session: SessionID
    package let version: Int

    package init(_ state: LiveState, of session: SessionID, version: Int) {
        self.state = NavigationState(of: state)
        self.session = session
        self.version = version
    }
}

extension EncodedRoute {
    /// The navigation state of the route. Only for sessions of a registry from `make`.
    package var asState: StateRoute {
        guard let route = self as? StateRoute else { preconditionFailure("The route belongs to another host.") }
        return route
    }
}

extension RouteReading {
    /// The route; `nil` if the client has it already.
    package var route: StateRoute? {
        if case .route(_, let route) = self { route.asState } else { nil }
    }
}

extension EventInjection {
    /// Creates an event at the leaf.
    package static func make(
        _ name: String, _ payload: PlainValue = .object([]), at coordinator: String? = nil,
        if condition: VersionCondition = .none, retry: Retry? = nil, wantsRoute: Bool = false
    ) -> EventInjection {
        EventInjection(
            EventRequest(name: name, payload: payload, at: coordinator), if: condition, retry: retry,
            wantsRoute: wantsRoute)
    }

    /// Creates an event of the test app.
    package static func push(_ number: Int, retry: Retry? = nil, wantsRoute: Bool = false) -> EventInjection {
        .make("test.push", .object([PlainField("number", .int(number))]), retry: retry, wantsRoute: wantsRoute)
    }
}
