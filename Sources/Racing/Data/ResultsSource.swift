/// A source of drivers' results. It may be slow and may fail.
public protocol ResultsSource: Sendable {
    /// Returns the results of a driver in the last races, newest first.
    ///
    /// - Parameter id: The id of the driver in the season: `leclerc`.
    /// - Throws: A `WorkFailure` with a reason for the app's users. Any other error is reported without a reason.
    func lastResults(ofDriver id: String) async throws -> [RaceResult]
}
