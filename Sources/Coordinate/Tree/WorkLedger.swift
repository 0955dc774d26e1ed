/// The work and the timers that are pending in a tree, and how the current turn changes them.
struct WorkLedger {
    /// The maximum number of pieces of work and timers that may be pending in one tree.
    static let limit = 100

    private struct Item {
        let asked: AskedWork
        let reference: CoordinatorReference

        var isGuardTimer: Bool {
            if case .timer(let event) = asked.task { event is GuardEvents } else { false }
        }

        func isOf(_ node: CoordinatorNode) -> Bool { reference.node === node }

        /// Returns whether its coordinator has ended, or left the tree.
        func isAbandoned(in tree: TreeContext) -> Bool {
            guard let node = reference.node else { return true }
            return !node.isStarted || node.cachedTree !== tree
        }
    }

    private var items: [Item] = [] {
        didSet { nextTimer = items.lazy.compactMap(\.asked.pending.due).min() }
    }
    /// The moment at which the first timer is due; `nil` if none is pending.
    private(set) var nextTimer: Timestamp?
    /// The version of the turn that ``askedCount`` belongs to.
    private var version = -1
    private var askedCount = 0
    /// The pieces that this turn requested and that are still pending.
    private(set) var begun: [PendingWork] = []
    /// The ids of the earlier pieces that ended in this turn.
    private(set) var ended: [String] = []

    var isEmpty: Bool { items.isEmpty }

    /// The pending work and timers, oldest first.
    var pending: [PendingWork] {
        items.map { item in
            let pending = item.asked.pending
            return PendingWork(
                id: pending.id, name: pending.name, at: item.reference.node?.id ?? pending.at, due: pending.due)
        }
    }

    /// The pending work and timers, with their code or event.
    var all: [AskedWork] { items.map(\.asked) }

    var hasTimer: Bool { nextTimer != nil }

    func hasGuardTimer(of node: CoordinatorNode) -> Bool { items.contains { $0.isGuardTimer && $0.isOf(node) } }

    mutating func cancelGuardTimers(where isOver: (_ owner: CoordinatorReference, _ due: Timestamp?) -> Bool) {
        cancel { $0.isGuardTimer && isOver($0.reference, $0.asked.pending.due) }
    }

    /// Begins a turn. A turn of the same version continues the one before it.
    mutating func begin(_ version: Int) {
        guard version != self.version else { return }
        self.version = version
        askedCount = 0
        if !begun.isEmpty { begun = [] }
        if !ended.isEmpty { ended = [] }
    }

    /// Appends a piece that a coordinator requests, and returns it; `nil` if ``limit`` is reached.
    mutating func append(
        _ name: String, due: Timestamp?, _ task: AskedWork.Task, of node: CoordinatorNode, traceparent: String?
    ) -> PendingWork? {
        guard items.count < Self.limit else { return nil }
        askedCount += 1
        let pending = PendingWork(id: "\(version)-\(askedCount)", name: name, at: node.id, due: due)
        let asked = AskedWork(pending: pending, task: task, traceparent: traceparent)
        items.append(Item(asked: asked, reference: node.reference))
        begun.append(pending)
        return pending
    }

    /// Returns the piece with an id and the coordinator that owns it; `nil` if it is not pending.
    func item(_ id: String) -> (asked: AskedWork, node: CoordinatorNode)? {
        guard let item = items.first(where: { $0.asked.pending.id == id }), let node = item.reference.node else {
            return nil
        }
        return (item.asked, node)
    }

    /// Removes the piece with an id, because the turn's event ends it.
    mutating func strikeOff(_ id: String) {
        items.removeAll { $0.asked.pending.id == id }
    }

    /// Cancels the pieces of a coordinator: all of them, or those with a name.
    mutating func cancel(of node: CoordinatorNode, named name: String? = nil) {
        cancel { $0.isOf(node) && (name == nil || $0.asked.pending.name == name) }
    }

    /// Cancels the pieces of coordinators that have ended or left the tree.
    mutating func cancelAbandoned(in tree: TreeContext) {
        cancel { $0.isAbandoned(in: tree) }
    }

    private mutating func cancel(where isOver: (Item) -> Bool) {
        guard items.contains(where: isOver) else { return }
        for item in items where isOver(item) {
            let id = item.asked.pending.id
            if let index = begun.firstIndex(where: { $0.id == id }) {
                begun.remove(at: index)
            } else {
                ended.append(id)
            }
        }
        items.removeAll(where: isOver)
    }
}
