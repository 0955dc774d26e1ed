import CoordinateTesting
import Foundation
import Glibc
import SessionFixtures
import Testing

/// `coordinate-server mcp`: the tools on the standard input and output.
struct ServeToolsTests {
    private nonisolated(nonsending) func withTools(
        _ arguments: [String] = [], of name: String = "coordinate-server", environment: [String: String] = [:],
        _ body: nonisolated(nonsending) (ToolProgram) async throws -> Void
    ) async throws {
        try await Program.run(["mcp"] + arguments, of: name, environment: environment, takesInput: true) { program in
            try await body(ToolProgram(program: program))
        }
    }

    @Test func theToolsAreServedUntilTheInputEnds() async throws {
        try await withTools { tools in
            let discovered = try await tools.result("server/discover")
            #expect(discovered["supportedVersions"]?[0] == "2026-07-28")
            #expect(try await tools.result("tools/list")["tools"]?.array.count == 10)
            let session = try #require(try await tools.use("open_session")["session"])
            let main = try await tools.use("press", ["session": session, "title": "Continue"])
            #expect(main["path"] == "/main/teams")
            let mistake = try await tools.call("press", ["session": session, "title": "Continu"])
            #expect(mistake["isError"] == true)
            #expect(mistake["content"]?[0]?["text"]?.string?.contains("/problems/unknown-action") == true)
            let fork = try await tools.use("fork_session", ["session": session, "version": 0])
            #expect(fork["path"] == "/splash")
            let journal = try await tools.use("export_journal", ["session": session])["journal"]?.string
            #expect(journal?.split(separator: "\n").count == 2)
            try tools.program.closeInput()
            #expect(await tools.program.remainingOutput() == "")
            #expect(await tools.program.status() == 0)
            #expect(await tools.program.remainingErrors().contains("the input has ended"))
        }
    }

    @Test func badLinesAreErrorsAndTheNextOneIsAnswered() async throws {
        try await withTools { tools in
            for (line, code) in [("{", -32700), (String(repeating: "a", count: 70_000), -32600)] as [(String, JSON)] {
                try tools.program.write(line + "\n")
                #expect(try await tools.answer()["error"]?["code"] == code)
            }
            #expect(try await tools.result("tools/list")["tools"]?.array.count == 10)
        }
    }

    @Test func callsThatWaitDelayNoOther() async throws {
        try await withTools { tools in
            let session = try #require(try await tools.use("open_session")["session"])
            let wait: JSON = ["session": session, "until": "changed", "seconds": 30]
            for number in 1...64 { try tools.post("wait", wait, id: .int(number)) }
            // One more is refused.
            try tools.post("wait", wait, id: "more")
            let refused = try await tools.answer()
            #expect(refused["id"] == "more")
            #expect(refused["result"]?["isError"] == true)
            #expect(refused["result"]?["content"]?[0]?["text"]?.string?.contains("/problems/too-busy") == true)
            #expect(try await tools.use("read_screen", ["session": session])["version"] == 0)
            // A call that is cancelled gets no answer, and makes room.
            try tools.program.write(
                #"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":64}}"# + "\n")
            try tools.post("wait", wait, id: 65)
            try tools.post("press", ["session": session, "title": "Continue"], id: 66)
            var versions: [Int: Int] = [:]
            for _ in 1...65 {
                let answer = try await tools.answer()
                versions[answer["id"]?.int ?? 0] = answer["result"]?["structuredContent"]?["version"]?.int
            }
            #expect(Set(versions.keys) == Set(1...66).subtracting([64]))
            #expect(versions.values.allSatisfy { $0 == 1 })
            // What still waits when the input ends is answered with the screen as it is.
            try tools.post("wait", wait, id: "last")
            try tools.program.closeInput()
            let last = try await tools.answer()
            #expect(last["id"] == "last")
            #expect(last["result"]?["structuredContent"]?["changed"] == [])
            #expect(await tools.program.status() == 0)
        }
    }

    @Test func sessionsOutliveTheProgramInAStore() async throws {
        let store = "sqlite:\(FileManager.default.temporaryDirectory.path)/tools-\(UUID()).sqlite"
        defer { try? FileManager.default.removeItem(atPath: String(store.dropFirst("sqlite:".count))) }
        var session: JSON = .null
        try await withTools(["--journal", store]) { tools in
            session = try #require(try await tools.use("open_session", ["path": "/main/teams"])["session"])
            _ = try await tools.use("press", ["session": session, "title": "Ferrari"])
            tools.program.kill(SIGKILL)
            _ = await tools.program.status()
        }
        try await withTools(["--journal", store]) { tools in
            let screen = try await tools.use("read_screen", ["session": session])
            #expect(screen["path"] == "/main/teams/team/ferrari")
            #expect(screen["version"] == 2)
        }
    }

    @Test func theToolsAreChosenByASetting() async throws {
        try await withTools(environment: ["COORDINATE_MCP": "read"]) { tools in
            let list = try await tools.result("tools/list")
            #expect(list["tools"]?.array.count == 5)
        }
        for value in ["off", "some"] {
            let outcome = try await Program.outcome(of: ["mcp"], environment: ["COORDINATE_MCP": value])
            #expect(outcome.status == 78)
            #expect(outcome.errors.contains("COORDINATE_MCP"))
        }
        try await Program.run(["serve", "--port", "0", "--mcp", "off"]) { program in
            let client = SessionClient(url: try await program.url())
            #expect(try await client.post("/mcp", json: [:]).status == 404)
        }
    }

    @Test(arguments: [SIGTERM, SIGINT]) func aCallThatWaitsIsAnsweredAfterASignal(signal: Int32) async throws {
        try await withTools { tools in
            let session = try #require(try await tools.use("open_session")["session"])
            try tools.post("wait", ["session": session, "until": "changed", "seconds": 30], id: "wait")
            _ = try await tools.result("server/discover")
            tools.program.kill(signal)
            let answer = try await tools.answer()
            #expect(answer["id"] == "wait")
            #expect(answer["result"]?["structuredContent"]?["version"] == 0)
            #expect(await tools.program.status() == 0)
        }
    }

    @Test func aPressIsAnsweredAfterASignal() async throws {
        try await withFolder { folder in
            let till = TestTill(folder: folder)
            try await withTools(of: "payment-server", environment: ["TILL": folder.path]) { tools in
                let session = try #require(try await tools.use("open_session")["session"])
                till.put("stall")
                try tools.post("press", ["session": session, "event": "payment.stall"], id: "press")
                try await till.has(1, "stalled")
                tools.program.kill(SIGTERM)
                while let line = await tools.program.errorLine(), !line.contains("signal") {}
                till.remove("stall")
                let answer = try await tools.answer()
                #expect(answer["id"] == "press")
                #expect(answer["result"]?["structuredContent"]?["version"] == 1)
                #expect(await tools.program.status() == 0)
            }
        }
    }
}

/// An agent that has started the program.
private struct ToolProgram {
    let program: Program

    /// The next line that the program writes.
    func answer() async throws -> JSON {
        let line = try #require(await program.line(), "the output has ended")
        return try JSONDecoder().decode(JSON.self, from: Data(line.utf8))
    }

    func post(_ tool: JSON, _ arguments: JSON, id: JSON) throws {
        try write("tools/call", ["name": tool, "arguments": arguments], id: id)
    }

    private func write(_ method: String, _ params: JSON, id: JSON) throws {
        let meta: JSON = [
            "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": [:],
        ]
        let params = JSON.object(["_meta": meta].merging(params.object) { $1 })
        let message: JSON = ["jsonrpc": "2.0", "id": id, "method": .string(method), "params": params]
        try program.write(String(decoding: message.encoded, as: UTF8.self) + "\n")
    }

    func send(_ method: String, _ params: JSON = [:]) async throws -> JSON {
        try write(method, params, id: 1)
        return try await answer()
    }

    func result(_ method: String, _ params: JSON = [:]) async throws -> JSON {
        let answer = try await send(method, params)
        return try #require(answer["result"], "\(answer)")
    }

    func call(_ tool: JSON, _ arguments: JSON = [:]) async throws -> JSON {
        try await result("tools/call", ["name": tool, "arguments": arguments])
    }

    func use(_ tool: JSON, _ arguments: JSON = [:]) async throws -> JSON {
        let result = try await call(tool, arguments)
        #expect(result["isError"] == false, "\(result)")
        return try #require(result["structuredContent"])
    }
}
