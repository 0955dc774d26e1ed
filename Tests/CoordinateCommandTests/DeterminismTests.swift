import Foundation
import SeededGenerator
import Testing

@testable import CoordinateTesting

/// The same events lead to the same documents, in whichever process they are replayed.
struct DeterminismTests {
    /// The number of events over all sessions, which `DETERMINISM_EVENTS` sets.
    private static let events = ProcessInfo.processInfo.environment["DETERMINISM_EVENTS"].flatMap(Int.init) ?? 2_000
    /// A busy machine needs long to import that many, and a request must be answered within a minute.
    private static let eventsOfASession = 1_000

    @Test func anotherProcessReplaysTheSameDocuments() async throws {
        try await Program.run(["serve", "--port", "0"]) { first in
            try await Program.run(["serve", "--port", "0"]) { second in
                let urls = (try await first.url(), try await second.url())
                var handled = 0
                for seed in 1...max(1, Self.events / Self.eventsOfASession) {
                    handled += try await check(UInt64(seed), recordedBy: urls.0, replayedBy: urls.1)
                }
                #expect(handled > Self.events / 3, "random events lead nowhere")
            }
        }
    }

    /// - Returns: The number of handled events of one session.
    private func check(_ seed: UInt64, recordedBy url: String, replayedBy other: String) async throws -> Int {
        let client = SessionClient(url: url)
        var random = RandomEvents(seed: seed)
        var routes: [(version: Int, document: String)] = []
        var (version, handled) = (0, 0)
        while version < Self.eventsOfASession {
            let answer = try await client.post("/events", json: random.next())
            // A refused event did not happen, and is in no journal.
            guard answer.status == 200 else {
                #expect((400..<500).contains(answer.status), "\(answer.text)")
                continue
            }
            let outcome = try answer.decode(Document.Outcome.self)
            version = outcome.version
            random.record(outcome.trace.map(\.coordinator))
            handled += outcome.handled ? 1 : 0
            if version.isMultiple(of: Self.eventsOfASession / 4) {
                routes.append((version, try await client.get("/route").text))
            }
        }
        let journal = try await client.exportedJournal()
        let replayed = try await TestServer(url: other).client(replaying: journal)
        #expect(Self.withoutTime(try await replayed.exportedJournal()) == Self.withoutTime(journal), "seed \(seed)")
        let (session, own) = (try #require(client.sessionID), try #require(replayed.sessionID))
        for (version, route) in routes {
            let again = try await replayed.get("/route?version=\(version)").text
            #expect(again.replacing(own, with: session) == route, "seed \(seed), version \(version)")
        }
        for client in [client, replayed] {
            #expect(try await client.delete("/sessions/\(client.sessionID ?? "")").status == 204)
        }
        return handled
    }

    /// The journal without the time at which its session was created.
    private static func withoutTime(_ journal: [UInt8]) -> String {
        String(decoding: journal, as: UTF8.self).replacing(#/"createdAt":"[^"]*"/#, with: "")
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
    mutating func record(_ visited: [String]) {
        for coordinator in visited where coordinators.count < 100 && !coordinators.contains(coordinator) {
            coordinators.append(coordinator)
        }
    }

    mutating func next() -> JSON {
        let event = Self.events[Int.random(in: 0..<Self.events.count, using: &generator)]
        var payload: [String: JSON] = [:]
        if let field = event.field, let value = Self.values[field]?.randomElement(using: &generator) {
            payload[field] = .string(value)
        }
        var request: [String: JSON] = ["event": .string(event.name), "payload": .object(payload)]
        if Int.random(in: 0..<10, using: &generator) == 0 {
            request["at"] = coordinators.randomElement(using: &generator).map(JSON.string)
        }
        return .object(request)
    }
}
