import Coordinate
import CoordinateServer
import CoordinateSessions
import CoordinateTesting
import Foundation
import SessionFixtures
import Testing
import WebDriver

extension Inspector {
    /// Pending work and timers.
    struct PendingTests {
        private let world = World()

        /// A page with work that is pending from version 1 on, and a timer that is set at version 2.
        private func withPending(
            seconds: Int = 300, clock: SessionClock = .system, size: (width: Int, height: Int) = (1_440, 900),
            _ body: (Page, SessionClient) async throws -> Void
        ) async throws {
            try await withInspector(of: WorkApp(world), clock: clock, size: size) { page, server in
                try await page.waitUntilLive()
                #expect(try await page.texts("#pending").isEmpty)
                let client = server.client(headers: ["Session": try await page.session()])
                try await client.emit("work.ask", ["name": "prices"])
                try await client.emit("work.setTimer", ["seconds": .int(seconds)])
                try await page.wait(until: 2)
                try await body(page, client)
            }
        }

        @Test func pendingWorkIsShownWithItsCoordinator() async throws {
            try await withPending { page, client in
                #expect(try await page.texts("[data-kind=work] .pending-words") == ["prices WorkPageCoordinator"])
                #expect(try await page.texts("[data-kind=work] .pending-state") == ["running"])
                #expect(try await page.texts(".pending-post").isEmpty)
                #expect(try await page.texts("#pending-heading") == ["Pending"])
                _ = await world.call(0)
                world.finish("prices")
                try await page.wait(until: 3)
                #expect(try await page.texts("#pending .pending-name") == ["timer"])
                try await client.emit("work.cancel", ["name": "timer"])
                try await page.wait(until: 4)
                #expect(try await page.texts("#pending").isEmpty)
            }
        }

        @Test func workFromTheStartIsShownWhenThePageOpens() async throws {
            try await withServer(try Server.showing(WorkApp(world))) { server in
                let id = try await server.session(["options": ["asksAtStart": true, "firstTimer": 300]])
                try await withPage { page in
                    try await page.open("\(server.url)/#session=\(id)")
                    try await page.wait(until: 0)
                    #expect(try await page.texts("#pending .pending-name") == ["start", "timer"])
                }
            }
        }

        @Test func aTimerCountsDown() async throws {
            try await withPending { page, _ in
                let first = try await page.texts("[data-kind=timer] [role=timer]")[0]
                #expect(first.hasPrefix("in 4 min ") || first == "in 5 min 0 s")
                try await page.wait(
                    "for the next second", until: "seen('[role=timer]', null).map(said)[0] !== given[0]", .string(first)
                )
            }
        }

        @Test(arguments: [(7_555, "in 2 h 5 min "), (179_990, "in 2 d 1 h 59 min")])
        func theRemainingTimeIsShownInFittingUnits(seconds: Int, text: String) async throws {
            try await withPending(seconds: seconds) { page, _ in
                let left = try await page.texts("[role=timer]")[0]
                #expect(left.hasPrefix(text))
            }
        }

        @Test func aLateTimerIsDueNow() async throws {
            try await withPending(seconds: 1, clock: .stopped) { page, _ in
                try await page.wait(for: "[role=timer]", text: "due now")
            }
        }

        @Test func theCountdownIsNotAnnounced() async throws {
            try await withPending { page, _ in
                let isSpoken =
                    "return document.querySelector('[role=timer]').closest('[aria-live],[role=status],[role=alert]')"
                #expect(try await page.evaluate(isSpoken) == .null)
                let announced = { try await page.evaluate("return document.querySelector('#announcer').textContent") }
                let before = try await announced()
                #expect(before.string?.hasSuffix("Pending: prices, timer.") == true)
                let left = try await page.texts("[role=timer]")[0]
                try await page.wait(
                    "for the next second", until: "seen('[role=timer]', null).map(said)[0] !== given[0]", .string(left))
                #expect(try await announced() == before)
            }
        }

        @Test func inThePastATimerShowsItsDueTime() async throws {
            try await withPending(clock: ManualClock().clock) { page, client in
                for name in ["prices", "timer"] { try await client.emit("work.cancel", ["name": .string(name)]) }
                try await page.wait(until: 4)
                #expect(try await page.texts("#pending").isEmpty)
                try await page.click("#entries [data-version='2'] .entry-travel")
                try await page.wait(for: "body.in-past")
                #expect(try await page.texts("#pending-heading") == ["Was pending"])
                #expect(try await page.texts("[data-kind=work] .pending-state") == ["was running"])
                let due = try await page.texts("[data-kind=timer] .pending-state")[0]
                #expect(due.hasPrefix("due ") && due.hasSuffix(":35:00"))
                #expect(try await page.texts("[role=timer]").isEmpty)
                try await page.click("#now")
                try await page.wait(untilGone: "#pending")
            }
        }

        @Test(arguments: [true, false])
        func theActivityRingRespectsReducedMotion(motion: Bool) async throws {
            try await withPending { page, _ in
                try await page.prefer(motion: motion)
                let moves = "return document.getAnimations().some(({ effect }) => effect.target.matches('.activity'))"
                #expect(try await page.evaluate(moves) == .bool(motion))
            }
        }

        @Test func anEndedSessionHasNothingPending() async throws {
            try await withPending { page, _ in
                // Changes are requested until the end, and would be refused after it.
                try await page.wait(for: "#changed-list li")
                try await page.click("#connection")
                try await page.click("#session-end")
                try await page.click("#ending-end")
                try await page.wait(for: "#ended")
                #expect(try await page.texts("#pending").isEmpty)
            }
        }

        @Test func aLongListScrollsByKeyboard() async throws {
            try await withPending { page, client in
                #expect(try await page.texts("#pending[tabindex]").isEmpty)
                for number in 3...30 { try await client.emit("work.ask", ["name": "part \(number)"]) }
                try await page.wait(until: 30)
                try await page.wait(for: "#pending[tabindex='0']")
            }
        }

        @Test(arguments: [(360, 740), (1_024, 700), (1_280, 800)])
        func pendingWorkFitsThePage(width: Int, height: Int) async throws {
            try await withPending(size: (width, height)) { page, _ in
                if width < 768 {
                    #expect(try await page.texts("#show-tree") == ["Tree 2 pending"])
                    try await page.click("#show-tree")
                }
                #expect(try await page.texts("#pending .pending-name") == ["prices", "timer"])
                let overflow = "return document.documentElement.scrollWidth - innerWidth"
                #expect(try await page.evaluate(overflow).int ?? 1 <= 0)
            }
        }
    }
}

extension SessionClock {
    /// A clock that always shows the time of its creation.
    fileprivate static var stopped: SessionClock {
        let now = Timestamp(seconds: Int(Date().timeIntervalSince1970))
        return SessionClock(uptime: { 1_000 }, timestamp: { now })
    }
}
