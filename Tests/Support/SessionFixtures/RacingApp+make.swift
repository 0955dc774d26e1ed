internal import Foundation
package import Racing

extension RacingApp {
    /// The example app with the season that ships with it.
    package static func make(resultsSource: (any ResultsSource)? = nil) throws -> RacingApp {
        RacingApp(season: try season(), resultsSource: resultsSource)
    }

    /// The example app with two teams, which are enough for all of its screens.
    package static func twoTeams() throws -> RacingApp {
        RacingApp(season: try JSONDecoder().decode(Season.self, from: Data(twoTeamsSeason.utf8)))
    }

    package static let twoTeamsSeason = """
        {"profile": {"name": "Ada"},
         "teams": [{"id": "haas", "name": "Haas", "drivers": ["ocon", "bearman"]},
                   {"id": "ferrari", "name": "Ferrari", "drivers": ["leclerc", "hamilton"]}],
         "drivers": [{"id": "ocon", "name": "Esteban Ocon"}, {"id": "bearman", "name": "Oliver Bearman"},
                     {"id": "leclerc", "name": "Charles Leclerc"}, {"id": "hamilton", "name": "Lewis Hamilton"}]}
        """

    /// The season that ships with the example app.
    package static func season() throws -> Season {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../config/racing.json")
        return try JSONDecoder().decode(Season.self, from: Data(contentsOf: file))
    }
}
