import Coordinate
import CoordinateTesting
import Racing
import SessionFixtures
import Testing
import WebDriver

@testable import CoordinateServer

extension Appearance {
    /// The storyboard: pictures of all screens of the app, the session's screen, and the ways between them.
    /// `Tests/page/storyboard.test.js` has its layout and its texts.
    struct StoryboardTests {
        /// The server's map of the app.
        private func map(_ server: TestServer) async throws -> JSON {
            try await server.client().get("/map").json
        }

        private func sessions(_ server: TestServer) async throws -> Int? {
            try await server.client().get("/sessions").json["sessions"]?.array.count
        }

        // MARK: The first sight

        @Test func allScreensAreSeenAtOnceWithoutASession() async throws {
            try await withStoryboard { page, server in
                let screens = try await map(server).screens
                #expect(screens.contains("ComparisonResult"))
                #expect(try await page.texts("#map .map-name") == screens)
                #expect(try await page.texts("#map .map-lane") == ["Teams", "Drivers", "Profile"])
                #expect(try await page.texts("#map .here .map-name") == ["Splash"])
                #expect(try await page.texts("#screen-title") == ["Formula Racing"])
                #expect(try await page.texts("#map-state").allSatisfy(\.isEmpty))
                try await page.waitForPictures(screens.count)
                #expect(try await page.evaluate(Self.emptyPictures) == [])
                let faint = "return seen('#map .map-screen:not(.seen)', null).length"
                #expect(try await page.evaluate(faint).int == screens.count - 1)
                #expect(try await sessions(server) == 0)
            }
        }

        /// The screens whose pictures have few colors.
        private static let emptyPictures = """
            return seen("#map .map-screen", null).filter((card) => {
              const context = Object.assign(document.createElement("canvas"), { width: 180, height: 300 }).getContext("2d");
              context.drawImage(card.querySelector("img"), 0, 0, 180, 300);
              return new Set(new Uint32Array(context.getImageData(0, 0, 180, 300).data.buffer)).size < 10;
            }).map((card) => card.dataset.screen);
            """

        @Test func thePicturesHaveTheColorsOfThePage() async throws {
            try await withStoryboard { page, server in
                let count = try await map(server).screens.count
                try await page.waitForPictures(count)
                let dark = """
                    seen("#map img.map-picture", null).filter((image) => {
                      const context = document.createElement("canvas").getContext("2d");
                      context.drawImage(image, 0, 0, 1, 1);
                      return context.getImageData(0, 0, 1, 1).data[0] < 128;
                    }).length === given[0]
                    """
                for (isDark, count) in [(true, count), (false, 0)] {
                    try await page.prefer(dark: isDark)
                    try await page.wait("for other pictures", until: dark, .int(count))
                }
            }
        }

        @Test func aMapThatIsRefusedLeavesTheApp() async throws {
            try await withVisit(
                runningFirst: """
                    const fetched = window.fetch;
                    window.fetch = (address, ...rest) => address === "/map"
                      ? Promise.resolve(new Response('{"title":"Not allowed."}', { status: 403 }))
                      : fetched(address, ...rest);
                    """
            ) { page, server in
                try await page.wait(
                    for: "#map-state", text: "Only operators see the storyboard. The app can be used without it.")
                try await page.press("#actions button", text: "Continue", version: 1)
            }
        }

        // MARK: Pressing

        @Test func aPressOnTheCurrentCardIsAPressInTheApp() async throws {
            try await withStoryboard { page, server in
                let phone = "return JSON.stringify(document.querySelector('#phone').getBoundingClientRect())"
                let size = try await page.evaluate(phone)
                try await page.click("#map .here .map-hit")
                try await page.wait(until: 1)
                try await page.wait(for: "#map .here .map-name", text: "TeamsList")
                #expect(try await page.evaluate(phone) == size)
                #expect(try await sessions(server) == 1)
                #expect(try await page.evaluate(Self.way).int == 1)
                try await page.waitUntilAlive()
                try await page.click("#map .here .map-hit")
                try await page.wait(until: 2)
                try await page.wait(for: "#map .here .map-name", text: "TeamsDetails")
                #expect(try await page.texts("#map .seen .map-name") == ["Splash", "TeamsList", "TeamsDetails"])
                #expect(try await page.evaluate(Self.way).int == 2)
                let marked = "return seen('#map [aria-current]', null).map((card) => card.getAttribute('aria-label'))"
                #expect(try await page.evaluate(marked)[0]?.string?.hasPrefix("TeamsDetails, you are here") == true)
                // The past is seen, and not pressed.
                try await page.evaluate("location.hash += '&version=1'")
                try await page.wait(until: 1)
                try await page.wait(for: "#map .here .map-name", text: "TeamsList")
                try await page.wait("for no buttons", until: "document.querySelector('.map-hit') === null")
            }
        }

        /// The number of edges that the session took.
        private static let way = "return document.querySelectorAll('#map .map-edge.way').length"

        // MARK: Selecting

        @Test func aClickOnAnotherCardOnlySelectsIt() async throws {
            try await withStoryboard { page, server in
                try await page.clickScreen("TeamsDetails")
                try await page.wait(for: "#map-name", text: "TeamsDetails")
                #expect(try await page.texts("#map-path") == ["/main/teams/team/{team}"])
                #expect(try await page.texts("#map-leads li").contains { $0.hasSuffix("→ TeamsList") })
                let way = try await page.texts("#map-way").first
                #expect(way?.hasPrefix("Starts a new session and opens /main") == true)
                #expect(try await page.texts("#map .here .map-name") == ["Splash"])
                #expect(try await sessions(server) == 0)
                #expect(try await page.evaluate("return location.hash") == "")
                // A press beside the cards selects none.
                try await page.evaluate(
                    "document.querySelector('#map-box').dispatchEvent(new MouseEvent('click', { bubbles: true }))")
                try await page.wait(untilGone: "#map-details")
                try await page.clickScreen("Profile")
                try await page.click("#map-go")
                try await page.wait(for: "#map .here .map-name", text: "Profile")
                #expect(try await sessions(server) == 1)
                let session = try await page.session()
                try await page.clickScreen("DriversList")
                try await page.wait(for: "#map-way", text: "Opens /main/drivers.")
                try await page.click("#map-go")
                try await page.wait(for: "#map .here .map-name", text: "DriversList")
                #expect(try await page.session() == session)
            }
        }

        @Test func theStoryboardWorksWithAKeyboardOnly() async throws {
            try await withStoryboard { page, server in
                try await page.tab(to: "#map .here")
                try await page.press(.right)
                try await page.wait(
                    "for the next screen", until: "document.activeElement.matches('.map-screen:not(.here)')")
                let name = try #require(try await page.texts("#map :focus .map-name").first)
                #expect(try await page.texts("#map-details").isEmpty)
                try await page.press(.enter)
                try await page.wait(for: "#map-name", text: name)
                try await page.press(.escape)
                try await page.wait(untilGone: "#map-details")
                try await page.press(.enter)
                #expect(try await sessions(server) == 0)
                try await page.tab(to: "#map-go")
                // Escape leads back to the card.
                try await page.press(.escape)
                try await page.wait(for: "#map :focus .map-name", text: name)
                try await page.press(.enter)
                try await page.tab(to: "#map-go")
                try await page.press(.enter)
                try await page.wait(for: "#map .here .map-name", text: name)
                try await page.wait(for: "#map .here:focus")
            }
        }

        // MARK: Zoom and sizes

        @Test func theStoryboardIsZoomedAndMoved() async throws {
            try await withStoryboard { page, _ in
                let card = "document.querySelector('#map .here').getBoundingClientRect()"
                let scale = { try await page.evaluate("return Math.round(100 * \(card).width)").int ?? 0 }
                let left = { try await page.evaluate("return Math.round(\(card).left)").int ?? 0 }
                let wheel = """
                    document.querySelector("#map-box").dispatchEvent(new WheelEvent("wheel", {
                      deltaY: 60, ctrlKey: arguments[0], clientX: 700, clientY: 300, cancelable: true,
                    }))
                    """
                let whole = try await scale()
                #expect(whole > 0)
                #expect(try await page.texts("#map-fit").isEmpty)
                try await page.tab(to: "#map .here")
                for _ in 0..<4 { try await page.press(Character("+")) }
                let larger = try await scale()
                #expect(larger > whole)
                #expect(try await page.evaluate("return seen('#map-overview', null).length") == 1)
                try await page.evaluate(wheel, true)
                #expect(try await scale() < larger)
                try await page.evaluate(wheel, false)
                #expect(try await scale() < larger)
                try await page.click("#map-fit")
                #expect(try await scale() == whole)
                #expect(try await page.evaluate("return seen('#map-overview', null).length") == 0)
                // A drag moves it, and selects nothing.
                for _ in 0..<4 { try await page.press(Character("+")) }
                let start = try await left()
                let middle = try await page.evaluate(
                    """
                    const { left, top, width, height } = document.querySelector("#map-box").getBoundingClientRect();
                    return [Math.round(left + width / 2), Math.round(top + height / 2)];
                    """
                ).array.compactMap(\.int)
                try await page.drag(from: (middle[0], middle[1]), by: (-80, 0))
                #expect(try await left() < start)
                #expect(try await page.texts("#map-details").isEmpty)
            }
        }

        @Test(arguments: [(768, 1_024), (1_024, 600), (1_280, 800), (1_920, 1_080)])
        func theCurrentScreenIsSeen(width: Int, height: Int) async throws {
            try await withStoryboard(size: (width, height)) { page, _ in
                let isSeen = """
                    const { left, top, right, bottom } = document.querySelector("#map-box").getBoundingClientRect();
                    const here = document.querySelector("#map .here").getBoundingClientRect();
                    return here.left >= left && here.top >= top && here.right <= right && here.bottom <= bottom;
                    """
                let isHereSeen = try await page.evaluate(isSeen)
                #expect(isHereSeen == true)
                #expect(try await page.evaluate(Self.smallTexts) == [])
            }
        }

        /// The texts of the storyboard that appear smaller than 11 pixels.
        private static let smallTexts = """
            const scale = document.querySelector("#map .here").getBoundingClientRect().width / 180;
            return seen("#map :is(.map-name, .map-lane span, .map-label)", null)
              .filter((text) => parseFloat(getComputedStyle(text).fontSize) * scale < 10.9).map(said);
            """
    }
}

/// Runs a test with two teams and the whole storyboard, which a first visitor sees without a session.
nonisolated(nonsending) func withStoryboard(
    size: (width: Int, height: Int) = (1_440, 900),
    _ body: nonisolated(nonsending) (Page, TestServer) async throws -> Void
) async throws {
    try await withVisit(of: try Server.showing(RacingApp.twoTeams()), size: size) { page, server in
        try await page.wait(for: "#storyboard:not([aria-busy]) #map:not(.painting) .here")
        // The cards can move when the events between them are known.
        try await page.evaluate(
            "return Promise.all(document.getAnimations().map(({ finished }) => finished.catch(() => {})))")
        try await body(page, server)
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
    /// Waits until so many screens have a picture.
    fileprivate func waitForPictures(_ count: Int) async throws {
        let isThere = "document.querySelectorAll('#map img.map-picture').length === given[0]"
        try await wait("for the pictures", until: isThere, .int(count))
    }

    /// Waits until the current card can be pressed.
    fileprivate func waitUntilAlive() async throws {
        try await wait("for buttons on the card", until: "seen('#map .here .map-hit', null)[0]")
    }

    /// Selects a screen with the mouse, by its name.
    fileprivate func clickScreen(_ name: String) async throws {
        try await click("#map .map-name", text: name)
    }
}
