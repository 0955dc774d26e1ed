/// An app that can be hosted: how to make its tree, and what there is to know about it without one.
///
/// ```swift
/// struct RacingApp: CoordinatedApp {
///     let name = "Racing"
///     let version = "1.0"
///     let events = EventCatalog(AppEvents.Splash.self, AppEvents.Teams.self, AppEvents.Drivers.self)
///     let routes = RouteCatalog(AppCoordinator.Route.self)
///
///     func makeRootCoordinator() -> CoordinatorNode {
///         let root = AppCoordinator()
///         root.setDependencies(dependencies: AppDependencies(…))
///         return root
///     }
/// }
/// ```
///
/// The same events make the same tree: an app has no clock, no randomness and no global state of its own. It has the
/// turn's ``CoordinatorNode/now`` and ``CoordinatorNode/random``, and asks for work: see <doc:ActingOnTheWorld>.
public protocol CoordinatedApp: Sendable {
    /// The options of its sessions; inferred from ``makeRootCoordinator(options:)``.
    associatedtype Options: SessionOptions = NoOptions

    /// What the app is called.
    var name: String { get }
    /// The app's own version.
    var version: String { get }
    /// Every event it understands.
    var events: EventCatalog { get }
    /// Every path it can be at.
    var routes: RouteCatalog { get }

    /// Makes a new root with its dependencies, not started. An app with options implements the other one.
    func makeRootCoordinator() -> CoordinatorNode

    /// Makes a new root with its dependencies for a session with such options, not started. By default, as for any other.
    func makeRootCoordinator(options: Options) -> CoordinatorNode

    /// Says what an event is today that another version of this app recorded. By default, what it was.
    ///
    /// It is asked for each event of a session that this version did not take itself, whenever the session's tree is
    /// made again, so it must always say the same. See <doc:WhenYourAppChanges>.
    func migrate(_ event: inout RecordedEvent)

    /// The values to try the app with where it is explored. None, unless it says otherwise.
    var samples: [Sample] { get }

    /// Everything that is so in each of its states: random walks look for one where it is not. None, unless it says otherwise.
    var invariants: [Invariant] { get }
}

extension CoordinatedApp where Options == NoOptions {
    public func makeRootCoordinator(options: NoOptions) -> CoordinatorNode { makeRootCoordinator() }
}

extension CoordinatedApp {
    /// Makes a new root for a session without options of its own.
    public func makeRootCoordinator() -> CoordinatorNode { makeRootCoordinator(options: Options()) }

    /// The faults of the app's declarations, in words for its author; a server does not start with any.
    ///
    /// ```swift
    /// @Test func itsDeclarationsAreSound() {
    ///     #expect(ShopApp().faults.isEmpty)
    /// }
    /// ```
    ///
    /// It is all that can be seen without a tree: malformed patterns, routes that lead on to themselves, two events or fields
    /// with one name, secrets that are recorded. What a tree shows has ``NavigationState/diagnostics``.
    public var faults: [String] { events.faults + routes.faults + Options.declaration.faults }

    /// The options that a client may set.
    public var declaredOptions: [DeclaredOption] { Options.declaration.all }

    /// Checks the options that a client sent: they are declared, and so is every field in them.
    package func checkOptions(_ options: PlainValue) throws(PlainValueError) {
        _ = try Options.declaration.options(from: options) { error throws(PlainValueError) in throw error }
        guard case .object(let sent) = options else { return }
        try declaredOptions.map { EventField($0.name, $0.type) }.checkFields(of: sent)
    }

    /// Makes a new root for a session with recorded options. One that is not known any more, or does not fit, is passed
    /// over, and told.
    package func makeRootCoordinator(recorded options: PlainValue, _ refused: (PlainValueError) -> Void)
        -> CoordinatorNode
    {
        guard options != .object([]) else { return makeRootCoordinator() }
        var known = Options()
        do throws(PlainValueError) {
            known = try Options.declaration.options(from: options) { error throws(PlainValueError) in refused(error) }
        } catch {
            refused(error)
        }
        return makeRootCoordinator(options: known)
    }

    public func migrate(_ event: inout RecordedEvent) {}

    public var samples: [Sample] { [] }

    public var invariants: [Invariant] { [] }
}

extension CoordinatedApp {
    /// The dependencies of a session that has just begun: what the app knows without one.
    package var initialDependencies: (any AppDependenciesProtocol)? {
        let root = makeRootCoordinator()
        defer { root.dismantle() }
        return root.ownDependencies
    }
}

extension CoordinatorNode {
    /// The dependencies that this coordinator holds itself.
    package var ownDependencies: (any AppDependenciesProtocol)? {
        (self as? any HasDependenciesProtocol)?.getDependencies()
    }
}
