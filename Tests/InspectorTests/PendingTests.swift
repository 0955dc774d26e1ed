import CoordinateTesting
import SessionFixtures
import Testing
import WebDriver

extension Inspector {
    /// Pending work and timers, and the events that they emit. `Tests/page/panel.test.js` has their texts.
    struct PendingTests {
        private let world = World()

        /// A page with work that is pending from version 1 on, and a timer that is set at version 2.
        private func withPending(_ body: (Page, SessionClient) async throws -> Void) async throws {
            try await withInspector(of: WorkApp(world)) { page, server in
                try await page.waitUntilLive()
                #expect(try await page.texts("#pending").isEmpty)
                let client = server.client(headers: ["Session": try await page.session()])
                try await client.emit("work.ask", ["name": "prices"])
                try await client.emit("work.setTimer", ["seconds": 300])
                try await page.wait(until: 2)
                try await body(page, client)
            }
        }

        @Test func pendingWorkIsShownUntilItsEventArrives() async throws {
            try await withPending { page, _ in
                #expect(try await page.texts("[data-kind=work] .pending-words") == ["prices WorkPageCoordinator"])
                // A timer counts down, but is not announced each second.
                let left = try await page.texts("[data-kind=timer] [role=timer]")[0]
                let isSpoken =
                    "return document.querySelector('[role=timer]').closest('[aria-live],[role=status],[role=alert]')"
                #expect(try await page.evaluate(isSpoken) == .null)
                let before = try await page.announced()
                #expect(before.hasSuffix("Pending: prices, timer."))
                try await page.wait(
                    "for the next second", until: "seen('[role=timer]', null).map(said)[0] !== given[0]", .string(left))
                #expect(try await page.announced() == before)
                _ = await world.call(0)
                world.finish("prices")
                try await page.wait(until: 3)
                #expect(try await page.texts("#pending .pending-name") == ["timer"])
                let origin = #"Background task "prices" (started at version 1) reported"#
                #expect(try await page.texts("#story-origin") == [origin])
                let sentence = "\(origin) work.didFinish, handled by WorkPageCoordinator."
                #expect(try await page.announced().contains(sentence))
            }
        }

        @Test func pendingWorkFitsThePageAndScrollsByKeyboard() async throws {
            try await withPending { page, client in
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
