import CoordinateTesting
import Testing
import WebDriver

extension Appearance {
    /// The page on small screens, in dark mode, and without a mouse.
    struct AppearanceTests {
        @Test func aNarrowScreenShowsOnePaneAtATime() async throws {
            try await withInspector(size: (390, 844)) { page, _ in
                let panes = { try await page.evaluate("return seen('.pane', null).map((pane) => pane.id)") }
                #expect(try await panes() == ["app-pane"])
                try await page.press("#actions button", text: "Continue", version: 1)
                for name in ["tree", "journal", "app"] {
                    try await page.click("#show-\(name)")
                    #expect(try await panes() == ["\(name)-pane"])
                    #expect(try await page.evaluate("return document.body.dataset.pane") == .string(name))
                }
            }
        }

        @Test(arguments: [
            (320, 568), (390, 844), (767, 1_024), (768, 1_024), (1_024, 600), (1_440, 900), (2_560, 1_440),
        ])
        func nothingIsWiderThanThePage(width: Int, height: Int) async throws {
            try await withInspector(size: (width, height)) { page, _ in
                try await page.openPath("/main/teams/compare/hamilton/leclerc")
                try await page.wait(until: 1)
                let overflow = "return document.documentElement.scrollWidth - innerWidth"
                #expect(try await page.evaluate(overflow).int ?? 1 <= 0)
                let switcher = try await page.evaluate("return seen('.switcher', null).length")
                #expect(switcher == (width < 768 ? 1 : 0))
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
                    const pairs = (selectors) => selectors.map((each) => seen(each, null)[0]).filter(Boolean);
                    const words = (element) => {
                      const range = document.createRange();
                      range.selectNodeContents(element);
                      return { getBoundingClientRect: () => range.getBoundingClientRect() };
                    };
                    const isHit = ([a, b]) => a !== undefined && b !== undefined && isOver(words(a), b);
                    return [[".entry-version", ".entry-event"], ["#past-version", "#earlier"]].map(pairs).filter(isHit).length;
                    """
                if width < 768 { try await page.click("#show-journal") }
                #expect(try await page.evaluate(overlaps) == 0)
                try await page.click("#entries [data-version='1000'] .entry-travel")
                try await page.wait(for: "body.in-past")
                #expect(try await page.evaluate(overlaps) == 0)
                if width < 768 { return }
                let lines = """
                    const range = document.createRange();
                    range.selectNodeContents(document.querySelector("#open-map"));
                    return range.getClientRects().length;
                    """
                #expect(try await page.evaluate(lines) == 1)
                let map =
                    "document.querySelector('#open-map').offsetTop - document.querySelector('#tree-heading').offsetTop"
                #expect(try await page.evaluate("return Math.abs(\(map)) < 20") == true)
            }
        }

        @Test(arguments: [(320, 568), (390, 844), (768, 1_024), (1_024, 768), (1_280, 800), (1_440, 900)])
        func longNamesStayWithinTheirPlace(width: Int, height: Int) async throws {
            try await withInspector(of: WordyApp(), size: (width, height)) { page, _ in
                try await page.press("#rows .tap", version: 1)
                for isPast in [false, true] {
                    if isPast {
                        if width < 768 {
                            try await page.click("#show-journal")
                            // The panes' buttons are above the bottom of a small phone, where the page scrolls.
                            try await page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
                        }
                        try await page.click("#entries [data-version='0'] .entry-travel")
                        try await page.wait(for: "body.in-past")
                    }
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
                        return [...seen("button", null).filter(isCut), ...seen(".entry-travel, .node", null).filter(isWide)]
                          .map((element) => element.id || element.className);
                        """)
                    #expect(cut == [])
                    #expect(try await page.evaluate("return document.documentElement.scrollWidth - innerWidth") == 0)
                }
                // On a phone, the tools leave room for entries, also with the filter.
                if width < 768 {
                    try await page.click("#journal-filter")
                    let height = "return document.querySelector('#entries').parentElement.clientHeight"
                    #expect(try await page.evaluate(height).int ?? 0 >= 150)
                }
            }
        }

        @Test func rightToLeftTextStaysTogether() async throws {
            try await withInspector(of: WordyApp()) { page, _ in
                try await page.press("#rows .tap", version: 1)
                for selector in [".row-title", ".story-payload", ".entry-payload"] {
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

        /// A window of 1280 by 800 pixels at a zoom of 200 %.
        @Test func aZoomedPageHasRoomForTheApp() async throws {
            try await withInspector(size: (640, 400)) { page, _ in
                try await page.press("#actions button", text: "Continue", version: 1)
                let height = try await page.evaluate("return document.querySelector('#screen').clientHeight").int ?? 0
                #expect(height > 200)
                try await page.press("#rows [data-row=williams] .tap", version: 2)
                try await page.click("#show-journal")
                try await page.click("#entries [data-version='1'] .entry-travel")
                try await page.wait(until: 1)
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

        @Test(arguments: [false, true])
        func theTitleBelowASheetIsReadable(dark: Bool) async throws {
            try await withInspector { page, _ in
                try await page.prefer(dark: dark)
                try await page.openPath("/main/profile/edit")
                try await page.wait(until: 1)
                let contrast = try await page.evaluate(
                    """
                    const context = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
                    const over = (layers) => {
                      context.globalAlpha = 1;
                      for (const [colour, alpha] of layers) {
                        context.globalAlpha = alpha;
                        context.fillStyle = colour;
                        context.fillRect(0, 0, 1, 1);
                      }
                      const channels = [...context.getImageData(0, 0, 1, 1).data].slice(0, 3).map((each) => each / 255)
                        .map((each) => each <= 0.04045 ? each / 12.92 : ((each + 0.055) / 1.055) ** 2.4);
                      return 0.2126 * channels[0] + 0.7152 * channels[1] + 0.0722 * channels[2];
                    };
                    const style = (selector) => getComputedStyle(document.querySelector(selector));
                    const alpha = Number(style("#under").opacity);
                    const ground = [[style("#phone").backgroundColor, 1], [style("#under").backgroundColor, alpha]];
                    const one = over(ground), other = over([...ground, [style("#under-title").color, alpha]]);
                    return Math.floor(10 * (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05));
                    """)
                #expect(contrast.int ?? 0 >= 45)
            }
        }

        @Test func darkModeIsDark() async throws {
            try await withInspector { page, _ in
                try await page.evaluate(
                    """
                    window.brightness = () => {
                      const context = document.createElement("canvas").getContext("2d");
                      context.fillStyle = getComputedStyle(document.body).backgroundColor;
                      context.fillRect(0, 0, 1, 1);
                      const [red, green, blue] = context.getImageData(0, 0, 1, 1).data;
                      return (red + green + blue) / 3;
                    };
                    """)
                try await page.wait("for the light", until: "brightness() > 200")
                try await page.prefer(dark: true)
                try await page.wait("for the dark", until: "brightness() < 60")
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
                try await page.tab(to: "#entries .entry-travel")
                try await page.press(.down)
                try await page.press(.enter)
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
                try await page.click("#entries [data-version='1'] .entry-travel")
                try await page.wait(until: 1)
                try await page.tab(to: "#screen")
                try await page.press(.down)
                try await page.wait(
                    "for the screen to scroll", until: "document.querySelector('#screen').scrollTop > 0")
                try await page.resize(width: 1_024, height: 1_600)
                try await page.wait(untilGone: "#screen[tabindex]")
            }
        }

        @Test func mistakesOnAPageAreDetected() async throws {
            let browser = try #require(OneBrowser.browser)
            try await withInspector { page, _ in
                try await page.evaluate("console.error('a mistake')")
                try await page.evaluate("document.body.setAttribute('style', 'color: red')")
                #expect(try await browser.consoleLines().map(\.source) == ["console-api", "security"])
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
