/// A condition that holds in every state of an app.
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
/// Random walks check it after each event, and report the shortest way to a state that violates it.
public struct Invariant: Sendable {
    /// The condition, as a sentence without a full stop.
    public let name: String
    private let check: @Sendable (CoordinatorNode) -> Bool

    /// Creates an invariant.
    ///
    /// - Parameters:
    ///   - name: The condition, as a sentence without a full stop.
    ///   - holds: Returns whether the condition holds. It is called between turns and must not change the tree. With a
    ///     root of another class, the invariant is violated.
    public init<Root: CoordinatorNode>(_ name: String, _ holds: @escaping @Sendable (Root) -> Bool) {
        self.name = name
        check = { root in (root as? Root).map(holds) ?? false }
    }

    /// Returns whether the condition holds in a tree.
    public func holds(in root: CoordinatorNode) -> Bool { check(root) }
}
