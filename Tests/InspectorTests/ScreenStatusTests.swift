import Coordinate
import CoordinateServer
import CoordinateTesting
import Racing
import SessionFixtures
import Testing
import WebDriver

extension Inspector {
    /// Loading and failed screens: a driver's details in a session with live results.
    struct ScreenStatusTests {
        private let source = HeldResults()

        @Test func aLoadingOrFailedScreenSaysSoAboveItsRows() async throws {
            let app = RacingApp(season: try RacingApp.season(), resultsSource: source)
            try await withServer(try Server.showing(app), over: .socket) { server in
                let id = try await server.session([
                    "path": "/main/drivers/driver/leclerc", "options": ["liveResults": true],
                ])
                try await withPage { page in
                    try await page.open("\(server.url)/#session=\(id)")
                    try await page.wait(until: 1)
                    try await page.waitUntilLive()
                    #expect(try await page.texts("#screen-message") == ["Loading…"])
                    #expect(try await page.texts("#screen-status .activity").count == 1)
                    #expect(try await page.texts("#rows .row-title") == ["Ferrari"])
                    #expect(try await page.texts("#pending .pending-name") == ["results"])
                    source.answer(.failure(WorkFailure("The source is away")))
                    try await page.wait(until: 2)
                    #expect(try await page.texts("#screen-status") == ["Failed: The source is away"])
                    #expect(try await page.texts("#screen-status .activity").isEmpty)
                    #expect(try await page.texts("#rows .row-title") == ["Ferrari"])
                    let sentences = [
                        "/main/drivers/driver/leclerc. Failed: The source is away.",
                        #"Background task "results" (started at version 1) reported results.didFail,"#,
                        "handled by DriversDetailsCoordinator.",
                    ]
                    #expect(try await page.announced() == sentences.joined(separator: " "))
                    try await page.press("#actions button", text: "Try again", version: 3)
                    #expect(try await page.texts("#screen-message") == ["Loading…"])
                    source.answer(
                        .success([RaceResult(race: "Imola", position: 2), RaceResult(race: "Monza", position: nil)]))
                    try await page.wait(until: 4)
                    #expect(try await page.texts("#screen-status, #pending").isEmpty)
                    #expect(try await page.texts("#rows .row-title") == ["Ferrari", "Imola", "Monza"])
                    #expect(try await page.texts("#story-payload") == ["results: 2 Imola ↵ NC Monza"])
                }
            }
        }
    }
}

/// A source of results that answers when the test allows it, in order.
private struct HeldResults: ResultsSource {
    private let answers = AsyncStream<Result<[RaceResult], WorkFailure>>.makeStream()

    func answer(_ answer: Result<[RaceResult], WorkFailure>) {
        answers.continuation.yield(answer)
    }

    func lastResults(ofDriver id: String) async throws -> [RaceResult] {
        for await answer in answers.stream { return try answer.get() }
        throw CancellationError()
    }
}
