import CoordinateTesting
import SessionFixtures
import Testing
import WebDriver

extension Inspector {
    /// Forks with withheld work: a person posts the outcomes.
    struct WithheldWorkTests {
        private let world = World()

        /// A page that shows version 2 of 3, in which the work "1-1" and the timer "2-1" are pending.
        private func withPendingPast(
            expecting expected: [Int] = [], _ body: (Page, TestServer) async throws -> Void
        ) async throws {
            try await withInspector(of: WorkApp(world), expecting: expected) { page, server in
                try await page.waitUntilLive()
                let client = server.client(headers: ["Session": try await page.session()])
                try await client.emit("work.ask", ["name": "prices"])
                try await client.emit("work.setTimer", ["seconds": 300])
                try await client.emit("work.look")
                try await page.wait(until: 3)
                try await page.travel(to: 2)
                try await body(page, server)
            }
        }

        /// Forks the shown version by keyboard, with its work withheld or not.
        private func fork(_ page: Page, withheld: Bool) async throws {
            let id = try await page.session()
            try await page.tab(to: "#fork")
            try await page.press(.enter)
            try await page.wait(for: "#forking")
            if withheld {
                try await page.tab(to: "#forking-withhold")
                try await page.press(" ")
            }
            try await page.tab(to: "#forking-go")
            try await page.press(.enter)
            try await page.wait(untilLeaving: id)
            try await page.wait(untilGone: "body.in-past")
            try await page.wait(until: 2)
        }

        @Test func aForkWithholdsItsWorkAndAcceptsPostedOutcomes() async throws {
            try await withPendingPast(expecting: [422]) { page, server in
                try await fork(page, withheld: true)
                let client = server.client(headers: ["Session": try await page.session()])
                #expect(try await client.session().work == .withheld)
                #expect(try await page.texts("#pending-withheld")[0].contains("timers do not fire"))
                #expect(try await page.texts("[data-kind=work] .pending-state") == ["withheld"])
                #expect(try await page.texts("[role=timer]").isEmpty)
                #expect(try await page.announced().hasSuffix("Work withheld. Pending: prices, timer."))

                try await page.click("[data-kind=timer] .pending-post")
                // Chooses an event that is not the timer's outcome, and then the right one.
                try await page.wait(for: "#palette-text:focus")
                try await page.type("work.didFail")
                try await page.press(.enter)
                try await page.wait(for: "#composer-event", text: "work.didFail")
                #expect(try await page.texts("#composer-what")[0].hasPrefix("Post the outcome of"))
                #expect(try await page.texts("#composer-from").isEmpty)
                try await page.fill("#composer [data-field=outcome]", with: "a: b")
                try await page.click("#composer-send")
                try await page.wait(for: "#composer-problem")
                try await page.click("#composer-problem .suggestion", text: "work.didFire")
                try await page.click("#composer-send")
                try await page.wait(until: 3)
                #expect(try await page.texts("#pending .pending-name") == ["prices"])
                try await page.wait(for: "#pending-heading:focus")

                try await page.click("[data-kind=work] .pending-post")
                try await page.wait(for: "#palette-text:focus")
                try await page.press(.enter)
                try await page.fill("#composer [data-field=outcome]", with: "prices: high")
                let copied = try await page.copied { try await page.click("#composer-copy") }
                #expect(copied.contains(#""pending":"1-1""#))
                try await page.click("#composer-send")
                try await page.wait(until: 4)
                #expect(try await page.texts("#pending .pending-name").isEmpty)
                #expect(
                    try await page.texts("#story-origin")
                        == [#"Posted as the outcome of "prices" (pending since version 1):"#])
                #expect(
                    try await page.texts("#frames [data-version='4'] .frame-more")[0].contains("outcome of 1-1"))
                #expect(try await client.journal(after: 2).events.map(\.pending) == ["2-1", "1-1"])
                // The sentence stays after a reload, when nothing is pending.
                try await page.reload(until: 4)
                try await page.wait(for: "#pending-withheld")
                let id = try await page.session()
                #expect(world.sessions.count <= 1, "only the original's")
                // A fork of it is withheld as well.
                try await page.travel(to: 1)
                #expect(try await page.texts("[data-kind=work] .pending-state") == ["was withheld"])
                #expect(try await page.texts(".pending-post").isEmpty)
                try await page.click("#fork")
                try await page.wait(untilLeaving: id)
                try await page.wait(untilGone: "body.in-past")
                try await page.wait(until: 1)
                try await page.wait(for: "#pending-withheld")
                let second = server.client(headers: ["Session": try await page.session()])
                #expect(try await second.session().work == .withheld)
                try await page.run("All sessions")
                try await page.wait(for: ".session-pending", text: "1 pending, withheld")
            }
        }

        @Test func aForkDoesItsWorkUnlessItIsWithheld() async throws {
            try await withPendingPast { page, server in
                try await fork(page, withheld: false)
                let client = server.client(headers: ["Session": try await page.session()])
                #expect(try await client.session().work == nil)
                #expect(try await page.texts("[data-kind=work] .pending-state") == ["running"])
                #expect(try await page.texts("#pending-withheld, .pending-post").isEmpty)
            }
        }
    }
}
