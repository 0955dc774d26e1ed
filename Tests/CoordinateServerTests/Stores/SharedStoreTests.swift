import Coordinate
import CoordinateTesting
import PostgreSQLCluster
import Racing
import SessionFixtures
import Testing

@testable import CoordinateServer

/// Two servers on one PostgreSQL: both give the same answers.
@Suite(
    .timeLimit(.minutes(3)),
    .enabled(if: PostgreSQLCluster.isAvailable, Comment(rawValue: PostgreSQLCluster.hint)))
struct SharedStoreTests {
    /// Runs the body with a client of each of two servers, both in one new session.
    nonisolated(nonsending) private func withTwoClients(
        _ body: nonisolated(nonsending) (SessionClient, SessionClient) async throws -> Void
    ) async throws {
        try await withServers([TestApp(), TestApp()], on: Store(.postgreSQL)) { servers in
            let session = ["Session": try await servers[0].client().newSession()]
            try await body(servers[0].client(headers: session), servers[1].client(headers: session))
        }
    }

    private func push(_ number: Int) -> JSON { ["event": "test.push", "payload": ["number": .int(number)]] }

    // MARK: Reading

    @Test func theOtherServerShowsAcknowledgedEventsAtOnce() async throws {
        try await withTwoClients { here, there in
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

    @Test func bothServersShowTheSamePast() async throws {
        try await withTwoClients { here, there in
            for number in 1...6 { try await (number < 4 ? here : there).emit("test.push", ["number": .int(number)]) }
            for version in 0...6 {
                let past = try await here.get("/route?version=\(version)")
                #expect(past.status == 200)
                let other = try await there.get("/route?version=\(version)")
                #expect(other.body == past.body)
                #expect(other.header("ETag") == past.header("ETag"))
            }
            #expect(try await here.get("/route?version=7").status == 404)
            #expect(try await here.exportedJournal() == there.exportedJournal())
            #expect(try await here.get("/events").body == there.get("/events").body)
        }
    }

    @Test func aForkContinuesOnTheOtherServer() async throws {
        try await withTwoClients { here, there in
            for number in 1...4 { try await here.emit("test.push", ["number": .int(number)]) }
            let fork = try await there.fork(at: 3)
            let same = ["Session": try #require(fork.sessionID)]
            let documents = [try await here.get(fork.base), try await there.get(fork.base)]
            for name in ["id", "version", "path", "createdAt", "parent", "links"] {
                #expect(try documents[0].json[name] == documents[1].json[name])
            }
            #expect(try await here.get("/route", headers: same).body == there.get("/route", headers: same).body)
            let next = try await here.post("/events", json: push(9), headers: same)
            #expect(try next.decode(Document.Outcome.self).version == 4)
            #expect(try await fork.route().version == 4)
            // The end of the original does not affect the fork.
            #expect(try await here.delete(here.base).status == 204)
            let entries = try await fork.journal().events
            #expect(entries.map { $0.payload["number"] } == [1, 2, 3, 9])
            let parent = try #require(try await fork.session().parent)
            #expect(parent.session == here.sessionID)
            #expect(parent.version == 3)
        }
    }

    @Test func anImportIsVisibleOnTheOtherServer() async throws {
        try await withServers([TestApp(), TestApp()], on: Store(.postgreSQL)) { servers in
            let client = servers[0].client()
            for number in 1...5 { try await client.emit("test.push", ["number": .int(number)]) }
            let copy = try await servers[1].client(replaying: client.exportedJournal())
            let other = servers[0].client(headers: ["Session": try #require(copy.sessionID)])
            #expect(try await other.get("/route").body == copy.get("/route").body)
            #expect(try await other.journal().events == client.journal().events)
        }
    }

    // MARK: Changing

    @Test func aRequestRepeatedOnTheOtherServerIsExecutedOnce() async throws {
        try await withTwoClients { here, there in
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

    @Test func oneOfTwoRequestsForOneVersionWins() async throws {
        try await withTwoClients { here, there in
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

    @Test func eventsSentToBothServersFormOneHistory() async throws {
        try await withTwoClients { here, there in
            let (writers, each) = (8, 15)
            let versions = try await withThrowingTaskGroup(of: [Int].self) { group in
                for writer in 0..<writers {
                    group.addTask {
                        var versions: [Int] = []
                        for number in 0..<each {
                            let client = (writer + number).isMultiple(of: 2) ? here : there
                            let event: JSON = ["number": .int(writer * 100 + number)]
                            versions.append(try await client.emit("test.push", event).version)
                        }
                        #expect(versions == versions.sorted())
                        return versions
                    }
                }
                return try await group.reduce(into: []) { $0 += $1 }
            }
            #expect(versions.sorted() == Array(1...(writers * each)))
            let numbers = try await there.journal().events.compactMap { $0.payload["number"]?.int }
            #expect(Set(numbers).count == writers * each)
            #expect(try await here.get("/route").body == there.get("/route").body)
        }
    }

    // MARK: Following

    @Test func followersGetTheOtherServersEventsInOrder() async throws {
        try await withTwoClients { here, there in
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

    @Test func waitingRequestsSeeTheOtherServersEvents() async throws {
        try await withTwoClients { here, there in
            for number in 1...10 {
                let tag = try #require(try await there.get("/route").header("ETag"))
                async let waiting = there.get("/route", headers: ["If-None-Match": tag, "Prefer": "wait=60"])
                try await here.emit("test.push", ["number": .int(number)])
                let answer = try await waiting
                #expect(answer.status == 200)
                #expect(try answer.decode(Document.Route.self).version == number)
            }
        }
    }

    @Test func aSessionEndsOnBothServers() async throws {
        try await withTwoClients { here, there in
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

    /// Prints the time that an event needs to reach the followers of another server (at most 250 ms).
    @Test func eventsReachTheOtherServerInTime() async throws {
        try await withTwoClients { here, there in
            let stream = try await there.follow()
            #expect(await stream.next()?.id == 0)
            var delays: [Duration] = []
            for number in 1...200 {
                let beginning = ContinuousClock.now
                _ = try await here.post("/events", json: push(number), headers: ["Prefer": "return=minimal"])
                #expect(await stream.next()?.id == number)
                delays.append(.now - beginning)
            }
            delays.sort()
            print("From one server to the stream of another: p50 \(delays[100]), p90 \(delays[180]), \(delays[199])")
        }
    }
}
