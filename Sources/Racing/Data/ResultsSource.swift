/// A source of drivers' results, which may be slow, and may fail.
public protocol ResultsSource: Sendable {
    /// The results of a driver in the last few races, newest first.
    ///
    /// - Parameter id: The id of the driver in the season: `leclerc`.
    /// - Throws: A `WorkFailure` with a reason that the app's users may read; any other error is reported as
    ///   unexplained.
    func lastResults(ofDriver id: String) async throws -> [RaceResult]
}
