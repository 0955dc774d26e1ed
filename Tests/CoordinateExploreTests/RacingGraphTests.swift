import Coordinate
import CoordinateExplore
import Foundation
import Racing
import Testing

/// The example app's graph, for a season with two teams, which is enough for all screens.
struct RacingGraphTests {
    private static let season = """
        {"profile": {"name": "Ada"},
         "teams": [{"id": "haas", "name": "Haas", "drivers": ["ocon", "bearman"]},
                   {"id": "ferrari", "name": "Ferrari", "drivers": ["leclerc", "hamilton"]}],
         "drivers": [{"id": "ocon", "name": "Esteban Ocon"}, {"id": "bearman", "name": "Oliver Bearman"},
                     {"id": "leclerc", "name": "Charles Leclerc"}, {"id": "hamilton", "name": "Lewis Hamilton"}]}
        """

    private let app: RacingApp

    init() throws {
        app = RacingApp(season: try JSONDecoder().decode(Season.self, from: Data(Self.season.utf8)))
    }

    @Test(arguments: [StateKey.offer, .screen]) func theAppHasNoFindings(key: StateKey) {
        #expect(app.explore(key: key).findings.isEmpty)
    }

    @Test func everyPathOfTheSeasonIsAState() throws {
        let graph = app.explore(key: .path)
        // The splash, three tabs and the editor; teams and drivers in two tabs, and the comparisons of drivers.
        #expect(graph.states.count == 5 + 2 * (2 + 4 + 4 + 4 * 3))
        #expect(!graph.isTruncated)
        for state in graph.states { #expect(try app.tree(after: state.journal).path == state.key) }
    }
}
