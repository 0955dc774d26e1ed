public import Coordinate
internal import Foundation
public import Racing

/// The racing app at a team's details, with a stack of a given depth, and events that do not change the size of its
/// tree.
public final class RacingFlow {
    public static let app = RacingApp(season: season)

    public let root = app.makeRootCoordinator()
    private var isFavorite = false
    private let favorites: [any CoordinateEvents]
    private let selection: any CoordinateEvents

    /// - Parameter depth: The number of details on the stack, at least 1. A session has room for about 990.
    public init(depth: Int = 1) {
        let dependencies = (root as? any HasDependenciesProtocol)?.getDependencies()
        let payload = PlainValue.object([PlainField("team", .string("ferrari"))])
        func event(_ name: String, _ payload: PlainValue = .object([])) -> any CoordinateEvents {
            guard let event = try? Self.app.events.entry(named: name)?.event(from: payload, in: dependencies) else {
                preconditionFailure("There is no event \(name).")
            }
            return event
        }
        favorites = [event("teams.unsetFavorite", payload), event("teams.setFavorite", payload)]
        selection = event("teams.didSelect", payload)
        perform { root.start() }
        emit(event("splash.didFinish"))
        for _ in 0..<depth { emit(selection) }
        precondition(root.path == "/main/teams/team/ferrari")
    }

    public func toggleFavorite() {
        isFavorite.toggle()
        emit(favorites[isFavorite ? 1 : 0])
    }

    public func pushAndPop() {
        emit(NavigationEvents.back)
        emit(selection)
    }

    private func emit(_ event: any CoordinateEvents) {
        perform {
            guard root.visibleLeaf.getRootViewController().emitEvent(event).isHandled else {
                preconditionFailure("No coordinator handled \(event).")
            }
        }
    }

    private func perform(_ body: () -> Void) {
        do { try root.turn(body) } catch { preconditionFailure("The turn failed: \(error)") }
    }

    /// The path after events. Each event is emitted at the leaf of a new tree.
    public static func path(after events: [(name: String, payload: PlainValue)]) -> String {
        let root = app.makeRootCoordinator()
        let dependencies = (root as? any HasDependenciesProtocol)?.getDependencies()
        do {
            try root.turn { root.start() }
            for (name, payload) in events {
                guard let event = try app.events.entry(named: name)?.event(from: payload, in: dependencies) else {
                    preconditionFailure("There is no event \(name).")
                }
                try root.turn { _ = root.visibleLeaf.getRootViewController().emitEvent(event) }
            }
        } catch {
            preconditionFailure("The events cannot be replayed: \(error)")
        }
        return root.path
    }

    /// An exported journal of a session that adds a team to the favorites and removes it, over and over.
    ///
    /// - Parameter depth: The number of details that it puts on the stack first.
    public static func journal(events: Int, depth: Int = 1) -> [UInt8] {
        func line(_ version: Int, _ event: String, _ payload: String, at: String, by: String, path: String) -> String {
            #"{"version":\#(version),"time":"2026-01-01T00:00:00Z","event":"\#(event)","payload":{\#(payload)},"#
                + #""at":"AppCoordinator/\#(at)","handled":true,"handledBy":"\#(by)","path":"\#(path)"}"#
        }
        let ferrari = #""team":"ferrari""#
        var lines = [
            #"{"journal":2,"app":"Racing","appVersion":"1.0","options":{},"createdAt":"2026-01-01T00:00:00Z","#
                + #""seed":0,"path":"/splash"}"#,
            line(1, "splash.didFinish", "", at: "SplashCoordinator", by: "AppCoordinator", path: "/main/teams"),
            line(
                2, "teams.didSelect", ferrari, at: "MainCoordinator/TeamsCoordinator/TeamsListCoordinator",
                by: "AppCoordinator/MainCoordinator", path: "/main/teams/team/ferrari"),
        ]
        func details(_ number: Int) -> String {
            "MainCoordinator/TeamsCoordinator/TeamsDetailsCoordinator" + (number > 1 ? "-\(number)" : "")
        }
        for number in stride(from: 1, to: depth, by: 1) {
            lines.append(
                line(
                    number + 2, "teams.didSelect", ferrari, at: details(number), by: "AppCoordinator/MainCoordinator",
                    path: "/main/teams/team/ferrari"))
        }
        for version in stride(from: depth + 2, through: events, by: 1) {
            lines.append(
                line(
                    version, version % 2 == 1 ? "teams.setFavorite" : "teams.unsetFavorite", ferrari,
                    at: details(depth), by: "AppCoordinator/MainCoordinator", path: "/main/teams/team/ferrari"))
        }
        return Array(lines.joined(separator: "\n").utf8)
    }

    private static let season: Season = {
        let repository = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
        do {
            let file = try Data(contentsOf: repository.appending(path: "config/racing.json"))
            return try JSONDecoder().decode(Season.self, from: file)
        } catch {
            preconditionFailure("The season cannot be read: \(error)")
        }
    }()
}
