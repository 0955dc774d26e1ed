/// The first event of a session that does not replay as it was recorded.
package struct AppChange: Equatable, Sendable {
    /// The outcome of an event.
    package struct Outcome: Codable, Equatable, Sendable {
        package let event: String
        package let isHandled: Bool
        package let handledBy: String?
        package let path: String

        package init(event: String, isHandled: Bool, handledBy: String?, path: String) {
            self.event = event
            self.isHandled = isHandled
            self.handledBy = handledBy
            self.path = path
        }
    }

    /// The kind of a difference.
    package enum Cause: String, Sendable {
        case handled
        case handledBy
        case path
        /// The app has no such event any more.
        case unknownEvent = "unknown-event"
        /// No started coordinator has the recorded id any more.
        case unknownCoordinator = "unknown-coordinator"
        /// A deep link leads nowhere any more.
        case unknownPath = "unknown-path"
        /// A value of the payload is not valid any more.
        case invalidPayload = "invalid-payload"
        /// The app does not accept the event for another reason.
        case refused
    }

    package let cause: Cause
    /// The version of this event. Earlier events replay as they were recorded.
    package let version: Int
    package let recorded: Outcome
    /// The outcome now; `nil` if the event can no longer be emitted.
    package let now: Outcome?
    /// The reason for that, or the first field that differs: the second half of a sentence.
    package let reason: String
}

/// The policy for a session that a changed app does not replay as it was recorded, or that has crashed the process
/// twice in a row.
public enum AppChangePolicy: String, CaseIterable, Sendable {
    /// The session accepts no more events. Its events can still be read and exported, and it can be forked before the
    /// difference.
    case quarantine
    /// The session continues from where its events lead now, and the app logs it; or until it crashes the process
    /// again.
    case accept
}

extension AppChange: CustomStringConvertible {
    package var description: String { "event \(version), \(recorded.event): \(reason)" }
}
