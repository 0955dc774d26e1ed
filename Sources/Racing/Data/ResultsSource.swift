/// Where drivers' results come from: somewhere that may take its time, and may fail.
public protocol ResultsSource: Sendable {
    /// The results of a driver in the last few races, newest first.
    ///
    /// - Parameter id: The driver's, as the season has it: `leclerc`.
    /// - Throws: a `WorkFailure` with a reason that the app's users may read; what else is thrown is told as unexplained.
    func lastResults(ofDriver id: String) async throws -> [RaceResult]
}
