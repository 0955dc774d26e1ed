internal import Foundation
package import Racing

extension RacingApp {
    /// The example app on the season that ships with it.
    package static func make(resultsSource: (any ResultsSource)? = nil) throws -> RacingApp {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../config/racing.json")
        return RacingApp(
            season: try JSONDecoder().decode(Season.self, from: Data(contentsOf: file)), resultsSource: resultsSource)
    }
}
