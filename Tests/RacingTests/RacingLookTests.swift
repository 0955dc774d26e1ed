import Coordinate
import Foundation
import Testing

@testable import Racing

/// The images, sections and links of the screens.
struct RacingLookTests {
    @Test func teamsHaveTheirColorsAndDriversTheirNumbers() throws {
        let app = try AppCoordinator.started(at: "/main/teams")
        let ferrari = try #require(app.navigationState.screen.rows.first { $0.id == "ferrari" })
        #expect(ferrari.image == Image(symbol: "car", color: 0xE8002D))
        app.open("/main/teams/team/ferrari")
        #expect(
            app.navigationState.screen.rows.map(\.image) == [
                Image(letters: "16", color: 0xE8002D, alt: "Number 16"),
                Image(letters: "44", color: 0xE8002D, alt: "Number 44"),
            ])
        #expect(app.navigationState.tabs.map(\.image?.symbol) == ["car", "people", "person"])
        for driver in app.season.drivers { #expect(driver.image.letters != nil && driver.image.color != nil) }
    }

    @Test func aSeasonMayHaveNeitherColorsNorNumbers() throws {
        let file = """
            {"profile": {"name": "Ada"}, "teams": [{"id": "haas", "name": "Haas", "drivers": ["ocon"]}],
             "drivers": [{"id": "ocon", "name": "Esteban Ocon"}]}
            """
        let season = try JSONDecoder().decode(Season.self, from: Data(file.utf8))
        #expect(season.teams.map(\.image) == [Image(symbol: "car")])
        #expect(season.drivers.map(\.image) == [Image(symbol: "person")])
    }

    /// A link builds its stack from the list up, and a tap pushes onto the stack there is.
    @Test(arguments: [
        ("/main/teams", true), ("/main/drivers", true), ("/main/teams/team/ferrari", false),
        ("/main/drivers/driver/leclerc", false), ("/main/drivers/compare/leclerc", false),
        ("/main/drivers/compare/leclerc/norris", false),
    ])
    func rowsOfListsAreLinks(path: String, areLinks: Bool) throws {
        let app = try AppCoordinator.started(at: path)
        for row in app.navigationState.screen.rows {
            let action = try #require(row.action)
            #expect((action.opens != nil) == areLinks)
            guard let link = action.opens else { continue }
            let pressed = try AppCoordinator.started(at: path)
            try pressed.send(action)
            let opened = try AppCoordinator.started(at: path, link)
            #expect(pressed.navigationState == opened.navigationState)
        }
    }

    @Test func favoritesAreInSectionsOfTheirKind() throws {
        let app = try AppCoordinator.started(at: "/main/profile")
        #expect(app.navigationState.screen.sections.isEmpty)
        #expect(app.navigationState.screen.emptyText?.hasPrefix("No favorites yet.") == true)
        app.emit(AppEvents.Drivers.setFavorite(try app.driver("leclerc")))
        #expect(app.navigationState.screen.sections.map(\.title) == ["Favorite drivers"])
        app.emit(AppEvents.Teams.setFavorite(try app.team("haas")))
        #expect(app.navigationState.screen.sections.map(\.title) == ["Favorite teams", "Favorite drivers"])
        #expect(app.navigationState.screen.rows.map(\.section) == ["teams", "drivers"])
        #expect(app.navigationState.screen.emptyText == nil)
    }

    @Test func aComparisonHasResultsForCharts() throws {
        let app = try AppCoordinator.started(at: "/main/drivers/compare/leclerc/antonelli")
        let screen = app.navigationState.screen
        #expect(
            screen.content == [
                "races": ["Emilia Romagna Grand Prix", "Monaco Grand Prix", "Spanish Grand Prix"],
                "drivers": [
                    ["driver": "leclerc", "places": [6, 2, 3], "points": 41],
                    ["driver": "antonelli", "places": [.null, 18, .null], "points": 0],
                ],
            ])
        #expect(screen.sections.map(\.footer) == ["Points in 3 races: Charles Leclerc 41, Kimi Antonelli 0"])
    }
}
