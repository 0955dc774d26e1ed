import Coordinate

/// The results of a season's races, as a remote server would return them.
struct SeasonResults: ResultsSource {
    private static let count = 3

    let season: Season

    func lastResults(ofDriver id: String) async throws -> [RaceResult] {
        guard let driver = season.driver(withID: id) else { throw WorkFailure("There is no such driver.") }
        return season.races.suffix(Self.count).reversed().map { race in
            RaceResult(race: race.name, position: race.finishers.firstIndex(of: driver).map { $0 + 1 })
        }
    }
}
