import Coordinate
import CoordinateServer
import CoordinateTesting
import SessionFixtures
import Testing

@testable import Racing

/// Many clients at once.
struct ConcurrencyTests {
    @Test(.serving(TestApp(), configuration: .make(workers: 4), over: .socket))
    func eventsOfOneSessionGetEachVersionOnce() async throws {
        let session = try await server.client().newSession()
        let clients = 12
        let events = 25
        let seen = try await withThrowingTaskGroup(of: [(version: Int, number: Int)].self) { group in
            for client in 0..<clients {
                group.addTask {
                    let own = server.client(headers: ["Session": session])
                    var seen: [(version: Int, number: Int)] = []
                    for event in 0..<events {
                        let number = client * events + event
                        let outcome = try await own.emit("test.push", ["number": .int(number)])
                        #expect(outcome.handled)
                        #expect(outcome.path == "/stack/page/\(number)")
                        #expect(outcome.route?.version == outcome.version)
                        #expect(outcome.route?.path == outcome.path)
                        seen.append((outcome.version, number))
                    }
                    return seen
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(seen.map(\.version).sorted() == Array(1...(clients * events)))
        let journal = try await server.client(headers: ["Session": session]).journal()
        #expect(journal.events.map(\.version) == Array(1...(clients * events)))
        let numbers = journal.events.map { $0.payload["number"]?.int }
        #expect(numbers == seen.sorted { $0.version < $1.version }.map(\.number))
        #expect(journal.events.map(\.path) == numbers.map { "/stack/page/\($0 ?? -1)" })
    }

    @Test(.racing(configuration: .make(workers: 4), over: .socket)) func readersNeverSeeAVersionGoBack() async throws {
        let writer = server.client()
        try await writer.start()
        let session = try #require(writer.sessionID)
        let isDone = Switch()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    let reader = server.client(headers: ["Session": session])
                    var last = 0
                    while !isDone.isOn {
                        let route = try await reader.route()
                        #expect(route.version >= last)
                        // Odd versions are the list, even ones a team.
                        #expect((route.path == "/main/teams") == (route.version % 2 == 1))
                        last = route.version
                    }
                }
            }
            for _ in 0..<50 {
                try await writer.emit("teams.didSelect", ["team": "haas"])
                try await writer.emit("navigation.back")
            }
            isDone.isOn = true
            try await group.waitForAll()
        }
        #expect(try await writer.session().version == 101)
    }

    @Test(.serving(TestApp(), configuration: .make(workers: 4), over: .socket)) func aSessionCanEndDuringOtherRequests()
        async throws
    {
        let session = try await server.client().newSession()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<6 {
                group.addTask {
                    let client = server.client(headers: ["Session": session])
                    var status = 200
                    while status == 200 {
                        status = try await client.post(
                            "/events", json: ["event": "test.push", "payload": ["number": 1]]
                        ).status
                    }
                    #expect(status == 404)
                }
            }
            let client = server.client()
            try await waitUntil("nothing happens") { try await client.metric("coordinate_events_total") > 20 }
            #expect(try await client.delete("/sessions/\(session)").status == 204)
            try await group.waitForAll()
        }
        #expect(try await server.client().metric("coordinate_sessions") == 0)
        #expect(testApp.lives.living == 0)
    }
}
