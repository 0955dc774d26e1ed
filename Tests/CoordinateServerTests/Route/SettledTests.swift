import CoordinateTesting
import SessionFixtures
import Testing

@testable import CoordinateServer

/// `?until=settled`: answered when nothing but timers is pending.
@Suite(.working) struct SettledTests {
    private static let wait = ["Prefer": "wait=60"]

    @Test func aSettledRouteIsAnsweredAtOnce() async throws {
        let answer = try await client.get("/route?until=settled", headers: Self.wait)
        #expect(answer.status == 200)
        #expect(try answer.json["pending"] == [])
        try await client.emit("work.setTimer", ["seconds": 500])
        let timed = try await client.get("/route?until=settled", headers: Self.wait)
        #expect(try timed.json["pending"]?[0]?["kind"] == "timer")
    }

    @Test func aNewSessionIsIntroducedAfterTheWait() async throws {
        world.plan("start", .success("hello"))
        let made = try await client.post("/sessions", json: ["options": ["asksAtStart": true]])
        #expect(made.status == 201)
        let answer = try await client.get(
            "/sessions/\(try made.json["id"]?.string ?? "")/route?until=settled", headers: Self.wait)
        #expect(try answer.json["screen"]?["rows"]?[0]?["title"] == "start: hello")
        let fresh = try await server.client().get("/route?until=settled", headers: Self.wait)
        #expect(fresh.header("Session") != nil)
        #expect(fresh.header("Set-Cookie") != nil)
    }

    @Test func theLastOutcomeEndsTheWait() async throws {
        let tag = try #require(try await client.get("/route").header("ETag"))
        let known = ["If-None-Match": tag, "Prefer": "wait=60"]
        #expect(try await client.get("/route?until=settled", headers: known).status == 304)
        for name in ["one", "two"] { try await client.emit("work.ask", ["name": .string(name)]) }
        async let answer = client.get("/route?until=settled", headers: known)
        _ = await world.call(1)
        world.finish("one")
        world.finish("two")
        let settled = try await answer
        #expect(settled.status == 200)
        #expect(try settled.json["version"] == 4)
    }

    @Test func theTimeLimitEndsTheWait() async throws {
        try await client.emit("work.ask", ["name": "pay"])
        for headers in [[:], ["Prefer": "wait=1"]] {
            let answer = try await client.get("/route?until=settled", headers: headers)
            #expect(answer.status == 200)
            #expect(try answer.json["pending"]?[0]?["name"] == "pay")
            #expect(try answer.json["pending"]?[0]?["kind"] == "work")
        }
        let tag = try #require(try await client.get("/route").header("ETag"))
        let known = ["If-None-Match": tag, "Prefer": "wait=1"]
        #expect(try await client.get("/route?until=settled", headers: known).status == 304)
        world.finish("pay")
    }

    /// Work runs on its own threads, so requests do not wait for it.
    @Test func requestsAreAnsweredDuringMuchWork() async throws {
        for number in 0..<20 {
            try await server.client().emit("work.ask", ["name": .string("\(number)")])
        }
        _ = await world.call(19)
        let probe = try await server.client().get("/livez")
        #expect(probe.status == 200)
        let metrics = try await server.client().get("/metrics")
        #expect(metrics.text.contains("coordinate_work_running 20\n"))
        for number in 0..<20 { world.finish("\(number)") }
    }
}
