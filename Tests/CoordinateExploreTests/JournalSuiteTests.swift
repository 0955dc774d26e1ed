import Coordinate
import CoordinateExplore
import JSON
import Testing

/// The journals that cover an app.
struct JournalSuiteTests {
    private static func suite(_ app: GardenApp, key: StateKey = .offer, maxStates: Int = 300) -> JournalSuite {
        JournalSuite(covering: app.explore(key: key, maxStates: maxStates), of: app)
    }

    private static func events(of suite: JournalSuite) throws -> Set<String> {
        let lines = suite.journals.flatMap { $0.lines.split(separator: UInt8(ascii: "\n")).dropFirst() }
        return Set(try lines.map { try JSONParser.parse(Array($0))[field: "event"]?.string ?? "" })
    }

    @Test(arguments: [StateKey.offer, .document])
    func fewJournalsCoverAnApp(key: StateKey) throws {
        let suite = Self.suite(GardenApp(), key: key)
        #expect(suite.missed == [])
        #expect((suite.screens.seen, suite.screens.of) == (3, 3))
        #expect(suite.events.seen == suite.events.of)
        #expect(try Self.events(of: suite).isSuperset(of: ["garden.bell", "garden.didFail", "navigation.back"]))
        #expect(suite.journals.count <= 4)
        #expect(suite.journals.allSatisfy { $0.presses.count <= 15 && !$0.covers.isEmpty })
        #expect(suite.journals.contains { $0.name == "shed-did-deliver" }, "\(suite.journals.map(\.name))")
        #expect(Set(suite.journals.map(\.name)).count == suite.journals.count)
    }

    @Test func theyAreTheSameInEveryRun() {
        let suites = (1...2).map { _ in Self.suite(GardenApp()).journals.map { [$0.name: $0.lines] } }
        #expect(suites[0] == suites[1])
    }

    @Test(arguments: [
        (GardenApp.Weed.unhandledDig, "garden.dig"), (.idleScarecrow, "scarecrow.scare"),
        (.deafGardener, "garden.bell"),
    ])
    func anEventThatNoCoordinatorHandlesIsMissed(weed: GardenApp.Weed, event: String) throws {
        let suite = Self.suite(GardenApp(weed))
        #expect(suite.missed == [event])
        #expect(suite.events.seen == suite.events.of - 1)
        #expect(try !Self.events(of: suite).contains(event))
    }

    @Test func aStepThatAReplayDoesNotRepeatIsMissed() throws {
        let suite = Self.suite(GardenApp(.wanderingMole), key: .screen)
        #expect(suite.missed.contains("garden.open from Beds to Bed"))
        #expect(try Self.events(of: suite).contains("garden.shed"))
        #expect((suite.screens.seen, suite.screens.of) == (2, 3))
    }

    @Test func anIncompleteWalkIsCoveredAsFarAsItGot() throws {
        let suite = Self.suite(GardenApp(), maxStates: 2)
        #expect((suite.screens.seen, suite.screens.of) == (2, 2))
        #expect(suite.missed.contains("garden.didDeliver"))
        #expect(try Self.events(of: suite).contains("garden.open"))
    }
}
