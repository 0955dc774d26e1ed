import Coordinate
import CoordinateSessions
import CoordinateTesting
import MisbehavingJournal
import PostgreSQLCluster
import SessionFixtures
import Testing

@testable import CoordinateServer

/// Two servers on one store: both give the same answers.
@Suite(.timeLimit(.minutes(3))) struct SharedStoreTests {
    /// A store that two servers share.
    enum Kind: CaseIterable {
        case memory, postgreSQL

        static var available: [Kind] { allCases.filter { $0 != .postgreSQL || PostgreSQLCluster.isAvailable } }

        /// Opens a new store twice.
        func open() async throws -> [any Journal] {
            switch self {
            case .memory:
                let (store, schedule) = (SharedStore(), ThreadedSchedule(seed: 1))
                return (0..<2).map { MisbehavingJournal(store, seed: $0, rates: .none, on: schedule) }
            case .postgreSQL:
                let store = try await Store(.postgreSQL)
                return try [store.open(), store.open()]
            }
        }
    }

    /// Runs the body with two servers on one store.
    nonisolated(nonsending) private func withTwoServers(
        on journals: [any Journal], _ body: nonisolated(nonsending) (TestServer, TestServer) async throws -> Void
    ) async throws {
        defer { for journal in journals { journal.close() } }
        try await withApp(TestApp(), journal: journals[0]) { here in
            try await withApp(TestApp(), journal: journals[1]) { there in try await body(here, there) }
        }
    }

    /// Runs the body with a client of each of two servers, both in one new session.
    nonisolated(nonsending) private func withTwoClients(
        on kind: Kind, _ body: nonisolated(nonsending) (SessionClient, SessionClient) async throws -> Void
    ) async throws {
        try await withTwoServers(on: kind.open()) { here, there in
            let session = ["Session": try await here.client().newSession()]
            try await body(here.client(headers: session), there.client(headers: session))
        }
    }

    private func push(_ number: Int) -> JSON { ["event": "test.push", "payload": ["number": .int(number)]] }

    // MARK: Reading

    @Test(arguments: Kind.available) func theOtherServerShowsAcknowledgedEventsAtOnce(kind: Kind) async throws {
        try await withTwoClients(on: kind) { here, there in
            for number in 1...40 {
                let (writer, reader) = number.isMultiple(of: 3) ? (there, here) : (here, there)
                let before = try #require(try await reader.get("/route").header("ETag"))
                let outcome = try await writer.post("/events", json: push(number)).decode(Document.Outcome.self)
                #expect(outcome.version == number)
                let route = try await reader.get("/route", headers: ["If-None-Match": before])
                #expect(route.status == 200)
                #expect(try route.decode(Document.Route.self).version == number)
                let tag = try #require(route.header("ETag"))
                let own = try await writer.get("/route")
                #expect(own.header("ETag") == tag)
                #expect(own.body == route.body)
                for client in [writer, reader] {
                    #expect(try await client.get("/route", headers: ["If-None-Match": tag]).status == 304)
                }
                #expect(try await reader.session().version == number)
                #expect(try await reader.journal(after: number - 1).events.map(\.version) == [number])
            }
        }
    }

    // MARK: Changing

    @Test(arguments: Kind.available) func aRequestRepeatedOnTheOtherServerIsExecutedOnce(kind: Kind) async throws {
        try await withTwoClients(on: kind) { here, there in
            for prefer in [[:], ["Prefer": "return=minimal"]] {
                let headers = prefer.merging(["Idempotency-Key": "once-\(prefer.count)"]) { $1 }
                let first = try await here.post("/events", json: push(1), headers: headers)
                for client in [there, here, there] {
                    let again = try await client.post("/events", json: push(1), headers: headers)
                    #expect(again.status == 200)
                    #expect(again.body == first.body)
                }
                let other = try await there.post("/events", json: push(2), headers: headers)
                #expect(other.isProblem("idempotency-mismatch", 422))
            }
            #expect(try await here.session().version == 2)
        }
    }

    @Test(arguments: Kind.available) func oneOfTwoRequestsForOneVersionWins(kind: Kind) async throws {
        try await withTwoClients(on: kind) { here, there in
            for number in 1...20 {
                let tag = ["If-Match": try #require(try await here.get("/route").header("ETag"))]
                async let first = here.post("/events", json: push(number), headers: tag)
                async let second = there.post("/events", json: push(number), headers: tag)
                let answers = try await [first, second]
                #expect(answers.map(\.status).sorted() == [200, 412])
                for answer in answers where answer.status == 412 { #expect(try answer.json["version"] == .int(number)) }
                #expect(try await there.put("/route", json: ["path": "/stack"], headers: tag).status == 412)
                #expect(try await there.delete(there.base, headers: tag).status == 412)
                #expect(try await there.session().version == number)
            }
        }
    }

    // MARK: Following

    @Test(arguments: Kind.available) func followersGetTheOtherServersEventsInOrder(kind: Kind) async throws {
        try await withTwoClients(on: kind) { here, there in
            let streams = [try await here.follow(), try await there.follow(), try await there.follow(after: 0)]
            for stream in streams.prefix(2) { #expect(await stream.next()?.id == 0) }
            for number in 1...60 {
                let client = number % 7 < 3 ? here : there
                _ = try await client.post("/events", json: push(number), headers: ["Prefer": "return=minimal"])
            }
            for stream in streams {
                for version in 1...60 {
                    let message = try #require(await stream.next())
                    #expect(message.id == version)
                    #expect(message.event == "route")
                    if version.isMultiple(of: 20) {
                        #expect(try await message.data == here.get("/route?version=\(version)").text)
                    }
                }
            }
        }
    }

    @Test(arguments: Kind.available) func aSessionEndsOnBothServers(kind: Kind) async throws {
        try await withTwoClients(on: kind) { here, there in
            let stream = try await there.follow()
            #expect(await stream.next()?.id == 0)
            let tag = try #require(try await there.get("/route").header("ETag"))
            async let waiting = there.get("/route", headers: ["If-None-Match": tag, "Prefer": "wait=60"])
            #expect(try await here.delete(here.base).status == 204)
            for client in [there, here] {
                for answer in try await [
                    client.get("/route"), client.get("/route?version=0"), client.get(client.base),
                    client.get("/events"), client.get("/events", headers: ["Accept": "text/event-stream"]),
                    client.post("/events", json: push(1)), client.put("/route", json: ["path": "/stack"]),
                    client.post("\(client.base)/forks", json: ["version": 0]), client.delete(client.base),
                ] {
                    #expect(answer.isProblem("session-not-found", 404))
                }
            }
            #expect(await stream.next()?.event == "end")
            #expect(await stream.next() == nil)
            #expect(try await waiting.status == 404)
        }
    }

    // MARK: Lists and outages

    @Test(arguments: Kind.available) func bothServersListAllSessions(kind: Kind) async throws {
        try await withTwoServers(on: kind.open()) { here, there in
            let clients = [here.client(), there.client()]
            var sessions: [[String]] = [[], []]
            for number in 0..<6 { sessions[number % 2].append(try await clients[number % 2].newSession()) }
            for (number, client) in clients.enumerated() {
                for (state, expected) in [("live", sessions[number]), ("passive", sessions[1 - number])] {
                    var seen: [String] = []
                    var next: String?
                    repeat {
                        let query = "?limit=1&state=\(state)" + (next.map { "&after=\($0)" } ?? "")
                        let page = try await client.get("/sessions\(query)").decode(Document.SessionPage.self)
                        seen += page.sessions.map(\.id)
                        next = page.next
                    } while next != nil
                    #expect(seen.sorted() == expected.sorted(), "\(state)")
                }
            }
        }
    }

    @Test func anOutageIsReportedAndTheServerRecovers() async throws {
        let journals = try await Kind.memory.open()
        let journal = try #require(journals[0] as? MisbehavingJournal)
        try await withTwoServers(on: journals) { first, second in
            let (here, there) = (first.client(), second.client())
            _ = try await here.route()
            let stream = try await here.follow()
            #expect(await stream.next()?.id == 0)
            let tag = try #require(try await here.get("/route").header("ETag"))
            journal.disconnect()
            let answers = [
                try await here.get("/readyz"), try await here.get("/route"),
                try await here.get("/route", headers: ["If-None-Match": tag, "Prefer": "wait=60"]),
                try await here.get("/events"), try await here.get(here.base),
                try await here.get("/events", headers: ["Accept": "text/event-stream"]),
                try await here.post("/events", json: push(1)),
                try await here.put("/route", json: ["path": "/stack/page/4"]),
                try await here.post("\(here.base)/forks", json: ["version": 0]), try await here.post("/sessions"),
                try await here.delete(here.base),
            ]
            for (number, answer) in answers.enumerated() {
                #expect(
                    answer.isProblem("journal-unavailable", 503) || answer.isProblem("outcome-unknown", 504),
                    "answer \(number): \(answer.text)")
                #expect(answer.header("Retry-After") != nil)
            }
            #expect(try await first.client().get("/livez").status == 200)
            #expect(try await there.get("/readyz").status == 200)
            // An event accepted in the meantime arrives in the end.
            #expect(try await there.post("\(here.base)/events", json: push(2)).status == 200)
            journal.reconnect()
            #expect(await stream.next()?.id == 1)
            #expect(try await here.get("/readyz").status == 200)
            #expect(try await here.route().version == 1)
        }
    }
}
