import CoordinateTesting
import Racing
import SessionFixtures
import Testing

@testable import CoordinateServer

/// A server continues with the journal of another one. Its clients notice only the end of their connections.
struct RestartTests {
    private let clock = ManualClock()

    @Test(arguments: Store.Kind.available) func noRequestSeesASessionBeforeItsDueTimers(kind: Store.Kind) async throws {
        let store = try await Store(kind)
        var known: [(id: String, tag: String)] = []
        try await withApp(WorkApp(), on: store, clock: clock.clock) { server in
            for _ in 0..<3 {
                let client = server.client()
                try await client.emit("work.setTimer", ["seconds": 10])
                let tag = try #require(try await client.get("/route").header("ETag"))
                known.append((try #require(client.sessionID), tag))
            }
        }
        clock.advance(by: 60)
        try await withApp(WorkApp(), on: store, clock: clock.clock) { server in
            let clients = known.map { server.client(headers: ["Session": $0.id]) }
            let read = try await clients[0].get("/route", headers: ["If-None-Match": known[0].tag])
            #expect(read.status == 200)
            #expect(try read.json["screen"]?["rows"]?[0]?["title"] == "fired")
            let event: JSON = ["event": "work.look"]
            let late = try await clients[1].post("/events", json: event, headers: ["If-Match": known[1].tag])
            #expect(late.status == 412)
            let page = try await clients[2].get("/app/work", headers: ["Accept": "text/html"])
            #expect(page.text.contains("fired"))
            for client in clients { #expect(try await client.session().version == 2) }
        }
    }

    @Test(arguments: Store.Kind.available) func tagsDifferByAppVersion(kind: Store.Kind) async throws {
        let store = try await Store(kind)
        var known: (id: String, tag: String)?
        try await withApp(TestApp(version: "1.0"), on: store) { server in
            let client = server.client()
            try await client.emit("test.push", ["number": 1])
            known = (try #require(client.sessionID), try #require(try await client.get("/route").header("ETag")))
        }
        let (id, tag) = try #require(known)
        try await withApp(TestApp(version: "1.1"), on: store) { server in
            let client = server.client(headers: ["Session": id])
            // It may look different now, …
            let answer = try await client.get("/route", headers: ["If-None-Match": tag])
            #expect(answer.status == 200)
            #expect(answer.header("ETag") != tag)
            #expect(try await client.get("/route?version=1", headers: ["If-None-Match": tag]).status == 200)
            // … but it is the same version of the session.
            let stale = ["If-Match": "\"0-\(tag.dropFirst(3))"]
            #expect(try await client.post("/events", json: ["event": "navigation.back"], headers: stale).status == 412)
            let fresh = ["If-Match": tag]
            #expect(try await client.post("/events", json: ["event": "navigation.back"], headers: fresh).status == 200)
            #expect(try await client.session().appVersion == "1.0")
            let entries = try await client.get("/events").json["events"]?.array ?? []
            #expect(entries.map { $0["appVersion"] } == ["1.0", nil])
            let lines = try await client.exportedJournal().split(separator: UInt8(ascii: "\n"))
            #expect(String(decoding: lines[2], as: UTF8.self).contains(#""appVersion":"1.1""#))
        }
        try await withApp(TestApp(version: "1.0"), on: store) { server in
            let client = server.client(headers: ["Session": id])
            let answer = try await client.get("/route?version=1", headers: ["If-None-Match": tag])
            #expect(answer.status == 304)
        }
    }
}
