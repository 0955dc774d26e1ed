import Coordinate
import CoordinateSessions
import MicroHTTPD
import SeededGenerator
import SessionFixtures

@testable import CoordinateServer

/// A session with random events, and its records.
struct Recording {
    let session: String
    /// The exported journal.
    let journal: [UInt8]
    /// The route documents after some of the events, and after the last one.
    let routes: [(version: Int, document: String)]
    /// The number of handled events.
    let handled: Int

    init(seed: UInt64, events: Int, registry: SessionRegistry) async throws {
        let session = try registry.begin().now().session
        var random = RandomEvents(seed: seed)
        var routes: [(version: Int, document: String)] = []
        var handled = 0
        var version = 0
        while version < events {
            // Lets others on this thread continue.
            if version.isMultiple(of: 100) { await Task.yield() }
            let isKept = (version + 1) % (events / 4) == 0
            switch session.inject(EventInjection(random.next(), wantsRoute: isKept)).result {
            case .success(let outcome):
                version = outcome.version
                random.remember(outcome.turn.dispatch)
                handled += outcome.turn.dispatch.isHandled ? 1 : 0
                if let route = outcome.route?.published.body {
                    routes.append((version, String(decoding: route.bytes, as: UTF8.self)))
                }
            case .failure(.appFailed(let error)): throw error
            // A refused event did not happen, and is in no journal.
            case .failure: continue
            case nil: throw NotYetDone()
            }
        }
        let reading = JournalReading(try await session.journal().value, as: .export())
        var lines: [UInt8] = []
        while true {
            let piece = try await reading.next(on: InlineExecutor.shared).value
            lines += piece.body.bytes
            if piece.isLast { break }
        }
        self.session = session.id.description
        journal = lines
        self.routes = routes
        self.handled = handled
        try registry.end(session).now()
    }

    /// Whether another journal has the same past, except for its creation time.
    func isSame(as other: [UInt8]) -> Bool {
        Self.withoutTime(journal) == Self.withoutTime(other)
    }

    private static func withoutTime(_ journal: [UInt8]) -> [UInt8] {
        let header = String(decoding: journal.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
        let rest = journal.drop { $0 != UInt8(ascii: "\n") }
        return Array(header.replacing(#/"createdAt":"[^"]*"/#, with: "").utf8) + rest
    }
}

/// Random events of the racing app, valid or not: any event, with any payload, at any coordinator.
private struct RandomEvents {
    private var generator: SeededGenerator
    private var coordinators = ["AppCoordinator"]

    private static let values: [String: [String]] = [
        "team": ["ferrari", "mclaren", "haas", "alpine", "williams", "lotus"],
        "driver": ["leclerc", "hamilton", "norris", "piastri", "gasly", "senna"],
        "name": ["Ada", "Grace \u{1F3CE} Hopper", "\"\\\n", ""],
        "tab": ["TeamsCoordinator", "DriversCoordinator", "ProfileCoordinator", "GarageCoordinator"],
        "path": [
            "/main/teams", "/main/teams/team/ferrari", "/main/teams/driver/norris", "/main/drivers",
            "/main/drivers/driver/leclerc", "/main/drivers/compare/leclerc/norris", "/main/teams/compare/gasly",
            "/main/profile", "/main/profile/edit", "/splash", "/main/nowhere",
        ],
    ]
    private static let events: [(name: String, field: String?)] = [
        ("splash.didFinish", nil), ("teams.didSelect", "team"), ("teams.setFavorite", "team"),
        ("teams.unsetFavorite", "team"), ("drivers.didSelect", "driver"), ("drivers.setFavorite", "driver"),
        ("drivers.unsetFavorite", "driver"), ("comparison.start", "driver"), ("comparison.choose", "driver"),
        ("comparison.finish", nil), ("profile.edit", nil), ("profile.rename", "name"), ("navigation.back", nil),
        ("navigation.popToRoot", nil), ("navigation.selectTab", "tab"), ("navigation.dismiss", nil),
        ("navigation.open", "path"),
    ]

    init(seed: UInt64) {
        generator = SeededGenerator(state: seed)
    }

    /// Remembers coordinators as places for later events.
    mutating func remember(_ dispatch: Dispatch) {
        guard coordinators.count < 100 else { return }
        for visit in dispatch.trace where !coordinators.contains(visit.coordinator) {
            coordinators.append(visit.coordinator)
        }
    }

    mutating func next() -> EventRequest {
        let event = Self.events[Int.random(in: 0..<Self.events.count, using: &generator)]
        var fields: [PlainField] = []
        if let field = event.field, let values = Self.values[field], let value = values.randomElement(using: &generator)
        {
            fields.append(PlainField(field, .string(value)))
        }
        let at = Int.random(in: 0..<10, using: &generator) == 0 ? coordinators.randomElement(using: &generator) : nil
        return EventRequest(name: event.name, payload: .object(fields), at: at)
    }
}
