import Synchronization
import Testing

@testable import Coordinate

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Names that are similar to known ones, and what the search costs.
struct SimilarNameTests {
    @Test(arguments: [
        ("ferari", "ferrari"), ("Ferrari", "ferrari"), ("frerari", "ferrari"), ("has", "haas"), ("hass", "haas"),
        ("mclaren2", "mclaren"), ("alpin", "alpine"), ("lotus", nil), ("", nil), ("a", nil), ("ferrariferrari", nil),
    ])
    func theNearestNameIsFound(text: String, nearest: String?) {
        #expect(text.nearest(among: ["haas", "ferrari", "mclaren", "alpine"]) == nearest)
    }

    @Test func ofEquallySimilarNamesTheFirstIsFound() {
        #expect("team3".nearest(among: ["team1", "team2", "team"]) == "team1")
        #expect("team".nearest(among: ["team1", "team"]) == "team")
    }

    @Test func theSearchEndsAfterManyNames() {
        let names = (0..<3_000).map { "product-\($0)" }
        #expect("ferari".nearest(among: names + ["ferrari"]) == "ferrari")
        #expect("produkt-2999".nearest(among: names) == "product-2999")
        let many = (0..<100_000).map { "p-\($0)" }
        #expect("ferari".nearest(among: many + ["ferrari"]) == nil)
    }

    @Test func aDeepPathIsExplainedByFewSearches() {
        let ids = Ids()
        let catalog = RouteCatalog(Floor<Floor<Floor<Floor<Door>>>>.self)
        let dead = catalog.explain("/down/down/down/down/door/room-7x", in: ids)
        #expect(dead?.nearest == "/down/down/down/down/door/room-7")
        #expect(ids.searches.load(ordering: .relaxed) <= 8)
    }
}

/// Dependencies that count how often their ids are searched.
private final class Ids: AppDependenciesProtocol {
    let searches = Atomic(0)
    let rooms = (0..<20).map { Room(id: "room-\($0)") }
}

private struct Room: KnownByID, Equatable {
    let id: String

    static func all(in dependencies: (any AppDependenciesProtocol)?) -> [Room]? {
        guard let ids = dependencies as? Ids else { return nil }
        ids.searches.wrappingAdd(1, ordering: .relaxed)
        return ids.rooms
    }
}

private enum Door: DeclaredRoutes {
    case room(Room)

    static var declaration: RouteDeclaration<Self> {
        RouteDeclaration(.route("door/{room}", Self.room) { if case .room(let room) = $0 { room } else { nil } })
    }
}

private enum Floor<Below: DeclaredRoutes>: DeclaredRoutes {
    case down(Below?)

    static var declaration: RouteDeclaration<Self> {
        RouteDeclaration(.nested("down", Self.down) { if case .down(let route) = $0 { route } else { nil } })
    }
}
