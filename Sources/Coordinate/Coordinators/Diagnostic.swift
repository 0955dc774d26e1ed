/// A mistake of an app, noticed while its tree was at work.
public enum Diagnostic: Error, Hashable, Sendable, CustomStringConvertible {
    /// No ancestor has dependencies of the type a coordinator asks for, but one has some of another type.
    case dependenciesMismatch(coordinator: String, expected: String, found: String)
    /// No ancestor has the dependencies without which a coordinator, or its screen, cannot start.
    case dependenciesMissing(of: String, expected: String)
    /// A coordinator was made without the argument that its screen shows.
    case argumentMissing(screen: String, coordinator: String)
    /// A coordinator overrides a method and does not call `super`.
    case superNotCalled(type: String, method: String)
    /// A coordinator was selected that is no tab of the tab bar.
    case unknownTab(tabBar: String, coordinator: String)
    /// A coordinator that is not on the stack was to be popped to.
    case notOnStack(navigation: String, coordinator: String)
    /// A coordinator was to be shown inside itself.
    case containsItself(coordinator: String)
    /// The tree has as many coordinators as it may.
    case tooManyCoordinators
    /// A coordinator was to be shown more than 100 levels below the root, or on top of more than 100 others.
    case tooDeep(coordinator: String)
    /// A turn asked for more than 1,000 changes: a redirect that leads back to itself.
    case doesNotSettle
    /// A turn took more than 100,000 steps: a visit by an event, or a move, start or end of a coordinator, each is one.
    case tooManySteps
    /// Guards send the app to and fro, more than 100 times in a turn.
    case guardsGoInCircles(coordinator: String)
    /// Events are emitted from within events, more than 64 deep.
    case eventLoop

    /// A coordinator that is in no tree asked for work, or set a timer.
    case workOutsideTree(coordinator: String, work: String)
    /// More pieces of work and timers are pending than are allowed.
    case tooMuchWork
    /// Work was asked for, or a timer set, for an owner that is no ancestor of the coordinator.
    case noSuchOwner(coordinator: String, work: String, owner: String)
    /// No coordinator handled the event of an outcome of work, or of a timer.
    case unhandledOutcome(String, work: String, coordinator: String)
    /// An event is offered, or set to be emitted by a timer, and its case is missing from the declaration of its type.
    case undeclaredEvent(String, type: String)
    /// An event is offered, or set to be emitted by a timer, and its type is not in the app's catalog.
    case uncataloguedEvent(String, type: String)
    /// A route is on the screen, and its case is missing from the declaration of its type.
    case undeclaredRoute(String, of: String)
    /// A form has an input for a field that its event does not have.
    case noSuchField(String, event: String, screen: String)
    /// Several rows of a screen have the same id.
    case rowsAlike(screen: String, id: String)
    /// An event is offered that only the app and its host may emit.
    case appOnlyEvent(String, screen: String)

    /// An event was emitted outside of a turn of a hosted tree: from a stray callback.
    case strayEvent(String)
    /// Navigation was asked for outside of a turn of a hosted tree.
    case strayNavigation(coordinator: String)
    /// Work was asked for outside of a turn of a hosted tree.
    case strayWork(coordinator: String, work: String)

    /// Whether the outcome of the turn cannot be trusted: it is not what the app meant.
    public var isFailure: Bool {
        switch self {
        case .dependenciesMismatch, .superNotCalled, .noSuchField, .rowsAlike, .appOnlyEvent, .strayEvent,
            .strayNavigation, .strayWork, .unhandledOutcome:
            false
        case .dependenciesMissing, .argumentMissing, .undeclaredEvent, .uncataloguedEvent, .undeclaredRoute,
            .workOutsideTree, .tooMuchWork, .noSuchOwner,
            .unknownTab, .notOnStack, .containsItself, .tooManyCoordinators, .tooDeep,
            .doesNotSettle, .tooManySteps, .guardsGoInCircles, .eventLoop:
            true
        }
    }

    public var description: String {
        switch self {
        case .dependenciesMismatch(let coordinator, let expected, let found):
            "\(coordinator) needs dependencies of type \(expected), but its ancestors have \(found)"
        case .dependenciesMissing(let name, let expected):
            "\(name) needs dependencies of type \(expected), and no coordinator above it has any: give them to the root with "
                + "setDependencies(dependencies:)"
        case .argumentMissing(let screen, let coordinator):
            "\(coordinator) was made without an argument for its screen \(screen): pass it to the coordinator's init"
        case .superNotCalled(let type, let method):
            "\(type) overrides \(method) and does not call super"
        case .unknownTab(let tabBar, let coordinator):
            "\(coordinator) is no tab of \(tabBar): set it with setCoordinators(_:) first"
        case .notOnStack(let navigation, let coordinator):
            "\(coordinator) is not on the stack of \(navigation): show it instead of popping to it"
        case .containsItself(let coordinator):
            "\(coordinator) cannot be shown inside itself"
        case .tooManyCoordinators:
            "the tree is full: it has \(TreeContext.maximumNodes) coordinators"
        case .tooDeep(let coordinator):
            "\(coordinator) cannot be shown more than \(TreeContext.maximumLevels) levels below the root, or on top of as many"
        case .doesNotSettle:
            "navigation goes in circles: more than \(TreeContext.maximumNavigations) changes in one turn"
        case .tooManySteps:
            "a turn takes more than \(TreeContext.maximumSteps) steps: it goes in circles, or events are emitted in a loop"
        case .guardsGoInCircles(let coordinator):
            "guards go in circles: the one of \(coordinator) refuses a route that it, or another one, leads back to"
        case .workOutsideTree(let coordinator, let work):
            "\(coordinator) asks for \(work) before it is in a tree: ask in start(with:), or later"
        case .tooMuchWork:
            "too much is pending: \(WorkLedger.limit) pieces of work and timers; cancel(_:) what is not needed any more"
        case .noSuchOwner(let coordinator, let work, let owner):
            "\(coordinator) asks for \(work) with an owner of type \(owner), and is below none: name an ancestor's class"
        case .unhandledOutcome(let event, let work, let coordinator):
            "\(event), the outcome of \(work), was emitted at \(coordinator), and no coordinator handled it: intercept it there "
                + "or further up"
        case .undeclaredEvent(let event, let type):
            "\(event) is missing from the declaration of \(type): without it there, nobody can send it"
        case .uncataloguedEvent(let event, let type):
            "\(event) is offered, and \(type) is not in the app's EventCatalog: add it there"
        case .undeclaredRoute(let route, let coordinator):
            "the route \(route) of \(coordinator) is missing from its declaration: without it there, it has no path"
        case .noSuchField(let field, let event, let screen):
            "\(screen) has an input for the field \"\(field)\", which \(event) does not declare"
        case .rowsAlike(let screen, let id):
            "rows of \(screen) have the same id \"\(id)\": the later ones are numbered"
        case .appOnlyEvent(let event, let screen):
            "\(screen) offers \(event), which only the app itself may emit: declare it without appOnly, or do not offer it"
        case .strayEvent(let event):
            "\(event) was emitted outside of a turn and is ignored: a callback that comes later belongs into "
                + "perform(_:_:done:failed:), what the host knows into Server.emit(_:into:at:)"
        case .strayNavigation(let coordinator):
            "\(coordinator) was to navigate outside of a turn, which is ignored: emit an event from "
                + "perform(_:_:done:failed:) or Server.emit(_:into:at:), and navigate when it is intercepted"
        case .strayWork(let coordinator, let work):
            "\(coordinator) asked for \(work) outside of a turn, which is ignored: ask when an event is intercepted"
        case .eventLoop:
            "events go in circles: nested more than \(TreeContext.maximumDispatchDepth) deep"
        }
    }
}
