import Coordinate
import MicroHTTPD
import Racing
import SeededGenerator
import Testing

@testable import CoordinateServer

/// What a session loses with its tree is made again: without a server, by a clock that only the test moves.
struct PassiveSessionTests {
    @Test(arguments: [51, 52, 53, 54] as [UInt64])
    func aWalkWithInterruptionsLeadsToTheSamePlaces(seed: UInt64) throws {
        let clock = ManualClock()
        let host = AppHost(app: try RacingApp.make(), clock: clock.clock, logger: .silent, limits: .make())
        let steady = try Session(host: host)
        let sleepy = try Session(host: host)
        var generator = SeededGenerator(state: seed)
        for step in 0..<60 {
            let offered = try steady.withTree { tree, _ throws(SessionError) in
                let state = tree.root.navigationState
                let rows = state.screen.rows.flatMap { [$0.action, $0.delete] }
                let around = [state.back, state.dismiss] + state.tabs.map(\.action)
                return (rows + around).compactMap { $0 } + state.screen.actions
            }
            let action = try #require(offered.randomElement(using: &generator))
            let request = try EventRequest(
                .object([PlainField("event", .string(action.event)), PlainField("payload", action.payload)]))
            let retry = step % 3 == 0 ? Retry(key: "\(step)", body: [UInt8(step)], isMinimal: false) : nil
            if Bool.random(using: &generator) {
                clock.advance(by: 300)
                sleepy.passivate()
            }
            let outcomes = try [steady, sleepy].map { session in
                let outcome = try session.inject(request, retry: retry, wantsRoute: true)
                return String(decoding: OutcomeDocument.encode(outcome).bytes, as: UTF8.self)
                    .replacing(session.id.description, with: "…")
            }
            #expect(outcomes[0] == outcomes[1], "step \(step)")
            if Bool.random(using: &generator) {
                clock.advance(by: 300)
                sleepy.passivate()
            }
            let routes = try [steady, sleepy].map { session in
                let body = try session.withState { state throws(SessionError) in try session.routeBody(&state) }
                return String(decoding: body.bytes, as: UTF8.self).replacing(session.id.description, with: "…")
            }
            #expect(routes[0] == routes[1], "step \(step)")
            #expect(routes[0].contains(#""version":\#(step + 1),"#))
        }
    }

    @Test func aSessionThatIsUsedInTheLastMomentKeepsItsTree() throws {
        let clock = ManualClock()
        let app = TestApp()
        let host = AppHost(app: app, clock: clock.clock, logger: .silent, limits: .make(passivationTime: 60))
        let session = try Session(host: host)
        let living = app.lives.living
        clock.advance(by: 60)
        session.touch()
        session.passivate()
        #expect(app.lives.living == living)
        clock.advance(by: 60)
        session.passivate()
        #expect(app.lives.living == 0)
        #expect(try session.summary().version == 0)
        #expect(app.trees.value == 2)
        session.end()
    }

    @Test func noEventIsLostWhileSessionsFallAsleep() async throws {
        let clock = ManualClock()
        let app = TestApp()
        let host = AppHost(
            app: app, clock: clock.clock, logger: .silent, limits: .make(idleTime: .max / 2, passivationTime: 1))
        let registry = SessionRegistry(limit: 10, limits: host.limits, clock: clock.clock)
        let sessions = try (0..<3).map { _ in try Session(host: host) }
        for session in sessions { try registry.add(session) }
        let isDone = Switch()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for worker in 0..<6 {
                group.addTask {
                    for number in 0..<40 {
                        let session = try #require(registry.find(sessions[worker % 3].id))
                        let event = try EventRequest(
                            .object([
                                PlainField("event", .string("test.push")),
                                PlainField("payload", .object([PlainField("number", .int(number))])),
                            ]))
                        let outcome = try session.inject(event, wantsRoute: true)
                        #expect(outcome.path == "/stack/page/\(number)")
                        await Task.yield()
                    }
                }
            }
            group.addTask {
                while !isDone.isOn, !Task.isCancelled {
                    clock.advance(by: 1)
                    for session in sessions { session.passivate() }
                    await Task.yield()
                }
            }
            for _ in 0..<6 { try await group.next() }
            isDone.isOn = true
            try await group.waitForAll()
        }
        #expect(app.trees.value > 3)
        for session in sessions {
            let entries = try session.entries(after: 0, limit: 1_000).entries
            #expect(entries.map(\.version) == Array(1...80))
            let numbers = entries.map { $0.payload[field: "number"] }
            #expect((0..<40).allSatisfy { number in numbers.count { $0 == .int(number) } == 2 })
        }
        registry.endAll()
        #expect(app.lives.living == 0)
    }
}
