import Coordinate
import Testing

@testable import Racing

private final class Weak {
    weak var object: AnyObject?
    init(_ object: AnyObject) { self.object = object }
}

struct RacingLifetimeTests {
    @Test(arguments: [true, false]) func everythingIsFreedAtTheEnd(isStopped: Bool) throws {
        var objects: [Weak] = []
        do {
            let app = try wanderingApp(noting: &objects)
            if isStopped { app.stop() }
            #expect(app.childCoordinators.isEmpty == isStopped)
        }
        #expect(objects.count == 31)
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
