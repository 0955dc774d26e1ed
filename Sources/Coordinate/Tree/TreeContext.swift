/// The state that all coordinators of one tree share, mainly about the current turn.
///
/// A turn begins with the outermost event or navigation request, and ends when the tree has settled: every visible
/// coordinator is started, and each one that became visible or hidden was activated or deactivated once.
final class TreeContext {
    /// The maximum number of navigation requests in one turn. An app with more probably loops.
    static let maximumNavigations = 1_000
    /// The maximum number of redirects by guards in one turn.
    static let maximumRedirects = 100
    /// The maximum nesting depth of events that are emitted while another one bubbles.
    static let maximumDispatchDepth = 64
    /// The maximum number of steps in one turn. A step is a coordinator or screen that an event visits, or a
    /// coordinator that is moved, started, ended, or checked for visibility.
    static let maximumSteps = 100_000
    /// The maximum number of coordinators in one tree.
    static let maximumNodes = 1_000
    /// The maximum number of levels below the root, and of coordinators that another one is on top of. A walk through
    /// the tree needs stack space for each level.
    static let maximumLevels = 100
    /// The maximum number of diagnostics kept per turn.
    static let maximumDiagnostics = 100

    let root: CoordinatorReference
    var session = SessionContext.current
    /// The types of the app's events, which clients can send; `nil` if the tree has no host.
    var events: [ObjectIdentifier]?
    /// Called for each change outside of a turn, which the tree ignores; `nil` if the tree has no host.
    var host: ((Diagnostic) -> Void)?
    /// The number of coordinators below the root.
    var nodeCount = 0
    /// The coordinators of the tree by id; `nil` until there are many. See ``indexOfMany``.
    private(set) var index: TreeIndex?

    // MARK: The turn

    private var depth = 0
    private var dispatchDepth = 0
    private var navigations = 0
    private var refusals = 0
    /// The number of redirects by guards in the last turn.
    private(set) var redirects = 0
    /// The number of steps in the current turn so far. See ``maximumSteps``.
    var steps = 0
    /// The first error of this turn.
    private(set) var failure: (any Error)?
    /// The problems noticed in the last turn.
    private(set) var diagnostics: [Diagnostic] = []
    /// The moment of the next turn; `nil` if the host has not set it.
    private var nextMoment: TurnMoment?
    /// The version and the time of the current turn, or of the last one.
    private(set) var moment = TurnMoment(version: -1, now: Timestamp(seconds: 0), seed: 0)
    var random = TurnRandom(seed: 0, version: 0)
    var work = WorkLedger()
    /// The coordinator that the current event visited last.
    var visitor: CoordinatorNode?

    // MARK: Navigation

    /// The requests that wait until the changes that are in progress are done.
    var requests = WaitingRequests()
    /// The number of nested changes of the screen. Results are reported after the outermost one.
    var changes = 0
    /// The results to report. Each retains the coordinator that waits for it, which may end before then.
    var results: [(handler: ResultHandler, waiter: CoordinatorNode?)] = []
    /// The alerts that coordinators presented while they were being started to be shown.
    var arrivingAlerts: [CoordinatorReference] = []
    /// The user's navigation that a question may interrupt.
    var leaving = LeavingState()
    var links = LinkState()
    var guards = GuardState()
    /// Whether a coordinator guards its routes, or one that has left the tree did.
    var hasGuards = false

    // MARK: Settling

    /// Whether the visible coordinators may have changed since the tree last settled.
    var needsSettling = false
    /// Whether the routes of the visible coordinators may differ from the screen on top.
    var needsAgreeing = false
    /// Whether there were visible modals when the routes were last settled.
    var hasModals = false
    /// The coordinators with routes whose screens changed during the turn.
    var routed: [CoordinatorNode] = []
    /// The coordinators that were visible at the last check, and those that came from another tree, or from another
    /// place in this one, since then. No others are active.
    var active: [CoordinatorReference] = []

    init(root: CoordinatorNode) {
        self.root = root.reference
    }

    /// The coordinators of the tree by id; `nil` if there are few.
    var indexOfMany: TreeIndex? {
        if index == nil, nodeCount >= TreeIndex.minimumCount { index = root.node.map(TreeIndex.init) }
        return index
    }

    /// Runs the body as a turn, or as part of the current one.
    func perform<Result>(_ body: () -> Result) -> Result {
        if depth == 0 { begin() }
        depth += 1
        defer { depth -= 1 }
        let result = body()
        if depth == 1 { settle() }
        return result
    }

    func perform<Result>(at moment: TurnMoment, _ body: () -> Result) -> Result {
        nextMoment = moment
        return perform(body)
    }

    private func begin() {
        navigations = 0
        redirects = 0
        steps = 0
        failure = nil
        if links.isForgotten { links.isForgotten = false }
        if !diagnostics.isEmpty { diagnostics = [] }
        let next = nextMoment ?? TurnMoment(version: moment.version + 1, now: moment.now, seed: moment.seed)
        nextMoment = nil
        if next.version != moment.version { random = TurnRandom(seed: next.seed, version: next.version) }
        moment = next
        work.begin(next.version)
    }

    /// Returns whether a change is allowed now. A tree with a host allows changes only in the host's turns, and reports
    /// others to the host.
    func allows(_ stray: @autoclosure () -> Diagnostic) -> Bool {
        guard let host, depth == 0, nextMoment == nil else { return true }
        host(stray())
        return false
    }

    /// Advances the time of a tree without a host.
    func advance(to now: Timestamp) {
        moment.now = max(moment.now, now)
    }

    /// Marks the turn as failed. Its caller gets this error, and should not use the tree afterwards.
    func fail(with error: any Error) {
        if failure == nil { failure = error }
    }

    func report(_ diagnostic: Diagnostic) {
        if diagnostic.isFailure { fail(with: diagnostic) }
        guard diagnostics.count < Self.maximumDiagnostics else { return }
        diagnostics.append(diagnostic)
    }

    // MARK: Limits

    /// - Returns: False if the turn has failed, or events are nested too deeply.
    func beginDispatch() -> Bool {
        checkSteps()
        guard failure == nil else { return false }
        guard dispatchDepth < Self.maximumDispatchDepth else {
            report(.eventLoop)
            return false
        }
        dispatchDepth += 1
        return true
    }

    func endDispatch() {
        dispatchDepth -= 1
    }

    /// - Returns: False if the turn has failed, or fails now because it has too many requests.
    func beginNavigation() -> Bool {
        navigations += 1
        if navigations > Self.maximumNavigations { report(.doesNotSettle) }
        checkSteps()
        return failure == nil
    }

    private func checkSteps() {
        if steps > Self.maximumSteps, failure == nil { report(.tooManySteps) }
    }

    /// - Returns: False if the turn has failed, or fails now because it has too many redirects.
    func beginRedirect(by node: CoordinatorNode) -> Bool {
        redirects += 1
        if redirects > Self.maximumRedirects { report(.guardsGoInCircles(coordinator: node.id)) }
        return failure == nil
    }

    /// Notifies the caller that a change of the screen was refused. If callers keep requesting another change in
    /// response, the turn fails instead.
    func refuse(_ notify: () -> Void) {
        guard refusals < Self.maximumDispatchDepth else { return report(.doesNotSettle) }
        refusals += 1
        notify()
        refusals -= 1
    }
}
