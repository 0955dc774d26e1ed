import Coordinate
import Testing

@testable import Racing

/// Two drivers side by side, in a section of the tab where the comparison was started.
struct ComparisonTests {
    /// The two tabs that offer comparisons.
    enum Tab: String, CaseIterable {
        case teams
        case drivers

        var path: String { "/main/\(rawValue)" }
    }

    private func comparing(in tab: Tab) throws -> AppCoordinator {
        let app = try AppCoordinator.started(at: "\(tab.path)/driver/leclerc")
        app.emit(AppEvents.Comparison.start(try app.driver("leclerc")))
        return app
    }

    @Test(arguments: Tab.allCases)
    func aComparisonStartsFromADriversDetails(tab: Tab) throws {
        let app = try AppCoordinator.started(at: "\(tab.path)/driver/leclerc")
        let compare = try #require(app.navigationState.screen.actions.first { $0.title == "Compare" })
        #expect(try app.send(compare).isHandled)
        #expect(app.path == "\(tab.path)/compare/leclerc")
        #expect(app.trail == [tab.path, "\(tab.path)/driver/leclerc", "\(tab.path)/compare/leclerc"])
        #expect(app.navigationState.screen.title == "Compare Charles Leclerc")
        #expect(app.navigationState.screen.rows.count == 19)
        #expect(!app.navigationState.screen.rows.contains { $0.id == "leclerc" })
        #expect(app.navigationState.screen.actions.map(\.title) == ["Finish"])
        #expect(app.navigationState.back?.title == "Charles Leclerc")
    }

    @Test(arguments: Tab.allCases)
    func aChoiceShowsBothSideBySide(tab: Tab) throws {
        let app = try comparing(in: tab)
        let choice = try #require(app.navigationState.screen.rows.first { $0.id == "norris" }?.action)
        #expect(try app.send(choice).isHandled)
        #expect(app.path == "\(tab.path)/compare/leclerc/norris")
        #expect(app.navigationState.screen.rows.map(\.id) == ["leclerc", "norris"])
        #expect(app.navigationState.screen.actions.map(\.title) == ["Finish"])
        #expect(app.navigationState.leaf.hasSuffix("/ComparisonCoordinator/ComparisonResultCoordinator"))
        #expect(app.navigationState.visibleNodes.last?.section == "ComparisonCoordinator")
        #expect(app.trail.count == 4)
    }

    @Test(arguments: Tab.allCases)
    func finishPopsOnlyItsOwnScreens(tab: Tab) throws {
        let app = try comparing(in: tab)
        app.emit(AppEvents.Comparison.choose(try app.driver("norris")))
        let finish = try #require(app.navigationState.screen.actions.first)
        #expect(try app.send(finish).handledBy?.hasSuffix("/ComparisonCoordinator") == true)
        #expect(app.path == "\(tab.path)/driver/leclerc")
        #expect(app.trail == [tab.path, "\(tab.path)/driver/leclerc"])
    }

    @Test(arguments: Tab.allCases)
    func aComparisonCanBeFinishedBelowADetailsScreen(tab: Tab) throws {
        let app = try comparing(in: tab)
        app.emit(AppEvents.Comparison.choose(try app.driver("norris")))
        app.emit(AppEvents.Drivers.didSelect(try app.driver("norris")))
        #expect(app.trail.suffix(2) == ["\(tab.path)/compare/leclerc/norris", "\(tab.path)/driver/norris"])
        #expect(!app.emit(AppEvents.Comparison.finish).isHandled, "not in the section")
        let comparison = try #require(
            app.startedCoordinators.first { $0 is ComparisonCoordinator } as? ComparisonCoordinator)
        #expect(comparison.emitEvent(AppEvents.Comparison.finish).isHandled)
        #expect(app.path == "\(tab.path)/driver/norris")
        #expect(app.trail == [tab.path, "\(tab.path)/driver/leclerc", "\(tab.path)/driver/norris"])
        app.emit(NavigationEvents.back)
        #expect(app.path == "\(tab.path)/driver/leclerc")
        #expect(!comparison.isStarted)
    }

    @Test func aDriverIsNotComparedWithItself() throws {
        let app = try comparing(in: .drivers)
        let before = app.navigationState
        #expect(!app.emit(AppEvents.Comparison.choose(try app.driver("leclerc"))).isHandled)
        #expect(app.navigationState == before)
        #expect(!app.open("/main/drivers/compare/leclerc/leclerc").isHandled)
    }
}
