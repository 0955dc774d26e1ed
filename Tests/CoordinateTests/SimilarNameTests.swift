import Synchronization
import Testing

@testable import Coordinate

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Names from clients: which are the same as known ones, which are similar, and what the comparison costs.
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

    @Test func equalTextsMayHaveDifferentEncodings() {
        #expect("caf\u{e9}".isSame(as: "cafe\u{301}"))
        // The largest differences in length: three bytes become one, and two become six.
        #expect("K".isSame(as: "\u{212A}"))
        #expect("\u{390}".isSame(as: "\u{3b9}\u{308}\u{301}"))
        #expect(!"cafe".isSame(as: "cafe\u{301}"))
        #expect("".isSame(as: ""))
        #expect(!"".isSame(as: "a"))
    }

    private static func marks(_ count: Int) -> String {
        String(String.UnicodeScalarView((0..<count).map { Unicode.Scalar(UInt16(0x300 + $0 % 70))! }))
    }

    @Test func aTextOfManyMarksIsNoName() {
        #expect("teams.didSelect".isQuickToCompare)
        #expect(String(repeating: "caf\u{e9} e\u{301}", count: 10_000).isQuickToCompare)
        #expect(!Self.marks(200).isQuickToCompare)
        #expect(!(String(repeating: "a", count: 1_000) + Self.marks(200) + "a").isQuickToCompare)
    }

    // MARK: Costs

    /// The processor's time for a body, in seconds: the least of several.
    private func cost(_ body: () -> Void) -> Double {
        (0..<5).map { _ in
            let start = threadTime()
            for _ in 0..<20 { body() }
            return threadTime() - start
        }.min() ?? 0
    }

    private func threadTime() -> Double {
        var time = timespec()
        unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// Each takes a text of a client's.
    private static let uses: [(String, @Sendable (String) -> Void)] = {
        let events = EventCatalog(NavigationEvents.self)
        let names = (0..<100).map { "name\($0)" }
        return [
            ("a field", { _ = PlainValue.object([PlainField($0, .null)])[field: "event"] }),
            ("an event", { _ = events.entry(named: $0) }),
            ("an id", { _ = try? Kiosk.Customer.resolve(.string($0), in: Kiosk.Shelf()) }),
            ("a choice", { _ = try? Kiosk.Delivery.resolve(.string($0), in: nil) }),
            ("a similar name", { _ = $0.nearest(among: names) }),
        ]
    }()

    @Test(arguments: uses.indices) func theCostIsLinear(use: Int) {
        let (name, body) = Self.uses[use]
        let (short, long) = (Self.marks(1_000), Self.marks(4_000))
        let few = cost { body(short) }
        let more = cost { body(long) }
        #expect(more <= 8 * few + 1e-4, "\(name): \(few) s, and \(more) s for four times as many bytes")
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
