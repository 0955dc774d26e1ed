/// A section of a navigation stack: the part that belongs to one coordinator.
///
/// A coordinator on a stack pushes further coordinators onto it through its section. It owns them: it receives their
/// events, and they end with it. Other entries of the stack are not affected.
///
/// ```swift
/// final class ComparisonCoordinator: Coordinator<ComparisonViewController> {
///     private var section: SectionedNavigationController { SectionedNavigationController(for: self) }
///
///     override func interceptEvent(_ event: any CoordinateEvents) -> Bool {
///         switch event {
///         case AppEvents.Comparison.choose(let driver): section.push(ResultCoordinator(driver))
///         case AppEvents.Comparison.finish: section.popSection()
///         default: return false
///         }
///         return true
///     }
/// }
/// ```
///
/// If the coordinator itself is on the stack, it is the section's first entry. When the section loses its last entry,
/// even by a user's Back, its coordinator stops.
public final class SectionedNavigationController {
    private let owner: CoordinatorReference

    /// Creates the section of a coordinator on the nearest navigation stack above the coordinator.
    ///
    /// A coordinator has one section: all objects created for it represent the same part of the stack. Without a stack
    /// above the coordinator, the section is empty, and a push only reports ``Diagnostic/noStack(section:coordinator:)``.
    public init(for coordinator: any Coordinating) {
        owner = coordinator.node.reference
        coordinator.node.hasSection = true
    }

    private var entries: [CoordinatorNode] { owner.node?.sectionEntries ?? [] }
    private var stack: CoordinatorNode? { owner.node?.sectionStack }

    /// The screens of this section, bottom first.
    public var viewControllers: [ViewController] { entries.map(\.screen) }

    /// Whether no entry of this section is on the stack.
    public var isEmpty: Bool { entries.isEmpty }

    /// Pushes a coordinator in this section, or pops to it if it is already on the stack.
    public func push(_ coordinator: any Coordinating) {
        guard let owner = owner.node else { return }
        guard let stack else {
            return owner.tree.perform {
                owner.tree.report(.noStack(section: owner.id, coordinator: coordinator.id))
            }
        }
        stack.push(coordinator.node, inSectionOf: owner)
    }

    /// Pushes a coordinator for a route of the navigation coordinator that owns the stack.
    ///
    /// ```swift
    /// section.push(ComparisonResultCoordinator(drivers), for: BrowseCoordinator.Route.compare(drivers))
    /// ```
    ///
    /// - Parameters:
    ///   - coordinator: A new coordinator, or one that is already on the stack.
    ///   - route: The route. If it is not of the stack's route type, it is ignored, and the coordinator is shown
    ///     anyway.
    public func push(_ coordinator: any Coordinating, for route: some Equatable) {
        push(coordinator, on: ShowingTerms(for: route))
    }

    /// Pushes a coordinator, and reports its result. See ``HasResult``.
    public func push<Flow: HasResult>(_ coordinator: Flow, _ onResult: @escaping (Flow.ResultType?) -> Void) {
        guard let owner = owner.node else { return onResult(nil) }
        push(coordinator, on: ShowingTerms(of: owner, onResult))
    }

    /// Pushes a coordinator for a route of the navigation coordinator that owns the stack, and reports its result.
    public func push<Flow: HasResult>(
        _ coordinator: Flow, for route: some Equatable, _ onResult: @escaping (Flow.ResultType?) -> Void
    ) {
        guard let owner = owner.node else { return onResult(nil) }
        push(coordinator, on: ShowingTerms(of: owner, for: route, onResult))
    }

    private func push(_ coordinator: any Coordinating, on terms: ShowingTerms) {
        owner.node?.show(coordinator, on: terms) { push(coordinator) }
    }

    /// Pops the top of the stack, if it belongs to this section.
    public func pop() {
        guard let node = owner.node, let stack else { return }
        stack.pop(stack.children.nodes.suffix(1).filter { $0 === node || $0.parentNode === node })
    }

    /// Removes all entries of this section except the first.
    public func popToSectionRoot() {
        stack?.pop(Array(self.entries.dropFirst()))
    }

    /// Removes all entries of this section, and keeps the other entries of the stack in order.
    public func popSection() {
        stack?.pop(self.entries)
    }

    /// Presents a modal of this section on top of the screen.
    ///
    /// - Parameters:
    ///   - coordinator: The modal. This section's coordinator owns it.
    ///   - completion: Called exactly once, even if this section's coordinator is gone.
    public func present(_ coordinator: any Coordinating, completion: (() -> Void)? = nil) {
        guard let node = owner.node else {
            completion?()
            return
        }
        node.present(coordinator, animated: true, completion: completion)
    }

    /// Dismisses the newest modal of this section, and all modals on top of it.
    ///
    /// - Parameter completion: Called exactly once, even if there is none.
    public func dismissTop(completion: (() -> Void)? = nil) {
        dismiss(owner.node?.modals.last, completion: completion)
    }

    /// Dismisses all modals of this section, and all modals on top of them.
    ///
    /// - Parameter completion: Called exactly once, even if there are none.
    public func dismissAll(completion: (() -> Void)? = nil) {
        dismiss(owner.node?.modals.first, completion: completion)
    }

    private func dismiss(_ modal: CoordinatorNode?, completion: (() -> Void)?) {
        guard let modal, let node = owner.node else {
            completion?()
            return
        }
        node.dismiss(modal, completion: completion)
    }
}
