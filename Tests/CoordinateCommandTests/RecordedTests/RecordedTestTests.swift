import Coordinate
import CoordinateTesting
import Foundation
import SessionFixtures
import Testing

/// Sessions as tests: `GET /sessions/{id}/test`. The tests run against the same app, and against one with a defect.
struct RecordedTestTests {
    /// The commands that run tests which are not compiled. `make conform` installs Python with pytest and requests.
    static let runners = [
        ("curl", ["sh"]), ("python", [".build/conform/bin/python", "-m", "pytest", "-q", "-p", "no:cacheprovider"]),
    ].filter { language, command in
        language == "curl"
            ? FileManager.default.isExecutableFile(atPath: "/usr/bin/jq")
            : FileManager.default.isExecutableFile(atPath: Program.shipped.appending(path: command[0]).path)
    }

    /// Writes a test of a client's session.
    private func test(
        as language: String, of client: SessionClient, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> String {
        let answer = try await client.get("/sessions/\(client.session().id)/test?as=\(language)")
        try #require(answer.status == 200, "\(answer.text)", sourceLocation: sourceLocation)
        let test = try answer.json
        let steps = try #require(test["steps"]?.array.map { $0.string ?? "" }, sourceLocation: sourceLocation)
        #expect(try await client.route().version == steps.count, sourceLocation: sourceLocation)
        return try #require(test["opening"]?.string) + steps.joined() + #require(test["closing"]?.string)
    }

    private func run(
        _ test: String, with command: [String], against server: TestServer
    ) async throws -> Program.Outcome {
        try await withFolder(["test_flow.py": test]) { folder in
            try await Program.wholeOutcome(
                of: command + [folder.appending(path: "test_flow.py").path], of: "/usr/bin/env",
                environment: ["SERVER": server.url, "PYTHONDONTWRITEBYTECODE": "1"])
        }
    }

    /// A session with every kind of step.
    private func record(in server: TestServer) async throws -> SessionClient {
        let client = server.client()
        try await client.press("Draw")
        try await client.press("Add", inRow: "soup")
        try await client.press("Add", inRow: "bread", entering: ["count": 3])
        try await client.press("Log in", entering: ["user": "anna", "password": "open sesame"])
        try await client.settle()
        try await client.emit("kiosk.ignore", expecting: .unhandled)
        try await client.press("Reset")
        try await client.press("Yes")
        let hostile = JSON.string(KioskApp.hostileText)
        try await client.press(KioskApp.hostileText, entering: ["text": hostile])
        try await client.emit("kiosk.add", ["dish": hostile, "count": 2])
        try await server.emit(KioskEvents.didCall(7), into: client)
        try await client.open("/kiosk/\(KioskApp.largeNumber)")
        try await client.press(
            KioskApp.hostileText, entering: ["text": "", "serial": .int(KioskApp.largeNumber)])
        return client
    }

    @Test(arguments: runners)
    func aTestFailsOnlyIfTheAppHasADefect(language: String, command: [String]) async throws {
        let text = try await withServer(app: KioskApp()) { server in
            try await test(as: language, of: record(in: server))
        }
        try await withServer(app: KioskApp(), over: .socket) { server in
            let outcome = try await run(text, with: command, against: server)
            #expect(outcome.status == 0, "\(outcome.errors)\(outcome.output)")
        }
        for (defect, reason) in [
            (KioskApp.Defect.otherTitle, #""Pull","Reset""#), (.missingInput, "0 buttons"),
            (.unhandled, "handled"), (.otherPath, "/kiosk/1%20soup%21"), (.noWork, "Nothing is pending"),
        ] {
            try await KioskApp.$defect.withValue(defect) {
                try await withServer(app: KioskApp(), over: .socket) { server in
                    let outcome = try await run(text, with: command, against: server)
                    #expect(outcome.status != 0, "\(defect)")
                    let said = (outcome.errors + outcome.output).replacing("'", with: "\"").replacing(", ", with: ",")
                    #expect(said.contains(reason), "\(said)")
                }
            }
        }
    }

    /// Work that ends, fails, is cancelled, and gets a secret; timers, options, and coordinators other than the leaf.
    @Test(arguments: runners)
    func outcomesOfWorkAndTimersArePosted(language: String, command: [String]) async throws {
        let (world, clock) = (World(), TestClock())
        let text = try await withServer(app: WorkApp(world), clock: clock) { server in
            let client = try await server.client(options: ["asksAtStart": true, "firstTimer": 60, "pace": 0.5])
            _ = await world.call(0)
            world.finish("start")
            try await client.wait { $0.version == 1 }
            for event in ["ask", "cancel"] { try await client.emit("work.\(event)", ["name": "gone"]) }
            world.plan("pay", .failure(WorkFailure("Out of money.")))
            try await client.emit("work.ask", ["name": "pay"])
            world.plan("login", .success("anna"))
            try await client.settle()
            try await client.emit("work.login", ["password": "open sesame"])
            try await client.settle()
            try await client.emit("work.setTimer", ["seconds": 20])
            clock.advance(by: .seconds(100))
            try await client.wait { $0.pending.isEmpty }
            let page = try await client.route().leaf
            try await client.emit("work.push")
            try await client.emit("work.look", at: page)
            try await server.emit(WorkEvents.didHear("news"), into: client, at: page)
            return try await test(as: language, of: client)
        }
        // Here, no work ends.
        try await withServer(app: WorkApp(), over: .socket) { server in
            let outcome = try await run(text, with: command, against: server)
            #expect(outcome.status == 0, "\(outcome.errors)\(outcome.output)\(text)")
        }
    }

    /// Tabs, Back, a modal, a link, and titles that several buttons have. The server requires its key.
    @Test(arguments: runners)
    func aSessionOfAStoreIsExportedAsATest(language: String, command: [String]) async throws {
        let key = ["COORDINATE_API_KEY": "s3cret/key="]
        try await withFolder { folder in
            let store = "sqlite:\(folder.appending(path: "sessions.sqlite").path)"
            try await Program.run(["serve", "--port", "0", "--journal", store], environment: key) { program in
                let url = try await program.url()
                let client = SessionClient(url: url, headers: ["Authorization": "Bearer s3cret/key="])
                try await client.press("Continue")
                try await client.press("Ferrari")
                try await client.press("Teams", event: "navigation.back")
                try await client.press("Drivers")
                try await client.open("/main/profile")
                try await client.press("Edit profile")
                try await client.press("Close")
                try await client.open("/main/profile/edit")
                try await client.press("Save", entering: ["name": #"Zoë "O'Neill" ''' \(1) 🏁"#])
                let id = try await client.session().id
                let export = try await Program.wholeOutcome(of: ["export", id, "--journal", store, "--as", language])
                #expect(export.status == 0, "\(export.errors)")
                let file = folder.appending(path: "test_flow.py")
                try Data(export.output.utf8).write(to: file)
                func run(_ environment: [String: String]) async throws -> Program.Outcome {
                    try await Program.wholeOutcome(
                        of: command + [file.path], of: "/usr/bin/env",
                        environment: environment.merging(["SERVER": url]) { $1 })
                }
                let outcome = try await run(key)
                #expect(outcome.status == 0, "\(outcome.errors)\(outcome.output)")
                let refused = try await run([:])
                #expect(refused.status != 0)
                #expect((refused.output + refused.errors).contains("/problems/unauthorized"))
            }
        }
    }

    @Test func aSessionThatDoesNotReplayIsNotExported() async throws {
        let season = """
            {"profile": {"name": "Ada"}, "teams": [{"id": "haas", "name": "Haas", "drivers": ["ocon"]}],
             "drivers": [{"id": "ocon", "name": "Esteban Ocon"}]}
            """
        try await withFolder(["season.json": season]) { folder in
            let store = "sqlite:\(folder.appending(path: "sessions.sqlite").path)"
            let id = try await Program.run(["serve", "--port", "0", "--journal", store]) { program in
                let client = SessionClient(url: try await program.url())
                try await client.press("Continue")
                try await client.press("Ferrari")
                return try await client.session().id
            }
            let data = ["--app-data", folder.appending(path: "season.json").path]
            let outcome = try await Program.wholeOutcome(
                of: ["export", id, "--journal", store, "--as", "swift"] + data)
            #expect(outcome.status == 1)
            #expect(outcome.output == "")
            #expect(outcome.errors.contains("Line 3: "), "\(outcome.errors)")
        }
    }

    @Test(arguments: [("", "?as=swift"), ("?as=ruby", "one of swift, curl, python")])
    func theLanguageMustBeNamed(query: String, advice: String) async throws {
        try await withServer(app: KioskApp()) { server in
            let client = server.client()
            try await client.press("Draw")
            let answer = try await client.get("/sessions/\(client.session().id)/test\(query)")
            #expect(answer.status == 400)
            #expect(answer.text.contains(advice))
            #expect(try await client.get("/sessions/AAAAAAAAAAAAAAAAAAAAAA/test?as=curl").status == 404)
        }
    }

    @Test func theCompiledTestFailsIfTheAppHasADefect() async {
        for defect in KioskApp.Defect.allCases {
            await KioskApp.$defect.withValue(defect) {
                await withKnownIssue { try await leadsToKioskWritten209007199254740993() }
            }
        }
    }

    /// `COPIED_TESTS=1` writes the file again, which is compiled. `make format` formats it.
    @Test func theCompiledTestIsTheOneThatIsWritten() async throws {
        let text = try await withServer(app: KioskApp()) { server in
            try await test(as: "swift", of: record(in: server))
        }
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "CopiedTest.swift")
        if ProcessInfo.processInfo.environment["COPIED_TESTS"] != nil { try Data(text.utf8).write(to: file) }
        // What differs for each recording, and formatting.
        let others = /leadsTo\w+|"(?:createdAt|seed|reference)": [^,\n]*|drawn%20\d+|[\s_,]/
        let copied = try String(contentsOf: file, encoding: .utf8)
        #expect(text.replacing(others, with: "") == copied.replacing(others, with: ""))
    }
}
