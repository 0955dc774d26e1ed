/// A walk through an app's actions that finds every class of coordinator, and every screen, that users can reach.
///
/// It begins at the start and at every path without values, and tries the actions offered there. It tries the actions
/// of each class of leaf once. Requested work never begins.
package struct CoordinatorCensus {
    /// The most turns of a walk. In a larger app the walk is incomplete.
    private static let maximumTurns = 2_000
    /// The most actions with the same event that are tried in one state: the rows of a list usually lead to screens of
    /// one class.
    private static let triesOfAnEvent = 3

    private let app: any CoordinatedApp
    private let types: [ObjectIdentifier]
    private var turns = 0
    private var seenLeaves: Set<String> = []
    private var remaining: [[any DeclaredEvents]] = []

    /// The names of the classes, in the order in which they were found.
    package private(set) var names: [String] = []

    /// A screen that users can reach.
    package struct Screen: Sendable {
        package let name: String
        /// The type of its content; `nil` if it has none.
        package let content: PlainType?
    }

    /// The screens of leaves, in the order in which they were found.
    package private(set) var screens: [Screen] = []

    package init(_ app: any CoordinatedApp) {
        self.app = app
        types = app.events.types
        let links = app.routes.patterns.filter { !$0.contains("{") }.map { [NavigationEvents.open("/\($0)")] }
        remaining = [[]] + links
        var next = 0
        while next < remaining.count, turns < Self.maximumTurns {
            visit(remaining[next])
            next += 1
        }
    }

    /// Replays events from the start, and records which events the resulting state offers.
    private mutating func visit(_ events: [any DeclaredEvents]) {
        let runner = TreeRunner(app, options: .object([]), seed: 0, events: types)
        let root = runner.root
        let time = Timestamp(seconds: 0)
        turns += 1 + events.count
        do {
            try runner.start(at: time)
            for (index, event) in events.enumerated() {
                _ = try runner.emit(event, at: root.visibleLeaf, as: index + 1, at: time)
            }
        } catch {
            return
        }
        recordNames(below: root)
        let leaf = root.visibleLeaf.node.screen
        if !screens.contains(where: { $0.name == leaf.name }) {
            screens.append(Screen(name: leaf.name, content: leaf.metadata.content?.type))
        }
        guard seenLeaves.insert(root.visibleLeaf.node.className).inserted else { return }
        var tries: [String: Int] = [:]
        for action in root.navigationState.offered {
            tries[action.event, default: 0] += 1
            if tries[action.event, default: 0] <= Self.triesOfAnEvent { remaining.append(events + [action.emission]) }
        }
    }

    private mutating func recordNames(below node: CoordinatorNode) {
        if !names.contains(node.className) { names.append(node.className) }
        for child in node.children { recordNames(below: child) }
        if let presentedNode = node.presentedNode { recordNames(below: presentedNode) }
    }
}
