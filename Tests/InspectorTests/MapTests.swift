import CoordinateTesting
import Racing
import SessionFixtures
import Testing
import WebDriver

extension Appearance {
    /// The map: all screens of the app, the session's screen, and the ways between them. `Tests/page/map.test.js` and
    /// `mapstates.test.js` have its layout and its texts.
    struct MapTests {
        /// The server's map of the app.
        private func map(_ server: TestServer) async throws -> JSON {
            try await server.client().get("/map").json
        }

        @Test func theMapHasTheScreensOfTheAppAndTheEventsBetweenThem() async throws {
            try await withInspector(of: try RacingApp.twoTeams()) { page, server in
                try await page.openMap()
                let screens = try await map(server).screens
                #expect(screens.contains("ComparisonResult"))
                #expect(try await page.texts("#map .map-name") == screens)
                #expect(try await page.texts("#map-count") == ["\(screens.count)"])
                #expect(try await page.texts("#map .map-label").contains("Continue"))
                #expect(try await page.texts("#map-state").allSatisfy { $0.isEmpty })
                // The details of a screen list the kinds of its states.
                let states = try await map(server)["states"]?.array ?? []
                let count = states.count { $0["screen"]?.string == "TeamsDetails" }
                #expect(count > 1)
                try await page.lookAt("TeamsDetails")
                #expect(try await page.texts("#map-kinds-heading") == ["\(count) states"])
                #expect(
                    try await page.texts("#map-about #map-kinds-list li") == [
                        "\(count / 2) with teams.setFavorite", "\(count / 2) with teams.unsetFavorite",
                    ])
                #expect(try await page.texts("#map .map-screen:focus .map-states") == ["\(count) states"])
                try await page.lookAt("TeamsList")
                #expect(try await page.texts("#map-kinds, #map .map-screen:focus .map-states").isEmpty)
                // The list has the same names in the same order, and each screen's destinations.
                try await page.click("#map-as-list")
                try await page.wait(untilGone: "#map")
                #expect(try await page.texts("#map-list > li > button") == screens)
                #expect(try await page.texts("#map-list > li:first-child li").contains("Continue → TeamsList"))
            }
        }

        @Test func theMapShowsTheSessionsScreenAndItsWay() async throws {
            try await withInspector(of: try RacingApp.twoTeams()) { page, server in
                let session = try await page.session()
                try await page.openMap()
                try await page.expect("#map .here .map-name", shows: ["Splash"])
                #expect(try await page.texts("#map-seen") == ["1 of 9 seen."])
                try await page.press("#actions button", text: "Continue", version: 1)
                try await page.press("#rows [data-row=ferrari] .tap", version: 2)
                try await page.expect("#map .here .map-name", shows: ["TeamsDetails"])
                try await page.expect("#map .seen .map-name", shows: ["Splash", "TeamsList", "TeamsDetails"])
                let way = "return seen('#map .map-edge.way', null).map((edge) => edge.dataset.edge).length"
                #expect(try await page.evaluate(way) == 2)
                try await page.press("#back", version: 3)
                try await page.expect("#map .here .map-name", shows: ["TeamsList"])
                #expect(try await page.evaluate(way) == 3)
                let marked = "return seen('#map [aria-current]', null).map((card) => card.getAttribute('aria-label'))"
                #expect(try await page.evaluate(marked) == ["TeamsList, you are here"])
                // A press on a screen opens its link. The map had no such edge.
                try await page.clickScreen("ComparisonResult")
                try await page.wait(until: 4)
                try await page.expect("#map .here .map-name", shows: ["ComparisonResult"])
                #expect(try await page.evaluate("return seen('#map .map-edge.jump', null).length") == 1)
                #expect(try await page.session() == session)
                try await page.click("#close-map")
                #expect(try await page.sight().entries.first == "navigation.open")
                // The past has its own way, and a press there starts a new session.
                try await page.travel(to: 1)
                try await page.openMap()
                try await page.expect("#map .here .map-name", shows: ["TeamsList"])
                try await page.expect("#map .seen .map-name", shows: ["Splash", "TeamsList"])
                try await page.clickScreen("Profile")
                try await page.wait(untilLeaving: session)
                try await page.expect("#map .here .map-name", shows: ["Profile"])
                #expect(try await server.client(headers: ["Session": session]).session().version == 4)
            }
        }

        @Test func pressingAScreenWithoutALinkStartsANewSession() async throws {
            try await withInspector(of: GateApp()) { page, server in
                let session = try await page.session()
                try await page.openMap()
                let states = try await map(server)["states"]?.array ?? []
                // An alert has the path of the screen below it.
                let alert = try #require(
                    states.first { state in
                        let below = states.first { $0["path"] == state["path"] }
                        return below?["screen"] != state["screen"]
                    })
                let name = try #require(alert["screen"]?.string)
                try await page.clickScreen(name)
                try await page.wait(untilLeaving: session)
                try await page.expect("#map .here .map-name", shows: [name])
                let journal = alert["journal"]?.array.compactMap { $0["event"]?.string } ?? []
                try await page.click("#close-map")
                #expect(try await page.sight().entries == journal.reversed())
                #expect(try await server.client(headers: ["Session": session]).session().version == 0)
            }
        }

        @Test func faultsAndUnreachedPartsAreSeparate() async throws {
            try await withInspector(of: WorkApp()) { page, server in
                try await page.openMap()
                let findings = try await map(server)["findings"]?.array ?? []
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
                try await page.expect("#map-unreached-list li", shows: unreached.compactMap { $0["detail"]?.string })
                #expect(try await page.texts("#map-notes-list li").isEmpty)
            }
        }

        // MARK: Keys, zoom, sizes

        @Test func theMapWorksWithAKeyboardOnly() async throws {
            try await withInspector(of: try RacingApp.twoTeams()) { page, _ in
                try await page.openMap()
                try await page.tab(to: "#map .here")
                try await page.press(.down)
                try await page.wait(
                    "for the next screen", until: "document.activeElement.matches('.map-screen:not(.here)')")
                let name = try #require(try await page.texts("#map :focus .map-name").first)
                try await page.wait(for: "#map-name", text: name)
                try await page.press(.enter)
                try await page.wait(until: 1)
                try await page.wait(for: "#map .here .map-name", text: name)
                try await page.press(.up)
                try await page.wait(for: "#map :focus .map-name", text: "Splash")
                try await page.press(.escape)
                try await page.wait(untilGone: "#map")
                try await page.wait(for: "#open-map:focus")
            }
        }

        @Test func theMapIsZoomedAndMoved() async throws {
            try await withInspector(of: try RacingApp.twoTeams()) { page, _ in
                try await page.openMap()
                let card = "document.querySelector('#map .here .map-card').getBoundingClientRect()"
                let scale = { try await page.evaluate("return Math.round(100 * \(card).width)").int ?? 0 }
                let whole = try await scale()
                #expect(whole > 0)
                try await page.click("#map-in")
                let larger = try await scale()
                #expect(larger > whole)
                try await page.tab(to: "#map .here")
                try await page.press(Character("+"))
                #expect(try await scale() > larger)
                try await page.press(Character("0"))
                #expect(try await scale() == whole)
                try await page.evaluate(
                    """
                    document.querySelector("#map").dispatchEvent(new WheelEvent("wheel", {
                      deltaY: 200, clientX: 700, clientY: 400, cancelable: true,
                    }))
                    """)
                let smaller = try await scale()
                #expect(smaller < whole)
                // Keys that are typed into the search do not control the map.
                try await page.fill("#map-search", with: "0-+")
                try await page.wait(for: "#map-found", text: "No screen matches.")
                #expect(try await scale() == smaller)
                try await page.press(.escape)
                // A drag moves it, and presses nothing. The drawing needs room on the side that it leaves.
                try await page.click("#map-fit")
                for _ in 0..<4 { try await page.click("#map-in") }
                let left = { try await page.evaluate("return Math.round(\(card).left)").int ?? 0 }
                let start = try await left()
                let middle = try await page.evaluate(
                    """
                    const { left, top, width, height } = document.querySelector("#map").getBoundingClientRect();
                    return [Math.round(left + width / 2), Math.round(top + height / 2)];
                    """
                ).array.compactMap(\.int)
                try await page.drag(from: (middle[0], middle[1]), by: (-80, 0))
                #expect(try await left() < start)
                #expect(try await page.texts("#map .here .map-name") == ["Splash"])
                #expect(try await page.evaluate("return document.body.dataset.version") == "0")
            }
        }

        @Test(arguments: [(360, 740), (390, 844), (768, 1_024), (1_024, 600), (1_280, 800)])
        func theMapFitsIntoThePage(width: Int, height: Int) async throws {
            try await withInspector(of: try RacingApp.twoTeams(), size: (width, height)) { page, _ in
                try await page.openMap()
                try await page.expectNoOverflow()
                let hidden = """
                    const { left, top, right, bottom } = document.querySelector("#map").getBoundingClientRect();
                    const here = document.querySelector("#map .here .map-card").getBoundingClientRect();
                    return here.left < left || here.top < top || here.right > right || here.bottom > bottom;
                    """
                #expect(try await page.evaluate(hidden) == false)
                #expect(try await page.texts("#map-pane .legend li").count == 4)
                if width == 1_280 { try await checkTexts(page) }
            }
        }

        /// The texts on the map that appear smaller than 11 pixels.
        private static let smallTexts = """
            return seen("#map text", null).filter((text) => {
              return parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a < 10.99;
            }).map(said);
            """

        /// Expects that no text is too small at any zoom.
        private func checkTexts(_ page: Page) async throws {
            #expect(try await page.evaluate("return seen('#map .map-name', null).length").int ?? 0 > 0)
            for button in ["#map-fit", "#map-in", "#map-in", "#map-in"] + Array(repeating: "#map-out", count: 12) {
                try #require(try await page.evaluate(Self.smallTexts) == [])
                try await page.click(button)
            }
            #expect(try await page.evaluate(Self.smallTexts) == [])
        }

        @Test func aLargeMapIsReadableAndSearched() async throws {
            try await withInspector(of: LargeApp(), size: (1_280, 800)) { page, _ in
                try await page.openMap()
                #expect(try await page.texts("#map-count") == ["\(LargeApp.rooms)"])
                let covered = """
                    const boxes = seen("#map .map-card", null).map((card) => card.getBoundingClientRect());
                    const hit = (a, b) => a.left < b.right - 1 && b.left < a.right - 1
                      && a.top < b.bottom - 1 && b.top < a.bottom - 1;
                    const labels = seen("#map .map-label", null).map((label) => label.getBoundingClientRect());
                    return [
                      boxes.length, labels.length > 0,
                      boxes.filter((box, index) => boxes.slice(0, index).some((other) => hit(box, other))).length,
                      boxes.filter((box) => labels.some((label) => hit(box, label))).length,
                    ];
                    """
                #expect(try await page.evaluate(covered) == [.int(LargeApp.rooms), true, 0, 0])
                // A part of the map is shown, with the present screen. On the whole map, only the present screen has a
                // name.
                #expect(try await page.texts("#map .here .map-name") == ["Room0"])
                try await checkTexts(page)
                try await page.click("#map-fit")
                #expect(try await page.texts("#map .map-name").isEmpty)
                #expect(try await page.texts("#map .map-tag") == ["Room0"])
                #expect(try await page.evaluate(covered)[2] == 0)

                // Opened again, it shows a part again.
                try await page.click("#close-map")
                try await page.openMap()
                try await page.expect("#map .here .map-name", shows: ["Room0"])
                try await page.fill("#map-search", with: "room19")
                try await page.wait(for: "#map-found", text: "11 found")
                #expect(try await page.evaluate("return document.querySelectorAll('#map .found').length") == 11)
                try await page.type("room199")
                try await page.wait(for: "#map-found", text: "1 found")
                try await page.press(.enter)
                try await page.wait(for: "#map .map-screen:focus .map-name", text: "Room199")
                try await page.expect("#map-name", shows: ["Room199"])
                let isSeen = """
                    const map = document.querySelector("#map").getBoundingClientRect();
                    const card = document.querySelector("#map :focus .map-card").getBoundingClientRect();
                    return card.left >= map.left && card.top >= map.top && card.right <= map.right
                      && card.bottom <= map.bottom;
                    """
                #expect(try await page.evaluate(isSeen) == true)
                // The list contains only the found screens.
                try await page.click("#map-as-list")
                try await page.expect("#map-list > li > button", shows: ["Room199"])
                // Escape clears the search and does not close the map.
                try await page.click("#map-search")
                try await page.press(.escape)
                let isWhole = "seen('#map-list > li > button', null).length === given[0]"
                try await page.wait("for all screens", until: isWhole, .int(LargeApp.rooms))
                try await page.press(.escape)
                try await page.wait(untilGone: "#map-pane")
            }
        }

        // MARK: Usage, and waiting

        /// Drops a file on the map.
        private static let drop = """
            const transfer = new DataTransfer();
            transfer.items.add(new File([arguments[0]], "map.json"));
            for (const name of ["dragenter", "dragover", "drop"]) {
              document.querySelector("#map-box").dispatchEvent(
                new DragEvent(name, { dataTransfer: transfer, bubbles: true, cancelable: true }));
            }
            """

        /// The server's map in the format of `explore --cover`, for sessions that took its first transition twice.
        private func usage(_ server: TestServer) async throws -> String {
            var map = try await self.map(server).object
            let transitions = map["transitions"]?.array ?? []
            let states = map["states"]?.array ?? []
            let uses = states.map { state -> JSON in
                state["id"] == transitions[0]["from"] ? 3 : state["id"] == transitions[0]["to"] ? 2 : 0
            }
            map["coverage"] = [
                "states": ["seen": 2, "of": .int(states.count)],
                "transitions": ["seen": 1, "of": .int(transitions.count)],
                "uses": [
                    "states": .array(uses),
                    "transitions": .array([2] + Array(repeating: 0, count: transitions.count - 1)),
                ],
                "missed": [], "outside": [],
            ]
            return String(decoding: JSON.object(map).encoded, as: UTF8.self)
        }

        @Test func theMapShowsUsage() async throws {
            try await withInspector(of: try RacingApp.twoTeams()) { page, server in
                try await page.openMap()
                try await page.evaluate(Self.drop, "{}")
                try await page.wait(
                    for: "#map-state", text: "map.json is not a map. Write one with: explore --cover STORE > map.json")
                #expect(try await page.texts("#map-usage").isEmpty)
                // A valid file removes the message.
                try await page.evaluate(Self.drop, .string(try await usage(server)))
                try await page.wait(for: "#map-usage")
                #expect(try await page.texts("#map-state").allSatisfy(\.isEmpty))
                let text = try #require(try await page.texts("#map-usage-text").first)
                #expect(text.hasPrefix("Usage from map.json: 2 of 9 screens, 1 of "))
                #expect(try await page.texts("#map .here .map-uses") == ["used 3 times"])
                #expect(try await page.texts("#map .unused .map-uses") == Array(repeating: "never used", count: 7))
                #expect(try await page.texts("#map .map-label").contains("Continue 2×"))
                #expect(try await page.texts("#map-leads li") == ["Continue → TeamsList · 2×"])
                let width = "return parseFloat(getComputedStyle(document.querySelector(arguments[0])).strokeWidth)"
                #expect(try await page.evaluate(width, "#map [data-edge='0 1']").int == 7)
                #expect(try await page.evaluate(Self.smallTexts) == [])
                try await page.click("#map-hide-usage")
                try await page.wait(untilGone: "#map-usage")
                #expect(try await page.texts("#map .map-uses").isEmpty)
            }
        }

        @Test func thePageSaysThatTheMapIsBeingCreated() async throws {
            try await withInspector(of: GateApp()) { page, _ in
                try await page.hold("/map")
                try await page.click("#open-map")
                try await page.wait(for: "#map-state", text: "The server explores the app to draw the map.")
                try await page.release()
                try await page.wait(for: "#map .here")
                try await page.wait(
                    "for the message to disappear", until: "document.querySelector('#map-state').textContent === ''")
            }
        }
    }
}

extension JSON {
    /// The names of a map's screens, in the order of their first states.
    fileprivate var screens: [String] {
        var names: [String] = []
        for state in self["states"]?.array ?? [] {
            if let name = state["screen"]?.string, !names.contains(name) { names.append(name) }
        }
        return names
    }
}

extension Page {
    /// Opens the map, and waits until the session is on it.
    func openMap() async throws {
        try await wait("for a button", until: "seen('#open-map, #show-map', null)[0]")
        let isNarrow = try await evaluate("return seen('#show-map', null).length") == 1
        try await click(isNarrow ? "#show-map" : "#open-map")
        try await wait(for: "#map .here")
    }

    /// Presses a screen of the map.
    fileprivate func clickScreen(_ name: String) async throws {
        try await click("#map .map-name", text: name)
    }

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
