/// What all coordinators of one tree share: the turn under way, and what it was told.
///
/// A turn begins with the outermost event or request to navigate and ends when the tree has settled: nothing is started
/// late, and each coordinator that came into view or went out of it has been told so, once.
final class TreeContext {
    /// The most requests to navigate in one turn; an app that asks for more goes in circles.
    static let maximumNavigations = 1_000
    /// The most decisions of guards that are followed in one turn.
    static let maximumRedirects = 100
    /// The deepest nesting of events emitted while another one bubbles.
    static let maximumDispatchDepth = 64
    /// The most steps of one turn: a coordinator, or a screen, that an event visits, a coordinator that is moved, started or
    /// ended, or looked at to see whether it can be seen.
    static let maximumSteps = 100_000
    /// The most coordinators in one tree.
    static let maximumNodes = 1_000
    /// The most levels below the root, and the most coordinators on whose screens another one is: what goes through the tree
    /// needs stack for each.
    static let maximumLevels = 100
    /// The most diagnostics kept of one turn.
    static let maximumDiagnostics = 100

    private let root: CoordinatorReference
    private var depth = 0
    private var dispatchDepth = 0
    private var navigations = 0
    /// The number of guards' decisions that were followed in the last turn.
    private(set) var redirects = 0
    private var changes = 0
    /// How much of the work there may be in a turn was done in this one.
    var steps = 0
    private var refusals = 0
    private var waiting: [(node: CoordinatorNode, request: NavigationRequest)] = []
    /// The coordinators with routes that something was shown in, or taken from, during the turn.
    private var routed: [CoordinatorNode] = []
    /// The results to be told, each with whoever waits for it: that one may have ended by then.
    private var results: [(handler: ResultHandler, whoWaits: CoordinatorNode?)] = []
    /// Whether there were modals among what could be seen when the routes were settled last.
    private var hasModals = false
    /// Whether the routes of what can be seen may not lead to the screen on top.
    private var needsAgreeing = false
    private var mark = 0
    /// What could be seen when that was looked at last, and what has come from another tree since: nothing else is active.
    private var active: [CoordinatorReference] = []

    /// How many coordinators the tree has below its root.
    var nodeCount = 0
    /// Its coordinators by id, where there were ever many: see ``indexOfMany``.
    private(set) var index: TreeIndex?
    /// Whether what can be seen may have changed since the tree settled last.
    var needsSettling = false
    /// Whether a coordinator of the tree guards its routes, or did.
    var hasGuards = false
    /// The deep link that waits for a guard to let it through.
    var parked: ParkedLink?
    /// The user's wish that waits for the answer to an alert.
    var held: HeldWish?
    /// The user's wish that is being done, since the answer to an alert was to go on.
    var resumed: HeldWish?
    /// The deep link that is being opened.
    var opening: RoutePath?
    /// Whether a guard's decision is being followed.
    var isRedirecting = false
    /// The coordinator that the event under way visited last.
    var visitor: CoordinatorNode?
    /// The work and the timers that are pending.
    var work = WorkLedger()
    /// The version and the time of the turn under way, or of the last one.
    private(set) var moment = TurnMoment(version: -1, now: Timestamp(seconds: 0), seed: 0)
    /// The random numbers of the turn under way.
    var random = TurnRandom(seed: 0, version: 0)
    /// The moment of the next turn, where it was told.
    private var nextMoment: TurnMoment?
    /// Told of what is done outside of a turn, where the tree has a host: that knows of no such turn, and ignores it.
    var host: ((Diagnostic) -> Void)?

    /// The types of the app's events, where the tree has a host: no others can be sent.
    var events: [ObjectIdentifier]?

    /// What went wrong in this turn, the first thing only.
    private(set) var failure: (any Error)?
    /// What was noticed in the last turn.
    private(set) var diagnostics: [Diagnostic] = []

    init(root: CoordinatorNode) {
        self.root = root.reference
    }

    /// Its coordinators by id, where there are many.
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

    /// Runs the body as a turn of its host.
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

    /// Whether something may be done now. Where the tree has a host, that is only so within a turn of its: else it is told.
    func allows(_ stray: @autoclosure () -> Diagnostic) -> Bool {
        guard let host, depth == 0, nextMoment == nil else { return true }
        host(stray())
        return false
    }

    /// Moves the time of a tree without a host.
    func moveTime(to now: Timestamp) {
        moment.now = max(moment.now, now)
    }

    /// Marks the turn as failed: whoever runs it gets this error, and should not go on with the tree.
    func fail(with error: any Error) {
        if failure == nil { failure = error }
    }

    func report(_ diagnostic: Diagnostic) {
        if diagnostic.isFailure { fail(with: diagnostic) }
        guard diagnostics.count < Self.maximumDiagnostics else { return }
        diagnostics.append(diagnostic)
    }

    // MARK: Events

    /// - Returns: false where the turn has failed, or events are nested too deeply to be anything but a loop.
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

    /// - Returns: false where the turn has failed, or fails now, because it never comes to rest.
    func beginNavigation() -> Bool {
        navigations += 1
        if navigations > Self.maximumNavigations { report(.doesNotSettle) }
        checkSteps()
        return failure == nil
    }

    private func checkSteps() {
        if steps > Self.maximumSteps, failure == nil { report(.tooManySteps) }
    }

    /// - Returns: false where the turn has failed, or fails now, because the guards never agree.
    func beginRedirect(by node: CoordinatorNode) -> Bool {
        redirects += 1
        if redirects > Self.maximumRedirects { report(.guardsGoInCircles(coordinator: node.id)) }
        return failure == nil
    }

    /// Tells whoever asked for a change of the screen that it was refused. Where that leads to a loop, because it only makes
    /// them ask once more, they are told no more.
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

    /// Gives up what waits for a coordinator that ends.
    func dropRequests(of node: CoordinatorNode) {
        while let index = waiting.firstIndex(where: { $0.node === node }) {
            waiting.remove(at: index).request.giveUp()
        }
    }

    // MARK: Routes and results

    /// Gives what waits to be shown a route, unless it has one.
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

    /// Makes the routes of all that can be seen lead to the screen on top, whatever modals are on top of each other.
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

    /// Tells a result once the change of the screen is done that is under way.
    func tellLater(_ handler: ResultHandler) {
        results.append((handler, handler.whoWaits))
    }

    private func tellResults() {
        while !results.isEmpty {
            let (handler, whoWaits) = results.removeFirst()
            withExtendedLifetime(whoWaits) { handler.tell() }
        }
    }

    /// Runs the body as a change of the screen, or as part of the one under way. Results are told when it is done.
    func change(_ body: () -> Void) {
        changes += 1
        body()
        changes -= 1
        if changes == 0 { tellResults() }
    }

    // MARK: Settling

    /// Starts what can be seen, lets the guards have their say, then tells who left and who came, until nothing changes
    /// any more.
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

    /// Tells those who have left, the innermost first.
    private func deactivateHidden(of former: [CoordinatorReference]) {
        let hidden = former.compactMap { $0.node.flatMap { isHidden($0) ? $0 : nil } }
        for node in hidden.innermostFirst where isHidden(node) { node.deactivateIfActive() }
    }

    private func isHidden(_ node: CoordinatorNode) -> Bool {
        node.isActive && node.visibleMark != mark && node.cachedTree === self
    }
}
