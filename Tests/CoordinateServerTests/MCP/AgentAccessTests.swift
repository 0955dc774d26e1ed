import CoordinateMCP
import CoordinateTesting
import SessionFixtures
import Testing

@testable import CoordinateServer

/// Who may use the tools, and which.
struct AgentAccessTests {
    @Test func aServerCanHaveTheReadingToolsAlone() async throws {
        try await withRacing(configuration: .make(endpoints: [.agents(.read)])) { server in
            let agent = Agent(server)
            let tools = try await agent.result("tools/list")["tools"]?.array ?? []
            #expect(
                tools.map { $0["name"] } == [
                    "read_screen", "list_events", "read_history", "wait", "export_journal",
                ])
            let session = try await server.client(options: [:], at: "/main/teams").sessionID ?? ""
            #expect(try await agent.use("read_screen", ["session": .string(session)])["path"] == "/main/teams")
            for tool in ["open_session", "press", "open_link", "fork_session", "end_session"] as [JSON] {
                let arguments: JSON = ["session": .string(session), "event": "navigation.back", "path": "/splash"]
                let answer = try await agent.send("tools/call", ["name": tool, "arguments": arguments])
                #expect(answer.status == 400)
                #expect(try answer.json["error"]?["code"] == -32602)
            }
            #expect(try await agent.use("read_screen", ["session": .string(session)])["version"] == 1)
        }
    }

    @Test func aServerCanHaveNoTools() async throws {
        try await withRacing(configuration: .make(endpoints: [])) { server in
            for method in ["POST", "GET", "DELETE"] {
                let answer = try await server.client().request(method, "/mcp")
                #expect(answer.isProblem("not-found", 404))
            }
        }
    }

    @Test(arguments: ["GET", "HEAD", "PUT", "PATCH", "DELETE"])
    func messagesAreOnlyPosted(method: String) async throws {
        try await withRacing { server in
            let answer = try await server.client().request(method, "/mcp", headers: ["Accept": "text/event-stream"])
            #expect(answer.status == 405)
            #expect(answer.header("Allow") == "POST")
        }
    }

    @Test func theToolsNeedTheKey() async throws {
        try await withRacing(configuration: .make(apiKey: "swordfish")) { server in
            let refused = try await Agent(server).send("tools/list")
            #expect(refused.isProblem("unauthorized", 401))
            let agent = Agent(server, headers: ["Authorization": "Bearer swordfish"])
            #expect(try await agent.result("tools/list")["tools"]?.array.count == 10)
        }
    }

    @Test func otherSitesAndNamesAreRefused() async throws {
        try await withRacing(over: .socket) { server in
            let agent = Agent(server)
            let foreign = try await agent.send("tools/list", headers: ["Origin": "https://evil.example"])
            #expect(foreign.isProblem("cross-origin", 403))
            let elsewhere = try await agent.send("tools/list", headers: ["Sec-Fetch-Site": "cross-site"])
            #expect(elsewhere.status == 403)
            let own = try await agent.send("tools/list", headers: ["Origin": server.url])
            #expect(own.status == 200)
        }
        try await withRacing(over: .socket) { server in
            let named = try await Agent(server).send("tools/list", headers: ["Host": "evil.example"])
            #expect(named.status == 421)
        }
    }

    @Test func anAllowedSiteMaySendTheHeaders() async throws {
        var configuration = ServerConfiguration.make()
        configuration.origins = ["https://agents.example"]
        try await withRacing(configuration: configuration) { server in
            let headers = [
                "Origin": "https://agents.example", "Access-Control-Request-Method": "POST",
                "Access-Control-Request-Headers": "mcp-protocol-version, mcp-method, mcp-name, content-type",
            ]
            let preflight = try await server.client().request("OPTIONS", "/mcp", headers: headers)
            #expect(preflight.status == 204)
            let allowed = preflight.header("Access-Control-Allow-Headers") ?? ""
            for header in ["MCP-Protocol-Version", "Mcp-Method", "Mcp-Name"] { #expect(allowed.contains(header)) }
        }
    }

    @Test func messagesAreBounded() async throws {
        try await withRacing { server in
            let agent = Agent(server)
            let large = JSON.string(String(repeating: "a", count: 64 * 1024))
            let answer = try await agent.send("tools/list", ["large": large])
            #expect(answer.status == 413)
        }
    }
}
