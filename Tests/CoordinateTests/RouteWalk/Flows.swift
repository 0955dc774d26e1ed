import Coordinate

extension RouteWalk {
    /// What is known of a coordinator with a result.
    final class FlowNote {
        weak var node: CoordinatorNode?
        var finished: Int?
        var told: [Int?] = []
        let name: String

        init(_ node: CoordinatorNode) {
            self.node = node
            name = node.walkTitle
        }
    }

    /// A coordinator with a result.
    protocol Flow: HasResult, Walker where ResultType == Int {}

    /// A choice of a number on one screen.
    final class Pick: Single, Flow {
        typealias ResultType = Int
    }

    /// A flow of several screens.
    final class Checkout: Pile, Flow {
        typealias ResultType = Int

        override func start(with completion: @escaping () -> Void = {}) {
            super.start(with: completion)
            root(Single("Loose Cart", world))
        }
    }
}

extension RouteWalk.World {
    /// The handler of the result of a flow that is about to be shown.
    func handler(of flow: CoordinatorNode) -> (Int?) -> Void {
        let note = RouteWalk.FlowNote(flow)
        flows.append(note)
        return { [unowned self] result in
            note.told.append(result)
            if note.node?.isStarted == true { faults.append("\(note.name) is told and has not ended") }
        }
    }

    func finish(_ flow: any RouteWalk.Flow) {
        let result = number(below: 10)
        flows.first { $0.node === flow && $0.finished == nil }?.finished = result
        func finish<F: RouteWalk.Flow>(_ flow: F) { (flow as? any Finishing)?.end(with: result) }
        finish(flow)
    }

    func forgetFlows() {
        flows.removeAll { $0.node?.isStarted != true }
    }

    /// Compares what was told with what should have been, after a turn.
    func checkFlows() {
        for note in flows {
            let isShown = note.node?.isStarted == true
            if isShown, !note.told.isEmpty { faults.append("\(note.name) is told too early") }
            if !isShown, note.told != [note.finished] {
                faults.append("\(note.name) told \(note.told), not \(note.finished.map(String.init) ?? "nil")")
            }
        }
        forgetFlows()
    }
}

/// A flow that can be told to finish, whatever its class.
protocol Finishing {
    func end(with result: Int)
}

extension RouteWalk.Pick: Finishing {
    func end(with result: Int) { finish(with: result) }
}

extension RouteWalk.Checkout: Finishing {
    func end(with result: Int) { finish(with: result) }
}
