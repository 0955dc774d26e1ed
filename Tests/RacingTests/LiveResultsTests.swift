import Coordinate
import Testing

@testable import Racing

/// A driver's last results, in a session with the option `liveResults`. No work runs: the tests provide its outcomes.
struct LiveResultsTests {
    private static let results = [
        RaceResult(race: "Spanish Grand Prix", position: 3), RaceResult(race: "Monaco Grand Prix", position: nil),
    ]

    private func opened(_ path: String = "/main/drivers/driver/leclerc") throws -> AppCoordinator {
        var options = RacingOptions()
        options.liveResults = true
        let app = try AppCoordinator.make(options)
        try app.turn { app.start() }
        #expect(app.open(path).isHandled)
        return app
    }

    @Test(arguments: ["/main/drivers/driver/leclerc", "/main/teams/driver/leclerc"])
    func openingADriverStartsLoadingResults(path: String) throws {
        let app = try opened(path)
        #expect(app.work.map(\.name) == ["results"])
        #expect(app.work.first?.at == app.visibleLeaf.id)
        let screen = app.navigationState.screen
        #expect(screen.status == .loading)
        #expect(screen.message == nil)
        #expect(screen.rows.map(\.id) == ["ferrari"])
        #expect(screen.actions.map(\.title) == ["Add to favorites", "Compare"])
    }

    @Test func resultsAreShownWhenTheyArrive() throws {
        let app = try opened()
        let dispatch = try app.work.finish("results", with: Self.results)
        #expect(dispatch.handledBy == "AppCoordinator/MainCoordinator/DriversCoordinator/DriversDetailsCoordinator")
        let screen = app.navigationState.screen
        #expect(screen.status == .ready)
        #expect(screen.rows.map(\.title) == ["Ferrari", "Spanish Grand Prix", "Monaco Grand Prix"])
        #expect(screen.rows.dropFirst().map(\.subtitle) == ["Place 3", "Not classified"])
        #expect(Set(screen.rows.map(\.id)).count == 3)
        #expect(screen.rows.dropFirst().allSatisfy { $0.action == nil && !$0.isFavorite })
        #expect(app.work.isEmpty)
    }

    @Test func aFailureIsShownAndCanBeRetried() throws {
        let app = try opened()
        try app.work.fail("results", with: WorkFailure("The timing screens are dark."))
        let screen = app.navigationState.screen
        #expect(screen.status == .failed)
        #expect(screen.message == "The timing screens are dark.")
        #expect(screen.rows.map(\.id) == ["ferrari"])
        let again = try #require(screen.actions.last)
        #expect(again.title == "Try again")
        #expect(try app.send(again).isHandled)
        #expect(app.navigationState.screen.status == .loading)
        #expect(app.navigationState.screen.message == nil)
        #expect(app.navigationState.screen.actions.count == 2)
        try app.work.finish("results", with: Self.results)
        #expect(app.navigationState.screen.status == .ready)
        #expect(app.navigationState.screen.rows.count == 3)
    }

    @Test func eachOfTwoDriversLoadsItsOwnResults() throws {
        let app = try opened()
        app.emit(AppEvents.Drivers.didSelect(try app.driver("norris")))
        #expect(app.work.count == 2)
        #expect(Set(app.work.map(\.at)).count == 2)
        // The oldest work belongs to the lower screen.
        try app.work.finish("results", with: Self.results)
        #expect(app.navigationState.screen.title == "Lando Norris")
        #expect(app.navigationState.screen.status == .loading)
        app.emit(NavigationEvents.back)
        #expect(app.navigationState.screen.rows.count == 3)
        #expect(app.work.isEmpty)
    }

    @Test func withoutTheOptionNothingIsLoaded() throws {
        let app = try AppCoordinator.started(at: "/main/drivers/driver/leclerc")
        #expect(app.work.isEmpty)
        let state = app.navigationState
        #expect(state.screen.status == .ready)
        #expect(state.screen.rows.map(\.id) == ["ferrari"])
        let events: [AppEvents.Results] = [
            .reload, .didLoad(LastResults(Self.results)), .didFail(WorkFailure("The timing screens are dark.")),
        ]
        for event in events { #expect(!app.emit(event).isHandled) }
        #expect(app.navigationState == state)
    }

    // MARK: The source

    @Test func theSeasonKnowsTheLastRacesOfEachDriver() async throws {
        let season = try AppCoordinator.shippedSeason.get()
        let source = SeasonResults(season: season)
        #expect(
            try await source.lastResults(ofDriver: "leclerc") == [
                RaceResult(race: "Spanish Grand Prix", position: 3), RaceResult(race: "Monaco Grand Prix", position: 2),
                RaceResult(race: "Emilia Romagna Grand Prix", position: 6),
            ])
        #expect(try await source.lastResults(ofDriver: "antonelli").map(\.position) == [nil, 18, nil])
        for driver in season.drivers { #expect(try await source.lastResults(ofDriver: driver.id).count == 3) }
        await #expect(throws: WorkFailure.self) { try await source.lastResults(ofDriver: "senna") }
    }

    @Test func theWorkReadsTheSource() async throws {
        let app = try opened()
        try await app.work.run("results")
        #expect(
            app.navigationState.screen.rows.map(\.subtitle) == [
                "Charles Leclerc, Lewis Hamilton", "Place 3", "Place 2", "Place 6",
            ])
    }

    @Test(arguments: [
        [], results, [RaceResult(race: "", position: 1)], [RaceResult(race: "NC", position: nil)],
        [RaceResult(race: "24 hours  of Le Mans", position: 24)],
    ])
    func resultsAreEncodedAsText(results: [RaceResult]) throws {
        let sent = LastResults(results)
        #expect(try LastResults.resolve(sent.plainValue, in: nil) == sent)
    }

    @Test func aRaceNameWithSeveralLinesBecomesOneLine() throws {
        let sent = LastResults([RaceResult(race: "Monaco\nGrand\r\nPrix", position: 1)])
        #expect(
            try LastResults.resolve(sent.plainValue, in: nil).results == [
                RaceResult(race: "Monaco Grand Prix", position: 1)
            ])
    }

    @Test(arguments: ["Monaco", "1", "x Monaco", "1 Monaco\n\n2"])
    func invalidResultTextIsRefused(text: String) {
        #expect(throws: PlainValueError.self) { try LastResults.resolve(.string(text), in: nil) }
    }
}
