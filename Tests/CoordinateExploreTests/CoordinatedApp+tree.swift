import Coordinate
import CoordinateExplore
import Testing

extension CoordinatedApp {
    /// Builds a tree and emits a journal's events, as an app's own test would.
    func tree(after journal: [Step]) throws -> CoordinatorNode {
        let root = makeRootCoordinator()
        var now = Timestamp(seconds: 1_767_225_600)
        func moment(_ version: Int) -> TurnMoment { TurnMoment(version: version, now: now, seed: 0) }
        try root.turn(at: moment(0)) { root.start() }
        for (index, step) in journal.enumerated() {
            let dependencies = (root as? any HasDependenciesProtocol)?.getDependencies()
            let entry = try #require(events.entry(named: step.event))
            let event = try entry.event(from: step.payload, in: dependencies)
            let place = try #require(root.coordinator(withID: step.at))
            if let due = root.work.first(where: { $0.id == step.pending })?.due { now = due }
            try root.turn(at: moment(index + 1)) {
                if let pending = step.pending { root.strikeOff(pending) }
                _ = place.getRootViewController().emitEvent(event)
            }
        }
        return root
    }
}
