import CoordinateSessions
import CoordinateTesting
import Racing
import SeededGenerator
import SessionFixtures
import Testing

@testable import CoordinateServer

/// `POST /sessions/{id}/forks` with `edit`: a new session whose events are emitted anew, with changes.
@Suite(.racing) struct EditedForkTests {
    /// A session that opens a team, marks it, goes back, and opens a driver, whose results are loaded.
    private func recorded() async throws -> SessionClient {
        let client = try await server.client(options: ["liveResults": true])
        for (event, payload) in Self.events { try await client.emit(event, payload) }
        try await client.settle()
        return client
    }

    private static let events: [(String, JSON)] = [
        ("splash.didFinish", [:]), ("teams.didSelect", ["team": "ferrari"]),
        ("teams.setFavorite", ["team": "ferrari"]), ("navigation.back", [:]),
        ("drivers.didSelect", ["driver": "leclerc"]),
    ]

    /// The document of a fork, and a client of it.
    private func fork(
        _ client: SessionClient, at version: Int = 6, _ edits: JSON
    ) async throws -> (document: JSON, client: SessionClient) {
        let answer = try await client.post("\(client.base)/forks", json: ["version": .int(version), "edit": edits])
        #expect(answer.status == 201, "\(answer.text)")
        let document = try answer.json
        let id = try #require(document["id"]?.string)
        return (document, client.inSession(id))
    }

    @Test func anEditedForkCountsItsEventsAndIsWithheld() async throws {
        let client = try await recorded()
        let (document, fork) = try await fork(
            client,
            [
                ["version": 2, "event": "teams.didSelect", "payload": ["team": "haas"]],
                ["version": 4, "drop": true], ["after": 5, "event": "profile.edit"],
            ])
        #expect(document["edited"]?["kept"] == 4)
        #expect(document["edited"]?["changed"] == 1)
        #expect(document["edited"]?["inserted"] == 1)
        #expect(document["edited"]?["dropped"] == 1)
        #expect(document["edited"]?["refused"] == [])
        #expect(document["work"] == "withheld")
        #expect(document["parent"]?["session"]?.string == client.sessionID)
        #expect(document["parent"]?["version"] == 6)
        let events = try await fork.journal().events
        #expect(
            events.map(\.event) == [
                "splash.didFinish", "teams.didSelect", "teams.setFavorite", "drivers.didSelect", "profile.edit",
                "results.didLoad",
            ])
        #expect(events[1].path == "/main/teams/team/haas")
        let times = try await client.journal().events.map(\.time)
        #expect(events.map(\.time) == [times[0], times[1], times[2], times[4], times[4], times[5]])
        // The original is as before, and later documents of the fork have no report.
        #expect(try await client.session().version == 6)
        #expect(try await fork.get(fork.base).json["edited"] == nil)
    }

    @Test func anOutcomeBelongsToItsWork() async throws {
        let client = try await recorded()
        let (_, earlier) = try await fork(client, [["version": 2, "drop": true]])
        let outcome = try await earlier.journal().events.last
        #expect(outcome?.event == "results.didLoad")
        #expect(outcome?.pending == "4-1")
        #expect(outcome?.origin == "work")

        let (document, failed) = try await fork(
            client, [["version": 6, "event": "results.didFail", "payload": ["reason": "no network"]]])
        #expect(document["edited"]?["changed"] == 1)
        #expect(try await failed.route().screen.status == "failed")
        #expect(try await failed.journal().events.last?.origin == "client")

        let (other, without) = try await fork(client, [["version": 5, "drop": true]])
        let refused = try #require(other["edited"]?["refused"]?.array)
        #expect(refused.map { $0["version"] } == [6])
        #expect(refused[0]["problem"]?["type"] == "/problems/invalid-payload")
        #expect(try await without.session().version == 4)
    }

    @Test func eventsThatTheAppRefusesAreLeftOutWithTheReason() async throws {
        let client = try await recorded()
        let (document, fork) = try await fork(
            client,
            [
                ["version": 1, "event": "splash.didFinsh"],
                ["after": 3, "event": "results.didFail", "payload": ["reason": "x"]],
            ])
        let refused = try #require(document["edited"]?["refused"]?.array)
        #expect(
            refused.map { $0["problem"]?["type"]?.string } == [
                "/problems/unknown-event", "/problems/event-not-allowed", "/problems/invalid-payload",
            ])
        #expect(refused[0]["problem"]?["didYouMean"] == "splash.didFinish")
        #expect(refused[1]["after"] == 3)
        #expect(try await fork.route().path == "/splash")
    }

    @Test func aForkWithoutEventsCanBeFilled() async throws {
        let client = try await recorded()
        let (document, fork) = try await fork(client, at: 0, [["after": 0, "event": "splash.didFinish"]])
        #expect(document["version"] == 1)
        #expect(try await fork.route().path == "/main/teams")
        let time = try await fork.journal().events.first?.time
        #expect(time == (try await client.session().createdAt))
    }

    @Test(
        arguments: [
            (["version": 7, "drop": true], "/edit/0/version"), (["version": 0, "drop": true], "/edit/0/version"),
            (["version": 2], "/edit/0/event"), (["version": 2, "drop": false], "/edit/0/drop"),
            (["version": 2, "drop": true, "event": "navigation.back"], "/edit/0/event"),
            (["after": 7, "event": "navigation.back"], "/edit/0/after"),
            (["after": 1, "version": 1, "event": "navigation.back"], "/edit/0/version"),
            (["after": 1, "event": "navigation.back", "at": "X"], "/edit/0/at"),
            (["version": 2, "event": "teams.didSelect", "payload": ["tem": "haas"]], "/edit/0/payload/tem"),
            (["version": 2, "event": "teams.didSelect", "payload": 1], "/edit/0/payload"),
            (["version": 2, "event": "navigation.back", "payload": .null], "/edit/0/payload"), ("drop", "/edit/0"),
        ] as [(JSON, String)])
    func anInvalidEditIsNamed(edit: JSON, pointer: String) async throws {
        let client = try await recorded()
        let answer = try await client.post("\(client.base)/forks", json: ["version": 6, "edit": [edit]])
        #expect(answer.status == 400 || answer.status == 422)
        #expect(try answer.json["pointer"]?.string == pointer)
    }

    /// The second edit is at fault if their number is not.
    @Test(arguments: [(HistoryEdits.limit, "/edit/1/version"), (HistoryEdits.limit + 1, "/edit")])
    func theNumberOfEditsIsLimited(count: Int, pointer: String) async throws {
        let client = try await recorded()
        let edits = Array(repeating: ["version": 2, "drop": true] as JSON, count: count)
        let answer = try await client.post("\(client.base)/forks", json: ["version": 6, "edit": .array(edits)])
        #expect(answer.isProblem("malformed-request", 400))
        #expect(try answer.json["pointer"]?.string == pointer)
    }

    /// Whatever is edited, the fork's journal replays as it was recorded, and each event is counted once.
    @Test(arguments: 1...12) func anyEditsLeadToAJournalThatReplays(seed: UInt64) async throws {
        try await client.walk(steps: 40, seed: seed)
        let events = try await client.journal().events
        var random = SeededGenerator(state: seed)
        var edits: [JSON] = []
        for version in 1...40 {
            let other = events[Int.random(in: 0..<40, using: &random)]
            switch Int.random(in: 0...8, using: &random) {
            case 0: edits.append(["version": .int(version), "drop": true])
            case 1:
                edits.append(["version": .int(version), "event": .string(other.event), "payload": other.payload])
            case 2:
                edits.append(["after": .int(version), "event": .string(other.event), "payload": other.payload])
            default: break
            }
        }
        let (document, fork) = try await fork(client, at: 40, .array(edits))
        func count(_ name: String) -> Int { document["edited"]?[name]?.int ?? -1 }
        let refused = document["edited"]?["refused"]?.array ?? []
        let refusedInsertions = refused.count { $0["after"] != nil }
        #expect(count("kept") + count("changed") + count("dropped") + refused.count - refusedInsertions == 40)
        #expect(count("inserted") + refusedInsertions == edits.count { $0["after"] != nil })
        #expect(document["version"]?.int == count("kept") + count("changed") + count("inserted"))
        let path = try RacingApp.make().replay(try await fork.exportedJournal())
        #expect(path == document["path"]?.string)
    }
}
