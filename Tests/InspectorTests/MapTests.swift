import Coordinate
import CoordinateTesting
import Dispatch
import Racing
import SessionFixtures
import Synchronization
import Testing
import WebDriver

extension Appearance {
    /// The map: all screens of the app, the session's screen, and the ways between them.
    struct MapTests {
        @Test func theMapHasTheScreensOfTheAppAndTheEventsBetweenThem() async throws {
            try await withInspector(of: try RacingApp.twoTeams()) { page, server in
                try await page.openMap()
                let screens = try await server.client().get("/map").json.screens
                #expect(screens.contains("ComparisonResult"))
                #expect(try await page.texts("#map .map-name") == screens)
                #expect(try await page.texts("#map-count") == ["\(screens.count)"])
                let labels = try await page.texts("#map .map-label")
                #expect(labels.contains("Continue"))
                // The list has the same names in the same order, and each screen's destinations.
                try await page.click("#map-as-list")
                try await page.wait(untilGone: "#map")
                #expect(try await page.texts("#map-list > li > button") == screens)
                #expect(try await page.texts("#map-list > li:first-child li").contains("Continue → TeamsList"))
                #expect(try await page.texts("#map-state").allSatisfy { $0.isEmpty })
            }
        }

        @Test func theMapShowsTheSessionsScreenAndItsWay() async throws {
            try await withInspector(of: try RacingApp.twoTeams()) { page, _ in
                try await page.openMap()
                #expect(try await page.texts("#map .here .map-name") == ["Splash"])
                #expect(try await page.texts("#map .seen .map-name") == ["Splash"])
                #expect(try await page.texts("#map-seen") == ["1 of 9 seen."])

                try await page.press("#actions button", text: "Continue", version: 1)
                try await page.wait(for: "#map .here .map-name", text: "TeamsList")
                try await page.press("#rows [data-row=ferrari] .tap", version: 2)
                try await page.wait(for: "#map .here .map-name", text: "TeamsDetails")
                #expect(try await page.texts("#map .seen .map-name") == ["Splash", "TeamsList", "TeamsDetails"])
                let way = "return seen('#map .map-edge.way', null).map((edge) => edge.dataset.edge).length"
                #expect(try await page.evaluate(way) == 2)

                try await page.press("#back", version: 3)
                try await page.wait(for: "#map .here .map-name", text: "TeamsList")
                #expect(try await page.evaluate(way) == 3)
                let marked = "return seen('#map [aria-current]', null).map((card) => card.getAttribute('aria-label'))"
                #expect(try await page.evaluate(marked) == ["TeamsList, you are here"])
            }
        }

        @Test func theMapShowsThePast() async throws {
            try await withInspector(of: try RacingApp.twoTeams()) { page, _ in
                try await page.press("#actions button", text: "Continue", version: 1)
                try await page.press("#rows [data-row=ferrari] .tap", version: 2)
                try await page.click("#entries [data-version='1'] .entry-travel")
                try await page.wait(until: 1)
                try await page.openMap()
                #expect(try await page.texts("#map .here .map-name") == ["TeamsList"])
                #expect(try await page.texts("#map .seen .map-name") == ["Splash", "TeamsList"])
            }
        }

        // MARK: Going there

        @Test func aPressOnAScreenOpensItsLink() async throws {
            try await withInspector(of: try RacingApp.twoTeams()) { page, _ in
                let session = try await page.session()
                try await page.openMap()
                try await page.noteNotices()
                try await page.clickScreen("ComparisonResult")
                try await page.wait(until: 1)
                try await page.wait(for: "#map .here .map-name", text: "ComparisonResult")
                try await page.wait(
                    "for a notice", until: "notices.some((each) => each.startsWith('Opened /main/'))")
                // The map had no such edge.
                #expect(try await page.evaluate("return seen('#map .map-edge.jump', null).length") == 1)
                #expect(try await page.session() == session)
                try await page.click("#close-map")
                #expect(try await page.sight().entries == ["navigation.open"])
            }
        }

        @Test func pressingAScreenWithoutALinkStartsANewSession() async throws {
            try await withInspector(of: GateApp()) { page, server in
                let session = try await page.session()
                try await page.openMap()
                let states = try await server.client().get("/map").json["states"]?.array ?? []
                // An alert has the path of the screen below it.
                let alert = try #require(
                    states.first { state in
                        let below = states.first { $0["path"] == state["path"] }
                        return below?["screen"] != state["screen"]
                    })
                let name = try #require(alert["screen"]?.string)
                try await page.clickScreen(name)
                try await page.wait("for the new session", until: "!location.hash.includes(given[0])", .string(session))
                try await page.wait(for: "#map .here .map-name", text: name)
                let journal = alert["journal"]?.array.compactMap { $0["event"]?.string } ?? []
                try await page.click("#close-map")
                #expect(try await page.sight().entries == journal.reversed())
                #expect(try await server.client(headers: ["Session": session]).session().version == 0)
            }
        }

        @Test func aPressInThePastStartsANewSession() async throws {
            try await withInspector(of: try RacingApp.twoTeams()) { page, server in
                let session = try await page.session()
                try await page.press("#actions button", text: "Continue", version: 1)
                try await page.press("#rows [data-row=ferrari] .tap", version: 2)
                try await page.click("#entries [data-version='1'] .entry-travel")
                try await page.wait(until: 1)
                try await page.openMap()
                try await page.clickScreen("Profile")
                try await page.wait("for the new session", until: "!location.hash.includes(given[0])", .string(session))
                try await page.wait(for: "#map .here .map-name", text: "Profile")
                #expect(try await server.client(headers: ["Session": session]).session().version == 2)
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
                try await page.wait(for: "#tree")
                try await page.wait(for: "#open-map:focus")
            }
        }

        @Test func theMapCanBeZoomed() async throws {
            try await withInspector(of: try RacingApp.twoTeams()) { page, _ in
                try await page.openMap()
                let width = """
                    const { width } = document.querySelector("#map .map-card").getBoundingClientRect();
                    return Math.round(100 * width);
                    """
                let scale = { try await page.evaluate(width).int ?? 0 }
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
                #expect(try await scale() < whole)
            }
        }

        @Test func aDragMovesTheMapAndPressesNothing() async throws {
            try await withInspector(of: try RacingApp.twoTeams()) { page, _ in
                try await page.openMap()
                for _ in 0..<4 { try await page.click("#map-in") }
                let left = "return Math.round(document.querySelector('#map .here').getBoundingClientRect().left)"
                let before = try #require(try await page.evaluate(left).int)
                try await page.drag("#map", by: (-80, 0))
                #expect(try #require(try await page.evaluate(left).int) < before)
                #expect(try await page.texts("#map .here .map-name") == ["Splash"])
                #expect(try await page.evaluate("return document.body.dataset.version") == "0")
            }
        }

        @Test(arguments: [(360, 740), (390, 844), (768, 1_024), (1_024, 600), (1_280, 800)])
        func theMapFitsIntoThePage(width: Int, height: Int) async throws {
            try await withInspector(of: try RacingApp.twoTeams(), size: (width, height)) { page, _ in
                try await page.openMap()
                #expect(
                    try await page.evaluate("return document.documentElement.scrollWidth - innerWidth").int ?? 1 <= 0)
                let hidden = """
                    const { left, top, right, bottom } = document.querySelector("#map").getBoundingClientRect();
                    const here = document.querySelector("#map .here .map-card").getBoundingClientRect();
                    return here.left < left || here.top < top || here.right > right || here.bottom > bottom;
                    """
                #expect(try await page.evaluate(hidden) == false)
                #expect(try await page.texts("#map-pane .legend li").count == 4)
            }
        }

        @Test func thePageSaysThatTheMapIsBeingCreated() async throws {
            let app = HeldApp(try RacingApp.twoTeams())
            try await withInspector(of: app) { page, _ in
                app.hold()
                try await page.click("#open-map")
                try await page.wait(
                    for: "#map-state", text: "The server explores the app to draw the map.")
                app.letGo()
                try await page.wait(for: "#map .here")
                let isSaid = "document.querySelector('#map-state').textContent.includes('being drawn')"
                try await page.wait("for the message to disappear", until: "!\(isSaid)")
            }
        }
    }
}

extension JSON {
    /// The names of a map's screens, in the order of their first states.
    var screens: [String] {
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
    func clickScreen(_ name: String) async throws {
        try await click("#map .map-name", text: name)
    }

    /// Drags something with the mouse by a distance in pixels.
    fileprivate func drag(_ selector: String, by distance: (x: Int, y: Int)) async throws {
        let place = try await evaluate(
            """
            const { left, top, width, height } = document.querySelector(arguments[0]).getBoundingClientRect();
            return [Math.round(left + width / 2), Math.round(top + height / 2)];
            """, .string(selector)
        ).array.compactMap(\.int)
        try await drag(from: (place[0], place[1]), by: distance)
    }
}

/// An app that creates no trees while it is held.
private final class HeldApp: CoordinatedApp {
    private let app: RacingApp
    private let isHeld = Atomic(false)
    private let opening = DispatchSemaphore(value: 0)

    init(_ app: RacingApp) {
        self.app = app
    }

    var name: String { app.name }
    var version: String { app.version }
    var events: EventCatalog { app.events }
    var routes: RouteCatalog { app.routes }
    var samples: [Sample] { app.samples }

    func hold() {
        isHeld.store(true, ordering: .relaxed)
    }

    func letGo() {
        isHeld.store(false, ordering: .relaxed)
        opening.signal()
    }

    func makeRootCoordinator() -> CoordinatorNode {
        if isHeld.load(ordering: .relaxed) {
            opening.wait()
            opening.signal()
        }
        return app.makeRootCoordinator()
    }
}
