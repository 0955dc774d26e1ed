import Coordinate
import CoordinateServer
import CoordinateSessions
import CoordinateTesting
import SessionFixtures
import Testing
import WebDriver

extension Inspector {
    /// Pending work and timers, and the events that they emit. `Tests/page/screen.test.js` has their texts.
    struct PendingTests {
        private let world = World()

        /// A page with work that is pending from version 1 on, and a timer that is set at version 2.
        private func withPending(
            clock: SessionClock = .system, _ body: (Page, SessionClient, Server) async throws -> Void
        ) async throws {
            let host = try Server.showing(WorkApp(world), clock: clock)
            try await withInspector(of: host) { page, server in
                try await page.waitUntilLive()
                #expect(try await page.texts("#pending").isEmpty)
                let client = server.client(headers: ["Session": try await page.session()])
                try await client.emit("work.ask", ["name": "prices"])
                try await client.emit("work.setTimer", ["seconds": 300])
                try await page.wait(until: 2)
                try await body(page, client, host)
            }
        }

        @Test func pendingWorkIsShownUntilItsEventArrives() async throws {
            try await withPending { page, client, host in
                #expect(try await page.texts("[data-kind=work] .pending-words") == ["prices WorkPageCoordinator"])
                #expect(try await page.texts("[data-kind=work] .pending-state") == ["running"])
                _ = await world.call(0)
                world.finish("prices")
                try await page.wait(until: 3)
                #expect(try await page.texts("#pending .pending-name") == ["timer"])
                let origin = #"Background task "prices" (started at version 1) reported"#
                #expect(try await page.texts("#story-origin") == [origin])
                let sentence = "\(origin) work.didFinish, handled by WorkPageCoordinator."
                #expect(try await page.announced().contains(sentence))
                // An event that only the app emits cannot be copied.
                let copies = "return [...document.querySelectorAll('#frames .frame-copy')].map(({ hidden }) => hidden)"
                #expect(try await page.evaluate(copies) == [true, false, false, true])
                try await page.pressTool("json", of: 3)
                try await page.wait(for: "#raw-curl:disabled")
                try await page.click("#raw-route")
                try await page.wait(for: "#raw-curl:enabled")
                try await page.click("#raw-close")
                try await client.emit("work.cancel", ["name": "timer"])
                try await client.emit("work.setTimer", ["seconds": 0])
                try await page.wait(until: 6)
                try await host.emit(WorkEvents.didHear("news"), into: try #require(SessionID(try await page.session())))
                try await page.wait(until: 7)
                #expect(try await page.texts("#pending").isEmpty)
                let told = "seen('.frame-more', null).map(said).filter((text) => text.includes('from '))"
                let tells = """
                    ["from work 1-1", "from timer 5-1", "from the host"]
                      .every((origin, index) => \(told)[index]?.includes(origin))
                    """
                try await page.wait("for the origins", until: tells)
                try await page.reload(until: 7)
                try await page.wait("for the origins", until: tells)
                // A page that was not there when the work began has no name for it.
                try await page.travel(to: 3)
                try await page.expect(
                    "#story-origin", shows: ["Background task 1-1 (started at version 1) reported"])
                try await page.click("#now")
                try await page.wait(for: "#story-icon")
                #expect(try await page.texts("#story-origin") == ["The host emitted"])
            }
        }

        @Test func workFromTheStartIsShownWhenThePageOpens() async throws {
            try await withServer(try Server.showing(WorkApp(world)), over: .socket) { server in
                let id = try await server.session(["options": ["asksAtStart": true, "firstTimer": 300]])
                try await withPage { page in
                    try await page.open("\(server.url)/#session=\(id)")
                    try await page.wait(until: 0)
                    #expect(try await page.texts("#pending .pending-name") == ["start", "timer"])
                }
            }
        }

        @Test func aTimerCountsDownWithoutBeingAnnounced() async throws {
            try await withPending { page, _, _ in
                let left = try await page.texts("[data-kind=timer] [role=timer]")[0]
                #expect(left.hasPrefix("in 4 min ") || left == "in 5 min 0 s")
                let isSpoken =
                    "return document.querySelector('[role=timer]').closest('[aria-live],[role=status],[role=alert]')"
                #expect(try await page.evaluate(isSpoken) == .null)
                let before = try await page.announced()
                #expect(before.hasSuffix("Pending: prices, timer."))
                try await page.wait(
                    "for the next second", until: "seen('[role=timer]', null).map(said)[0] !== given[0]", .string(left))
                #expect(try await page.announced() == before)
            }
        }

        @Test func inThePastATimerShowsItsDueTime() async throws {
            try await withPending(clock: ManualClock().clock) { page, client, _ in
                for name in ["prices", "timer"] { try await client.emit("work.cancel", ["name": .string(name)]) }
                try await page.wait(until: 4)
                #expect(try await page.texts("#pending").isEmpty)
                try await page.travel(to: 2)
                #expect(try await page.texts("#pending-heading") == ["Was pending"])
                let due = try await page.texts("[data-kind=timer] .pending-state")[0]
                #expect(due.hasPrefix("due ") && due.hasSuffix(":35:00"))
                try await page.click("#now")
                try await page.wait(untilGone: "#pending")
            }
        }

        @Test func pendingWorkFitsThePageAndScrollsByKeyboard() async throws {
            try await withPending { page, client, _ in
                for motion in [true, false] {
                    try await page.prefer(motion: motion)
                    let moves = "document.getAnimations().some(({ effect }) => effect.target.matches('.activity'))"
                    try await page.wait("for the ring", until: "\(moves) === given[0]", .bool(motion))
                }
                for width in [1_440, 1_280, 1_024, 360] {
                    try await page.resize(width: width, height: 740)
                    if width < 768 {
                        try await page.expect("#show-panel", shows: ["Details 2 pending"])
                        try await page.click("#show-panel")
                    }
                    if width == 1_280 { try await page.click("#tree-tab") }
                    try await page.expect("#pending .pending-name", shows: ["prices", "timer"])
                    try await page.expectNoOverflow()
                }
                #expect(try await page.texts("#pending[tabindex]").isEmpty)
                for number in 3...30 { try await client.emit("work.ask", ["name": "part \(number)"]) }
                try await page.wait(until: 30)
                try await page.wait(for: "#pending[tabindex='0']")
                // An ended session has nothing pending. Changes are requested until the end, and refused after it.
                try await page.click("#happened-tab")
                try await page.wait(for: "#changed-list li")
                try await page.click("#connection")
                try await page.click("#session-end")
                try await page.click("#ending-end")
                try await page.wait(for: "#ended")
                #expect(try await page.texts("#pending").isEmpty)
            }
        }
    }
}
