import CoordinateTesting
import Testing
import WebDriver

extension Inspector {
    /// The past can be viewed and forked, but not changed.
    struct TimeTravelTests {
        @Test func anyVersionIsShownReadOnly() async throws {
            try await withThreeEvents { page, server in
                try await page.waitUntilLive()
                let client = server.client(headers: ["Session": try await page.session()])
                for version in [0, 2, 1] {
                    try await page.travel(to: version)
                    #expect(try await page.sight().leaf == client.route(at: version).leaf)
                }
                try await page.wait(for: "body.in-past #past")
                try await page.wait(for: "#changed-list li", text: "Screen Formula Racing → Teams")
                #expect(try await page.texts("#past-version") == ["Step 1 of 3"])
                #expect(try await page.sight().title == "Teams")
                #expect(try await page.texts("#tabs .badge").isEmpty)
                // New events do not change it.
                try await client.emit("navigation.dismiss")
                try await page.wait(for: "#past-version", text: "Step 1 of 4")
                #expect(try await page.sight().title == "Teams")
                #expect(try await page.sight().entries.first == "navigation.dismiss")
                try await page.press(.escape)
                try await page.wait(until: 4)
                #expect(try await page.texts("body.in-past").isEmpty)
            }
        }

        @Test func onlyTheLastRequestedVersionIsShown() async throws {
            try await withThreeEvents { page, _ in
                try await page.hold("version=2")
                try await page.click("#frames [data-version='2'] .frame-travel")
                try await page.travel(to: 1)
                try await page.release()
                try await page.travel(to: 0)
                // Returning cancels a version that is being read.
                try await page.hold("version=2")
                try await page.click("#frames [data-version='2'] .frame-travel")
                try await page.press(.escape)
                try await page.wait(until: 3)
                try await page.release()
                try await page.press("#actions button", text: "Remove from favorites", version: 4)
                #expect(try await page.texts("body.in-past").isEmpty)
            }
        }

        @Test func theAddressContainsTheVersion() async throws {
            try await withThreeEvents(expecting: [404]) { page, server in
                let id = try await page.session()
                let fragment = { try await page.evaluate("return location.hash") }
                try await page.travel(to: 2)
                try await page.travel(to: 1)
                #expect(try await fragment() == .string("#session=\(id)&version=1"))
                try await page.reload(until: 1)
                try await page.wait(for: "body.in-past #past-version", text: "Step 1 of 3")
                // Going to the past adds one step to the history, for any number of versions.
                try await page.evaluate("history.back()")
                try await page.wait(until: 3)
                #expect(try await fragment() == .string("#session=\(id)"))
                try await page.evaluate("history.forward()")
                try await page.wait(until: 1)
                // After an unknown version, the page still shows what it did.
                try await page.evaluate("location.hash = `#session=${arguments[0]}&version=9`", .string(id))
                try await page.wait(for: "#problem")
                #expect(try await page.texts("#problem-content")[0].contains("from 0 to 3"))
                let address: JSON = .string("#session=\(id)&version=1")
                try await page.wait("for the address", until: "location.hash === given[0]", address)
                #expect(try await page.evaluate("return document.body.dataset.version") == "1")
                try await withPage(expecting: [404]) { other in
                    try await other.open("\(server.url)/#session=\(id)&version=2")
                    try await other.wait(until: 2)
                    try await other.wait(for: "body.in-past")
                    #expect(try await other.sight().title == "Ferrari")
                }
            }
        }

        @Test func aPressInThePastCreatesAForkUnderItsParent() async throws {
            try await withThreeEvents { page, server in
                let id = try await page.session()
                try await page.travel(to: 1)
                try await page.click("#rows [data-row=haas] .tap")
                try await page.wait(untilLeaving: id)
                try await page.wait(until: 2)
                try await page.wait(untilGone: "body.in-past")
                #expect(try await page.sight().title == "Haas")
                #expect(try await page.sight().entries == ["teams.didSelect", "splash.didFinish"])
                #expect(try await server.client(headers: ["Session": id]).route().version == 3)
                // The parent's steps from the fork on stand above those of the fork.
                try await page.expect("#other-frames .frame-number", shows: ["2", "3"])
                let left = "(lane) => document.querySelector(`#${lane} [data-version='2']`).offsetLeft"
                let columns = try await page.evaluate("return ['frames', 'other-frames'].map(\(left))")
                #expect(columns[0] == columns[1])
                // A press on one of them opens the parent there. It links to its fork.
                try await page.click("#other-frames [data-version='3'] .frame-travel")
                try await page.wait(until: 3)
                #expect(try await page.session() == id)
                #expect(try await page.texts("#other-frames .frame").isEmpty)
                try await page.click("#frames [data-version='1'] .frame-fork")
                try await page.wait(untilLeaving: id)
                try await page.wait(until: 2)
                // The button forks without an event.
                let fork = try await page.session()
                try await page.travel(to: 1)
                try await page.click("#fork")
                try await page.wait(untilLeaving: fork)
                try await page.wait(untilGone: "body.in-past")
                try await page.wait(until: 1)
                try await page.expect("#forked-parent", shows: ["\(fork.prefix(6)), step 1"])
            }
        }
    }
}

extension Page {
    /// Holds the page's requests to addresses with this ending until they are released.
    func hold(_ ending: String) async throws {
        try await evaluate(
            """
            const [ending] = arguments;
            window.unheld ??= window.fetch;
            window.held = [];
            window.fetch = (address, ...rest) => address.endsWith(ending)
              ? new Promise((resolve) => { held.push(() => resolve(unheld(address, ...rest))); })
              : unheld(address, ...rest);
            """, .string(ending))
    }

    /// Sends the held requests, and holds no more. The page can repeat a request, such as the one for the map.
    func release() async throws {
        try await wait("for something to hold", until: "held.length > 0")
        try await evaluate("window.fetch = window.unheld; for (const each of held.splice(0)) each();")
    }
}
