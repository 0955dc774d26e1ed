internal import Coordinate
internal import Logging
internal import MicroHTTPD
internal import Synchronization

/// What all sessions of a server share: the app, its journal, the time, what is counted and what is logged.
final class AppHost: Sendable {
    let app: any CoordinatedApp
    let events: EventCatalog
    let journal: any Journal
    let clock: ServerClock
    let metrics: Metrics
    let logger: Logger
    let limits: Limits
    /// What waits for slow clients, over all sessions: 256 MiB.
    let streamAllowance = HTTPStream.Allowance(bytes: 256 * 1024 * 1024)

    /// Each remark is logged once: an app that misbehaves does so with every event.
    private let reported = Mutex<Set<String>>([])
    private static let maximumReported = 1_000

    init(
        app: any CoordinatedApp, journal: any Journal = MemoryJournal(), clock: ServerClock = .system,
        metrics: Metrics = Metrics(), logger: Logger, limits: Limits = ServerConfiguration().limits
    ) {
        self.app = app
        self.events = app.events
        self.journal = journal
        self.clock = clock
        self.metrics = metrics
        self.logger = logger
        self.limits = limits
    }

    /// Tells whoever runs the server what is wrong with the app.
    func report(_ remark: String) {
        let isNew = reported.withLock { $0.count < Self.maximumReported && $0.insert(remark).inserted }
        if isNew { logger.warning("\(remark)") }
    }
}
