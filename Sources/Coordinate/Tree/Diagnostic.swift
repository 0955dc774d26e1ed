/// A mistake in an app that the library noticed while the app ran.
public enum Diagnostic: Error, Hashable, Sendable, CustomStringConvertible {
    /// No ancestor has dependencies of the type that a coordinator declares, but one has dependencies of another type.
    case dependenciesMismatch(coordinator: String, expected: String, found: String)
    /// No ancestor has the dependencies that a coordinator, or its screen, needs to start.
    case dependenciesMissing(of: String, expected: String)
    /// A coordinator was created without the argument that its screen shows.
    case argumentMissing(screen: String, coordinator: String)
    /// A coordinator overrides a method and does not call `super`.
    case superNotCalled(type: String, method: String)
    /// The app selected a coordinator that is not a tab of the tab bar.
    case unknownTab(tabBar: String, coordinator: String)
    /// The app popped to a coordinator that is not on the stack.
    case notOnStack(navigation: String, coordinator: String)
    /// The app requested several changes of a coordinator that was already changing. Only the last one happens.
    case replacedRequest(of: String, coordinator: String?)
    /// The app pushed a coordinator in a section that is on no navigation stack.
    case noStack(section: String, coordinator: String)
    /// The app requested a coordinator of one that is ending.
    case endingCoordinator(String, coordinator: String)
    /// The app showed a coordinator inside itself.
    case containsItself(coordinator: String)
    /// The tree has reached the limit of 1,000 coordinators.
    case tooManyCoordinators
    /// The app showed a coordinator more than 100 levels below the root, or on top of more than 100 others.
    case tooDeep(coordinator: String)
    /// A turn requested more than 1,000 changes, for example because a redirect leads back to itself.
    case doesNotSettle
    /// A turn exceeded 100,000 steps. Each visit by an event, and each move, start or end of a coordinator is a step.
    case tooManySteps
    /// Guards redirected the app more than 100 times in a turn.
    case guardsGoInCircles(coordinator: String)
    /// A guard refuses what is visible and names no other route, and there is no other screen to show.
    case nothingLeft(guard: String)
    /// A guard reads the time, and nothing asks it again when time has passed.
    case guardReadsClock(coordinator: String)
    /// Events were emitted while others bubble, nested more than 64 deep.
    case eventLoop

    /// A coordinator outside of a tree requested work, or set a timer.
    case workOutsideTree(coordinator: String, work: String)
    /// More pieces of work and timers are pending than are allowed.
    case tooMuchWork
    /// A coordinator requested work or set a timer for an owner that is not one of its ancestors.
    case noSuchOwner(coordinator: String, work: String, owner: String)
    /// No coordinator handled the outcome of work, or the event of a timer.
    case unhandledOutcome(String, work: String, coordinator: String)
    /// An action or a timer has an event whose case is missing from the declaration of its type.
    case undeclaredEvent(String, type: String)
    /// An action or a timer has an event whose type is not in the app's catalog.
    case uncataloguedEvent(String, type: String)
    /// The case of a visible route is missing from the declaration of its type.
    case undeclaredRoute(String, of: String)
    /// A form has an input for a field that its event does not have.
    case noSuchField(String, event: String, screen: String)
    /// Several rows of a screen have the same id.
    case rowsAlike(screen: String, id: String)
    /// Several sections of a screen have the same id. Only the first one is shown.
    case sectionsAlike(screen: String, id: String)
    /// A row names a section that its screen does not have.
    case noSuchSection(String, screen: String, row: String)
    /// The file of an image, or the path that an action opens, is not an address of the host itself; or the action has
    /// inputs, so that it cannot be a link.
    case invalidAddress(String, screen: String, of: String)
    /// An action has an event that only the app and its host may emit.
    case appOnlyEvent(String, screen: String)

    /// An event was emitted outside of a turn of a hosted tree, for example from a late callback.
    case strayEvent(String)
    /// Navigation was requested outside of a turn of a hosted tree.
    case strayNavigation(coordinator: String)
    /// Work was requested outside of a turn of a hosted tree.
    case strayWork(coordinator: String, work: String)

    /// Whether the turn fails, because its outcome cannot be what the app intended.
    public var isFailure: Bool {
        switch self {
        case .dependenciesMismatch, .superNotCalled, .replacedRequest, .noStack, .endingCoordinator, .guardReadsClock,
            .noSuchField, .rowsAlike, .sectionsAlike, .noSuchSection, .invalidAddress, .appOnlyEvent, .strayEvent,
            .strayNavigation, .strayWork, .unhandledOutcome:
            false
        case .dependenciesMissing, .argumentMissing, .undeclaredEvent, .uncataloguedEvent, .undeclaredRoute,
            .workOutsideTree, .tooMuchWork, .noSuchOwner,
            .unknownTab, .notOnStack, .containsItself, .tooManyCoordinators, .tooDeep,
            .doesNotSettle, .tooManySteps, .guardsGoInCircles, .nothingLeft, .eventLoop:
            true
        }
    }

    public var description: String {
        switch self {
        case .dependenciesMismatch(let coordinator, let expected, let found):
            "\(coordinator) needs dependencies of type \(expected), but its ancestors have \(found)"
        case .dependenciesMissing(let name, let expected):
            "\(name) needs dependencies of type \(expected), but no ancestor has any: set them on the root with "
                + "setDependencies(dependencies:)"
        case .argumentMissing(let screen, let coordinator):
            "\(coordinator) was created without an argument for its screen \(screen): pass it to the coordinator's init"
        case .superNotCalled(let type, let method):
            "\(type) overrides \(method) and does not call super"
        case .unknownTab(let tabBar, let coordinator):
            "\(coordinator) is not a tab of \(tabBar): set it with setCoordinators(_:) first"
        case .notOnStack(let navigation, let coordinator):
            "\(coordinator) is not on the stack of \(navigation): show it instead of popping to it"
        case .replacedRequest(let container, let coordinator):
            "\(coordinator.map { "\($0) is not shown" } ?? "a removal does not happen"), because \(container) was already "
                + "changing and a later request replaced it: request one change, or wait for the completion"
        case .noStack(let section, let coordinator):
            "\(coordinator) is not shown, because no navigation stack is above \(section): present it instead"
        case .endingCoordinator(let owner, let coordinator):
            "\(coordinator) is not shown, because \(owner) is ending: show it in another coordinator"
        case .containsItself(let coordinator):
            "\(coordinator) cannot be shown inside itself"
        case .tooManyCoordinators:
            "the limit of \(TreeContext.maximumNodes) coordinators in a tree is reached"
        case .tooDeep(let coordinator):
            "\(coordinator) cannot be shown more than \(TreeContext.maximumLevels) levels below the root, or on top of as many"
        case .doesNotSettle:
            "navigation does not settle: more than \(TreeContext.maximumNavigations) changes in one turn"
        case .tooManySteps:
            "the turn exceeds \(TreeContext.maximumSteps) steps: navigation or events probably loop"
        case .guardsGoInCircles(let coordinator):
            "guards redirect in a loop: the guard of \(coordinator) refuses a route that a guard redirects to"
        case .workOutsideTree(let coordinator, let work):
            "\(coordinator) requests \(work) before it is in a tree: request it in start(with:), or later"
        case .tooMuchWork:
            "the limit of \(WorkLedger.limit) pending pieces of work and timers is reached: cancel(_:) those no longer needed"
        case .noSuchOwner(let coordinator, let work, let owner):
            "\(coordinator) requests \(work) for an owner of type \(owner), but has no such ancestor: name an ancestor's class"
        case .unhandledOutcome(let event, let work, let coordinator):
            "\(event), the outcome of \(work), was emitted at \(coordinator), but no coordinator handled it: intercept it there "
                + "or further up"
        case .nothingLeft(let coordinator):
            "the guard of \(coordinator) refuses what is visible, and there is no other screen: redirect to one"
        case .guardReadsClock(let coordinator):
            "the guard of \(coordinator) reads the time, but guards decide only when something has changed: grant the route "
                + "with .granted(until:), or set a timer with perform(_:owner:after:_:)"
        case .undeclaredEvent(let event, let type):
            "\(event) is missing from the declaration of \(type), so clients cannot send it: declare it"
        case .uncataloguedEvent(let event, let type):
            "\(event) is offered, but \(type) is not in the app's EventCatalog: add it there"
        case .undeclaredRoute(let route, let coordinator):
            "the route \(route) of \(coordinator) is missing from its declaration, so it has no path: declare it"
        case .noSuchField(let field, let event, let screen):
            "\(screen) has an input for the field \"\(field)\", which \(event) does not declare"
        case .rowsAlike(let screen, let id):
            "rows of \(screen) have the same id \"\(id)\": the later ones are numbered"
        case .sectionsAlike(let screen, let id):
            "sections of \(screen) have the same id \"\(id)\": only the first one is shown"
        case .noSuchSection(let section, let screen, let row):
            "the row \(row) of \(screen) is in the section \"\(section)\", which its screen does not have: add it to sections"
        case .invalidAddress(let address, let screen, let owner):
            "\"\(address)\" of \(owner) in \(screen) is left out: it is not an address of this app, or belongs to a form"
        case .appOnlyEvent(let event, let screen):
            "\(screen) offers \(event), which only the app itself may emit: declare it without appOnly, or do not offer it"
        case .strayEvent(let event):
            "\(event) was emitted outside of a turn and is ignored: emit the outcome of work with "
                + "perform(_:_:done:failed:), and other events with Server.emit(_:into:at:once:)"
        case .strayNavigation(let coordinator):
            "\(coordinator) navigated outside of a turn, which is ignored: emit an event with "
                + "perform(_:_:done:failed:) or Server.emit(_:into:at:once:), and navigate when it is intercepted"
        case .strayWork(let coordinator, let work):
            "\(coordinator) requested \(work) outside of a turn, which is ignored: request it when an event is intercepted"
        case .eventLoop:
            "events go in circles: they are nested more than \(TreeContext.maximumDispatchDepth) deep"
        }
    }
}
