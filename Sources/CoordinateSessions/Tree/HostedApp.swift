package import Coordinate
internal import Dispatch
package import Logging
internal import Synchronization

/// The app of a server's sessions, and what is known about it without a session.
package final class HostedApp: Sendable {
    package let app: any CoordinatedApp
    package let name: String
    package let version: String
    /// A hash that distinguishes this version of the app from others.
    package let versionFingerprint: String
    package let events: EventCatalog
    let onChange: AppChangePolicy
    let logger: Logger
    /// The watch of the app's turns; `nil` if there is none.
    let watch: (any TurnWatch)?
    /// The tracing of turns and work; `nil` if the program has no tracing backend.
    package let tracing: SpanTracing?
    /// The time, by which turns are slow or not.
    let nanoseconds: @Sendable () -> UInt64
    /// The number of turns that sessions ran, and the time that the app spent in them.
    package let turnTimes = TurnTimes()

    /// The remarks that were logged. Each is logged once, since an app with a fault repeats it with every event.
    private let reported = Mutex<Set<String>>([])
    private static let maximumReported = 1_000

    package init(
        _ app: any CoordinatedApp, onChange: AppChangePolicy = .quarantine, logger: Logger,
        watch: (any TurnWatch)? = nil, tracing: SpanTracing? = .ofProcess,
        nanoseconds: @escaping @Sendable () -> UInt64 = { DispatchTime.now().uptimeNanoseconds }
    ) {
        self.nanoseconds = nanoseconds
        self.app = app
        self.watch = watch
        self.tracing = tracing
        name = app.name
        version = app.version
        versionFingerprint = app.version.fingerprint
        events = app.events
        self.onChange = onChange
        self.logger = logger
    }

    /// Checks the options that a client sent.
    func checkOptions(_ options: PlainValue) throws(SessionError) {
        do throws(PlainValueError) {
            try app.checkOptions(options)
        } catch {
            throw .invalidOptions(error)
        }
    }

    /// The event as the app's migration changes it, if another version of the app recorded it.
    func migrated(_ recorded: RecordedEvent) -> RecordedEvent {
        var event = recorded
        if event.appVersion != version { app.migrate(&event) }
        return event
    }

    /// Logs a remark on a fault of the app, for its author.
    package func report(_ remark: String) {
        let isNew = reported.withLock { $0.count < Self.maximumReported && $0.insert(remark).inserted }
        if isNew { logger.warning("\(remark)") }
    }
}

extension CoordinatedApp {
    /// The reasons why the app cannot be hosted, one per line after the first; `nil` if it can.
    package var whyNotHosted: String? {
        let faults = faults
        return faults.isEmpty
            ? nil : "\(name) cannot be hosted as it is:" + faults.map { "\n- \($0)." }.joined()
    }
}

extension String {
    /// A short hash that distinguishes this text from others. It is the same in every process (FNV-1a).
    var fingerprint: String {
        let hash = utf8.reduce(0x811C_9DC5 as UInt32) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
        return String(hash, radix: 36)
    }
}
