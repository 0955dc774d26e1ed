/// A screen that shows one thing: an order, a team, a search. An ``ArgumentCoordinator`` gives it that argument.
///
/// ```swift
/// final class OrderViewController: ViewController, HasArgument {
///     var argument: Int!
///
///     override var currentTitle: String? { "Order \(argument!)" }
/// }
/// ```
public protocol HasArgument: ViewController {
    /// The type of the argument; inferred from ``argument``.
    associatedtype Argument
    /// The thing that the screen shows, declared with an exclamation mark. Its coordinator sets it right after `init`.
    var argument: Argument! { get set }
}

/// A coordinator of one screen that shows one thing. It cannot be made without it.
///
/// ```swift
/// final class OrderCoordinator: ArgumentCoordinator<OrderViewController> {}
///
/// show(OrderCoordinator(1001), for: .order(1001))
/// ```
///
/// A screen with an argument in another kind of coordinator gets it from its maker, as in
/// ``Coordinator/init(prepare:)``. A coordinator whose screen has none when it is to start fails the turn with
/// ``Diagnostic/argumentMissing(screen:coordinator:)``.
open class ArgumentCoordinator<T: HasArgument>: Coordinator<T> {
    /// Creates the coordinator with a screen of its own, which shows the argument.
    public init(_ argument: T.Argument) {
        super.init { $0.argument = argument }
    }
}

extension HasArgument {
    /// Whether nothing has set the argument.
    var lacksArgument: Bool { argument == nil }
}
