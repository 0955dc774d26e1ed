import CoordinateTesting
import Testing
import WebDriver

extension Inspector {
    /// The sentences about an event's changes, in the banner and in the journal.
    struct ChangedTests {
        @Test func theBannerAndTheEntryShowWhatChanged() async throws {
            try await withInspector { page, _ in
                #expect(try await page.texts("#changed").isEmpty)
                try await page.press("#actions button", text: "Continue", version: 1)
                try await page.press("#rows [data-row=ferrari] .tap", version: 2)
                try await page.wait(for: "#changed-list li", text: "TeamsDetailsCoordinator appeared")
                try await page.press("#actions button", text: "Add to favorites", version: 3)
                try await page.wait(for: "#changed-list li", text: "Profile badge 0 → 1")
                let told = ["button Add to favorites → Remove from favorites", "Profile badge 0 → 1"]
                #expect(try await page.texts("#changed-list li") == told)
                #expect(try await page.texts("#entries [data-version='3'] .entry-changes li") == told)
                #expect(try await page.texts("#entries .entry-changes").count == 1)
            }
        }

        @Test func aRowThatWasMarkedIsReported() async throws {
            try await withInspector { page, server in
                try await page.waitUntilLive()
                let client = server.client(headers: ["Session": try await page.session()])
                try await client.open("/main/teams")
                try await client.emit("teams.setFavorite", ["team": "haas"])
                try await page.wait(for: "#changed-list li", text: "row Haas ★")
                try await client.emit("teams.unsetFavorite", ["team": "haas"])
                try await page.wait(for: "#changed-list li", text: "row Haas no longer ★")
                try await client.emit("navigation.dismiss")
                try await page.wait(until: 4)
                try await page.wait(for: "#changed-list li", text: "Nothing changed")
            }
        }

        @Test func thePastShowsItsOwnChanges() async throws {
            try await withInspector { page, _ in
                try await page.press("#actions button", text: "Continue", version: 1)
                try await page.press("#rows [data-row=ferrari] .tap", version: 2)
                try await page.click("#entries [data-version='1'] .entry-travel")
                try await page.wait(for: "body.in-past #changed-list li", text: "screen Formula Racing → Teams")
                let entry = "#entries [data-version='1'] .entry-changes li"
                #expect(try await page.texts(entry).contains("SplashCoordinator gone"))
                try await page.click("#entries [data-version='0'] .entry-travel")
                try await page.wait(until: 0)
                #expect(try await page.texts("#changed, .entry-changes").isEmpty)
            }
        }

        @Test func aFocusedEntryShowsItsChanges() async throws {
            try await withInspector { page, _ in
                try await page.press("#actions button", text: "Continue", version: 1)
                try await page.press("#rows [data-row=ferrari] .tap", version: 2)
                try await page.tab(to: "#entries [data-version='2'] .entry-travel")
                try await page.press(.down)
                try await page.wait(
                    for: "#entries [data-version='1'] .entry-changes li", text: "MainCoordinator appeared")
                #expect(try await page.texts("#changed-list li").contains("TeamsDetailsCoordinator appeared"))
                try await page.press(.up)
                try await page.wait(untilGone: "#entries [data-version='1'] .entry-changes")
            }
        }

        @Test func onlyVisibleChangesAreRequested() async throws {
            try await withRacing { server in
                let client = server.client()
                for path in ["/main/teams", "/main/drivers", "/main/teams/team/haas"] { try await client.open(path) }
                try await withPage { page in
                    try await page.open("\(server.url)/#session=\(try #require(client.sessionID))")
                    try await page.wait(for: "#changed-list li", text: "tab Drivers → Teams")
                    let asked = try await page.evaluate(
                        """
                        return performance.getEntriesByType("resource").map(({ name }) => new URL(name))
                          .filter(({ pathname, search }) => pathname.endsWith("/route") && search !== "").map(({ search }) => search);
                        """)
                    #expect(asked == ["?version=2"])
                }
            }
        }

        // MARK: Sentences, and the differences that they describe

        private static let words: [(pointer: String, from: JSON, to: JSON, text: String)] = [
            ("/screen/title", "Teams", "Drivers", "title Teams → Drivers"),
            ("/screen/status", "loading", "failed", "loading → failed"),
            ("/screen/message", .null, "No network", "message “No network”"),
            ("/screen/style", "page", "sheet", "opened as a sheet"),
            ("/screen/rows/1", .null, ["title": "Haas"], "row Haas appeared"),
            ("/screen/rows/1", ["title": "Haas"], .null, "row Haas gone"),
            ("/screen/rows/0/value", "1", "2", "row Shoes: 1 → 2"),
            ("/screen/rows/0/title", "Boots", "Shoes", "row Boots → Shoes"),
            ("/screen/rows/0/delete", .null, ["title": "x"], "row Shoes has a new action"),
            ("/screen/actions/0/inputs/0/value", "8001", "80", "Zip 8001 → 80"),
            ("/screen/actions/0/inputs/0/error", .null, "Four digits, please.", "Zip: Four digits, please."),
            ("/screen/actions/0/inputs/0/error", "Four digits, please.", .null, "Zip is valid now"),
            ("/screen/actions/0/payload/zip", "8001", "80", "button Save has a new action"),
            ("/navigation/tabs/0/badge", "2", .null, "Cart badge 2 → 0"),
            ("/navigation/tabs/0/badge", "new", .null, "Cart badge new → none"),
            ("/navigation/tabs/0/selected", false, true, "tab none → Cart"),
            ("/navigation/back", .null, ["title": "Teams"], "Back leads to Teams"),
            ("/parked", .null, ["path": "/orders/17"], "/orders/17 parked"),
            ("/pending/0", .null, ["id": "1-1", "name": "prices", "kind": "work"], "work prices started"),
            ("/pending/0", ["id": "1-1", "name": "offer", "kind": "timer"], .null, "timer offer finished"),
            ("/tree/children/0", .null, ["id": "App/Cart"], "Cart appeared"),
            ("/tree/presented", ["id": "App/Alert"], .null, "Alert dismissed"),
            ("/tree/started", false, true, "App started"),
            ("/tree/route", "cart", "home", "App route cart → home"),
            ("/colours/0/a~1b", "red", "blue", "colours/0/a~1b red → blue"),
        ]

        /// The test calls the page's module, which needs no elements.
        @Test func everyKindOfChangeHasASentence() async throws {
            let route: JSON = [
                "screen": [
                    "name": "Cart", "title": "Cart", "rows": [["title": "Shoes"]],
                    "actions": [["title": "Save", "inputs": [["title": "Zip"]]]],
                ],
                "navigation": ["tabs": [["title": "Cart"]]], "tree": ["id": "App"],
            ]
            try await withInspector { page, _ in
                let cases = Self.words.map { word -> JSON in
                    [["pointer": .string(word.pointer), "from": word.from, "to": word.to]]
                }
                let told = try await page.ask(
                    "/inspector/changes/words.js",
                    "given[0].map((changes) => module.sentences(changes, given[1]))", .array(cases), route)
                for (sentences, word) in zip(told.array, Self.words) {
                    #expect(sentences == [.string(word.text)], "\(word.pointer)")
                }
                #expect(told.array.count == Self.words.count)
            }
        }

        @Test func manyChangesOfAKindAreCombined() async throws {
            try await withInspector { page, _ in
                let changes = (0..<4).map { index -> JSON in
                    [
                        "pointer": .string("/screen/rows/\(index)"), "from": .null,
                        "to": ["title": .string("Row \(index)")],
                    ]
                }
                let route: JSON = ["screen": ["rows": []], "navigation": ["tabs": []], "tree": [:]]
                let words = "given[0].map((changes) => module.sentences(changes, given[1]))"
                let told = try await page.ask(
                    "/inspector/changes/words.js", words, [.array(changes), .array(Array(changes[0..<2]))], route)
                #expect(told == [["4 rows appeared"], ["rows Row 0 and Row 1 appeared"]])
            }
        }

        @Test(arguments: [3, 7])
        func exceptForActionsThePageFindsTheSameDifferencesAsTheServer(stride: Int) async throws {
            try await withInspector { page, server in
                let client = server.client()
                for step in 1...20 {
                    let actions = try await client.route().offeredActions
                    try await client.emit(actions[step * stride % actions.count])
                }
                for (first, second) in [(0, 1), (3, 12), (0, 20), (11, 19)] {
                    let documents = [
                        try await client.get("/route?version=\(first)"),
                        try await client.get("/route?version=\(second)"),
                    ]
                    let found = try await page.ask(
                        "/inspector/changes/difference.js",
                        """
                        module.compared(...given.map((text) => module.contentOf(JSON.parse(text)))).changes
                          .map(({ pointer }) => pointer)
                        """, .string(documents[0].text), .string(documents[1].text))
                    let base = "/sessions/\(client.sessionID ?? "")"
                    let answer = try await client.get("\(base)/changes?from=\(first)&to=\(second)").decode(JSON.self)
                    let pointers = answer["changes"]?.array.compactMap { $0["pointer"]?.string } ?? []
                    let isOther = { (pointer: String) in !pointer.contains("/actions") }
                    #expect(found.array.compactMap(\.string).filter(isOther) == pointers.filter(isOther))
                }
            }
        }
    }
}

extension Page {
    /// The value of an expression that uses one of the page's modules. In it, `given` contains the arguments.
    func ask(_ module: String, _ expression: String, _ arguments: JSON...) async throws -> JSON {
        try await evaluate(
            """
            const [path, given] = arguments;
            window.given = given;
            window.asked = undefined;
            import(path).then((module) => { window.asked = { value: \(expression) }; });
            """, .string(module), .array(arguments))
        return try await wait("for \(module)", until: "window.asked")["value"] ?? .null
    }
}
