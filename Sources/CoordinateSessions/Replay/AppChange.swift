/// The first event of a session that does not replay as it was recorded.
package struct AppChange: Equatable, Sendable {
    /// The outcome of an event.
    package struct Outcome: Equatable, Sendable {
        package let event: String
        package let isHandled: Bool
        package let handledBy: String?
        package let path: String
    }

    /// The version of this event. Those before it replay as they were recorded.
    package let version: Int
    package let recorded: Outcome
    /// The outcome now; nil where the event cannot even be emitted any more.
    package let now: Outcome?
    /// The reason for that, or the first field that differs: the end of a sentence.
    package let reason: String
}

/// The policy for a session that a changed app does not replay as it was recorded, or that has ended the process twice
/// in a row.
public enum AppChangePolicy: String, CaseIterable, Sendable {
    /// The session changes no more. Its events can still be read and exported, and it can be forked before the
    /// difference.
    case quarantine
    /// The session goes on from where its events lead now, which is logged; or until it ends the process again.
    case accept
}

extension AppChange: CustomStringConvertible {
    package var description: String { "event \(version), \(recorded.event): \(reason)" }
}
