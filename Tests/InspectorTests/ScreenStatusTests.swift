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

        /// A page that shows a driver whose results are held.
        private func withDriver(_ body: (Page) async throws -> Void) async throws {
            let app = RacingApp(season: try RacingApp.season(), resultsSource: source)
            try await withServer(try Server.showing(app)) { server in
                let id = try await server.session([
                    "path": "/main/drivers/driver/leclerc", "options": ["liveResults": true],
                ])
                try await withPage { page in
                    try await page.open("\(server.url)/#session=\(id)")
                    try await page.wait(until: 1)
                    try await page.waitUntilLive()
                    try await body(page)
                }
            }
        }

        @Test func aLoadingScreenSaysSoAboveItsRows() async throws {
            try await withDriver { page in
                #expect(try await page.texts("#screen-message") == ["Loading…"])
                #expect(try await page.texts("#screen-failed").isEmpty)
                #expect(try await page.texts("#screen-status .activity").count == 1)
                #expect(try await page.texts("#rows .row-title") == ["Ferrari"])
                #expect(try await page.texts("#pending .pending-name") == ["results"])
                source.answer(
                    .success([RaceResult(race: "Imola", position: 2), RaceResult(race: "Monza", position: nil)]))
                try await page.wait(until: 2)
                #expect(try await page.texts("#screen-status").isEmpty)
                #expect(try await page.texts("#rows .row-title") == ["Ferrari", "Imola", "Monza"])
                #expect(try await page.texts("#story-payload") == ["results: 2 Imola ↵ NC Monza"])
                #expect(try await page.texts("#pending").isEmpty)
            }
        }

        @Test func aFailedScreenSaysWhyAboveItsRows() async throws {
            try await withDriver { page in
                source.answer(.failure(WorkFailure("The source is away")))
                try await page.wait(until: 2)
                #expect(try await page.texts("#screen-message") == ["The source is away"])
                #expect(try await page.texts("#screen-status") == ["Failed: The source is away"])
                #expect(try await page.texts("#screen-status .activity").isEmpty)
                #expect(try await page.texts("#rows .row-title") == ["Ferrari"])
                let announced = try await page.evaluate("return document.querySelector('#announcer').textContent")
                let sentences = [
                    "/main/drivers/driver/leclerc. Failed: The source is away.",
                    #"Background task "results" (started at version 1) reported results.didFail,"#,
                    "handled by DriversDetailsCoordinator.",
                ]
                #expect(announced.string == sentences.joined(separator: " "))
                try await page.press("#actions button", text: "Try again", version: 3)
                #expect(try await page.texts("#screen-message") == ["Loading…"])
                source.answer(.success([]))
                try await page.wait(until: 4)
                #expect(try await page.texts("#screen-status").isEmpty)
            }
        }

        @Test(
            arguments: [
                ([:], ""), (["status": "ready", "message": "Saved"], "Saved."),
                (["status": "loading"], "Loading…"),
                (["status": "loading", "message": "Loading the teams…"], "Loading the teams…"),
                (["status": "failed"], "This failed."), (["status": "failed", "message": "Why?"], "Failed: Why?"),
            ] as [(JSON, String)])
        func aScreensStatusIsASentence(screen: JSON, sentence: String) async throws {
            try await withInspector { page, _ in
                let text = try await page.evaluate(
                    """
                    const [screen] = arguments;
                    return import("/inspector/status.js").then(({ statusText }) => statusText(screen));
                    """, screen)
                #expect(text.string == sentence)
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
