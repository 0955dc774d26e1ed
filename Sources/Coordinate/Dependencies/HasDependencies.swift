/// The base of the dependencies of an app's coordinators: services, data, a clock.
///
/// Usually there is one value for the whole tree, a struct of references: every coordinator that wants it gets a copy.
///
/// ```swift
/// struct AppDependencies: AppDependenciesProtocol {
///     let dataManager: DataManager
/// }
/// ```
public protocol AppDependenciesProtocol {}

/// An object with dependencies, whatever their type. Conform to ``HasDependencies`` instead.
public protocol HasDependenciesProtocol: AnyObject {
    /// Sets the dependencies; nil and dependencies of another type are ignored.
    func setDependencies(dependencies: (any AppDependenciesProtocol)?)
    /// The dependencies, nil where they were not set.
    func getDependencies() -> (any AppDependenciesProtocol)?
    /// True where dependencies are of the type that is asked for here.
    func accepts(_ dependencies: any AppDependenciesProtocol) -> Bool
    /// The name of the type that is asked for here.
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
/// also through coordinators that want none. They are set before `start(with:)`, not yet in `init`. Where all ancestors
/// have only dependencies of other types, that is a ``Diagnostic/dependenciesMismatch(coordinator:expected:found:)``.
public protocol HasDependencies: HasDependenciesProtocol {
    /// The type that is asked for; inferred from ``dependencies``.
    associatedtype DependenciesType: AppDependenciesProtocol
    /// The dependencies that were injected: nil before that, and where no ancestor has any of this type.
    var dependencies: DependenciesType? { get set }
}

extension HasDependencies {
    /// The dependencies, whatever their type.
    public func getDependencies() -> (any AppDependenciesProtocol)? { dependencies }

    /// True where dependencies are of the type that is asked for here.
    public func accepts(_ dependencies: any AppDependenciesProtocol) -> Bool { dependencies is DependenciesType }

    /// The name of the type that is asked for here.
    public var dependenciesTypeName: String { String(describing: DependenciesType.self) }

    /// The dependencies, by the name they have in the original library.
    @available(*, deprecated, renamed: "getDependencies()")
    public func getDepencencies() -> (any AppDependenciesProtocol)? { getDependencies() }

    /// Sets the dependencies; nil and dependencies of another type are ignored.
    public func setDependencies(dependencies: (any AppDependenciesProtocol)?) {
        guard let dependencies = dependencies as? DependenciesType else { return }
        self.dependencies = dependencies
    }
}

extension HasDependencies where Self: CoordinatorNode {
    /// Sets the dependencies here and in every coordinator below that wants them; nil changes nothing.
    ///
    /// Coordinators below that had been given others of this type lose them. Nothing is started or activated for it: a
    /// coordinator that has to react does so in a `didSet`. See <doc:ChangingDependencies>.
    ///
    /// Dependencies of another type change nothing either, and are a
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
    /// The dependencies that this coordinator holds itself.
    package final var ownDependencies: (any AppDependenciesProtocol)? {
        (self as? any HasDependenciesProtocol)?.getDependencies()
    }

    /// Gives a child the dependencies of the nearest ancestor that has some of the type it wants.
    final func inject(into child: CoordinatorNode) {
        guard let receiver = child as? any HasDependenciesProtocol else { return child.injectIntoChildren() }
        var found: (any AppDependenciesProtocol)?
        for ancestor in sequence(first: self, next: \.parentNode) {
            guard let dependencies = ancestor.ownDependencies else { continue }
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
