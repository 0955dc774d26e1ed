import Coordinate
import CoordinateExplore
import Testing

/// Each kind of finding, in an app with one fault.
struct FindingTests {
    @Test(arguments: StateKey.allCases)
    func anAppWithoutFaultsHasNoFindings(key: StateKey) {
        #expect(GardenApp().explore(key: key, maxStates: 300).findings.isEmpty)
    }

    static let weeds: [(weed: GardenApp.Weed, kind: Finding.Kind, words: [String], journal: [String]?)] = [
        (.unhandledDig, .unhandledAction, ["\"Dig\" (garden.dig)", "Bed at /bed/1", "2 more"], ["open", "dig"]),
        (.paintedDoor, .unhandledAction, ["bed is the number of no bed", "Beds at /beds"], ["open"]),
        (.mistypedInput, .unhandledAction, ["Shed at /shed", "an input for the field \"kay\""], ["shed"]),
        (.deafGardener, .unhandledOutcome, ["garden.bell", "the timer \"early\""], ["shed", "order", "bell"]),
        (.lockedShed, .deadEnd, ["Shed at /shed"], ["shed"]),
        (.hiddenPond, .path, ["/pond/{depth}", ".link(\"/pond/{depth}\")"], nil),
        (.idleScarecrow, .event, ["scarecrow.scare", "not offered in"], nil),
        (.vagueLinks, .linkDiffers, ["/bed/1 shows Bed", "leads to Beds at /beds", "2 more"], ["open"]),
        (.brittleSpade, .failedTurn, ["\"Rest\" (garden.rest)", "/bed/2", "BrokenSpade"], ["open", "rest"]),
        (.wanderingMole, .notDeterministic, ["the path", "now and random"], ["open"]),
    ]

    @Test(arguments: weeds.indices)
    func everyPlantedFaultIsFound(index: Int) throws {
        let (weed, kind, words, journal) = Self.weeds[index]
        let graph = GardenApp(weed).explore(key: weed == .deafGardener ? .offer : .path)
        // The screens behind a locked shed cannot be reached otherwise.
        let others = weed == .lockedShed ? [Finding.Kind.event, .outcome] : []
        #expect(Set(graph.findings.map(\.kind)) == Set([kind] + others))
        let finding = try #require(graph.findings.first)
        for word in words { #expect(finding.detail.contains(word), "\(finding.detail)") }
        #expect(finding.journal.map(\.event) == (journal ?? []).map { "garden.\($0)" })
        #expect((finding.state == nil) == (journal == nil))
        #expect(finding.detail.hasSuffix(".") || finding.detail.hasSuffix(".)"))
        #expect(graph.findings.count { $0.kind == kind } == 1 || kind == .notDeterministic)
    }

    /// The first repetition of the journal may still be the same.
    @Test(arguments: [4, 10]) func aJournalIsComparedEachTimeItIsReplayed(showings: Int) {
        let graph = GardenApp(.lateMole(showings)).explore(key: .path, threads: 1)
        #expect(graph.findings.contains { $0.kind == .notDeterministic })
    }

    @Test func everyKindOfFindingIsTested() {
        #expect(Set(Self.weeds.map(\.kind)).union([.outcome]) == Set(Finding.Kind.allCases))
        #expect(Finding.Kind.allCases.filter { !$0.isWrong } == [.outcome, .event, .path])
    }

    @Test(arguments: StateKey.allCases)
    func workWithoutASampleIsNamedOnceWithTheLineToAdd(key: StateKey) {
        let findings = GardenApp(samples: []).explore(key: key, maxStates: 300).findings
        #expect(findings.allSatisfy { $0.kind == .outcome } && findings.count <= 1)
        // With other keys, a shed with an order is not a separate state.
        guard key == .offer else { return }
        let detail = findings.first?.detail ?? ""
        #expect(detail.contains(#"The work "seeds" of ShedCoordinator"#), "\(detail)")
        #expect(detail.contains(#"it returns String"#) && detail.contains(#".work("seeds", …)"#), "\(detail)")
    }

    @Test func samplesOfAnotherTypeAreNamed() {
        let findings = GardenApp(samples: [.work("seeds", 7)]).explore().findings
        #expect(findings.map(\.kind) == [.outcome])
        #expect(findings.first?.detail.contains("its samples have other types") == true)
    }

    @Test func samplesOfWorkThatIsNeverRequestedAreNamed() {
        let findings = GardenApp(samples: GardenApp.defaultSamples + [.work("sedes", "beans")]).explore().findings
        #expect(findings.map(\.kind) == [.outcome])
        #expect(findings.first?.detail.contains("\"sedes\"") == true)
    }

    @Test func aFormThatRefusesItsShownValuesNeedsASample() {
        let refused = GardenApp(.pickyForm).explore().findings
        #expect(refused.map(\.kind) == [.event])
        #expect(refused.first?.detail.contains(#".input("name", of: "garden.sow", …)"#) == true)
        let sample = Sample.input("name", of: "garden.sow", "kale")
        #expect(GardenApp(.pickyForm, samples: GardenApp.defaultSamples + [sample]).explore().findings.isEmpty)
    }

    @Test func aPathSaysWhereItsLinkLed() {
        let app = GardenApp(.hiddenPond, samples: GardenApp.defaultSamples + [.link("/pond/3")])
        let detail = app.explore().findings.first { $0.kind == .path }?.detail ?? ""
        #expect(detail.contains("Opened as a link, /pond/3 led nowhere."), "\(detail)")
    }

    @Test(arguments: [
        (Sample.link("/pound"), "the link /pound in samples matches no route"),
        (.input("name", of: "garden.saw", "kale"), "the event garden.saw in samples is not in the catalog"),
        (.input("nmae", of: "garden.sow", "kale"), "the event garden.sow in samples has no field nmae"),
    ])
    func samplesOfUnknownThingsAreFaults(sample: Sample, fault: String) {
        #expect(GardenApp(samples: [sample]).faults == [fault])
        #expect(GardenApp(samples: [.link("/bed/2"), .input("name", of: "garden.sow", "kale")]).faults.isEmpty)
    }

    @Test func whatALimitLeavesOutIsNotReportedAsMissing() {
        let graph = GardenApp(.hiddenPond).explore(maxStates: 3)
        #expect(graph.isTruncated)
        #expect(graph.findings.isEmpty)
    }

    @Test func anAppThatFailsAtItsStartHasNoStates() {
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

    @Test func aFindingReadsAsOneLine() throws {
        let finding = try #require(GardenApp(.deafGardener).explore().findings.first)
        #expect(
            "\(finding)" == "unhandled-outcome: \(finding.detail) After: \(finding.presses.joined(separator: ", ")).")
        #expect(finding.presses.count == finding.journal.count)
        #expect(finding.presses.last == "timer \"early\" fires")
    }

    @Test func whatMayBeInAStateThatCountsAsAnotherIsNotToBeRemoved() {
        for weed in [GardenApp.Weed.hiddenPond, .idleScarecrow] {
            let details = GardenApp(weed).explore(key: .path).findings.map(\.detail)
            #expect(!details.isEmpty && details.allSatisfy { !$0.contains("remove it") }, "\(details)")
        }
    }
}
