internal import Coordinate
internal import Logging
internal import Synchronization

/// What all sessions of a server share: the app, its journal, the time, what is counted and what is logged.
final class AppHost: Sendable {
    let app: any CoordinatedApp
    let events: EventCatalog
    let journal: any Journal
    let clock: ServerClock
    let metrics: Metrics
    let logger: Logger
    /// How long a session may be idle, in seconds.
    let idleTime: Int

    /// Each diagnostic is logged once: an app that misbehaves does so with every event.
    private let reported = Mutex<Set<Diagnostic>>([])
    private static let maximumReported = 1_000

    init(
        app: any CoordinatedApp, journal: any Journal, clock: ServerClock, metrics: Metrics, logger: Logger,
        idleTime: Int
    ) {
        self.app = app
        self.events = app.events
        self.journal = journal
        self.clock = clock
        self.metrics = metrics
        self.logger = logger
        self.idleTime = idleTime
    }

    func report(_ diagnostics: [Diagnostic]) {
        for diagnostic in diagnostics {
            let isNew = reported.withLock {
                $0.count < Self.maximumReported && $0.insert(diagnostic).inserted
            }
            if isNew { logger.warning("\(diagnostic)") }
        }
    }
}
