/// An event of an app: something that happened. Every enum of events conforms to it.
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
/// An event is emitted at a leaf with ``HasEvents/emitEvent(_:)``, and bubbles up until a responder's
/// ``HasEvents/interceptEvent(_:)`` returns true. To accept events from clients, and to offer them as ``Action``s,
/// declare them with ``DeclaredEvents``.
public protocol CoordinateEvents {}

extension CoordinateEvents {
    /// The event's name without its payload, which may be confidential.
    var nameInLogs: String {
        (self as? any DeclaredEvents)?.encoded.name ?? String(describing: type(of: self))
    }
}
