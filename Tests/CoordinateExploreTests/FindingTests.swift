import Coordinate
import CoordinateExplore
import Testing

/// Each kind of finding, in an app where there is one thing to find.
struct FindingTests {
    @Test(arguments: StateKey.allCases)
    func whereAllIsWellNothingIsFound(key: StateKey) {
        #expect(GardenApp().explore(key: key, maxStates: 300).findings.isEmpty)
    }

    static let weeds: [(weed: GardenApp.Weed, kind: Finding.Kind, words: [String], journal: [String]?)] = [
        (.nobodyDigs, .unhandledAction, ["\"Dig\" (garden.dig)", "Bed at /bed/1", "2 more"], ["open", "dig"]),
        (.paintedDoor, .unhandledAction, ["bed is the number of no bed", "Beds at /beds"], ["open"]),
        (.lockedShed, .deadEnd, ["Shed at /shed"], ["shed"]),
        (.hiddenPond, .unreachablePath, ["/pond/{depth}"], nil),
        (.idleScarecrow, .unusedEvent, ["scarecrow.scare"], nil),
        (.vagueLinks, .linkDiffers, ["/bed/1 shows Bed", "leads to Beds at /beds", "2 more"], ["open"]),
        (.brittleSpade, .failedTurn, ["\"Rest\" (garden.rest)", "/bed/2", "BrokenSpade"], ["open", "rest"]),
        (.wanderingMole, .notDeterministic, ["the path", "now and random"], ["open"]),
    ]

    @Test(arguments: weeds.indices)
    func whatIsWrongIsFound(index: Int) throws {
        let (weed, kind, words, journal) = Self.weeds[index]
        let graph = GardenApp(weed).explore()
        // What a locked shed would offer is nowhere else.
        let others = weed == .lockedShed ? [Finding.Kind.unusedEvent] : []
        #expect(Set(graph.findings.map(\.kind)) == Set([kind] + others))
        let finding = try #require(graph.findings.first)
        for word in words { #expect(finding.detail.contains(word), "\(finding.detail)") }
        #expect(finding.journal.map(\.event) == (journal ?? []).map { "garden.\($0)" })
        #expect((finding.state == nil) == (journal == nil))
        #expect(finding.detail.hasSuffix(".") || finding.detail.hasSuffix(".)"))
        #expect(graph.findings.count { $0.kind == kind } == 1 || kind == .notDeterministic)
    }

    @Test func ofEveryKindThereIsOneToFind() {
        #expect(Set(Self.weeds.map(\.kind)) == Set(Finding.Kind.allCases))
    }

    @Test func whatALimitLeavesOutIsNotSaidToBeMissing() {
        let graph = GardenApp(.hiddenPond).explore(depth: 0)
        #expect(graph.isTruncated)
        #expect(graph.findings.isEmpty)
    }

    @Test func anAppThatFailsAsItStartsHasNoStates() {
        struct Stillborn: CoordinatedApp {
            final class Root: Coordinator<ViewController> {
                override func start(with completion: @escaping () -> Void = {}) {
                    super.start(with: completion)
                    fail(with: BrokenSpade())
                }
            }
            let name = "Stillborn"
            let version = "1"
            let events = EventCatalog()
            let routes = RouteCatalog()
            func makeRootCoordinator() -> CoordinatorNode { Root() }
        }
        let graph = Stillborn().explore()
        #expect(graph.states.isEmpty)
        #expect(graph.findings.map(\.kind) == [.failedTurn])
        #expect(graph.findings.first?.state == nil)
    }
}
