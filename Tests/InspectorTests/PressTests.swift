import CoordinateTesting
import Testing
import WebDriver

extension Inspector {
    /// A press, even a double one, counts once, and only on the screen that the user saw.
    struct PressTests {
        /// The stream can report a version before its sender has the answer.
        @Test func aNewScreenCanBePressedBeforeTheAnswerArrives() async throws {
            try await withInspector { page, _ in
                try await page.waitUntilLive()
                try await page.evaluate(
                    """
                    const send = window.fetch;
                    window.answers = [];
                    window.fetch = async (address, request) => {
                      const answer = await send(address, request);
                      if (request.method === "POST") await new Promise((resolve) => answers.push(resolve));
                      return answer;
                    };
                    """)
                try await page.press("#actions button", text: "Continue", version: 1)
                try await page.evaluate(
                    "const row = document.querySelector('#rows [data-row=ferrari] .tap'); row.click(); row.click();")
                try await page.wait(until: 2)
                try await page.press("#back", version: 3)
                try await page.wait("for the answers", until: "answers.length === 3")
                try await page.evaluate("for (const each of answers) each();")
                try await page.press("#rows [data-row=haas] .tap", version: 4)
                let events = ["teams.didSelect", "navigation.back", "teams.didSelect", "splash.didFinish"]
                #expect(try await page.sight().entries == events)
            }
        }

        @Test func nothingIsSentFromAnOutdatedScreen() async throws {
            try await withInspector(expecting: [412]) { page, server in
                try await page.openPath("/main/teams/team/ferrari")
                try await page.wait(until: 1)
                try await pressAfterAnotherClient(page, "#actions button", "navigation.back", [:])
                try await page.wait(for: "#problem")
                #expect(try await page.texts("#problem-content")[0].contains("has changed"))
                // The page shows the new screen, so that the user can decide again. It draws it a moment after the
                // problem.
                try await page.wait(for: "#screen-title", text: "Teams")
                let client = server.client(headers: ["Session": try await page.session()])
                #expect(try await client.get("/events").json["events"]?.array.count == 2)
                try await page.press("#rows [data-row=haas] .tap", version: 3)
                try await page.wait(untilGone: "#problem")
                // A form keeps what was typed.
                try await page.openPath("/main/profile/edit")
                try await page.wait(until: 4)
                try await page.fill("#phone [data-field=name]", with: "Ada")
                try await pressAfterAnotherClient(page, "#phone .submit", "teams.setFavorite", ["team": "haas"])
                try await page.wait(for: "#problem")
                #expect(try await page.value(of: "#phone [data-field]") == "Ada")
                try await page.press(".submit", version: 6)
                try await page.wait(untilGone: "#problem")
                #expect(try await page.sight().entries.first == "profile.rename")
            }
        }

        /// Presses something after another client's event that the page has not received yet.
        private func pressAfterAnotherClient(
            _ page: Page, _ selector: String, _ event: String, _ payload: JSON
        ) async throws {
            try await page.evaluate(
                """
                const request = new XMLHttpRequest();
                request.open("POST", `/sessions/${arguments[0]}/events`, false);
                request.setRequestHeader("Content-Type", "application/json");
                request.send(JSON.stringify(arguments[1]));
                document.querySelector(arguments[2]).click();
                """, .string(try await page.session()), ["event": .string(event), "payload": payload],
                .string(selector))
        }
    }
}
