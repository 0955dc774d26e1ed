/// The state that all coordinators of one tree share: the turn under way, and what it has noted.
///
/// A turn begins with the outermost event or request to navigate and ends when the tree has settled: every visible
/// coordinator is started, and each that became visible or hidden has been told so, once.
final class TreeContext {
    /// The most requests to navigate in one turn; an app that makes more goes in circles.
    static let maximumNavigations = 1_000
    /// The most decisions of guards that are followed in one turn.
    static let maximumRedirects = 100
    /// The deepest nesting of events emitted while another one bubbles.
    static let maximumDispatchDepth = 64
    /// The most steps of one turn. Each is a coordinator or a screen that an event visits, or a coordinator that is
    /// moved, started, ended, or checked for being visible.
    static let maximumSteps = 100_000
    /// The most coordinators in one tree.
    static let maximumNodes = 1_000
    /// The most levels below the root, and the most coordinators on whose screens another one is: a walk through the
    /// tree needs stack space for each.
    static let maximumLevels = 100
    /// The most diagnostics kept of one turn.
    static let maximumDiagnostics = 100

    // What every turn reads comes first, and lies together in memory.

    private let root: CoordinatorReference
    private var depth = 0
    private var dispatchDepth = 0
    private var navigations = 0
    /// The number of guards' decisions that were followed in the last turn.
    private(set) var redirects = 0
    /// The steps of the turn under way so far: see ``maximumSteps``.
    var steps = 0
    /// The first error of this turn.
    private(set) var failure: (any Error)?
    /// The problems noticed in the last turn.
    private(set) var diagnostics: [Diagnostic] = []
    /// The host's handler of what is done outside of a turn, which the tree ignores; `nil` if it has no host.
    var host: ((Diagnostic) -> Void)?
    /// The moment of the next turn, where the host has set it.
    private var nextMoment: TurnMoment?
    /// The version and the time of the turn under way, or of the last one.
    private(set) var moment = TurnMoment(version: -1, now: Timestamp(seconds: 0), seed: 0)
    /// The random numbers of the turn under way.
    var random = TurnRandom(seed: 0, version: 0)
    /// The work and the timers that are pending.
    var work = WorkLedger()
    /// The coordinator that the event under way visited last.
    var visitor: CoordinatorNode?
    /// The results to be reported, each with the coordinator that waits for it, which may have ended by then.
    private var results: [(handler: ResultHandler, whoWaits: CoordinatorNode?)] = []
    /// The coordinators with routes that something was shown in, or taken from, during the turn.
    private var routed: [CoordinatorNode] = []
    /// Whether the visible coordinators may have changed since the tree last settled.
    var needsSettling = false
    /// Whether a coordinator of the tree guards its routes, or did.
    var hasGuards = false
    /// Whether the routes of the visible coordinators may not lead to the screen on top.
    private var needsAgreeing = false
    /// Whether there were visible modals when the routes were last settled.
    private var hasModals = false
    /// True while a guard's decision is being followed.
    var isRedirecting = false

    private var changes = 0
    private var refusals = 0
    private var mark = 0
    private var waiting: [(node: CoordinatorNode, request: NavigationRequest)] = []
    /// The coordinators that were visible when that was last checked, and those that came from another tree since: no
    /// others are active.
    private var active: [CoordinatorReference] = []
    /// The number of coordinators below the root.
    var nodeCount = 0
    /// The coordinators of the tree by id, where there were ever many: see ``indexOfMany``.
    private(set) var index: TreeIndex?
    /// The deep link that waits for a guard to let it through.
    var parked: ParkedLink?
    /// The user's wish that waits for the choice in an alert.
    var held: HeldWish?
    /// The user's wish that is being carried out, after the choice in an alert was to go on.
    var resumed: HeldWish?
    /// The deep link that is being opened.
    var opening: RoutePath?
    /// The types of the app's events, where the tree has a host: clients can send no others.
    var events: [ObjectIdentifier]?

    init(root: CoordinatorNode) {
        self.root = root.reference
    }

    /// The coordinators of the tree by id, if there are many.
    var indexOfMany: TreeIndex? {
        if index == nil, nodeCount >= TreeIndex.minimumCount { index = root.node.map(TreeIndex.init) }
        return index
    }

    /// Notes an active coordinator that comes from another tree, or from another place in this one.
    func noteActive(_ node: CoordinatorNode) {
        active.append(node.reference)
    }

    // MARK: The turn

    /// Runs the body as a turn, or as part of the one under way.
    func perform<Result>(_ body: () -> Result) -> Result {
        if depth == 0 {
            navigations = 0
            redirects = 0
            steps = 0
            failure = nil
            if !diagnostics.isEmpty { diagnostics = [] }
            beginMoment()
        }
        depth += 1
        defer { depth -= 1 }
        let result = body()
        if depth == 1 { settle() }
        return result
    }

    /// Runs the body as a turn of the host, at a moment.
    func perform<Result>(at moment: TurnMoment, _ body: () -> Result) -> Result {
        nextMoment = moment
        return perform(body)
    }

    private func beginMoment() {
        let next = nextMoment ?? TurnMoment(version: moment.version + 1, now: moment.now, seed: moment.seed)
        nextMoment = nil
        if next.version != moment.version { random = TurnRandom(seed: next.seed, version: next.version) }
        moment = next
        work.begin(next.version)
    }

    /// Returns whether something may be done now: in a tree with a host, only within a turn of it. Otherwise the host
    /// is told.
    func allows(_ stray: @autoclosure () -> Diagnostic) -> Bool {
        guard let host, depth == 0, nextMoment == nil else { return true }
        host(stray())
        return false
    }

    /// Moves the time of a tree without a host.
    func moveTime(to now: Timestamp) {
        moment.now = max(moment.now, now)
    }

    /// Marks the turn as failed: its caller gets this error, and should not go on with the tree.
    func fail(with error: any Error) {
        if failure == nil { failure = error }
    }

    func report(_ diagnostic: Diagnostic) {
        if diagnostic.isFailure { fail(with: diagnostic) }
        guard diagnostics.count < Self.maximumDiagnostics else { return }
        diagnostics.append(diagnostic)
    }

    // MARK: Events

    /// - Returns: False where the turn has failed, or events are nested so deeply that it must be a loop.
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

    // MARK: Requests to navigate

    /// - Returns: False where the turn has failed, or fails now, because it never comes to rest.
    func beginNavigation() -> Bool {
        navigations += 1
        if navigations > Self.maximumNavigations { report(.doesNotSettle) }
        checkSteps()
        return failure == nil
    }

    private func checkSteps() {
        if steps > Self.maximumSteps, failure == nil { report(.tooManySteps) }
    }

    /// - Returns: False where the turn has failed, or fails now, because the guards never agree.
    func beginRedirect(by node: CoordinatorNode) -> Bool {
        redirects += 1
        if redirects > Self.maximumRedirects { report(.guardsGoInCircles(coordinator: node.id)) }
        return failure == nil
    }

    /// Reports to its caller that a change of the screen was refused. Where callers react to that by asking again and
    /// again, the turn fails instead.
    func refuse(_ tell: () -> Void) {
        guard refusals < Self.maximumDispatchDepth else { return report(.doesNotSettle) }
        refusals += 1
        tell()
        refusals -= 1
    }

    func postpone(_ request: NavigationRequest, of node: CoordinatorNode) {
        if !request.isRemoval {
            while let index = waiting.firstIndex(where: { $0.node === node && !$0.request.isRemoval }) {
                refuse(waiting.remove(at: index).request.giveUp)
            }
        }
        waiting.append((node, request))
    }

    func isWaiting(_ node: CoordinatorNode) -> Bool {
        !waiting.isEmpty && waiting.contains { $0.node === node }
    }

    func nextRequest(of node: CoordinatorNode) -> NavigationRequest? {
        waiting.firstIndex { $0.node === node }.map { waiting.remove(at: $0).request }
    }

    /// Gives up the requests that wait for a coordinator that ends.
    func dropRequests(of node: CoordinatorNode) {
        while let index = waiting.firstIndex(where: { $0.node === node }) {
            waiting.remove(at: index).request.giveUp()
        }
    }

    // MARK: Routes and results

    /// Sets the route of a coordinator that waits to be shown, unless it has one.
    func setRoute(_ route: ShownRoute, ofWaiting target: CoordinatorNode, in node: CoordinatorNode) {
        for index in waiting.indices where waiting[index].node === node && waiting[index].request.target === target {
            waiting[index].request.terms.route = waiting[index].request.terms.route ?? route
        }
    }

    func noteRoute(of node: CoordinatorNode) {
        routed.append(node)
    }

    private func settleRoutes() {
        guard !routed.isEmpty else { return }
        let nodes = routed
        routed = []
        for node in nodes { node.settleRoute() }
        needsAgreeing = true
    }

    /// Updates the routes of all visible coordinators so that they lead to the screen on top, across all modals.
    private func agreeRoutes(below root: CoordinatorNode) {
        needsAgreeing = false
        let chain = root.visibleChain
        let hadModals = hasModals
        hasModals = chain.contains { $0.presentedNode != nil }
        for node in chain where hasModals || hadModals || !node.isActive {
            node.sampleRoute(isSettling: true)
            node.agreeRoute(isSettling: true)
        }
        guard hasModals else { return }
        for step in root.way {
            if let shown = step.shown { step.node.agreeRoute(with: shown) }
        }
    }

    /// Reports a result after the change of the screen that is under way.
    func tellLater(_ handler: ResultHandler) {
        results.append((handler, handler.whoWaits))
    }

    private func tellResults() {
        while !results.isEmpty {
            let (handler, whoWaits) = results.removeFirst()
            withExtendedLifetime(whoWaits) { handler.tell() }
        }
    }

    /// Runs the body as a change of the screen, or as part of the one under way. Results are reported after it.
    func change(_ body: () -> Void) {
        changes += 1
        body()
        changes -= 1
        if changes == 0 { tellResults() }
    }

    // MARK: Settling

    /// Starts the visible coordinators, follows the guards, then activates and deactivates coordinators, until nothing
    /// changes any more.
    private func settle() {
        var isUntold = false
        tellResults()
        settleRoutes()
        // A last event may come from a root that is being freed: it is not asked then.
        while failure == nil, needsSettling || isUntold || hasGuards, let root = root.node, root.isStarted {
            if needsSettling {
                needsSettling = false
                isUntold = true
                guard beginNavigation() else { break }
                for node in root.visibleChain {
                    steps += 1
                    node.startIfNeeded()
                    if needsSettling { break }
                }
                settleRoutes()
                if needsSettling { continue }
                needsAgreeing = true
            }
            if needsAgreeing { agreeRoutes(below: root) }
            if hasGuards, root.followGuards() { continue }
            guard isUntold else { break }
            isUntold = false
            tellWhoIsVisible(below: root)
            settleRoutes()
        }
        tellResults()
        settleRoutes()
        if needsAgreeing, let root = root.node, root.isStarted { agreeRoutes(below: root) }
        if parked?.isUntilDismissed == true, parked?.refuge == nil { parked?.refuge = root.node?.routePath }
        if !work.isEmpty { work.dropAbandoned(in: self) }
    }

    private func tellWhoIsVisible(below root: CoordinatorNode) {
        let chain = root.visibleChain
        mark += 1
        for node in chain { node.visibleMark = mark }
        let former = active
        active = chain.map(\.reference)
        deactivateHidden(of: former)
        for node in chain where !node.isActive && !needsSettling {
            node.isActive = true
            node.activate()
        }
    }

    /// Deactivates the coordinators that are no longer visible, the innermost first.
    private func deactivateHidden(of former: [CoordinatorReference]) {
        let hidden = former.compactMap { $0.node.flatMap { isHidden($0) ? $0 : nil } }
        for node in hidden.innermostFirst where isHidden(node) { node.deactivateIfActive() }
    }

    private func isHidden(_ node: CoordinatorNode) -> Bool {
        node.isActive && node.visibleMark != mark && node.cachedTree === self
    }
}
