/// Routes that have paths: what makes an enum of routes a part of the navigation state's path, of the catalog, and of
/// the deep links that can be opened.
///
/// Declare each case once, next to the enum; the same declaration writes the path and reads it:
///
/// ```swift
/// extension TeamsCoordinator.Route: DeclaredRoutes {
///     static let declaration = RouteDeclaration<Self>(
///         .route("", .list),
///         .route("team/{team}", Self.team) { if case .team(let team) = $0 { team } else { nil } },
///         .route("search?q={query}", Self.search) { if case .search(let query) = $0 { query } else { nil } }
///     )
/// }
/// ```
///
/// A case that leads on to a child's routes is `nested`, with values of its own or without: see <doc:Routes>.
public protocol DeclaredRoutes: Equatable, Sendable {
    /// Each case and its path, every one of them.
    static var declaration: RouteDeclaration<Self> { get }
}

extension DeclaredRoutes {
    /// Nil where the case is missing from the declaration.
    var path: RoutePath? { Self.declaration.path(of: self) }
}
