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
        var generator = SeededGenerator(state: seed)
        var routes: [(version: Int, document: String)] = []
        var (version, handled) = (0, 0)
        while version < Self.eventsOfASession {
            let event = try await next(for: client, &generator)
            let answer = try await client.post("/events", json: event)
            // A refused event did not happen, and is in no journal.
            guard answer.status == 200 else {
                #expect((400..<500).contains(answer.status), "\(answer.text)")
                continue
            }
            let outcome = try answer.decode(Document.Outcome.self)
            version = outcome.version
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

    /// Events besides those that a screen offers: links, events that nothing handles, and events at other coordinators.
    private static let others: [JSON] = [
        ["event": "navigation.open", "payload": ["path": "/main/drivers/compare/leclerc/norris"]],
        ["event": "navigation.open", "payload": ["path": "/main/profile/edit"]],
        ["event": "navigation.open", "payload": ["path": "/main/nowhere"]],
        ["event": "teams.setFavorite", "payload": ["team": "haas"], "at": "AppCoordinator/MainCoordinator"],
        ["event": "teams.didSelect", "payload": ["team": "lotus"]],
        ["event": "profile.rename", "payload": ["name": "Grace \u{1F3CE} \"\\\n"]],
        ["event": "comparison.finish"], ["event": "navigation.dismiss"], ["event": "navigation.popToRoot"],
    ]

    /// A random event: mostly one that the screen offers.
    private func next(for client: SessionClient, _ generator: inout SeededGenerator) async throws -> JSON {
        let offered = try await client.route().offeredActions
        if let action = offered.randomElement(using: &generator), Int.random(in: 0..<4, using: &generator) > 0 {
            return ["event": .string(action.event), "payload": action.payload]
        }
        return Self.others[Int.random(in: Self.others.indices, using: &generator)]
    }
}
