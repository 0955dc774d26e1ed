import Coordinate
import Foundation
import Testing

@testable import Racing

extension AppCoordinator {
    /// The season that ships with the app.
    static let shippedSeason = Result {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../config/racing.json")
        return try JSONDecoder().decode(Season.self, from: Data(contentsOf: file))
    }

    /// Creates a racing app with the shipped season, not started.
    static func make(_ options: RacingOptions = RacingOptions()) throws -> AppCoordinator {
        let app = RacingApp(season: try shippedSeason.get())
        return try #require(app.makeRootCoordinator(options: options) as? AppCoordinator)
    }

    /// Creates a racing app that has opened these paths, one after the other.
    static func started(at paths: String...) throws -> AppCoordinator {
        let app = try make()
        try app.turn { app.start() }
        for path in paths { #expect(app.open(path).isHandled, "\(path)") }
        return app
    }

    var season: Season {
        guard let season = dependencies?.dataManager.season else { preconditionFailure("no season was injected") }
        return season
    }

    func team(_ id: String) throws -> Team { try #require(season.team(withID: id)) }

    func driver(_ id: String) throws -> Driver { try #require(season.driver(withID: id)) }

    /// Emits an event at the visible leaf, as a user would.
    @discardableResult
    func emit(_ event: any CoordinateEvents) -> Dispatch {
        visibleLeaf.getRootViewController().emitEvent(event)
    }

    @discardableResult
    func open(_ path: String) -> Dispatch {
        emit(NavigationEvents.open(path))
    }

    /// Performs one of the app's actions by its name, like a client that does not know the app.
    @discardableResult
    func send(_ action: Action) throws -> Dispatch {
        let entry = try #require(RacingApp(season: season).events.entry(named: action.event))
        let event = try entry.event(from: action.payload, in: dependencies)
        return emit(event)
    }

    /// The paths of the breadcrumbs.
    var trail: [String] { navigationState.breadcrumbs.map(\.path) }
}

extension NavigationState {
    /// The nodes from the root down to the leaf.
    var visibleNodes: [Node] {
        Array(sequence(first: tree) { node in node.presented.first ?? node.index.map { node.children[$0] } })
    }
}
