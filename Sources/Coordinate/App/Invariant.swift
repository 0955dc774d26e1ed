/// Something that is so in every state of an app, whatever its users have done.
///
/// ```swift
/// struct RacingApp: CoordinatedApp {
///     var invariants: [Invariant] {
///         [
///             Invariant("the badge is the number of favourites") { (app: AppCoordinator) in
///                 app.navigationState.tabs.last?.badge == app.dependencies?.favourites.badge
///             }
///         ]
///     }
/// }
/// ```
///
/// Random walks look at it after each event, and tell the shortest way to where it is not so.
public struct Invariant: Sendable {
    /// The thing that is so, as a sentence without a full stop.
    public let name: String
    private let check: @Sendable (CoordinatorNode) -> Bool

    /// Makes an invariant.
    ///
    /// - Parameters:
    ///   - name: The thing that is so, as a sentence without a full stop.
    ///   - holds: Looks at the root, between turns, and changes nothing. A root of another class breaks it.
    public init<Root: CoordinatorNode>(_ name: String, _ holds: @escaping @Sendable (Root) -> Bool) {
        self.name = name
        check = { root in (root as? Root).map(holds) ?? false }
    }

    /// True where it is so in a tree.
    public func holds(in root: CoordinatorNode) -> Bool { check(root) }
}
