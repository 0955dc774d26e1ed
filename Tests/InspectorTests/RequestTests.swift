import CoordinateTesting
import Foundation
import SessionFixtures
import Testing
import WebDriver

extension Inspector {
    /// Requests besides the app's own actions: deep links, any event, and the commands for them.
    struct RequestTests {
        @Test(arguments: [
            ("/main/teams/team/ferrari", "Ferrari"), ("/main/drivers/driver/leclerc", "Charles Leclerc"),
            ("/main/profile/edit", "Edit profile"), ("/splash", "Formula Racing"),
        ])
        func aDeepLinkIsOpenedInTheAddressBar(path: String, title: String) async throws {
            try await withInspector { page, _ in
                try await page.openPath(path)
                try await page.wait(until: 1)
                #expect(try await page.sight().path == path)
                #expect(try await page.sight().title == title)
            }
        }

        @Test(arguments: ["/nowhere", "/main/teams/team/{team}", "main"])
        func anUnknownPathShowsTheServersProblem(path: String) async throws {
            try await withInspector(expecting: [422]) { page, server in
                try await page.openPath(path)
                try await page.wait(for: "#problem")
                let client = server.client()
                let answer = try await client.put("/route", json: ["path": .string(path)])
                let problem = try answer.decode(Document.Problem.self)
                let said = try await page.texts("#problem-content")[0]
                #expect(said.contains(problem.title))
                #expect(said.contains(problem.detail))
                #expect(try await page.evaluate("return document.body.dataset.version") == "0")
                try await page.click("#problem-close")
                try await page.wait(untilGone: "#problem")
            }
        }

        @Test func aRefusedPathStaysForCorrection() async throws {
            try await withInspector(expecting: [422]) { page, _ in
                try await page.openPath("/main/teams/team/ferari")
                try await page.wait(for: "#problem")
                #expect(try await page.texts("#problem-content")[0].contains("\"ferari\" is not the id of any Team."))
                let typed = { try await page.evaluate("return document.querySelector('#address').value") }
                try await page.click("#problem-close")
                try await page.wait(untilGone: "#problem")
                try await page.evaluate("document.querySelector('#compose').focus()")
                #expect(try await typed() == "/main/teams/team/ferari")
                try await page.wait(for: "#address[aria-invalid]")
                // When the session's path changes, the field shows it.
                try await page.press("#actions button", text: "Continue", version: 1)
                #expect(try await typed() == "/main/teams")
                try await page.wait(for: "#address:not([aria-invalid])")
            }
        }

        @Test func aProblemDisappearsAfterTheNextSuccess() async throws {
            try await withInspector(expecting: [422]) { page, _ in
                try await page.openPath("/nowhere")
                try await page.wait(for: "#problem")
                try await page.compose("splash.didFinish", [:])
                try await page.wait(until: 1)
                try await page.wait(untilGone: "#problem")
            }
        }

        @Test func aMissingCatalogIsReadWhenNeeded() async throws {
            try await withRacing { server in
                try await withPage { page in
                    try await page.runFirst(
                        """
                        window.catalogIsAway = true;
                        const send = window.fetch;
                        window.fetch = (address, ...rest) => address === "/catalog" && catalogIsAway
                          ? Promise.reject(new TypeError("away")) : send(address, ...rest);
                        """)
                    try await page.open(server.url)
                    try await page.begin()
                    try await page.wait(until: 0)
                    try await page.waitUntilLive()
                    try await page.click("#compose")
                    try await page.wait(for: "#problem")
                    try await page.evaluate("window.catalogIsAway = false")
                    try await page.compose("splash.didFinish", [:])
                    try await page.wait(until: 1)
                    try await page.wait(untilGone: "#problem")
                    try await page.click("#address")
                    try await page.wait(for: "#suggestions [role=option]", text: "/main/profile")
                }
            }
        }

        /// 2⁵³ + 1 is the first whole number that JavaScript rounds.
        @Test func aLargeNumberKeepsAllItsDigits() async throws {
            try await withInspector(of: TestApp()) { page, server in
                let number = 9_007_199_254_740_993
                try await page.click("#compose")
                try await page.choose("test.push", in: "#composer-event")
                try await page.fillIn("number", with: "\(number)")
                let typed = try await page.copied { try await page.click("#composer-copy") }
                #expect(typed.contains(#""number":\#(number)}"#))
                try await page.click("#composer-send")
                try await page.wait(until: 1)
                let client = server.client(headers: ["Session": try await page.session()])
                #expect(try await client.get("/events").json["events"]?[0]?["payload"] == ["number": .int(number)])
                #expect(try await page.texts(".entry-payload")[0] == "number: \(number)")
                let copied = try await page.copied { try await page.click("#entries .entry-copy") }
                #expect(copied.contains(#""number":\#(number)}"#))
                try await page.click("#entries [data-version='1'] .entry-json")
                try await page.wait(for: "#raw")
                #expect(try await page.texts("#raw-json")[0].contains("\(number)"))
            }
        }

        @Test func knownPathsAreSuggestedAndFilledIn() async throws {
            try await withInspector { page, _ in
                try await page.fill("#address", with: "/main/teams/team")
                try await page.click("#suggestions [role=option]", text: "/main/teams/team/{team}")
                // The missing value is selected, so that typing replaces it.
                #expect(try await page.evaluate("return getSelection().toString()") == "{team}")
                try await page.evaluate("document.execCommand('insertText', false, 'haas')")
                try await page.click("#address-go")
                try await page.wait(until: 1)
                #expect(try await page.sight().title == "Haas")
            }
        }

        @Test func typingBeforeThePathsArriveShowsSuggestionsLater() async throws {
            try await withRacing { server in
                try await withPage { page in
                    try await page.runFirst(
                        """
                        const send = window.fetch;
                        window.fetch = (address, ...rest) => address !== "/catalog" ? send(address, ...rest)
                          : new Promise((resolve) => { window.release = () => resolve(send(address, ...rest)); });
                        """)
                    try await page.open(server.url)
                    try await page.begin()
                    try await page.wait(until: 0)
                    try await page.fill("#address", with: "/main/teams/team")
                    #expect(try await page.texts("#suggestions").isEmpty)
                    try await page.evaluate("release()")
                    try await page.wait(for: "#suggestions [role=option]", text: "/main/teams/team/{team}")
                }
            }
        }

        @Test func enterOpensACompletePath() async throws {
            try await withInspector { page, _ in
                try await page.fill("#address", with: "/main/prof")
                try await page.wait(for: "#suggestions [role=option]", text: "/main/profile")
                try await page.press(.down)
                try await page.press(.enter)
                try await page.wait(until: 1)
                #expect(try await page.sight().path == "/main/profile")
            }
        }

        @Test func anyEventIsSentFromTheComposer() async throws {
            try await withInspector { page, _ in
                try await page.press("#actions button", text: "Continue", version: 1)
                try await page.compose("teams.setFavorite", ["team": "haas"])
                try await page.wait(until: 2)
                try await page.wait(untilGone: "#composer")
                #expect(try await page.texts("#tabs .badge") == ["1"])
                #expect(try await page.texts("#rows [data-row=haas] .favorite").count == 1)
            }
        }

        @Test func anEventStartsAtAChosenCoordinator() async throws {
            try await withInspector { page, _ in
                try await page.press("#actions button", text: "Continue", version: 1)
                try await page.click("#tree [data-coordinator='AppCoordinator/MainCoordinator'] > .node")
                try await page.wait(for: "#composer")
                let at = try await page.evaluate("return document.getElementById('composer-at').value")
                #expect(at == "AppCoordinator/MainCoordinator")
            }
        }

        @Test(arguments: [
            ("teams.didSelect", "team", ""), ("drivers.setFavorite", "driver", ""),
            ("profile.rename", "name", String(repeating: "x", count: 81)),
        ])
        func aRefusedEventShowsTitleAndDetail(event: String, field: String, value: String) async throws {
            try await withInspector(expecting: [422]) { page, server in
                try await page.press("#actions button", text: "Continue", version: 1)
                try await page.compose(event, [field: value])
                try await page.wait(for: "#composer-problem")
                let body: JSON = ["event": .string(event), "payload": .object([field: .string(value)])]
                let client = server.client(headers: ["Session": try await page.session()])
                let problem = try await client.post("/events", json: body).decode(Document.Problem.self)
                let said = try await page.texts("#composer-problem")[0]
                #expect(said.contains(problem.title))
                #expect(said.contains(problem.detail))
                #expect(said.contains("/payload/\(field)"))
                let focused = "return document.activeElement.dataset.field"
                #expect(try await page.evaluate(focused) == .string(field))
            }
        }

        @Test func documentsAreShownAsSent() async throws {
            try await withInspector { page, server in
                try await page.press("#actions button", text: "Continue", version: 1)
                let client = server.client(headers: ["Session": try await page.session()])
                let shown = {
                    let text = try await page.texts("#raw-json")[0]
                    return try JSONDecoder().decode(JSON.self, from: Data(text.utf8))
                }
                try await page.click("#route-json")
                #expect(try await shown() == client.get("/route").json)
                try await page.click("#raw-entry")
                #expect(try await shown() == client.get("/events").json["events"][0])
                try await page.click("#raw-close")
                try await page.wait(untilGone: "#raw")
            }
        }

        @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/curl"), "needs curl"))
        func aCopiedCommandRunsInAShell() async throws {
            try await withInspector { page, _ in
                try await page.openPath("/main/profile/edit")
                try await page.wait(until: 1)
                let name = #"Zoë "O'Neill" $HOME \n `id` <&;>"#
                try await page.compose("profile.rename", ["name": name])
                try await page.wait(until: 2)
                try await page.openPath("/main/profile/edit")
                try await page.wait(until: 3)
                try await page.noteNotices()
                let command = try await page.copied { try await page.click("#entries [data-version='2'] .entry-copy") }
                try await page.wait("for a notice", until: "notices.includes('Copied.')")
                #expect(command.hasPrefix("curl --json '"))
                #expect(try await run(command) == 0)
                try await page.wait(until: 4)
                let events = ["profile.rename", "navigation.open", "profile.rename", "navigation.open"]
                #expect(try await page.sight().entries == events)
                #expect(try await page.texts("#entries [data-version='4'] .entry-payload")[0].contains("O'Neill"))
            }
        }

        /// Runs a command in a shell and returns its exit status.
        private func run(_ command: String) async throws -> Int32 {
            try await withCheckedThrowingContinuation { continuation in
                let process = Process()
                process.executableURL = URL(filePath: "/bin/sh")
                process.arguments = ["-c", command]
                process.standardOutput = FileHandle.nullDevice
                process.standardError = FileHandle.nullDevice
                process.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
                do { try process.run() } catch { continuation.resume(throwing: error) }
            }
        }
    }
}
