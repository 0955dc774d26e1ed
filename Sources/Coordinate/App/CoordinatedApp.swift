/// An app that can be hosted: it makes its tree of coordinators, and declares its events, its paths and its options.
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

    /// The name of the app.
    var name: String { get }
    /// The app's own version.
    var version: String { get }
    /// Every event that the app understands.
    var events: EventCatalog { get }
    /// Every path that the app can be at.
    var routes: RouteCatalog { get }

    /// Makes a new root coordinator with its dependencies, not started. An app with options implements
    /// ``makeRootCoordinator(options:)`` instead.
    func makeRootCoordinator() -> CoordinatorNode

    /// Makes a new root coordinator with its dependencies for a session with these options, not started. By default the
    /// options change nothing.
    func makeRootCoordinator(options: Options) -> CoordinatorNode

    /// Translates an event that another version of this app recorded into what it is today. By default it stays as it
    /// is.
    ///
    /// Called for each event of a session that this version of the app did not take itself, whenever the session's tree
    /// is made again, so it must always give the same result. See <doc:WhenYourAppChanges>.
    func migrate(_ event: inout RecordedEvent)

    /// The values to try the app with where it is explored. None by default.
    var samples: [Sample] { get }

    /// The conditions that hold in each state of the app: random walks look for a state in which one does not. None by
    /// default.
    var invariants: [Invariant] { get }
}

extension CoordinatedApp where Options == NoOptions {
    /// Makes a new root with ``makeRootCoordinator()``.
    public func makeRootCoordinator(options: NoOptions) -> CoordinatorNode {
        options.isByDefault ? MissingRootCoordinator() : makeRootCoordinator()
    }

    /// Makes a new root for a session, in an app that implements the method with options alone.
    public func makeRootCoordinator() -> CoordinatorNode { makeRootCoordinator(options: NoOptions(isByDefault: true)) }
}

extension CoordinatedApp {
    /// Makes a new root for a session without options of its own.
    public func makeRootCoordinator() -> CoordinatorNode { makeRootCoordinator(options: Options()) }

    /// The options that a client may set.
    public var declaredOptions: [DeclaredOption] { Options.declaration.all }

    /// Checks the options that a client sent: each is declared, and so is every field in it.
    package func checkOptions(_ options: PlainValue) throws(PlainValueError) {
        _ = try Options.declaration.options(from: options) { error throws(PlainValueError) in throw error }
        guard case .object(let sent) = options else { return }
        try declaredOptions.map { EventField($0.name, $0.type) }.checkFields(of: sent)
    }

    /// Makes a new root for a session with recorded options. An option that is no longer declared, or whose value does
    /// not fit, is passed over, and handed to `refused`.
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
