internal import Logging
internal import Synchronization

/// What is logged of connections that are lost and found again: once each, however many there are.
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

    /// Notes an answer that should not come.
    func refused(_ message: ServerMessage) {
        logger.warning("PostgreSQL did not do as asked.", metadata: ["reason": "\(message)"])
    }

    /// Notes something stored that cannot be read.
    func unreadable(_ reason: String) {
        logger.error("What PostgreSQL holds of a session cannot be read.", metadata: ["reason": "\(reason)"])
    }
}
