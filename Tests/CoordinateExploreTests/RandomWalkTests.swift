import Coordinate
import CoordinateExplore
import JSON
import Testing

/// Random walks: they find the planted faults, and shorten the paths to them.
struct RandomWalkTests {
    @Test func anAppWithoutFaultsBreaksNoPromise() {
        let walks = GardenApp().walkAtRandom(30, steps: 30)
        #expect(walks.failures.isEmpty, "\(walks.failures.map(\.detail))")
        #expect(walks.walks == 30)
        #expect(walks.events > 100)
    }

    @Test(arguments: 1...5 as ClosedRange<UInt64>)
    func theWalkToABrokenInvariantIsShortened(seed: UInt64) throws {
        let walks = GardenApp(.leakyCan).walkAtRandom(200, seed: seed)
        let failure = try #require(walks.failures.first)
        #expect(walks.failures.count == 1)
        #expect(failure.promise == "each watering is counted")
        // A bed, the first one, and three waterings in a row.
        #expect(failure.journal.map(\.event) == ["garden.open"] + Array(repeating: "garden.water", count: 3))
        #expect(failure.journal[0].payload == .object([PlainField("bed", .int(1))]))
        #expect(failure.found >= 4)
        #expect(failure.detail.contains("each watering is counted"))
    }

    static let weeds: [(GardenApp.Weed, String, [String])] = [
        (.unhandledDig, "what is offered is handled", ["open", "dig"]),
        (.brittleSpade, "no turn fails", ["open", "rest"]),
        (.wanderingMole, "the same events make the same state", ["open"]),
        (.paintedDoor, "what is offered can be sent", []),
        (.vagueLinks, "a path leads to where it is shown", ["open"]),
        (.volunteerBed, "what leaves the tree has ended", ["open", "rest"]),
    ]

    @Test(arguments: weeds.indices)
    func brokenPromisesOfTheLibraryAreFound(index: Int) throws {
        let (weed, promise, journal) = Self.weeds[index]
        let walks = GardenApp(weed).walkAtRandom(60, steps: 40)
        let failure = try #require(walks.failures.first { $0.promise == promise }, "\(walks.failures.map(\.promise))")
        if weed != .paintedDoor { #expect(failure.journal.map(\.event) == journal.map { "garden.\($0)" }) }
    }

    @Test func theSameSeedProducesTheSameWalks() {
        let walks = [1, 2, nil].map { GardenApp(.leakyCan).walkAtRandom(40, seed: 3, threads: $0) }
        #expect(Set(walks.map(\.events)).count == 1)
        #expect(Set(walks.map { $0.failures.map(\.lines) }).count == 1)
        #expect(GardenApp().walkAtRandom(10, seed: 4).events != GardenApp().walkAtRandom(10, seed: 5).events)
    }

    @Test func theWalkIsWrittenAsAnExportedJournal() throws {
        let failure = try #require(GardenApp(.leakyCan).walkAtRandom(60, seed: 7).failures.first)
        let lines = try failure.lines.split(separator: UInt8(ascii: "\n")).map { try JSONParser.parse(Array($0)) }
        #expect(lines.count == failure.journal.count + 1)
        #expect(lines[0][field: "journal"] == .int(2))
        #expect(lines[0][field: "app"] == .string("Garden"))
        #expect(lines[0][field: "seed"] == .int(7))
        #expect(lines[0][field: "path"] == .string("/beds"))
        #expect(lines[0][field: "createdAt"] == .string("2026-01-01T00:00:00Z"))
        for (index, (line, step)) in zip(lines.dropFirst(), failure.journal).enumerated() {
            #expect(line[field: "version"] == .int(index + 1))
            #expect(line[field: "event"] == .string(step.event))
            #expect(line[field: "at"] == .string(step.at))
            #expect(line[field: "handledBy"] == .string("GardenCoordinator"))
            #expect(line[field: "path"] == .string("/bed/1"))
        }
    }
}
