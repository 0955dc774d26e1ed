/// An object with dependencies of any type. Conform to ``HasDependencies`` or ``NeedsDependencies`` instead.
public protocol HasDependenciesProtocol: AnyObject {
    /// The type of the dependencies; inferred from the property `dependencies`.
    associatedtype DependenciesType: AppDependenciesProtocol = UndeclaredDependencies
    /// Sets the dependencies. Ignores `nil` and dependencies of another type.
    func setDependencies(dependencies: (any AppDependenciesProtocol)?)
    /// Returns the dependencies; `nil` if they were not set.
    func getDependencies() -> (any AppDependenciesProtocol)?
}

extension HasDependenciesProtocol {
    func accepts(_ dependencies: any AppDependenciesProtocol) -> Bool { dependencies is DependenciesType }

    var dependenciesTypeName: String { String(describing: DependenciesType.self) }
}

/// A coordinator, or a screen, that uses dependencies. It gets those of the nearest ancestor that has some of its type.
///
/// ```swift
/// final class TeamsListCoordinator: Coordinator<TeamsListViewController>, HasDependencies {
///     var dependencies: AppDependencies?
/// }
/// ```
///
/// The root gets its own with ``HasDependenciesProtocol/setDependencies(dependencies:)``. From there they go down, also
/// through coordinators that declare none. They are set before `start(with:)`, and not yet in `init`. If all ancestors
/// have only dependencies of other types, the library reports
/// ``Diagnostic/dependenciesMismatch(coordinator:expected:found:)``.
///
/// A screen gets its dependencies from its coordinator or the ancestors of that, at the same time.
/// ``NeedsDependencies`` is the same without the optional.
public protocol HasDependencies: HasDependenciesProtocol {
    /// The type of the dependencies; inferred from ``dependencies``.
    associatedtype DependenciesType: AppDependenciesProtocol = UndeclaredDependencies
    /// The injected dependencies; `nil` before the injection, and if no ancestor has any of this type.
    var dependencies: DependenciesType? { get set }
}

/// A coordinator, or a screen, that does not work without its dependencies: they are not optional.
///
/// ```swift
/// final class TeamsListViewController: ViewController, NeedsDependencies {
///     var dependencies: AppDependencies!
///
///     override var rows: [Screen.Row] { dependencies.dataManager.teams.map(row) }
/// }
/// ```
///
/// The library sets them before `start(with:)`, as for ``HasDependencies``. If no ancestor has any of this type, it
/// does not start the coordinator, and the turn fails with ``Diagnostic/dependenciesMissing(of:expected:)``. Code that
/// reads them before that, in `init` for instance, stops the process.
public protocol NeedsDependencies: HasDependenciesProtocol {
    /// The type of the dependencies; inferred from ``dependencies``.
    associatedtype DependenciesType: AppDependenciesProtocol = UndeclaredDependencies
    /// The injected dependencies, declared with an exclamation mark.
    var dependencies: DependenciesType! { get set }
}

/// The type of dependencies that an app did not declare correctly. It lets the compiler explain what to declare; no app
/// uses it.
public struct UndeclaredDependencies: AppDependenciesProtocol {}

extension HasDependencies where DependenciesType == UndeclaredDependencies {
    @available(
        *, unavailable,
        message: """
            Declare `var dependencies: AppDependencies?` with a type that conforms to AppDependenciesProtocol, or conform to \
            NeedsDependencies to declare it with `!`.
            """
    )
    public var dependencies: UndeclaredDependencies? {
        get { nil }
        set {}
    }
}

extension NeedsDependencies where DependenciesType == UndeclaredDependencies {
    @available(
        *, unavailable,
        message: """
            Declare `var dependencies: AppDependencies!` with a type that conforms to AppDependenciesProtocol, or conform to \
            HasDependencies to declare it with `?`.
            """
    )
    public var dependencies: UndeclaredDependencies! {
        get { nil }
        set {}
    }
}

extension HasDependencies {
    public func getDependencies() -> (any AppDependenciesProtocol)? { dependencies }

    /// Returns the dependencies, under the method's name in the original library.
    @available(*, deprecated, renamed: "getDependencies()")
    public func getDepencencies() -> (any AppDependenciesProtocol)? { getDependencies() }

    public func setDependencies(dependencies: (any AppDependenciesProtocol)?) {
        if let own = dependencies as? DependenciesType { self.dependencies = own }
    }
}

extension NeedsDependencies {
    public func getDependencies() -> (any AppDependenciesProtocol)? { dependencies }

    public func setDependencies(dependencies: (any AppDependenciesProtocol)?) {
        if let own = dependencies as? DependenciesType { self.dependencies = own }
    }
}

extension HasDependencies where Self: CoordinatorNode {
    /// Sets the dependencies here and in every coordinator and screen below that uses them; `nil` changes nothing.
    ///
    /// Coordinators below that had others of this type lose them. The library starts and activates nothing for it: a
    /// coordinator that has to react does so in a `didSet`. See <doc:ChangingDependencies>.
    ///
    /// Dependencies of another type change nothing either. The library reports
    /// ``Diagnostic/dependenciesMismatch(coordinator:expected:found:)``.
    public func setDependencies(dependencies: (any AppDependenciesProtocol)?) {
        if let own: DependenciesType = checked(dependencies, for: self) {
            self.dependencies = own
            injectBelow()
        }
    }
}

extension NeedsDependencies where Self: CoordinatorNode {
    /// Sets the dependencies here and in every coordinator and screen below that uses them, as
    /// ``HasDependencies/setDependencies(dependencies:)`` does.
    public func setDependencies(dependencies: (any AppDependenciesProtocol)?) {
        if let own: DependenciesType = checked(dependencies, for: self) {
            self.dependencies = own
            injectBelow()
        }
    }
}

extension CoordinatorNode {
    /// The dependencies that this coordinator holds itself.
    package final var ownDependencies: (any AppDependenciesProtocol)? {
        metadata.dependenciesCast?(self)?.getDependencies()
    }

    /// Gives a child, its screen, and all coordinators below it the dependencies of the nearest ancestors that match
    /// their types.
    final func inject(into child: CoordinatorNode) {
        if let receiver = child.metadata.dependenciesCast?(child),
            let found = dependencies(for: receiver, named: child.id)
        {
            return receiver.setDependencies(dependencies: found)
        }
        child.injectBelow()
    }

    /// Gives this coordinator's screen, and all coordinators below, their dependencies.
    final func injectBelow() {
        if let receiver = screen.metadata.dependenciesCast?(screen),
            let found = dependencies(for: receiver, named: screen.name)
        {
            receiver.setDependencies(dependencies: found)
        }
        for child in ownedNodes { inject(into: child) }
    }

    /// Returns whether this coordinator and its screen have everything that they need to start. Otherwise reports what
    /// is missing, which fails the turn.
    package final func hasAllItNeeds() -> Bool {
        guard let missing else { return true }
        tree.report(missing)
        return false
    }

    /// What this coordinator or its screen lacks to start; `nil` if they have everything.
    private final var missing: Diagnostic? {
        if metadata.needsDependencies, let receiver = metadata.dependenciesCast?(self),
            receiver.getDependencies() == nil
        {
            return .dependenciesMissing(of: id, expected: receiver.dependenciesTypeName)
        }
        return screen.missing(in: self)
    }

    /// What the coordinators that have not started yet lack, from this one down; `nil` if they have everything.
    final var missingBelow: Diagnostic? {
        if !isStarted, let missing { return missing }
        for node in ownedNodes {
            if let missing = node.missingBelow { return missing }
        }
        return nil
    }

    /// Returns the dependencies of the nearest coordinator, from this one up, that has some of the type that a receiver
    /// declares. If all have other types, reports it.
    private func dependencies(
        for receiver: any HasDependenciesProtocol, named name: String
    ) -> (any AppDependenciesProtocol)? {
        var other: (any AppDependenciesProtocol)?
        for ancestor in withAncestors {
            guard let dependencies = ancestor.ownDependencies else { continue }
            if receiver.accepts(dependencies) { return dependencies }
            other = other ?? dependencies
        }
        if let other { reportMismatch(of: receiver, named: name, found: other) }
        return nil
    }

    /// Returns dependencies if they have the type that this coordinator declares. Reports those of another type.
    fileprivate func checked<Own>(
        _ dependencies: (any AppDependenciesProtocol)?, for receiver: any HasDependenciesProtocol
    ) -> Own? {
        guard let dependencies else { return nil }
        if let own = dependencies as? Own { return own }
        reportMismatch(of: receiver, named: id, found: dependencies)
        return nil
    }

    private func reportMismatch(
        of receiver: any HasDependenciesProtocol, named name: String, found: any AppDependenciesProtocol
    ) {
        tree.report(
            .dependenciesMismatch(
                coordinator: name, expected: receiver.dependenciesTypeName,
                found: String(describing: type(of: found))))
    }
}

extension ViewController {
    /// What this screen lacks to be shown; `nil` if it has everything.
    final func missing(in coordinator: CoordinatorNode) -> Diagnostic? {
        if metadata.needsDependencies, let receiver = metadata.dependenciesCast?(self),
            receiver.getDependencies() == nil
        {
            return .dependenciesMissing(of: name, expected: receiver.dependenciesTypeName)
        }
        if metadata.hasArgument, (self as? any HasArgument)?.lacksArgument == true {
            return .argumentMissing(screen: name, coordinator: coordinator.id)
        }
        return nil
    }
}
