import Coordinate
import SeededGenerator
import Testing

@testable import Racing

/// A user who does not know the app and performs one of its actions, again and again.
struct RacingRandomWalkTests {
    private let season: Season
    private let host: RacingApp
    private let app: AppCoordinator

    /// The classes in the catalog.
    private static let classes = Set(
        (try? AppCoordinator.shippedSeason.get()).map { CoordinatorCensus(RacingApp(season: $0)).names } ?? [])

    init() throws {
        app = try AppCoordinator.started()
        season = app.season
        host = RacingApp(season: season)
    }

    @Test(arguments: UInt64(1)...25)
    func everyActionIsHandledAndTheStateMatchesTheTree(seed: UInt64) throws {
        var generator = SeededGenerator(state: seed)
        for step in 0..<80 {
            let before = app.navigationState
            let ids = Set(before.tree.all.map(\.id))
            let action = try #require(before.offered.randomElement(using: &generator))
            let dispatch = try app.send(action)
            #expect(dispatch.isHandled, "\(action) at \(before.path), step \(step)")
            #expect(ids.isSuperset(of: dispatch.trace.map(\.coordinator)), "step \(step)")
            #expect(dispatch.trace.first?.coordinator == before.leaf, "step \(step)")
            #expect(app.diagnostics.isEmpty, "step \(step)")
            try expectConsistency("\(action.event) \(action.payload) at \(before.path), step \(step)")
        }
    }

    @Test(arguments: UInt64(1)...25)
    func aLinkAndALinkBackLeadToTheSameState(seed: UInt64) throws {
        var generator = SeededGenerator(state: seed)
        for step in 0..<40 {
            let action = try #require(app.navigationState.offered.randomElement(using: &generator))
            try app.send(action)
            guard step.isMultiple(of: 4) else { continue }
            let origin = app.navigationState
            let path = somePath(using: &generator)
            #expect(app.open(path).isHandled, "\(path)")
            #expect(app.path == path)
            try expectConsistency("open \(path)")
            if path != origin.path, path.hasPrefix("/main"), origin.path.hasPrefix("/main") {
                let kept = app.navigationState.hiddenTabs
                for tab in origin.tree.children.flatMap(\.children) {
                    guard let same = kept.first(where: { $0.id == tab.id }) else { continue }
                    #expect(same == tab, "\(tab.id) after open \(path) at \(origin.path)")
                }
            }
            #expect(app.open(origin.path).isHandled)
            let state = app.navigationState
            #expect(state.path == origin.path)
            #expect(state.screen == origin.screen)
            try expectConsistency("back to \(origin.path)")
            guard path != origin.path else { continue }
            if path.split(separator: "/").prefix(2) == origin.path.split(separator: "/").prefix(2) {
                let cold = try AppCoordinator.started(at: origin.path).navigationState
                #expect(state.breadcrumbs.map(\.path) == cold.breadcrumbs.map(\.path))
                #expect(state.leaf == cold.leaf)
            }
        }
    }

    @Test func equalEventsCreateEqualTrees() throws {
        func walk() throws -> NavigationState {
            let app = try AppCoordinator.started()
            var generator = SeededGenerator(state: 7)
            for _ in 0..<200 {
                try app.send(try #require(app.navigationState.offered.randomElement(using: &generator)))
            }
            return app.navigationState
        }
        let first = try walk()
        let second = try walk()
        #expect(first == second)
    }

    private func expectConsistency(_ comment: String) throws {
        let state = app.navigationState
        let nodes = state.tree.all
        let ids = nodes.map(\.id)
        #expect(Set(ids).count == ids.count, "\(comment)")
        #expect(state.leaf == state.visibleNodes.last?.id, "\(comment)")
        #expect(state.leaf == app.visibleLeaf.id, "\(comment)")
        #expect(state.visibleNodes.allSatisfy { $0.isStarted }, "\(comment)")
        let routes = state.visibleNodes.compactMap { $0.route?.description }
        #expect(state.path == "/" + routes.joined(separator: "/"), "\(comment)")
        #expect(state.path == app.path, "\(comment)")
        #expect(state.breadcrumbs.last?.path == state.path, "\(comment)")
        #expect(state.breadcrumbs.last?.title == state.screen.title, "\(comment)")
        let rows = state.screen.rows.map(\.id)
        #expect(Set(rows).count == rows.count, "\(comment)")
        let stack = state.visibleNodes.last { $0.kind == .navigation }
        if let stack, state.dismiss == nil {
            #expect(state.breadcrumbs.map(\.title) == stack.children.map(\.title), "\(comment)")
            #expect((state.back == nil) == (stack.children.count == 1), "\(comment)")
        }
        #expect(Self.classes.isSuperset(of: nodes.map(\.coordinator)), "\(comment)")
        for crumb in state.breadcrumbs {
            let path = try #require(RoutePath(crumb.path))
            #expect(host.routes.contains(path, in: app.dependencies), "\(crumb.path) after \(comment)")
            #expect(host.routes.patterns.contains { fits(path, $0) }, "\(crumb.path) after \(comment)")
        }
        for action in state.offered {
            let entry = try #require(host.events.entry(named: action.event))
            #expect(throws: Never.self) { try entry.event(from: action.payload, in: app.dependencies) }
        }
    }

    private func fits(_ path: RoutePath, _ pattern: String) -> Bool {
        let parts = pattern.split(separator: "/").map(String.init)
        return parts.count == path.components.count
            && zip(parts, path.components).allSatisfy { $0.hasPrefix("{") || $0 == $1 }
    }

    /// One of the app's patterns, filled in with ids of the season.
    private func somePath(using generator: inout SeededGenerator) -> String {
        let pattern = host.routes.patterns.randomElement(using: &generator) ?? ""
        var drivers = season.drivers.map(\.id).shuffled(using: &generator)
        let parts = pattern.split(separator: "/").map { part in
            switch part {
            case "{team}": season.teams.randomElement(using: &generator)?.id ?? ""
            case "{driver}": drivers.removeLast()
            default: String(part)
            }
        }
        return "/" + parts.joined(separator: "/")
    }
}
