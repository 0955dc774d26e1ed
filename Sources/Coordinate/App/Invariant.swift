/// A condition that holds in every state of an app, whatever its users have done.
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
/// Random walks check it after each event, and report the shortest way to a state in which it does not hold.
public struct Invariant: Sendable {
    /// The condition, as a sentence without a full stop.
    public let name: String
    private let check: @Sendable (CoordinatorNode) -> Bool

    /// Makes an invariant.
    ///
    /// - Parameters:
    ///   - name: The condition, as a sentence without a full stop.
    ///   - holds: Looks at the root, between turns, and changes nothing. With a root of another class the invariant is
    ///     broken.
    public init<Root: CoordinatorNode>(_ name: String, _ holds: @escaping @Sendable (Root) -> Bool) {
        self.name = name
        check = { root in (root as? Root).map(holds) ?? false }
    }

    /// Whether the condition holds in a tree.
    public func holds(in root: CoordinatorNode) -> Bool { check(root) }
}
