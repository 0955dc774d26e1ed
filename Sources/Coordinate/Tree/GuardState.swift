/// The deep links of a tree.
struct LinkState {
    /// The link that waits until a guard grants it.
    var parked: ParkedLink?
    /// The link that is being opened.
    var opening: RoutePath?
    /// Whether no link is parked in this turn.
    var isForgotten = false
}

/// A deep link that waits until a guard grants it.
struct ParkedLink {
    let path: RoutePath
    /// The coordinator whose guard must grant it.
    let keeper: CoordinatorReference
    /// Whether the link waits only while the app stays at the refuge.
    let isUntilDismissed: Bool
    /// The path of the route to which the guard redirected; `nil` if it has none.
    var target: RoutePath?
    /// Returns whether that guard would now grant the link's route.
    let isGranted: () -> Bool
    /// Where the redirect ended; `nil` until that turn is over.
    var refuge: Refuge?

    /// Where the redirect of a guard ended.
    struct Refuge {
        /// The screen that was shown.
        let leaf: CoordinatorReference
        /// The path of the target; `nil` if its screen was shown without a route.
        let path: RoutePath?
    }

    /// Remembers where the app is after the redirect. Call it at the end of each turn.
    mutating func settle(at root: CoordinatorNode) {
        guard isUntilDismissed, refuge == nil else { return }
        let path = root.routePath
        let isAtTarget = target.map(path.isBelow) ?? true
        refuge = Refuge(leaf: (root.visibleChain.last ?? root).reference, path: isAtTarget ? path : nil)
    }

    /// Returns whether the app has left the refuge: its screen is neither visible nor below a modal, and the path is
    /// another one.
    func isLeft(in root: CoordinatorNode) -> Bool {
        guard isUntilDismissed, let refuge else { return false }
        if let leaf = refuge.leaf.node, leaf.isOnScreen(below: root, isVisible: true) { return false }
        return refuge.path.map { !root.routePath.isBelow($0) } ?? true
    }
}

/// The refusal of a route by a guard.
struct Refusal {
    let node: CoordinatorNode
    /// The route that the guard names instead; `nil` if the app stays where it is.
    let other: Any?
    /// How long the refused route waits until the guard grants it.
    let parking: Parking
    /// Returns whether the guard would now grant the route.
    let isGranted: () -> Bool
    /// The index of the way's last step that belongs to the refused route; `nil` if the refusal does not come from a
    /// way.
    var lastStep: Int?
}

/// What the guards of a tree have decided, and until when their decisions hold.
struct GuardState {
    /// Whether a redirect by a guard is being carried out.
    var areRedirecting = false
    /// Whether the app has read the time of the turn since a guard was asked.
    var clockWasRead = false
    /// The guards that granted a route until a time when the guards last decided, with that time.
    var grants: [(guard: CoordinatorReference, end: Timestamp)] = []
    /// The guards that have ever granted a route until a time.
    private var timed: [CoordinatorReference] = []
    /// The guards that have read the time in this turn, and granted no route until a time.
    private var clockReaders: [CoordinatorReference] = []

    /// Records that a guard granted a route until a time.
    mutating func record(grantUntil end: Timestamp, by node: CoordinatorNode) {
        if !timed.contains(where: { $0 === node.reference }) { timed.append(node.reference) }
        grants.append((node.reference, end))
    }

    /// Records that a guard has read the time.
    mutating func record(clockReadBy node: CoordinatorNode) {
        if !(timed + clockReaders).contains(where: { $0 === node.reference }) { clockReaders.append(node.reference) }
    }

    /// Returns the earliest time until which each guard granted a route.
    func ends(after now: Timestamp) -> [(guard: CoordinatorReference, end: Timestamp)] {
        var ends: [(guard: CoordinatorReference, end: Timestamp)] = []
        for grant in grants where grant.end > now && grant.guard.node?.isStarted == true {
            if let index = ends.firstIndex(where: { $0.guard === grant.guard }) {
                ends[index].end = min(ends[index].end, grant.end)
            } else {
                ends.append(grant)
            }
        }
        return ends
    }

    /// Removes and returns the guards that read the time.
    mutating func takeClockReaders() -> [CoordinatorNode] {
        timed.removeAll { $0.node == nil }
        defer { clockReaders = [] }
        return clockReaders.compactMap(\.node)
    }
}
