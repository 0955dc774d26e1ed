/// The screen of a ``NavigationCoordinator``: a stack of screens.
open class NavigationController: ViewController {
    /// The stack, bottom first. It follows the coordinator's children.
    public internal(set) final var viewControllers: [ViewController] = []

    /// The screen on top of the stack.
    public final var topViewController: ViewController? { viewControllers.last }

    /// The visible screen: the top-most modal, or the top of the stack if there is no modal.
    public final var visibleViewController: ViewController? {
        coordinator?.visibleChain.last?.screen ?? topViewController
    }
}
