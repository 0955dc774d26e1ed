/// What all coordinators of one tree share: the turn under way, and what it was told.
///
/// A turn begins with the outermost event or request to navigate and ends when the tree has settled: nothing is started
/// late, and each coordinator that came into view or went out of it has been told so, once.
final class TreeContext {
    /// The most requests to navigate in one turn; an app that asks for more goes in circles.
    static let maximumNavigations = 1_000
    /// The deepest nesting of events emitted while another one bubbles.
    static let maximumDispatchDepth = 64
    /// The most coordinators in one tree.
    static let maximumNodes = 1_000
    /// The most levels below the root: what goes through the tree needs stack for each.
    static let maximumLevels = 100
    /// The most diagnostics kept of one turn.
    static let maximumDiagnostics = 100

    private let root: Anchor
    private var depth = 0
    private var dispatchDepth = 0
    private var navigations = 0
    private var waiting: [(node: CoordinatorNode, request: NavigationRequest, routeBefore: FormerRoute?)] = []
    private var redirects: [(node: CoordinatorNode, route: FormerRoute)] = []
    private var mark = 0

    /// How many coordinators the tree has below its root.
    var nodeCount = 0
    /// Whether what can be seen may have changed since the tree settled last.
    var needsSettling = false
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

    /// What went wrong in this turn, the first thing only.
    private(set) var failure: (any Error)?
    /// What was noticed in the last turn.
    private(set) var diagnostics: [Diagnostic] = []

    init(root: CoordinatorNode) {
        self.root = root.anchor
    }

    // MARK: The turn

    /// Runs the body as a turn, or as part of the one under way.
    func perform<Result>(_ body: () -> Result) -> Result {
        if depth == 0 {
            navigations = 0
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
        return failure == nil
    }

    func postpone(_ request: NavigationRequest, of node: CoordinatorNode) {
        if !request.isRemoval {
            while let index = waiting.firstIndex(where: { $0.node === node && !$0.request.isRemoval }) {
                waiting.remove(at: index).request.completion?()
            }
        }
        waiting.append((node, request, FormerRoute(of: node)))
    }

    func nextRequest(of node: CoordinatorNode) -> NavigationRequest? {
        guard !waiting.isEmpty, let index = waiting.firstIndex(where: { $0.node === node }) else { return nil }
        return waiting.remove(at: index).request
    }

    /// Gives up what waits for a coordinator that ends.
    func dropRequests(of node: CoordinatorNode) {
        while let index = waiting.firstIndex(where: { $0.node === node }) {
            waiting.remove(at: index).request.completion?()
        }
    }

    /// Remembers the route that an app went to while it was on its way to another one: what it sets after that, on its
    /// way back through the calls, is the route it was led away from.
    func noteRedirect(of node: CoordinatorNode) {
        guard !waiting.isEmpty, let route = FormerRoute(of: node),
            let first = waiting.first(where: { $0.node === node && !$0.request.isRemoval }),
            let before = first.routeBefore, !route.isSame(as: before)
        else { return }
        redirects.append((node, route))
    }

    private func followRedirects() {
        while !redirects.isEmpty {
            let (node, route) = redirects.removeFirst()
            if let covered = node.children.last?.formerRoute, covered.isSame(as: route) {
                node.children.last?.formerRoute = FormerRoute(of: node)
            }
            route.restore(in: node)
        }
    }

    // MARK: Settling

    /// Starts what can be seen, then tells who left and who came, until nothing changes any more.
    private func settle() {
        followRedirects()
        while needsSettling, failure == nil {
            needsSettling = false
            guard let root = root.node, root.isStarted, beginNavigation() else { break }
            let chain = root.visibleChain
            for node in chain {
                node.startIfNeeded()
                if needsSettling { break }
            }
            if needsSettling { continue }
            mark += 1
            for node in chain { node.visibleMark = mark }
            deactivateHidden(below: root)
            for node in chain where !node.isActive && !needsSettling {
                node.isActive = true
                node.activate()
            }
        }
        if !work.isEmpty { work.dropAbandoned(in: self) }
    }

    private func deactivateHidden(below node: CoordinatorNode) {
        for child in node.ownedNodes { deactivateHidden(below: child) }
        if node.visibleMark != mark { node.deactivateIfActive() }
    }
}
