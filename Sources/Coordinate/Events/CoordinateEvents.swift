/// Something that happened, in the words of the app: the base of every enum of events.
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
/// ``HasEvents/interceptEvent(_:)`` returns true. To let events in from outside the process, and to offer them as
/// ``Action``s, declare them once more closely with ``DeclaredEvents``.
public protocol CoordinateEvents {}

extension CoordinateEvents {
    /// Its name without its payload, which may be nobody's business.
    var nameInLogs: String {
        (self as? any DeclaredEvents)?.encoded.name ?? String(describing: type(of: self))
    }
}
