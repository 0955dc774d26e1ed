import CoordinateTesting
import SessionFixtures
import Testing

@testable import CoordinateServer

extension OpenAPIAnswerTests {
    /// Messages of agents that get no result, and a server without tools.
    func checkAgents(_ check: DescriptionCheck) async throws {
        let message = description.example(.init("POST", "/mcp"), id: "x")
        try await withRacing { server in
            let notification = message.with(body: #"{"jsonrpc": "2.0", "method": "notifications/initialized"}"#)
            try await check.send(notification, as: server.client(), status: 202)
            let body = """
                {"jsonrpc": "2.0", "id": 1, "method": "ping", "params": {"_meta": {
                "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                "io.modelcontextprotocol/clientCapabilities": {}}}}
                """
            let headers = ["MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "ping"]
            try await check.send(message.with(headers: headers, body: body), as: server.client(), status: 404)
        }
        try await withRacing(configuration: .make(endpoints: [])) { server in
            _ = try await check.send(message, as: server.client(), status: 404)
        }
    }
}
