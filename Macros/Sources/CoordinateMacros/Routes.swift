import Coordinate

/// Declares an enum of routes by its cases, each with its ``Path(_:)``.
///
/// ```swift
/// @Routes
/// enum Route {
///     @Path("") case list
///     @Path("team/{team}") case team(_ team: Team)
///     @Path("search?q={query}&page={page}") case search(String, page: Int?)
///     @Path("orders/{order}") case order(Order, OrderCoordinator.Route?)
/// }
/// ```
///
/// The path has a place for each value, in the same order. One additional value is the route of a child: it is the last
/// value and optional. Without it, the path of the case alone leads to the case. The macro writes:
///
/// ```swift
/// extension ShopCoordinator.Route: DeclaredRoutes {
///     static let declaration = RouteDeclaration<Self>(
///         .route("", .list),
///         .route("team/{team}", Self.team) {
///             if case .team(let team) = $0 { team } else { nil }
///         },
///         .route("search?q={query}&page={page}", Self.search) {
///             if case .search(let query, let page) = $0 { (query, page) } else { nil }
///         },
///         .nested("orders/{order}", Self.order, endsHere: true) {
///             if case .order(let order, let child) = $0 { (order, child) } else { nil }
///         }
///     )
/// }
/// ```
///
/// The declaration has the enum's access level. Declare the routes by hand if a case has two paths, or if some values
/// of a path have no route.
@attached(extension, conformances: DeclaredRoutes, names: named(declaration))
public macro Routes() = #externalMacro(module: "CoordinateMacroPlugin", type: "RoutesMacro")

/// Sets the path of a case of ``Routes()``.
///
/// ```swift
/// @Path("orders/{order}/again/payment") case paymentAgain(Order)
/// ```
///
/// - Parameter pattern: The path as a literal, without a leading slash, with a name in braces for each value. A query
///   at its end has a place for the value of each item: `search?q={query}`.
@attached(peer)
public macro Path(_ pattern: String) = #externalMacro(module: "CoordinateMacroPlugin", type: "PathMacro")
