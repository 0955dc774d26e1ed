/// The first event of a session that does not replay as it was recorded.
package struct AppChange: Equatable, Sendable {
    /// What became of an event.
    package struct Outcome: Equatable, Sendable {
        package let event: String
        package let isHandled: Bool
        package let handledBy: String?
        package let path: String
    }

    /// The version with this event. Those before it replay as they should.
    package let version: Int
    package let recorded: Outcome
    /// Nil where the event cannot even be emitted any more.
    package let now: Outcome?
    /// The reason for that, or the first field that differs: a sentence's end.
    package let reason: String
}

/// What becomes of a session that an app, since it has changed, does not replay as it was recorded; and of one that has ended
/// the process twice running.
public enum AppChangePolicy: String, CaseIterable, Sendable {
    /// It changes no more. Its events can still be read, exported, and forked before the difference.
    case quarantine
    /// It goes on from where its events lead now, which is logged; or until it ends the process again.
    case accept
}

extension AppChange: CustomStringConvertible {
    package var description: String { "event \(version), \(recorded.event): \(reason)" }
}
