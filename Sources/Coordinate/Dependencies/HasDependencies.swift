/// The base of what an app's coordinators need from outside: services, data, a clock.
///
/// One value for the whole tree is the rule, a struct of references: every coordinator that wants it gets a copy.
///
/// ```swift
/// struct AppDependencies: AppDependenciesProtocol {
///     let dataManager: DataManager
/// }
/// ```
public protocol AppDependenciesProtocol {}

/// Dependencies whatever their type. Conform to ``HasDependencies`` instead.
public protocol HasDependenciesProtocol: AnyObject {
    /// Sets the dependencies; nil and others than those asked for are left alone.
    func setDependencies(dependencies: (any AppDependenciesProtocol)?)
    /// The dependencies, nil where they were not set.
    func getDependencies() -> (any AppDependenciesProtocol)?
    /// Whether dependencies are of the type that is asked for here.
    func accepts(_ dependencies: any AppDependenciesProtocol) -> Bool
    /// The name of that type.
    var dependenciesTypeName: String { get }
}

/// A coordinator that wants dependencies: it is given those of the nearest ancestor that has some of its type.
///
/// ```swift
/// final class TeamsListCoordinator: Coordinator<TeamsListViewController>, HasDependencies {
///     var dependencies: AppDependencies?
/// }
/// ```
///
/// The root is given its own with ``HasDependenciesProtocol/setDependencies(dependencies:)``; from there they go down,
/// through coordinators that want none as well. They are there before `start(with:)`, not yet in `init`. Ancestors that
/// only have others are a ``Diagnostic/dependenciesMismatch(coordinator:expected:found:)``.
public protocol HasDependencies: HasDependenciesProtocol {
    /// What is asked for; inferred from ``dependencies``.
    associatedtype DependenciesType: AppDependenciesProtocol
    /// What was injected: nil before that, and where no ancestor has any of this type.
    var dependencies: DependenciesType? { get set }
}

extension HasDependencies {
    /// The dependencies, whatever their type.
    public func getDependencies() -> (any AppDependenciesProtocol)? { dependencies }

    /// Whether dependencies are of the type that is asked for here.
    public func accepts(_ dependencies: any AppDependenciesProtocol) -> Bool { dependencies is DependenciesType }

    /// The name of the type that is asked for here.
    public var dependenciesTypeName: String { String(describing: DependenciesType.self) }

    /// The dependencies, by the name they have in the original library.
    @available(*, deprecated, renamed: "getDependencies()")
    public func getDepencencies() -> (any AppDependenciesProtocol)? { getDependencies() }

    /// Sets the dependencies; nil and others than those asked for are left alone.
    public func setDependencies(dependencies: (any AppDependenciesProtocol)?) {
        guard let dependencies = dependencies as? DependenciesType else { return }
        self.dependencies = dependencies
    }
}

extension HasDependencies where Self: CoordinatorNode {
    /// Sets the dependencies here and in every coordinator below that wants them; nil changes nothing.
    ///
    /// Those below that were given others of this type lose them. Nothing is started or activated for it: a coordinator that
    /// is to follow says so in a `didSet`. See <doc:ChangingDependencies>.
    ///
    /// Others than those asked for change nothing either, and are a
    /// ``Diagnostic/dependenciesMismatch(coordinator:expected:found:)``.
    public func setDependencies(dependencies: (any AppDependenciesProtocol)?) {
        guard let dependencies else { return }
        guard let own = dependencies as? DependenciesType else {
            return tree.report(
                .dependenciesMismatch(
                    coordinator: id, expected: dependenciesTypeName,
                    found: String(describing: type(of: dependencies))))
        }
        self.dependencies = own
        injectIntoChildren()
    }
}

extension CoordinatorNode {
    /// Gives a child the dependencies of the nearest ancestor that has some of the type it wants.
    final func inject(into child: CoordinatorNode) {
        guard let receiver = child as? any HasDependenciesProtocol else { return child.injectIntoChildren() }
        var found: (any AppDependenciesProtocol)?
        for ancestor in sequence(first: self, next: \.parentNode) {
            guard let dependencies = (ancestor as? any HasDependenciesProtocol)?.getDependencies() else { continue }
            if receiver.accepts(dependencies) { return receiver.setDependencies(dependencies: dependencies) }
            found = found ?? dependencies
        }
        if let found {
            tree.report(
                .dependenciesMismatch(
                    coordinator: child.id, expected: receiver.dependenciesTypeName,
                    found: String(describing: type(of: found))))
        }
        child.injectIntoChildren()
    }

    final func injectIntoChildren() {
        for child in ownedNodes { inject(into: child) }
    }
}
