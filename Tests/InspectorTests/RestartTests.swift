import CoordinateSessions
import CoordinateTesting
import Dispatch
import SessionFixtures
import Testing
import WebDriver

@testable import CoordinateServer

extension Inspector {
    /// A server stops, and another one continues at its address with the same journal. The page reconnects to its
    /// session.
    struct RestartTests {
        private let journal = MemoryJournal()

        /// Starts a session with two events on a team's details, and stops the server.
        ///
        /// - Returns: What the page shows.
        private func beginSession(port: UInt16, _ page: Page) async throws -> Sight {
            try await withRacing(port: port, journal: journal) { server in
                try await page.open(server.url)
                try await page.begin()
                try await page.waitUntilLive()
                try await page.press("#actions button", text: "Continue", version: 1)
                try await page.press("#rows [data-row=ferrari] .tap", version: 2)
                return try await page.sight()
            }
        }

        @Test func withoutTheServerThePageShowsItsLastState() async throws {
            try await withPage(withoutServer: true) { page in
                let port = try await portOfItsOwn()
                let known = try await beginSession(port: port, page)
                try await page.wait(for: "#lost")
                #expect(try await page.texts("[role=status] #lost")[0].contains("Connection lost"))
                #expect(try await page.sight() == known)
                for selector in ["#actions button", "#frames [data-version='1'] .frame-travel"] {
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

        @Test(arguments: [3, 60])
        func thePageReconnectsAndCatchesUp(events: Int) async throws {
            try await withPage(withoutServer: true) { page in
                let port = try await portOfItsOwn()
                let known = try await beginSession(port: port, page)
                let id = try await page.session()
                try await page.wait(for: "#lost")
                // At another address, so that the page does not find it yet.
                try await withRacing(journal: journal) { server in
                    let client = server.client(headers: ["Session": id])
                    for number in 0..<events {
                        try await client.emit(
                            number % 2 == 0 ? "teams.setFavorite" : "teams.unsetFavorite", ["team": "ferrari"])
                    }
                }
                // At first, the server is without its journal.
                let journal = FaultyJournal(journal)
                journal.fail(with: .unavailable)
                try await withRacing(port: port, journal: journal) { server in
                    try await page.waitUntilRefused()
                    try await page.wait(for: "#lost")
                    #expect(try await page.sight() == known)
                    journal.fail(with: nil)
                    let client = server.client(headers: ["Session": id])
                    try await page.waitUntilLive()
                    try await page.wait(until: events + 2)
                    try await page.wait(untilGone: "#lost")
                    try await client.emit("navigation.selectTab", ["tab": "DriversCoordinator"])
                    try await page.wait(until: events + 3)
                    try await page.press("#rows [data-row=leclerc] .tap", version: events + 4)
                    #expect(try await page.session() == id)
                    try await page.wait(for: "#frames [data-version='\(events + 4)'] [aria-current]")
                    #expect(try await client.session().version == events + 4)
                }
            }
        }

        // MARK: Another build

        @Test func aSessionThatIsLostIsReplayed() async throws {
            try await withPage(expecting: [404], withoutServer: true) { page in
                let port = try await portOfItsOwn()
                let known = try await beginSession(port: port, page)
                let id = try await page.session()
                try await page.noteNotices()
                try await withRacing(port: port) { server in
                    try await page.wait(untilLeaving: id)
                    try await page.wait(until: 2)
                    try await page.wait("for the notice", until: "notices.includes('Rebuilt. 2 events replayed.')")
                    #expect(try await page.texts(".message").isEmpty)
                    #expect(try await page.sight() == known)
                    try await page.waitUntilLive()
                    try await page.press("#actions button", text: "Add to favorites", version: 3)
                    #expect(try await server.client().get("/sessions").json["sessions"]?.array.count == 1)
                }
            }
        }

        @Test func aStoredSessionIsReplayedInANewOne() async throws {
            try await withPage(expecting: [409, 422], withoutServer: true) { page in
                let port = try await portOfItsOwn()
                let first = try Server.showing(KioskApp(), port: port, journal: journal)
                let id = try await withServer(first, over: .socket) { server in
                    try await page.open(server.url)
                    try await page.begin()
                    try await page.waitUntilLive()
                    let id = try await page.session()
                    let client = server.client(headers: ["Session": id])
                    for step in 1...14 {
                        if step == 9 {
                            try await client.emit("kiosk.add", ["dish": "soup", "count": 1])
                        } else {
                            try await client.emit("kiosk.write", ["text": "", "serial": .int(step)])
                        }
                    }
                    try await page.wait(until: 14)
                    return id
                }
                let server = try Server.showing(app(with: .otherPath), port: port, journal: journal)
                try await withServer(server, over: .socket) { server in
                    try await page.click("#ended-new", text: "Replay in a new session")
                    try await page.wait(untilLeaving: id)
                    try await page.wait(until: 9)
                    let summary = "Rebuilt. 14 events replayed, 1 differs at step 9."
                    try await page.expect("#rebuilt-text", shows: [summary])
                    #expect(try await server.client().get("/sessions/\(id)").json["version"] == 14)
                    try await page.press(.escape)
                    try await page.wait(untilGone: "#rebuilt")
                    try await page.click("#now")
                    try await page.wait(until: 14)
                }
            }
        }

        @Test func theStartIsReadAgain() async throws {
            try await withPage(withoutServer: true) { page in
                let port = try await portOfItsOwn()
                try await withServer(try Server.showing(KioskApp(), port: port), over: .socket) { server in
                    try await page.open(server.url)
                    try await page.wait(for: "#actions button", text: "Draw")
                }
                try await page.wait(for: "#lost")
                let server = try Server.showing(app(with: .otherTitle), port: port)
                try await withServer(server, over: .socket) { server in
                    try await page.wait(untilGone: "#lost")
                    try await page.wait(for: "#actions button", text: "Pull")
                    #expect(try await server.client().get("/sessions").json["sessions"] == [])
                    try await page.press("#actions button", text: "Pull", version: 1)
                }
            }
        }

        /// The next build of the app.
        private func app(with defect: KioskApp.Defect) -> KioskApp {
            KioskApp.$defect.withValue(defect) { KioskApp() }
        }

        // MARK: Sending events

        @Test(arguments: [true, false])
        func anInterruptedEventHappensAtMostOnce(happens: Bool) async throws {
            try await withPage(withoutServer: true) { page in
                let port = try await portOfItsOwn()
                let held = FaultyJournal(journal)
                let server = try Server.showing(port: port, journal: held)
                try await withServer(server, over: .socket) { running in
                    try await page.open(running.url)
                    try await page.begin()
                    try await page.waitUntilLive()
                    held.hold()
                    try await page.click("#actions button", text: "Continue")
                    await held.waitUntilHeld()
                    await server.stopAtOnce()
                    try await page.wait(for: "#problem")
                    try await page.wait(for: "#connection[data-status=lost]")
                    #expect(try await page.sight().entries.isEmpty)
                }
                let id = try #require(SessionID(try await page.session()))
                if happens {
                    held.release()
                    while try await journal.read(id, after: 0, limit: 1).isEmpty { await Task.yield() }
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
        func anEventThatIsSentAgainHappensOnce(cut: String) async throws {
            try await withInspector { page, server in
                let client = server.client()
                try await client.emit("splash.didFinish")
                // A page without a stream …
                try await page.evaluate("EventSource = class extends EventTarget { close() {} }")
                try await page.show(try #require(client.sessionID))
                try await page.wait(until: 1)
                // … that does not get the next answer either.
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
                // Later, the same request is another event.
                try await page.press("#back", version: 3)
                try await page.press("#rows [data-row=ferrari] .tap", version: 4)
                #expect(try await page.versions() == [4, 3, 2, 1, 0])
            }
        }

        /// A port below the range that the system assigns, so that no other server gets it while this server is
        /// stopped.
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
    /// Stops without waiting for open requests, on its own thread.
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
    /// Waits until a server without its journal has refused the page. The browser does not retry a refused stream. The
    /// page requests the reason.
    fileprivate func waitUntilRefused() async throws {
        let isRefused = "name.endsWith('/route') && responseStatus === 503"
        try await wait(
            "to be refused",
            until: """
                performance.getEntriesByType("resource")
                  .filter(({ name, responseStatus }) => \(isRefused)).length > 1
                """)
    }
}
