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
    /// Runs the body with two servers on one store.
    nonisolated(nonsending) private func withTwoServers(
        on store: Store, _ body: nonisolated(nonsending) (TestServer, TestServer, any Journal) async throws -> Void
    ) async throws {
        let place = try await Store.Place(store)
        let journals = try [place.open(), place.open()]
        defer { for journal in journals { journal.close() } }
        try await withApp(TestApp(), journal: journals[0]) { here in
            try await withApp(TestApp(), journal: journals[1]) { there in try await body(here, there, journals[0]) }
        }
    }

    /// Runs the body with a client of each of two servers, both in one new session.
    nonisolated(nonsending) private func withTwoClients(
        on store: Store, _ body: nonisolated(nonsending) (SessionClient, SessionClient) async throws -> Void
    ) async throws {
        try await withTwoServers(on: store) { here, there, _ in
            let session = ["Session": try await here.client().newSession()]
            try await body(here.client(headers: session), there.client(headers: session))
        }
    }

    private func push(_ number: Int) -> JSON { ["event": "test.push", "payload": ["number": .int(number)]] }

    @Test(arguments: Store.shared) func aRequestRepeatedOnTheOtherServerIsExecutedOnce(store: Store) async throws {
        try await withTwoClients(on: store) { here, there in
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

    // MARK: Following

    @Test(arguments: Store.shared) func followersGetTheOtherServersEventsInOrder(store: Store) async throws {
        try await withTwoClients(on: store) { here, there in
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

    @Test(arguments: Store.shared) func aSessionEndsOnBothServers(store: Store) async throws {
        try await withTwoClients(on: store) { here, there in
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

    // MARK: Outages

    @Test func anOutageIsReportedAndTheServerRecovers() async throws {
        try await withTwoServers(on: .model) { first, second, journal in
            let journal = try #require(journal as? MisbehavingJournal)
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
