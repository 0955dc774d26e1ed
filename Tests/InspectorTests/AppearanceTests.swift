import CoordinateTesting
import Testing
import WebDriver

@testable import CoordinateServer

extension Appearance {
    /// The page on small screens, in dark mode, and without a mouse.
    struct AppearanceTests {
        @Test func aNarrowScreenShowsOnePaneAtATime() async throws {
            // A phone, and a window of 1280 by 800 pixels at a zoom of 200 %.
            for (width, height) in [(390, 844), (640, 400)] {
                try await withInspector(size: (width, height)) { page, _ in
                    let panes = { try await page.evaluate("return seen('.pane', null).map((pane) => pane.id)") }
                    #expect(try await panes() == ["app-pane", "timeline"])
                    try await page.press("#actions button", text: "Continue", version: 1)
                    let room = try await page.evaluate("return document.querySelector('#screen').clientHeight").int ?? 0
                    #expect(room > 200)
                    try await page.press("#rows [data-row=williams] .tap", version: 2)
                    for (name, pane) in [("panel", "panel"), ("storyboard", "storyboard"), ("app", "app-pane")] {
                        try await page.click("#show-\(name)")
                        #expect(try await panes() == [.string(pane), "timeline"])
                    }
                    try await page.travel(to: 1)
                }
            }
        }

        @Test func nothingIsWiderThanThePage() async throws {
            try await withInspector { page, _ in
                try await page.openPath("/main/teams/compare/hamilton/leclerc")
                try await page.wait(until: 1)
                for (width, height) in [
                    (320, 568), (390, 844), (767, 1_024), (768, 1_024), (1_024, 600), (1_440, 900), (2_560, 1_440),
                ] {
                    try await page.resize(width: width, height: height)
                    try await page.expect(".switcher #show-storyboard", shows: width < 768 ? ["Storyboard"] : [])
                    try await page.expectNoOverflow()
                }
            }
        }

        @Test(arguments: [(360, 640), (1_280, 800)])
        func textsDoNotOverlap(width: Int, height: Int) async throws {
            try await withInspector(size: (width, height)) { page, server in
                let client = server.client(headers: ["Session": try await page.session()])
                for _ in 0..<1_001 { try await client.emit("teams.setFavorite", ["team": "haas"]) }
                try await page.wait(until: 1_001)
                let overlaps = """
                    const box = (element) => element.getBoundingClientRect();
                    const isOver = (a, b) => box(a).right > box(b).left + 1 && box(a).bottom > box(b).top + 1
                      && box(b).right > box(a).left + 1 && box(b).bottom > box(a).top + 1;
                    const words = (element) => {
                      const range = document.createRange();
                      range.selectNodeContents(element);
                      return { getBoundingClientRect: () => range.getBoundingClientRect() };
                    };
                    return [[".frame-number", ".frame-event"], ["#past-version", "#fork"]]
                      .map((selectors) => selectors.map((each) => seen(each, null)[0]).filter(Boolean))
                      .filter(([a, b]) => a !== undefined && b !== undefined && isOver(words(a), b)).length;
                    """
                #expect(try await page.evaluate(overlaps) == 0)
                try await page.travel(to: 1_000)
                #expect(try await page.evaluate(overlaps) == 0)
            }
        }

        @Test func longNamesStayWithinTheirPlace() async throws {
            try await withInspector(of: WordyApp()) { page, _ in
                let check = {
                    let cut = try await page.evaluate(
                        """
                        const box = (element) => element.getBoundingClientRect();
                        const isCut = (button) => {
                          const { left, right } = box(button);
                          if (button.closest(".breadcrumbs")) return false;
                          const frame = box(button.closest("header, .banner, .phone, .pane, nav"));
                          return left < frame.left - 1 || right > Math.min(frame.right, innerWidth) + 1;
                        };
                        const isWide = (element) => element.scrollWidth > element.clientWidth + 1;
                        const isBroken = (name) => name.getClientRects().length > 1
                          || name.offsetHeight > 1.7 * parseFloat(getComputedStyle(name).fontSize);
                        return [
                          ...seen("button", null).filter(isCut), ...seen(".node", null).filter(isWide),
                          ...seen(".node-name, .story-name", null).filter(isBroken),
                        ].map((element) => element.id || element.className);
                        """)
                    #expect(cut == [])
                    try await page.expectNoOverflow()
                }
                let sizes = [(1_440, 900), (1_280, 800), (1_024, 768), (768, 1_024), (390, 844), (320, 568)]
                try await page.press("#rows .tap", version: 1)
                for (width, height) in sizes {
                    try await page.resize(width: width, height: height)
                    try await check()
                }
                // The panes' buttons are above the bottom of a small phone, where the page scrolls.
                try await page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
                try await page.travel(to: 0)
                for (width, height) in sizes {
                    try await page.resize(width: width, height: height)
                    try await page.evaluate("document.querySelector('#tree-tab').click()")
                    try await check()
                }
            }
        }

        @Test func rightToLeftTextStaysTogether() async throws {
            try await withInspector(of: WordyApp()) { page, _ in
                try await page.press("#rows .tap", version: 1)
                for selector in [".row-title", ".story-payload"] {
                    // The punctuation mark at the end of a Hebrew text is on its left.
                    let isLeft = try await page.evaluate(
                        """
                        const [text] = seen(arguments[0], null)[0].childNodes;
                        const left = (part) => {
                          const range = document.createRange();
                          range.setStart(text, text.data.indexOf(part));
                          range.setEnd(text, text.data.indexOf(part) + part.length);
                          return range.getBoundingClientRect().left;
                        };
                        return left("!") < left("בנק");
                        """, .string(selector))
                    #expect(isLeft == true, "\(selector)")
                }
            }
        }

        @Test func theSelectedTabIsMarkedWithForcedColors() async throws {
            try await withInspector(size: (390, 844)) { page, _ in
                try await page.press("#actions button", text: "Continue", version: 1)
                try await page.prefer(forcedColors: true)
                for (chosen, other) in [
                    ("#tabs [aria-selected=true] .tab-glyph", "#tabs [aria-selected=false] .tab-glyph"),
                    (".switcher [aria-current]", ".switcher :not([aria-current])"),
                ] {
                    let differs = """
                        ["forced-color-adjust", "outline-style"].some((name) => {
                          const [one, other] = given.slice(0, 2).map((selector) => getComputedStyle(document.querySelector(selector)));
                          return one.getPropertyValue(name) !== other.getPropertyValue(name);
                        })
                        """
                    try await page.wait("for \(chosen)", until: differs, .string(chosen), .string(other))
                }
            }
        }

        @Test func thePageWorksWithAKeyboardOnly() async throws {
            try await withInspector { page, _ in
                try await page.tab(to: "#actions button")
                try await page.press(.enter)
                try await page.wait(until: 1)
                try await page.tab(to: "[data-row=alpine] .tap")
                try await page.press(.enter)
                try await page.wait(until: 2)
                try await page.tab(to: "#tabs [aria-selected=true]")
                try await page.press(.right)
                try await page.press(.enter)
                try await page.wait(until: 3)
                #expect(try await page.sight().path == "/main/drivers")
                try await page.tab(to: ".frame-travel")
                try await page.press(.left)
                try await page.wait(until: 2)
                try await page.wait(for: "body.in-past")
                try await page.press(.escape)
                try await page.wait(until: 3)
            }
        }

        @Test func aScreenScrollsByKeyboardAlsoInThePast() async throws {
            try await withInspector(size: (1_024, 600)) { page, _ in
                #expect(try await page.texts("#screen[tabindex]").isEmpty)
                try await page.press("#actions button", text: "Continue", version: 1)
                try await page.wait(for: "#screen[tabindex='0']")
                try await page.press("#rows [data-row=ferrari] .tap", version: 2)
                try await page.travel(to: 1)
                try await page.tab(to: "#screen")
                try await page.press(.down)
                try await page.wait(
                    "for the screen to scroll", until: "document.querySelector('#screen').scrollTop > 0")
                try await page.travel(to: 2)
                try await page.resize(width: 1_024, height: 1_600)
                try await page.wait(untilGone: "#screen[tabindex]")
            }
        }
    }
}

extension Page {
    /// Presses the Tab key until an element has the focus.
    func tab(to selector: String) async throws {
        for _ in 0..<60 {
            let isThere = "return document.activeElement.matches(arguments[0])"
            if try await evaluate(isThere, .string(selector)) == true { return }
            try await press(.tab)
        }
        throw BrowserError(kind: "never", message: "the tab key does not lead to \(selector)")
    }
}
