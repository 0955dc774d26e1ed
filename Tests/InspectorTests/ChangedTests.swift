import CoordinateTesting
import Testing
import WebDriver

extension Inspector {
    /// The sentences about an event's changes. `Tests/page/changes.test.js` has the sentences themselves.
    struct ChangedTests {
        @Test func theChangesOfTheVersionShownAreTold() async throws {
            try await withInspector { page, server in
                try await page.waitUntilLive()
                #expect(try await page.texts("#changed").isEmpty)
                try await page.press("#actions button", text: "Continue", version: 1)
                try await page.press("#rows [data-row=ferrari] .tap", version: 2)
                try await page.wait(for: "#changed-list li", text: "TeamsDetailsCoordinator appeared")
                try await page.press("#actions button", text: "Add to favorites", version: 3)
                try await page.wait(for: "#changed-list li", text: "Profile badge 0 → 1")
                let expected = ["Button Add to favorites → Remove from favorites", "Profile badge 0 → 1"]
                #expect(try await page.texts("#changed-list li") == expected)
                // The past has its own changes, and the start has none.
                try await page.travel(to: 1)
                try await page.wait(for: "body.in-past #changed-list li", text: "Screen Formula Racing → Teams")
                #expect(try await page.texts("#changed-list li").contains("SplashCoordinator gone"))
                try await page.travel(to: 0)
                #expect(try await page.texts("#changed").isEmpty)
                try await page.click("#now")
                try await server.client(headers: ["Session": try await page.session()]).emit("navigation.dismiss")
                try await page.wait(for: "#changed-list li", text: "Nothing changed")
            }
        }

        @Test func exceptForActionsThePageFindsTheSameDifferencesAsTheServer() async throws {
            try await withInspector { page, server in
                for (stride, versions) in [(3, [(0, 1), (3, 12), (0, 20), (11, 19)]), (7, [(3, 12), (0, 20)])] {
                    let client = server.client()
                    for step in 1...20 {
                        let actions = try await client.route().offeredActions
                        try await client.emit(actions[step * stride % actions.count])
                    }
                    for (first, second) in versions {
                        let pair = [
                            try await client.get("/route?version=\(first)").text,
                            try await client.get("/route?version=\(second)").text,
                        ]
                        let found = try await page.evaluate(
                            """
                            const documents = [...arguments];
                            return import("/inspector/changes/difference.js").then(({ compared, contentOf }) =>
                              compared(...documents.map((text) => contentOf(JSON.parse(text)))).changes
                                .map(({ pointer }) => pointer));
                            """, .string(pair[0]), .string(pair[1]))
                        let base = "/sessions/\(client.sessionID ?? "")"
                        let answer = try await client.get("\(base)/changes?from=\(first)&to=\(second)").json
                        let pointers = answer["changes"]?.array.compactMap { $0["pointer"]?.string } ?? []
                        let isOther = { (pointer: String) in !pointer.contains("/actions") }
                        #expect(found.array.compactMap(\.string).filter(isOther) == pointers.filter(isOther))
                        #expect(pointers.contains(where: isOther))
                    }
                }
            }
        }
    }
}
