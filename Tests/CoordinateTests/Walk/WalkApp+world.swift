import Coordinate

extension WalkApp {
    /// The data of one tree of the walked app, with the notes of its coordinators.
    final class World: Log {
        let style: WalkApp.Style
        var isLoggedIn = true
        var hasKey = true
        /// The coordinator that the next operation is about, as a number.
        var target = 0
        /// The moment at which the next operation happens; `nil` for immediately.
        var moment: Moment?
        /// The operations that wait for a moment.
        var waiting: [Moment: [Operation]] = [:]
        /// Whether the app itself stops a coordinator. Until it has ended, a removal would stop it a second time.
        var isStopping = false
        /// Whether an operation has interrupted another one. The route that is set next may then be that of its screen.
        private(set) var wasInterrupted = false
        /// Carries out an operation. The root sets it.
        var carryOut: (Operation) -> Void = { _ in }
        private(set) var flows: [FlowNote] = []
        /// The coordinators with changes that a user left without a question.
        private(set) var lost: [String] = []
        /// Whether the current turn is a user's navigation that no guard has redirected, and that was no answer.
        var isLeaving = false

        init(_ style: WalkApp.Style) { self.style = style }

        // MARK: Guards

        func refuses(_ path: String) -> Bool {
            guard isLoggedIn else { return path.hasPrefix("/main/desk") || path == "/help" }
            return path == "/login" || !hasKey && path.hasPrefix("/main/desk/draft")
        }

        func parks(_ path: String) -> Bool {
            refuses(path) && (isLoggedIn ? path == "/main/desk/draft/1" : path.hasPrefix("/main/desk"))
        }

        // MARK: Coordinators

        /// Adds a new coordinator: names it, and lets its life interrupt others.
        func add(_ node: some Node, _ title: String) {
            node.getRootViewController().title = title
            let probe = node.probe
            probe.question = { [unowned probe] in
                probe.isChanged ? Alert(title: "Leave?", choices: [.discard("Discard"), .stay("Stay")]) : nil
            }
            probe.onStart = { [unowned self] in reach(.start) }
            probe.onActivate = { [unowned self] in reach(.activate) }
            probe.onStop = { [unowned self, unowned node] in
                recordLoss(of: node)
                reach(.stop)
            }
            probe.onDeactivate = { [unowned self, unowned node] in
                recordLoss(of: node)
                reach(.deactivate)
            }
        }

        func reach(_ moment: Moment) {
            guard !isStopping, let operation = waiting[moment]?.popLast() else { return }
            if moment != .nextOperation { wasInterrupted = true }
            carryOut(operation)
        }

        /// Records a coordinator that leaves the screen with changes.
        private func recordLoss(of node: some Node) {
            if isLeaving, node.probe.isChanged { lost.append(node.id) }
        }

        /// Records the event of a turn, before it is handled.
        func begin(_ event: any CoordinateEvents) {
            switch event {
            case NavigationEvents.back, NavigationEvents.popToRoot, NavigationEvents.dismiss,
                NavigationEvents.selectTab:
                isLeaving = waiting.values.allSatisfy(\.isEmpty)
            default: isLeaving = false
            }
        }

        // MARK: Flows

        func handler(of flow: any Flow) -> (Int?) -> Void {
            let note = FlowNote(flow)
            flows.append(note)
            return { note.results.append($0) }
        }

        func finish(_ flow: some Flow) {
            guard flow.isStarted else { return }
            flows.last { $0.node === flow }?.finished = target
            flow.finish(with: target)
        }
    }

    /// What is known of a flow that was shown.
    final class FlowNote {
        private(set) weak var node: (any Coordinating)?
        var finished: Int?
        var results: [Int?] = []

        init(_ node: any Flow) { self.node = node }

        var isAsPromised: Bool { node?.isStarted == true ? results.isEmpty : results == [finished] }
    }

    protocol Flow: Node, HasResult where ResultType == Int {}
}
