import CoordinateTesting
import Racing
import SessionFixtures
import Testing
import WebDriver

extension Appearance {
    /// The states behind the map's screens, large maps, and the usage of recorded sessions.
    struct MapStatesTests {
        @Test func aScreenListsItsStates() async throws {
            try await withInspector(of: try RacingApp.twoTeams()) { page, server in
                try await page.openMap()
                let states = try await server.client().get("/map").json["states"]?.array ?? []
                let count = states.count { $0["screen"]?.string == "TeamsDetails" }
                #expect(count > 1)
                try await page.lookAt("TeamsDetails")
                #expect(try await page.texts("#map-kinds-heading") == ["\(count) states"])
                #expect(
                    try await page.texts("#map-about #map-kinds-list li") == [
                        "\(count / 2) with teams.setFavorite", "\(count / 2) with teams.unsetFavorite",
                    ])
                let marks = try await page.texts("#map .map-screen:focus .map-states")
                #expect(marks == ["\(count) states"])
                try await page.lookAt("TeamsList")
                #expect(try await page.texts("#map-kinds").isEmpty)
                #expect(try await page.texts("#map .map-screen:focus .map-states").isEmpty)
            }
        }

        @Test func faultsAndUnreachedPartsAreSeparate() async throws {
            try await withInspector(of: WorkApp()) { page, server in
                try await page.openMap()
                let findings = try await server.client().get("/map").json["findings"]?.array ?? []
                let unreached = findings.filter { $0["class"]?.string == "not-reached" }
                #expect(try await page.texts("#map-notes-count") == ["1 finding"])
                #expect(try await page.texts("#map-unreached-count") == ["\(unreached.count) not reached"])
                #expect(try await page.evaluate("return seen('#map .map-finding', null).length") == 1)
                // Both are closed at first, and only the faults are red.
                #expect(try await page.texts(".map-notes li").isEmpty)
                let colors = "return seen('.map-notes summary', null).map((each) => getComputedStyle(each).color)"
                let shown = try await page.evaluate(colors).array
                #expect(shown.count == 2 && shown[0] != shown[1])
                try await page.click("#map-unreached-count")
                try await page.wait(for: "#map-unreached-list li")
                let details = unreached.compactMap { $0["detail"]?.string }
                #expect(try await page.texts("#map-unreached-list li") == details)
                #expect(try await page.texts("#map-notes-list li").isEmpty)
            }
        }

        // MARK: Text and room

        /// The texts on the map that appear smaller than 11 pixels.
        private static let smallTexts = """
            return seen("#map text", null).filter((text) => {
              return parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a < 10.99;
            }).map(said);
            """

        private func checkTexts(_ page: Page) async throws {
            try await page.openMap()
            #expect(try await page.evaluate("return seen('#map .map-name', null).length").int ?? 0 > 0)
            for button in ["#map-fit", "#map-in", "#map-in", "#map-in"] + Array(repeating: "#map-out", count: 12) {
                #expect(try await page.evaluate(Self.smallTexts) == [])
                try await page.click(button)
            }
            #expect(try await page.evaluate(Self.smallTexts) == [])
        }

        @Test func textIsNeverTooSmall() async throws {
            try await withInspector(of: try RacingApp.twoTeams(), size: (1_280, 800)) { page, _ in
                try await checkTexts(page)
            }
        }

        @Test func textIsNeverTooSmallOnALargeMap() async throws {
            try await withInspector(of: LargeApp(), size: (1_280, 800)) { page, _ in try await checkTexts(page) }
        }

        @Test func cardsOfALargeMapDoNotCoverEachOther() async throws {
            try await withInspector(of: LargeApp(), size: (1_280, 800)) { page, _ in
                try await page.openMap()
                #expect(try await page.texts("#map-count") == ["\(LargeApp.rooms)"])
                let covered = """
                    const boxes = seen("#map .map-card", null).map((card) => card.getBoundingClientRect());
                    const hit = (a, b) => a.left < b.right - 1 && b.left < a.right - 1
                      && a.top < b.bottom - 1 && b.top < a.bottom - 1;
                    const labels = seen("#map .map-label", null).map((label) => label.getBoundingClientRect());
                    return {
                      cards: boxes.length, labels: labels.length,
                      hits: boxes.filter((box, index) => boxes.slice(0, index).some((other) => hit(box, other))).length,
                      hidden: boxes.filter((box) => labels.some((label) => hit(box, label))).length,
                    };
                    """
                let near = try await page.evaluate(covered)
                #expect(near["cards"] == .int(LargeApp.rooms))
                #expect(near["labels"]?.int ?? 0 > 0)
                #expect(near["hits"] == 0)
                #expect(near["hidden"] == 0)
                // A part of the map is shown, with the present screen. On the whole map, only the present screen has a
                // name.
                #expect(try await page.texts("#map .here .map-name") == ["Room0"])
                try await page.click("#map-fit")
                #expect(try await page.texts("#map .map-name").isEmpty)
                #expect(try await page.texts("#map .map-tag") == ["Room0"])
                let far = try await page.evaluate(covered)
                #expect(far["hits"] == 0)
            }
        }

        @Test func aScreenIsFoundByItsName() async throws {
            try await withInspector(of: LargeApp(), size: (1_280, 800)) { page, _ in
                try await page.openMap()
                try await page.fill("#map-search", with: "room19")
                try await page.wait(for: "#map-found", text: "11 found")
                #expect(try await page.evaluate("return document.querySelectorAll('#map .found').length") == 11)
                try await page.type("room199")
                try await page.wait(for: "#map-found", text: "1 found")
                try await page.press(.enter)
                try await page.wait(for: "#map .map-screen:focus .map-name", text: "Room199")
                #expect(try await page.texts("#map-name") == ["Room199"])
                let isSeen = """
                    const map = document.querySelector("#map").getBoundingClientRect();
                    const card = document.querySelector("#map :focus .map-card").getBoundingClientRect();
                    return card.left >= map.left && card.top >= map.top && card.right <= map.right
                      && card.bottom <= map.bottom;
                    """
                #expect(try await page.evaluate(isSeen) == true)
                // The list contains only the found screens.
                try await page.click("#map-as-list")
                #expect(try await page.texts("#map-list > li > button") == ["Room199"])
                // Escape clears the search and does not close the map.
                try await page.click("#map-search")
                try await page.press(.escape)
                try await page.wait(untilGone: "#map .found")
                #expect(try await page.texts("#map-list > li > button").count == LargeApp.rooms)
                try await page.press(.escape)
                try await page.wait(untilGone: "#map-pane")
            }
        }

        @Test func typingInTheSearchDoesNotControlTheMap() async throws {
            try await withInspector(of: GateApp()) { page, _ in
                try await page.openMap()
                try await page.click("#map-in")
                let scale = "return document.querySelector('#map > g').getAttribute('transform')"
                let before = try await page.evaluate(scale)
                try await page.fill("#map-search", with: "0-+")
                try await page.wait(for: "#map-found", text: "No screen matches.")
                #expect(try await page.evaluate(scale) == before)
            }
        }

        // MARK: Usage

        /// Drops a file on the map, or chooses one in the browser's dialog.
        private static let drop = """
            const transfer = new DataTransfer();
            transfer.items.add(new File([arguments[0]], "map.json"));
            for (const name of ["dragenter", "dragover", "drop"]) {
              document.querySelector("#map-box").dispatchEvent(
                new DragEvent(name, { dataTransfer: transfer, bubbles: true, cancelable: true }));
            }
            """
        private static let choose = """
            const transfer = new DataTransfer();
            transfer.items.add(new File([arguments[0]], "map.json"));
            document.querySelector("#map-file").files = transfer.files;
            document.querySelector("#map-file").dispatchEvent(new Event("change", { bubbles: true }));
            """

        /// The server's map in the format of `explore --cover`, for sessions that took its first transition twice.
        private func usage(_ page: Page) async throws -> String {
            try await page.evaluate("fetch('/map').then((map) => map.json()).then((map) => { window.map = map; })")
            let text = try await page.wait(
                "for the map",
                until: """
                    window.map && JSON.stringify({ ...map, coverage: {
                      states: { seen: 2, of: map.states.length },
                      transitions: { seen: 1, of: map.transitions.length },
                      uses: {
                        states: map.states.map(({ id }) =>
                          id === map.transitions[0].from ? 3 : id === map.transitions[0].to ? 2 : 0),
                        transitions: map.transitions.map((_, index) => index === 0 ? 2 : 0),
                      },
                      missed: [], outside: [],
                    } })
                    """)
            return try #require(text.string)
        }

        @Test func theMapShowsUsage() async throws {
            try await withInspector(of: try RacingApp.twoTeams()) { page, _ in
                try await page.openMap()
                try await page.evaluate(Self.drop, .string(try await usage(page)))
                try await page.wait(for: "#map-usage")
                let text = try #require(try await page.texts("#map-usage-text").first)
                #expect(text.hasPrefix("Usage from map.json: 2 of 9 screens, 1 of "))
                #expect(text.hasSuffix(" events"))
                #expect(try await page.texts("#map .here .map-uses") == ["used 3 times"])
                #expect(try await page.texts("#map .unused .map-uses").count == 7)
                #expect(try await page.texts("#map .unused .map-uses").allSatisfy { $0 == "never used" })
                #expect(try await page.texts("#map .map-label").contains("Continue 2×"))
                #expect(try await page.texts("#map-leads li") == ["Continue → TeamsList · 2×"])
                let width = "return parseFloat(getComputedStyle(document.querySelector(arguments[0])).strokeWidth)"
                let used = try await page.evaluate(width, "#map [data-edge='0 1']").int
                #expect(used == 7)
                #expect(try await page.evaluate(Self.smallTexts) == [])

                try await page.click("#map-hide-usage")
                try await page.wait(untilGone: "#map-usage")
                #expect(try await page.texts("#map .map-uses").isEmpty)
                #expect(try await page.texts("#map .here .map-name") == ["Splash"])
            }
        }

        @Test func aFileWithoutUsageIsExplained() async throws {
            try await withInspector(of: GateApp()) { page, server in
                try await page.openMap()
                let plain = try await server.client().get("/map").text
                let usage = try await usage(page)
                let command = "explore --cover STORE > map.json"
                for (text, message) in [
                    ("{}", "map.json is not a map. Write one with: \(command)"),
                    (plain, "map.json has no usage. Write it with: \(command)"),
                    (
                        usage.replacing(#""app":"Gate""#, with: #""app":"Shop""#),
                        "map.json is a map of Shop, and this is Gate. Open a map of Gate."
                    ),
                ] {
                    try await page.evaluate(Self.drop, .string(text))
                    try await page.wait(for: "#map-state", text: message)
                    #expect(try await page.texts("#map-usage").isEmpty)
                }
                // Opening a valid file removes the message.
                try await page.evaluate(Self.choose, .string(usage))
                try await page.wait(for: "#map-usage")
                #expect(try await page.texts("#map-state").allSatisfy(\.isEmpty))
            }
        }
    }
}

extension Page {
    /// Puts the focus on a screen of the map.
    fileprivate func lookAt(_ name: String) async throws {
        try await evaluate(
            """
            seen("#map .map-screen", null)
              .find((card) => said(card.querySelector(".map-name")) === arguments[0]).focus();
            """, .string(name))
        try await wait(for: "#map-name", text: name)
    }
}
