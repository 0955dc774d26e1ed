import Coordinate
import Testing

/// All that happens in a hosted tree happens in turns of its host; a stray callback is ignored, and told.
struct HostedTreeTests {
    private let log = Log()

    private func hosted() -> (Box, Leaf) {
        let (box, leaf) = (Box("Box"), Leaf("Leaf"))
        box.beHosted([ObjectIdentifier(Market.self)]) { [log] in log.lines.append($0.description) }
        _ = try? box.turn(at: TurnMoment(version: 0, now: Timestamp(seconds: 5), seed: 1)) {
            box.start()
            box.root(leaf)
        }
        return (box, leaf)
    }

    @Test func anEventOutsideOfATurnIsIgnored() {
        let (box, leaf) = hosted()
        var wasAsked = false
        box.probe.onEvent = { _ in
            wasAsked = true
            return true
        }
        #expect(leaf.emitEvent(Ping.ping) == Dispatch())
        #expect(!wasAsked)
        #expect(log.flush().first?.hasPrefix("Ping was emitted outside of a turn and is ignored") == true)
    }

    @Test func navigationOutsideOfATurnIsIgnoredAndCompleted() {
        let (box, leaf) = hosted()
        var isComplete = false
        box.root(Leaf("Other")) { isComplete = true }
        #expect(isComplete)
        #expect(box.visibleLeaf.id == leaf.id)
        #expect(log.flush().first?.hasPrefix("Box navigated outside of a turn") == true)
    }

    @Test func anEndOutsideOfATurnIsIgnored() throws {
        final class Picker: Leaf, HasResult { typealias ResultType = Int }
        let (box, leaf) = hosted()
        let picker = Picker("Picker")
        var results: [Int?] = []
        try box.turn(at: TurnMoment(version: 1, now: Timestamp(seconds: 5), seed: 1)) {
            leaf.present(picker) { results.append($0) }
        }
        var isComplete = false
        picker.stop { isComplete = true }
        picker.finish(with: 3)
        #expect(isComplete && results.isEmpty)
        #expect(picker.isStarted && box.visibleLeaf === picker)
        #expect(log.flush().filter { $0.hasPrefix("Box/Leaf/Picker navigated") }.count == 2)
    }

    @Test func workAskedForOutsideOfATurnIsIgnored() {
        let (box, leaf) = hosted()
        leaf.perform("offer", after: .seconds(1), Market.offerDidExpire)
        leaf.cancel("offer")
        #expect(box.work.isEmpty)
        #expect(log.flush().count == 2)
    }

    @Test func aDismantledTreeIsFreedWhateverItsAlertHolds() throws {
        weak var freed: Leaf?
        do {
            let (box, leaf) = hosted()
            freed = leaf
            let alert = Alert(title: "Save?", choices: [.discard("Discard") { leaf.probe.record("discard", leaf) }])
            try box.turn(at: TurnMoment(version: 1, now: Timestamp(seconds: 5), seed: 1)) {
                leaf.present(alert) { _ in leaf.probe.record("told", leaf) }
            }
            box.dismantle()
        }
        #expect(freed == nil)
    }

    @Test func dismantledTreesAreFreedAndHearNothing() {
        weak var gone: Box?
        do {
            let (box, leaf) = hosted()
            gone = box
            leaf.probe.onStop = { [log] in log.lines.append("stop") }
            leaf.probe.onDeactivate = { [log] in log.lines.append("deactivate") }
            box.dismantle()
        }
        #expect(gone == nil)
        #expect(log.lines.isEmpty)
    }
}
