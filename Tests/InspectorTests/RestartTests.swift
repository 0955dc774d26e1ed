import CoordinateSessions
import CoordinateTesting
import Dispatch
import SessionFixtures
import Testing
import WebDriver

@testable import CoordinateServer

extension Inspector {
    /// The server stops, and another one goes on at its address with what is in the journal: the page was cut off for a
    /// moment, and is in its session again.
    struct RestartTests {
        private let journal = MemoryJournal()

        /// A page in a session of its own, two events in, on a team's details.
        ///
        /// - Returns: What it shows. The server is gone again.
        private func beginSession(port: UInt16, _ page: Page) async throws -> Sight {
            try await withRacing(port: port, journal: journal) { server in
                try await page.open(server.url)
                try await page.waitUntilLive()
                try await page.press("#actions button", text: "Continue", version: 1)
                try await page.press("#rows [data-row=ferrari] .tap", version: 2)
                return try await page.sight()
            }
        }

        @Test func whileTheServerIsAwayThePageSaysSoAndShowsWhatItKnew() async throws {
            try await withPage(withoutServer: true) { page in
                let port = try await portOfItsOwn()
                let known = try await beginSession(port: port, page)
                try await page.wait(for: "#lost")
                #expect(try await page.texts("[role=status] #lost")[0].contains("The server is away"))
                #expect(try await page.sight() == known)
                for selector in ["#actions button", "#entries [data-version='1'] .entry-travel"] {
                    try await page.click(selector)
                    try await page.wait(for: "#problem")
                    #expect(try await page.texts("#problem")[0].contains("does not answer"))
                    try await page.click("#problem-close")
                    try await page.wait(untilGone: "#problem")
                    #expect(try await page.sight() == known)
                }
                try await withRacing(port: port, journal: journal) { _ in
                    try await page.waitUntilLive()
                    try await page.wait(untilGone: "#lost")
                    #expect(try await page.sight() == known)
                    try await page.press("#actions button", text: "Add to favorites", version: 3)
                }
            }
        }

        @Test(arguments: [(0, false), (3, false), (60, false), (60, true)])
        func thePageIsInItsSessionAgainWithAllThatHappened(events: Int, isRefusedFirst: Bool) async throws {
            try await withPage(withoutServer: true) { page in
                let port = try await portOfItsOwn()
                _ = try await beginSession(port: port, page)
                let id = try await page.session()
                try await page.wait(for: "#lost")
                if isRefusedFirst {
                    let journal = FailingJournal(journal)
                    journal.fail(with: .unavailable)
                    try await withRacing(port: port, journal: journal) { _ in try await page.waitUntilRefused() }
                }
                // Another address, so that the page does not find it yet.
                try await withRacing(journal: journal) { server in
                    let client = server.client(headers: ["Session": id])
                    for number in 0..<events {
                        try await client.emit(
                            number % 2 == 0 ? "teams.setFavorite" : "teams.unsetFavorite", ["team": "ferrari"])
                    }
                }
                try await withRacing(port: port, journal: journal) { server in
                    let client = server.client(headers: ["Session": id])
                    try await page.waitUntilLive()
                    try await page.wait(until: events + 2)
                    try await page.wait(untilGone: "#lost")
                    try await client.emit("navigation.selectTab", ["tab": "DriversCoordinator"])
                    try await page.wait(until: events + 3)
                    try await page.press("#rows [data-row=leclerc] .tap", version: events + 4)
                    #expect(try await page.session() == id)
                    #expect(try await page.versionsInJournal() == Array((1...events + 4).reversed()))
                    #expect(try await client.session().version == events + 4)
                }
            }
        }

        @Test func aServerWithoutItsJournalIsTriedAgain() async throws {
            try await withPage(withoutServer: true) { page in
                let port = try await portOfItsOwn()
                let known = try await beginSession(port: port, page)
                let journal = FailingJournal(journal)
                journal.fail(with: .unavailable)
                try await withRacing(port: port, journal: journal) { _ in
                    try await page.waitUntilRefused()
                    try await page.wait(for: "#lost")
                    #expect(try await page.sight() == known)
                    journal.fail(with: nil)
                    try await page.waitUntilLive()
                    try await page.press("#actions button", text: "Add to favorites", version: 3)
                }
            }
        }

        @Test func aSessionThatIsGoneSaysSoAndOffersANewOne() async throws {
            try await withPage(expecting: [404], withoutServer: true) { page in
                let port = try await portOfItsOwn()
                _ = try await beginSession(port: port, page)
                let id = try await page.session()
                try await page.wait(for: "#lost")
                try await withRacing(port: port) { _ in
                    try await page.wait(for: "#ended")
                    try await page.wait(untilGone: "#lost")
                    try await page.startAnew()
                    try await page.wait(until: 0)
                    try await page.waitUntilLive()
                    #expect(try await page.session() != id)
                    try await page.press("#actions button", text: "Continue", version: 1)
                }
            }
        }

        @Test func whatOfTheJournalCouldNotBeReadIsReadAfterwards() async throws {
            try await withPage(withoutServer: true) { page in
                let port = try await portOfItsOwn()
                try await withRacing(port: port, journal: journal) { server in
                    try await page.open(server.url)
                    try await page.waitUntilLive()
                    try await page.evaluate(
                        """
                        window.whole = fetch;
                        fetch = async (path, request) => {
                          if (path.includes("?after=")) throw new TypeError("cut off");
                          return whole(path, request);
                        };
                        """)
                    try await server.client(headers: ["Session": try await page.session()]).emit("splash.didFinish")
                    try await page.wait(until: 1)
                    #expect(try await page.versionsInJournal() == [])
                }
                try await page.wait(for: "#lost")
                try await page.evaluate("fetch = whole")
                try await withRacing(port: port, journal: journal) { _ in
                    try await page.waitUntilLive()
                    try await page.wait(for: "#entries [data-version='1']")
                    #expect(try await page.sight().path == "/main/teams")
                }
            }
        }

        // MARK: What the page sends

        @Test(arguments: [true, false])
        func anEventThatIsCutOffHappensOnceOrNotAtAll(happens: Bool) async throws {
            try await withPage(withoutServer: true) { page in
                let port = try await portOfItsOwn()
                let held = HeldJournal(journal)
                let server = try Server.racing(port: port, journal: held)
                try await withServer(server) { running in
                    try await page.open(running.url)
                    try await page.waitUntilLive()
                    held.hold()
                    try await page.click("#actions button", text: "Continue")
                    await held.somebodyWaits()
                    await server.stopAtOnce()
                    try await page.wait(for: "#problem")
                    try await page.wait(for: "#lost")
                    #expect(try await page.sight().entries.isEmpty)
                }
                let id = try #require(SessionID(try await page.session()))
                if happens {
                    held.release()
                    while try journal.read(id, after: 0, limit: 1).now().isEmpty { await Task.yield() }
                }
                try await withRacing(port: port, journal: journal) { _ in
                    try await page.waitUntilLive()
                    if !happens { try await page.click("#actions button", text: "Continue") }
                    try await page.wait(until: 1)
                    #expect(try await page.sight().entries == ["splash.didFinish"])
                    try await page.press("#rows [data-row=ferrari] .tap", version: 2)
                }
            }
        }

        @Test(arguments: ["throw new TypeError('cut off')", "return new Response('{')"])
        func whatIsSentAgainBecauseNoAnswerCameHappensOnce(cut: String) async throws {
            try await withInspector { page, server in
                let client = server.client()
                try await client.emit("splash.didFinish")
                // A page that no stream tells of anything, …
                try await page.evaluate(
                    """
                    EventSource = class extends EventTarget { close() {} };
                    location.hash = `#session=${arguments[0]}`;
                    """, .string(try #require(client.sessionID)))
                try await page.wait(until: 1)
                // … and does not get the next answer either.
                try await page.evaluate(
                    """
                    const whole = fetch;
                    fetch = async (path, request) => {
                      const answer = await whole(path, request);
                      if (request.method !== "POST") return answer;
                      fetch = whole;
                      \(cut);
                    };
                    """)
                try await page.click("#rows [data-row=ferrari] .tap")
                try await page.wait(for: "#problem")
                #expect(try await client.session().version == 2)
                #expect(try await page.evaluate("return document.body.dataset.version") == "1")
                try await page.press("#rows [data-row=ferrari] .tap", version: 2)
                #expect(try await client.session().version == 2)
                // Later, the same is another event.
                try await page.press("#back", version: 3)
                try await page.press("#rows [data-row=ferrari] .tap", version: 4)
                #expect(try await page.versionsInJournal() == [4, 3, 2, 1])
            }
        }

        /// A port that nobody else is given while its server is away: one below those that systems choose from.
        private func portOfItsOwn() async throws -> UInt16 {
            while true {
                let port = UInt16.random(in: 20_000..<30_000)
                do {
                    return try await withRacing(port: port) { _ in port }
                } catch ServerError.unavailable {}
            }
        }
    }
}

extension Server {
    /// Stops without waiting for requests under way, on a thread of its own.
    fileprivate func stopAtOnce() async {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                self.stop(deadline: .zero)
                continuation.resume()
            }
        }
    }
}

extension Page {
    /// Waits until a server without its journal has refused the page. The browser does not try a stream again that was
    /// refused; the page asks why it was.
    fileprivate func waitUntilRefused() async throws {
        let isRefused = "name.endsWith('/route') && responseStatus === 503"
        try await wait(
            "to be refused",
            until: """
                performance.getEntriesByType("resource")
                  .filter(({ name, responseStatus }) => \(isRefused)).length > 1
                """)
    }

    /// The versions of the journal's entries, newest first.
    fileprivate func versionsInJournal() async throws -> [Int] {
        let script = "return seen('#entries [data-event]', null).map((entry) => Number(entry.dataset.version))"
        return try await evaluate(script).array.compactMap(\.int)
    }
}
