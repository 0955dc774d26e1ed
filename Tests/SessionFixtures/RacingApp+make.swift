internal import Foundation
package import Racing

extension RacingApp {
    /// The example app on the season that ships with it.
    package static func make(resultsSource: (any ResultsSource)? = nil) throws -> RacingApp {
        RacingApp(season: try season(), resultsSource: resultsSource)
    }

    /// The season that ships with the example app.
    package static func season() throws -> Season {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../config/racing.json")
        return try JSONDecoder().decode(Season.self, from: Data(contentsOf: file))
    }
}
