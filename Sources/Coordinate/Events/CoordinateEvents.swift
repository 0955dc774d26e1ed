/// An event in the words of the app, something that happened: the base of every enum of events.
///
/// Group an app's events by domain, as enums inside one struct:
///
/// ```swift
/// struct AppEvents {
///     enum Teams: CoordinateEvents, Equatable {
///         case didSelect(_ team: Team)
///         case setFavorite(_ team: Team)
///     }
/// }
/// ```
///
/// An event is emitted at a leaf with ``HasEvents/emitEvent(_:)`` and bubbles up until some responder's
/// ``HasEvents/interceptEvent(_:)`` returns true. To accept events from outside the process, and to offer them as
/// ``Action``s, declare them with ``DeclaredEvents``.
public protocol CoordinateEvents {}

extension CoordinateEvents {
    /// The event's name without its payload, which may be confidential.
    var nameInLogs: String {
        (self as? any DeclaredEvents)?.encoded.name ?? String(describing: type(of: self))
    }
}
