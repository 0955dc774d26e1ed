import CoordinateTesting
import Testing
import WebDriver

extension Inspector {
    /// Using the app through the page.
    struct RacingFlowTests {
        @Test func theWholeAppIsUsedByClicking() async throws {
            try await withInspector { page, server in
                try await page.press("#actions button", text: "Continue", version: 1)
                #expect(try await page.texts("#rows .row-title").count == 10)

                try await page.press("#rows [data-row=ferrari] .tap", version: 2)
                #expect(try await page.sight().path == "/main/teams/team/ferrari")
                #expect(try await page.sight().handled == "MainCoordinator")
                let traced = { (trace: String) async throws -> [String] in
                    try await page.evaluate(
                        """
                        return [...document.querySelectorAll(`#tree [data-trace=${arguments[0]}]`)]
                          .map((item) => item.dataset.coordinator);
                        """, .string(trace)
                    ).array.compactMap(\.string)
                }
                let main = "AppCoordinator/MainCoordinator"
                #expect(try await traced("handled") == [main])
                #expect(
                    try await traced("passed")
                        == ["\(main)/TeamsCoordinator", "\(main)/TeamsCoordinator/TeamsListCoordinator"])
                #expect(try await page.texts("#screen-status, #pending, .frame-origin, #story-icon").isEmpty)

                try await page.press("#rows [data-row=leclerc] .tap", version: 3)
                try await page.press("#actions button", text: "Add to favorites", version: 4)
                #expect(try await page.texts("#actions button").contains("Remove from favorites"))
                #expect(try await page.texts("#tabs [role=tab]:last-child .badge") == ["1"])
                try await page.wait(for: "#changed-list li", text: "Profile badge 0 → 1")

                try await page.press("#back", version: 5)
                #expect(try await page.texts("#rows [data-row=leclerc] .favorite").count == 1)
                try await page.press("#rows [data-row=hamilton] .tap", version: 6)
                try await page.press("#actions button", text: "Compare", version: 7)
                #expect(try await page.evaluate("return seen('#tree [data-section]', null).length").int ?? 0 > 0)
                try await page.press("#rows [data-row=norris] .tap", version: 8)
                #expect(try await page.sight().path == "/main/teams/compare/hamilton/norris")
                try await page.press("#actions button", text: "Finish", version: 9)
                #expect(try await page.texts("#tree [data-section]").isEmpty)

                try await page.press("#tabs [role=tab]:last-child", version: 10)
                #expect(try await page.texts("#rows .row-title") == ["Charles Leclerc"])
                try await page.press("#rows .delete", version: 11)
                #expect(try await page.texts("#tabs .badge").isEmpty)
                #expect(try await page.sight().entries.first == "drivers.unsetFavorite")

                let client = server.client(headers: ["Session": try await page.session()])
                #expect(try await client.route().path == page.sight().path)
                try await page.openPath("/main/teams/team/haas")
                try await page.wait(until: 12)
                try await page.press("#back", version: 13)
                #expect(try await page.sight().title == "Teams")
            }
        }

        @Test func animationsBreakNothing() async throws {
            try await withInspector { page, server in
                try await page.prefer(motion: true)
                let client = server.client(headers: ["Session": try await page.session()])
                let script = "document.querySelector(arguments[0]).click()"
                for (index, selector) in [
                    "#actions button", "[data-row=ferrari] .tap", "[data-row=leclerc] .tap", "#actions button", "#back",
                    "#tabs [role=tab]:last-child", "#actions button", "#dismiss",
                ].enumerated() {
                    try await page.evaluate(script, .string("#phone \(selector)"))
                    try await page.wait(until: index + 1)
                }
                #expect(try await page.sight().path == client.route().path)
            }
        }
    }
}
