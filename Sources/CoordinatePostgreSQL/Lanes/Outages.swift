internal import Logging
internal import Synchronization

/// The log of outages: one message where PostgreSQL cannot be reached and one where it is back, for all connections.
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
        logger.warning("PostgreSQL cannot be reached; trying again.", metadata: ["reason": "\(reason)"])
    }

    func found() {
        let isNew = isAway.withLock { isAway in
            defer { isAway = false }
            return isAway
        }
        if isNew { logger.notice("PostgreSQL is back.") }
    }

    /// Logs that PostgreSQL refused a statement, or warned of something.
    func refused(_ message: ServerMessage) {
        logger.warning("PostgreSQL did not do as asked.", metadata: ["reason": "\(message)"])
    }

    /// Logs that a stored record or entry cannot be read.
    func unreadable(_ reason: String) {
        logger.error("What PostgreSQL holds of a session cannot be read.", metadata: ["reason": "\(reason)"])
    }
}
