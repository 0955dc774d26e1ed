import Coordinate

/// Declares an enum of events by its cases. The domain's name precedes the case's name: `teams.didSelect`.
///
/// ```swift
/// struct AppEvents {
///     @Events("teams")
///     enum Teams: CoordinateEvents {
///         case didSelect(_ team: Team)
///         case add(_ product: Product, count: Int, note: String?)
///         @AppOnly case didLoad(_ results: [Result])
///         case reload
///     }
/// }
/// ```
///
/// A field of the payload has the internal name of its value, or otherwise its label: `product`, `count`, `note`. The
/// macro writes:
///
/// ```swift
/// extension AppEvents.Teams: DeclaredEvents, Equatable {
///     static let declaration = EventDeclaration<Self>(
///         "teams",
///         .event("didSelect", Self.didSelect, "team") {
///             if case .didSelect(let team) = $0 { team } else { nil }
///         },
///         .event("add", Self.add, "product", "count", "note") {
///             if case .add(let product, let count, let note) = $0 { (product, count, note) } else { nil }
///         },
///         .event("didLoad", Self.didLoad, "results") {
///             if case .didLoad(let results) = $0 { results } else { nil }
///         }.appOnly,
///         .event("reload", .reload)
///     )
/// }
/// ```
///
/// Each value is `PlainValueConvertible` and `Equatable`. The declaration has the enum's own access level.
///
/// - Parameter domain: The part of the name before the dot, as a literal.
@attached(extension, conformances: DeclaredEvents, Equatable, names: named(declaration))
public macro Events(_ domain: String) = #externalMacro(module: "CoordinateMacroPlugin", type: "EventsMacro")

/// Marks a case of ``Events(_:)`` as an event that clients cannot send: an outcome of work, a timer, or an event of the
/// host.
///
/// ```swift
/// @AppOnly case didLoad(_ results: [Result])
/// ```
///
/// Its line of the declaration ends in `.appOnly`.
@attached(peer)
public macro AppOnly() = #externalMacro(module: "CoordinateMacroPlugin", type: "AppOnlyMacro")
