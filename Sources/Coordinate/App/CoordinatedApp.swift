/// An app that can be hosted. It creates its tree of coordinators, and declares its events, its paths and its options.
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
/// The same events must always produce the same tree. So an app has no clock, no randomness and no global state of its
/// own. It reads the turn's ``CoordinatorNode/now`` and ``CoordinatorNode/random``, and requests work for everything
/// else: see <doc:ActingOnTheWorld>.
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

    /// Creates a root coordinator with its dependencies, not started. An app with options implements
    /// ``makeRootCoordinator(options:)`` instead.
    func makeRootCoordinator() -> CoordinatorNode

    /// Creates a root coordinator with its dependencies for a session with these options, not started. By default the
    /// options change nothing.
    func makeRootCoordinator(options: Options) -> CoordinatorNode

    /// Translates an event that another version of this app recorded into today's events. By default the event stays as
    /// it is.
    ///
    /// The host calls it for each event that another version recorded, whenever it rebuilds the session's tree. So it
    /// must always give the same result. See <doc:WhenYourAppChanges>.
    func migrate(_ event: inout RecordedEvent)

    /// The values to try when the app is explored. None by default.
    var samples: [Sample] { get }

    /// The conditions that hold in every state of the app. Random walks search for a state that violates one. None by
    /// default.
    var invariants: [Invariant] { get }

    /// What must survive every release of the app, by names: `["cart": "3", "total": "41.90"]`. None by default.
    ///
    /// It is for what no row, no action and no pending work shows. `deploy-check --against` reports the sessions whose
    /// facts differ, and the explorer distinguishes states by them. See <doc:WhenYourAppChanges>.
    ///
    /// - Parameter root: The root of a tree, between turns. It must not be changed.
    func facts(of root: CoordinatorNode) -> [String: String]
}

extension CoordinatedApp where Options == NoOptions {
    /// Creates a root with ``makeRootCoordinator()``.
    public func makeRootCoordinator(options: NoOptions) -> CoordinatorNode {
        options.isByDefault ? MissingRootCoordinator() : makeRootCoordinator()
    }

    /// Creates a root for a session, in an app that implements only the method with options.
    public func makeRootCoordinator() -> CoordinatorNode { makeRootCoordinator(options: NoOptions(isByDefault: true)) }
}

extension CoordinatedApp {
    /// Creates a root for a session with the default options.
    public func makeRootCoordinator() -> CoordinatorNode { makeRootCoordinator(options: Options()) }

    /// The options that a client may set.
    public var declaredOptions: [DeclaredOption] { Options.declaration.all }

    /// Checks that the app declares every option that a client sent, and every field in it.
    package func checkOptions(_ options: PlainValue) throws(PlainValueError) {
        _ = try Options.declaration.options(from: options) { error throws(PlainValueError) in throw error }
        guard case .object(let sent) = options else { return }
        try declaredOptions.map { EventField($0.name, $0.type) }.checkFields(of: sent)
    }

    /// Creates a root for a session with recorded options. An option that is no longer declared, or whose value does
    /// not fit, keeps its default, and `refused` receives the error.
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

    public func facts(of root: CoordinatorNode) -> [String: String] { [:] }
}

extension CoordinatedApp {
    /// The dependencies of a session that has just begun.
    package var initialDependencies: (any AppDependenciesProtocol)? {
        let root = makeRootCoordinator()
        defer { root.dismantle() }
        return root.ownDependencies
    }
}

extension CoordinatedApp {
    /// Creates a root coordinator as a server does, not started: with the session's options, while the session is
    /// ``SessionContext/current``. For tests.
    ///
    /// ```swift
    /// let root = ShopApp().makeRootCoordinator(in: SessionContext(key: "customer-7"))
    /// ```
    public func makeRootCoordinator(in session: SessionContext) -> CoordinatorNode {
        makeRootCoordinator(in: session, ignored: { _ in })
    }

    /// - Parameter ignored: Called with each option that does not fit the app.
    func makeRootCoordinator(in session: SessionContext, ignored: (PlainValueError) -> Void) -> CoordinatorNode {
        let root = SessionContext.$ofNewRoot.withValue(session) {
            makeRootCoordinator(recorded: session.options, ignored)
        }
        root.tree.session = session
        return root
    }

    /// The context of a session of this app.
    package func context(reference: String, key: String?, options: PlainValue) -> SessionContext {
        let locale = declaredOptions.first { $0.name == "locale" }
        return SessionContext(
            reference: reference, key: key, options: options,
            locale: locale.flatMap { options[field: $0.name]?.string ?? $0.defaultValue.string })
    }
}
