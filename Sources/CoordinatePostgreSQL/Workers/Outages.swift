internal import Logging
internal import Synchronization

/// The log of outages: one message when PostgreSQL cannot be reached and one when it can again, for all connections
/// together.
final class Outages: Sendable {
    private let logger: Logger
    private let isAway = Mutex(false)

    init(_ logger: Logger) {
        self.logger = logger
    }

    func lost(_ reason: String) {
        let isNew = isAway.withLock { isAway in
            defer { isAway = true }
            return !isAway
        }
        guard isNew else { return }
        logger.warning("PostgreSQL cannot be reached. Retrying.", metadata: ["reason": "\(reason)"])
    }

    func found() {
        let isNew = isAway.withLock { isAway in
            defer { isAway = false }
            return isAway
        }
        if isNew { logger.notice("PostgreSQL can be reached again.") }
    }

    /// Logs that PostgreSQL refused a statement, or warned of something.
    func refused(_ message: ServerMessage) {
        logger.warning("PostgreSQL refused a statement or sent a warning.", metadata: ["reason": "\(message)"])
    }

    /// Logs that a stored record or entry cannot be read.
    func unreadable(_ reason: String) {
        logger.error("A session's data in PostgreSQL cannot be read.", metadata: ["reason": "\(reason)"])
    }
}
