package import Coordinate
package import Logging
internal import Synchronization

/// The app that sessions are of, with what is known of it without one.
package final class HostedApp: Sendable {
    package let app: any CoordinatedApp
    package let name: String
    package let version: String
    /// Tells this version of the app from others.
    package let versionFingerprint: String
    package let events: EventCatalog
    let onChange: AppChangePolicy
    let logger: Logger
    /// Nil where nobody wants to know.
    let watch: (any TurnWatch)?
    /// Nil where the program has no tracing backend.
    package let tracing: SpanTracing?
    /// Counts the turns that sessions took, and how long the app was at work in them.
    package let turnTimes = TurnTimes()

    /// Each remark is logged once: an app that misbehaves does so with every event.
    private let reported = Mutex<Set<String>>([])
    private static let maximumReported = 1_000

    package init(
        _ app: any CoordinatedApp, onChange: AppChangePolicy = .quarantine, logger: Logger,
        watch: (any TurnWatch)? = nil, tracing: SpanTracing? = .ofProcess
    ) {
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

    /// Tells whoever runs the app what is wrong with it.
    package func report(_ remark: String) {
        let isNew = reported.withLock { $0.count < Self.maximumReported && $0.insert(remark).inserted }
        if isNew { logger.warning("\(remark)") }
    }
}

extension CoordinatedApp {
    /// A sentence about why the app cannot be hosted; nil where it can.
    package var whyNotHosted: String? {
        let faults = faults
        return faults.isEmpty
            ? nil : "\(name) cannot be hosted as it is declared: \(faults.joined(separator: "; "))."
    }
}

extension String {
    /// Tells this text from others, in few characters; the same in every process (FNV-1a).
    var fingerprint: String {
        let hash = utf8.reduce(0x811C_9DC5 as UInt32) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
        return String(hash, radix: 36)
    }
}
