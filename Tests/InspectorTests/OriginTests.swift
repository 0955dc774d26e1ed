import CoordinateServer
import CoordinateSessions
import CoordinateTesting
import SessionFixtures
import Testing
import WebDriver

extension Inspector {
    /// The origin of events that no client sent.
    struct OriginTests {
        private let world = World()

        /// A page in which a client started work, and the work reported an event: version 2.
        private func withOrigins(_ body: (Page, TestServer, Server) async throws -> Void) async throws {
            let host = try Server.showing(WorkApp(world))
            try await withInspector(of: host) { page, server in
                try await page.waitUntilLive()
                let client = server.client(headers: ["Session": try await page.session()])
                try await client.emit("work.ask", ["name": "prices"])
                try await page.wait(until: 1)
                _ = await world.call(0)
                world.finish("prices")
                try await page.wait(until: 2)
                try await body(page, server, host)
            }
        }

        /// Causes an event of a timer, version 4, and one of the host, version 5.
        private func goOn(_ page: Page, _ server: TestServer, _ host: Server) async throws {
            let client = server.client(headers: ["Session": try await page.session()])
            try await client.emit("work.setTimer", ["seconds": 0])
            try await page.wait(until: 4)
            let id = try #require(SessionID(try await page.session()))
            try await host.emit(WorkEvents.didHear("news"), into: id)
            try await page.wait(until: 5)
        }

        private func origins(_ page: Page) async throws -> [String] {
            try await page.evaluate(
                "return seen('#entries [data-event]', null).map((entry) => said(entry.querySelector('.entry-origin')))"
            ).array.compactMap(\.string)
        }

        @Test func theJournalShowsOriginsAlsoAfterAReload() async throws {
            try await withOrigins { page, server, host in
                try await goOn(page, server, host)
                let expected = ["from the host", "from timer 3-1", "", "from work 1-1", ""]
                #expect(try await origins(page) == expected)
                #expect(try await page.texts(".entry-origin").count == 3)
                try await page.evaluate("document.body.dataset.version = 'old'; location.reload()")
                try await page.wait(until: 5)
                #expect(try await origins(page) == expected)
                #expect(try await page.texts(".entry-origin").count == 3)
            }
        }

        @Test func theBannerNamesTheWorkBehindAnEvent() async throws {
            try await withOrigins { page, server, host in
                let origin = try await page.texts("#story-origin")
                #expect(origin == [#"Background task "prices" (started at version 1) reported"#])
                #expect(try await page.texts("#story-event") == ["work.didFinish"])
                let announced = try await page.evaluate("return document.querySelector('#announcer').textContent")
                let sentence =
                    #"Background task "prices" (started at version 1) reported work.didFinish, "#
                    + "handled by WorkPageCoordinator."
                #expect(announced.string?.contains(sentence) == true)
                try await goOn(page, server, host)
                #expect(try await page.texts("#story-origin") == ["The host emitted"])
                #expect(try await page.texts("#rows .row-title") == ["prices: done", "fired", "heard news"])
                try await page.click("#entries [data-version='4'] .entry-travel")
                try await page.wait(until: 4)
                #expect(try await page.texts("#story-origin") == [#"Timer "timer" (set at version 3) fired"#])
                try await page.click("#entries [data-version='1'] .entry-travel")
                try await page.wait(until: 1)
                #expect(try await page.texts("#story-origin") == ["Event"])
            }
        }

        @Test func theBannerShowsTheIDIfTheNameIsUnknown() async throws {
            try await withOrigins { page, server, _ in
                let address = "\(server.url)/#session=\(try await page.session())"
                try await withPage { other in
                    try await other.open(address)
                    try await other.wait(until: 2)
                    let origin = try await other.texts("#story-origin")
                    #expect(origin == ["Background task 1-1 (started at version 1) reported"])
                }
            }
        }

        @Test func anEventThatOnlyTheAppEmitsCannotBeCopied() async throws {
            try await withOrigins { page, _, _ in
                try await page.wait(untilGone: "#entries [data-version='2'] .entry-copy")
                #expect(try await page.texts("#entries [data-version='1'] .entry-copy").count == 1)
                try await page.click("#entries [data-version='2'] .entry-json")
                try await page.wait(for: "#raw-curl:disabled")
                try await page.click("#raw-route")
                try await page.wait(for: "#raw-curl:enabled")
            }
        }

        @Test func onANarrowScreenTheOriginIsAnIconWithAText() async throws {
            try await withOrigins { page, _, _ in
                try await page.resize(width: 360, height: 740)
                #expect(try await page.texts("#story-icon").count == 1)
                let origin = try await page.texts("#story-origin")
                #expect(origin == [#"Background task "prices" (started at version 1) reported"#])
            }
        }
    }
}
