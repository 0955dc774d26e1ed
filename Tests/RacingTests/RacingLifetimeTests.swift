import Coordinate
import Testing

@testable import Racing

private final class Weak {
    weak var object: AnyObject?
    init(_ object: AnyObject) { self.object = object }
}

struct RacingLifetimeTests {
    @Test func everythingIsFreedAfterStop() throws {
        var objects: [Weak] = []
        do {
            let app = try wanderingApp(noting: &objects)
            app.stop()
            #expect(app.childCoordinators.isEmpty)
        }
        #expect(objects.count == 31)
        #expect(objects.filter { $0.object != nil }.isEmpty)
    }

    @Test func everythingIsFreedWhenTheAppIsDropped() throws {
        var objects: [Weak] = []
        do { _ = try wanderingApp(noting: &objects) }
        #expect(objects.filter { $0.object != nil }.isEmpty)
    }

    @Test func removedScreensAreFreedWhileTheAppContinues() throws {
        var objects: [Weak] = []
        let app = try AppCoordinator.started(at: "/main/drivers/compare/norris/leclerc")
        append(try #require(app.visibleLeaf as? CoordinatorNode), in: &objects)
        append(try #require(app.visibleLeaf.parentCoordinator as? CoordinatorNode), in: &objects)
        app.emit(AppEvents.Comparison.finish)
        app.open("/main/profile/edit")
        append(try #require(app.visibleLeaf as? CoordinatorNode), in: &objects)
        app.emit(NavigationEvents.dismiss)
        #expect(objects.count == 8)
        #expect(objects.filter { $0.object != nil }.isEmpty)
    }

    private func wanderingApp(noting objects: inout [Weak]) throws -> AppCoordinator {
        let app = try AppCoordinator.started(
            at: "/main/teams/compare/leclerc/norris", "/main/drivers/compare/norris/leclerc", "/main/profile/edit",
            "/main/teams/team/ferrari", "/main/teams/compare/norris/sainz")
        app.emit(AppEvents.Drivers.didSelect(try app.driver("sainz")))
        app.emit(AppEvents.Drivers.setFavorite(try app.driver("sainz")))
        append(app, in: &objects)
        objects.append(Weak(try #require(app.dependencies?.dataManager)))
        return app
    }

    private func append(_ coordinator: CoordinatorNode, in objects: inout [Weak]) {
        objects.append(Weak(coordinator))
        objects.append(Weak(coordinator.getRootViewController()))
        for child in coordinator.childCoordinators.values {
            if let child = child as? CoordinatorNode { append(child, in: &objects) }
        }
    }
}
