/// A screen that shows one thing, such as an order, a team or a search. An ``ArgumentCoordinator`` passes it that
/// argument.
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
    associatedtype Argument = UndeclaredArgument
    /// The thing that the screen shows, declared with an exclamation mark. Its coordinator sets it right after `init`.
    var argument: Argument! { get set }
}

/// A coordinator of one screen that shows one thing. Its initializer requires that argument.
///
/// ```swift
/// final class OrderCoordinator: ArgumentCoordinator<OrderViewController> {}
///
/// show(OrderCoordinator(1001), for: .order(1001))
/// ```
///
/// With another kind of coordinator, set the argument when you create it, for example in
/// ``Coordinator/init(prepare:)``. If a coordinator starts while its screen has no argument, the turn fails with
/// ``Diagnostic/argumentMissing(screen:coordinator:)``.
open class ArgumentCoordinator<T: HasArgument>: Coordinator<T> {
    /// Creates the coordinator with a screen of its own, which shows the argument.
    public init(_ argument: T.Argument) {
        super.init { $0.argument = argument }
    }
}

extension HasArgument {
    /// Whether the argument has not been set.
    var lacksArgument: Bool { argument == nil }
}

/// The type of an argument that a screen did not declare correctly. It lets the compiler explain what to declare; no app
/// uses it.
public struct UndeclaredArgument {}

extension HasArgument where Argument == UndeclaredArgument {
    @available(*, unavailable, message: "Declare `var argument: Order!`, with the type of the argument and `!`.")
    public var argument: UndeclaredArgument! {
        get { nil }
        set {}
    }
}
