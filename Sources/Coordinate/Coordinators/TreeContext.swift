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

    // The properties that every turn reads come first, so that they are close together in memory.

    private let root: CoordinatorReference
    private var depth = 0
    private var dispatchDepth = 0
    private var navigations = 0
    /// The number of redirects by guards in the last turn.
    private(set) var redirects = 0
    /// The number of steps in the current turn so far. See ``maximumSteps``.
    var steps = 0
    /// The first error of this turn.
    private(set) var failure: (any Error)?
    /// The problems noticed in the last turn.
    private(set) var diagnostics: [Diagnostic] = []
    /// Called for each change outside of a turn, which the tree ignores; `nil` if the tree has no host.
    var host: ((Diagnostic) -> Void)?
    /// The moment of the next turn; `nil` if the host has not set it.
    private var nextMoment: TurnMoment?
    /// The version and the time of the current turn, or of the last one.
    private(set) var moment = TurnMoment(version: -1, now: Timestamp(seconds: 0), seed: 0)
    /// The random numbers of the current turn.
    var random = TurnRandom(seed: 0, version: 0)
    /// The work and the timers that are pending.
    var work = WorkLedger()
    /// The coordinator that the current event visited last.
    var visitor: CoordinatorNode?
    /// The results to report. Each retains the coordinator that waits for it, which may end before then.
    private var results: [(handler: ResultHandler, waiter: CoordinatorNode?)] = []
    /// The coordinators with routes whose screens changed during the turn.
    private var routed: [CoordinatorNode] = []
    /// Whether the visible coordinators may have changed since the tree last settled.
    var needsSettling = false
    /// Whether a coordinator guards its routes, or one that has left the tree did.
    var hasGuards = false
    /// Whether the routes of the visible coordinators may differ from the screen on top.
    private var needsAgreeing = false
    /// Whether there were visible modals when the routes were last settled.
    private var hasModals = false
    /// Whether the app has read the time of the turn since a guard was asked.
    var clockWasRead = false
    /// The guards that granted a route until a time when the guards last decided, with that time.
    var grants: [(guard: CoordinatorReference, end: Timestamp)] = []
    /// The guards that have read the time in this turn, and granted no route until a time.
    private var clockReaders: [CoordinatorReference] = []
    /// Whether a redirect by a guard is being carried out.
    var isRedirecting = false

    private var changes = 0
    private var refusals = 0
    private var mark = 0
    private var waiting: [(node: CoordinatorNode, request: NavigationRequest)] = []
    /// The alerts that coordinators presented while they were being started to be shown.
    private var arrivingAlerts: [CoordinatorReference] = []
    /// The coordinators that were visible at the last check, and those that came from another tree since then. No
    /// others are active.
    private var active: [CoordinatorReference] = []
    /// The number of coordinators below the root.
    var nodeCount = 0
    /// The coordinators of the tree by id; `nil` until there are many. See ``indexOfMany``.
    private(set) var index: TreeIndex?
    /// The deep link that waits until a guard grants it.
    var parked: ParkedLink?
    /// Whether no link is parked in this turn.
    var forgetsLinks = false
    /// The user's navigation event that waits for the choice in an alert.
    var held: HeldEvent?
    /// The user's navigation event that is being carried out after the choice in an alert.
    var resumed: HeldEvent?
    /// The user's tap on a tab that is being carried out.
    var tap: TabTap?
    /// The deep link that is being opened.
    var opening: RoutePath?
    /// The types of the app's events, which clients can send; `nil` if the tree has no host.
    var events: [ObjectIdentifier]?
    /// The session that it belongs to.
    var session = SessionContext.current

    init(root: CoordinatorNode) {
        self.root = root.reference
    }

    /// The coordinators of the tree by id; `nil` if there are few.
    var indexOfMany: TreeIndex? {
        if index == nil, nodeCount >= TreeIndex.minimumCount { index = root.node.map(TreeIndex.init) }
        return index
    }

    /// Notes an active coordinator that came from another tree, or from another place in this one.
    func noteActive(_ node: CoordinatorNode) {
        active.append(node.reference)
    }

    // MARK: The turn

    /// Runs the body as a turn, or as part of the current one.
    func perform<Result>(_ body: () -> Result) -> Result {
        if depth == 0 {
            navigations = 0
            redirects = 0
            steps = 0
            failure = nil
            forgetsLinks = false
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

    /// Returns whether a change is allowed now. A tree with a host allows changes only in the host's turns, and reports
    /// others to the host.
    func allows(_ stray: @autoclosure () -> Diagnostic) -> Bool {
        guard let host, depth == 0, nextMoment == nil else { return true }
        host(stray())
        return false
    }

    /// Advances the time of a tree without a host.
    func moveTime(to now: Timestamp) {
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

    // MARK: Events

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

    // MARK: Navigation requests

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

    // MARK: The time of guards

    /// Notes that a guard granted a route until a time.
    func noteGrant(until end: Timestamp, by node: CoordinatorNode) {
        node.grantsUntil = true
        grants.append((node.reference, end))
    }

    /// Notes that a guard has read the time, and granted no route until a time.
    func noteClock(readBy node: CoordinatorNode) {
        guard !node.grantsUntil, !clockReaders.contains(where: { $0 === node.reference }) else { return }
        clockReaders.append(node.reference)
    }

    /// Keeps one timer for each guard, due at the earliest time until which it granted a route.
    private func settleGuardTimers() {
        var due: [(guard: CoordinatorReference, end: Timestamp)] = []
        for grant in grants where grant.end > moment.now && grant.guard.node?.isStarted == true {
            guard let index = due.firstIndex(where: { $0.guard === grant.guard }) else {
                due.append(grant)
                continue
            }
            due[index].end = min(due[index].end, grant.end)
        }
        work.dropGuardTimers { owner, end in !due.contains { $0.guard === owner && $0.end == end } }
        for (reference, end) in due {
            guard let node = reference.node, !work.hasGuardTimer(of: node) else { continue }
            let asked = work.add(
                "guard", due: end, .timer(GuardEvents.askGuards), of: node, traceparent: moment.traceparent)
            if asked == nil { report(.tooMuchWork) }
        }
        if !clockReaders.isEmpty, !work.hasTimer {
            for node in clockReaders.compactMap(\.node) { report(.guardReadsClock(coordinator: node.id)) }
        }
        clockReaders = []
    }

    /// Reports to the caller that a change of the screen was refused. If callers keep requesting another change in
    /// response, the turn fails instead.
    func refuse(_ tell: () -> Void) {
        guard refusals < Self.maximumDispatchDepth else { return report(.doesNotSettle) }
        refusals += 1
        tell()
        refusals -= 1
    }

    func postpone(_ request: NavigationRequest, of node: CoordinatorNode) {
        if !request.isRemoval {
            while let index = waiting.firstIndex(where: { $0.node === node && !$0.request.isRemoval }) {
                let replaced = waiting.remove(at: index).request
                report(.replacedRequest(of: node.id, coordinator: replaced.target?.id))
                refuse(replaced.giveUp)
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

    /// Refuses the waiting requests of a coordinator that ends.
    func dropRequests(of node: CoordinatorNode) {
        while let index = waiting.firstIndex(where: { $0.node === node }) {
            let dropped = waiting.remove(at: index).request
            if let target = dropped.target { report(.endingCoordinator(node.id, coordinator: target.id)) }
            dropped.giveUp()
        }
    }

    /// Notes an alert of a coordinator that is not on the screen yet.
    func noteAlert(_ alert: CoordinatorNode) {
        arrivingAlerts.append(alert.reference)
    }

    /// Moves the alerts that arrived with their owners on top of the screen, if something covers them.
    private func showAlerts(below root: CoordinatorNode) {
        guard !arrivingAlerts.isEmpty else { return }
        let alerts = arrivingAlerts.compactMap(\.node)
        arrivingAlerts = []
        for alert in alerts where alert.presenterNode != nil && alert.cachedTree === self {
            if !root.visibleChain.contains(where: { $0 === alert }) { alert.parentNode?.bringToTop(alert: alert) }
        }
    }

    // MARK: Routes and results

    /// Sets the route of a coordinator that is waiting to be shown, unless it has one.
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

    /// Reports a result after the current change of the screen.
    func deliverLater(_ handler: ResultHandler) {
        results.append((handler, handler.waiter))
    }

    private func deliverResults() {
        while !results.isEmpty {
            let (handler, waiter) = results.removeFirst()
            withExtendedLifetime(waiter) { handler.tell() }
        }
    }

    /// Runs the body as a change of the screen, or as part of the current one. Results are reported after it.
    func change(_ body: () -> Void) {
        changes += 1
        body()
        changes -= 1
        if changes == 0 { deliverResults() }
    }

    // MARK: Settling

    /// Starts the visible coordinators, follows the guards, then activates and deactivates coordinators, until nothing
    /// changes.
    private func settle() {
        var isVisibilityNew = false
        deliverResults()
        settleRoutes()
        // If the last event comes from a root that is being freed, there is nothing to settle.
        while failure == nil, needsSettling || isVisibilityNew || hasGuards, let root = root.node, root.isStarted {
            if needsSettling {
                needsSettling = false
                isVisibilityNew = true
                guard beginNavigation() else { break }
                showAlerts(below: root)
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
            guard isVisibilityNew else { break }
            isVisibilityNew = false
            activateVisible(below: root)
            settleRoutes()
        }
        deliverResults()
        settleRoutes()
        if needsAgreeing, let root = root.node, root.isStarted { agreeRoutes(below: root) }
        if parked != nil, let root = root.node { parked?.settle(at: root) }
        if hasGuards, failure == nil { settleGuardTimers() }
        if !work.isEmpty { work.dropAbandoned(in: self) }
    }

    private func activateVisible(below root: CoordinatorNode) {
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
