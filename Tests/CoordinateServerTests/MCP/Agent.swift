import CoordinateTesting
import Foundation
import Testing

/// A client of the Model Context Protocol. It speaks revision 2026-07-28 unless a test says otherwise.
struct Agent {
    static let revision = "2026-07-28"
    static let meta: JSON = [
        "io.modelcontextprotocol/protocolVersion": .string(revision),
        "io.modelcontextprotocol/clientCapabilities": [:],
        "io.modelcontextprotocol/clientInfo": ["name": "test", "version": "1"],
    ]

    let client: SessionClient

    init(_ server: TestServer, headers: [String: String] = [:]) {
        client = server.client(headers: headers)
    }

    /// Sends any message, with the headers that agree with it.
    ///
    /// - Parameter changes: Headers to set, or with `nil` to leave out.
    func send(
        _ method: String, _ params: JSON = [:], meta: JSON? = Agent.meta, headers changes: [String: String?] = [:]
    ) async throws -> ServerAnswer {
        var headers: [String: String?] = ["MCP-Protocol-Version": Self.revision, "Mcp-Method": method]
        if method == "tools/call" { headers["Mcp-Name"] = params["name"]?.string }
        let params = meta.map { params.with("_meta", $0) } ?? params
        return try await post(
            ["jsonrpc": "2.0", "id": 7, "method": .string(method), "params": params],
            headers: headers.merging(changes) { $1 }.compactMapValues { $0 })
    }

    func post(_ message: JSON, headers: [String: String] = [:]) async throws -> ServerAnswer {
        try await post(message.encoded, headers: headers)
    }

    func post(_ body: [UInt8], headers: [String: String] = [:]) async throws -> ServerAnswer {
        let type = ["Content-Type": "application/json", "Accept": "application/json, text/event-stream"]
        return try await client.request("POST", "/mcp", headers: type.merging(headers) { $1 }, body: body)
    }

    /// The result of a request that is answered.
    func result(_ method: String, _ params: JSON = [:]) async throws -> JSON {
        let answer = try await send(method, params)
        #expect(answer.status == 200, "\(answer.text)")
        #expect(try answer.json["id"] == 7)
        return try #require(try answer.json["result"], "\(answer.text)")
    }

    /// The whole result of a tool.
    func call(_ tool: String, _ arguments: JSON) async throws -> JSON {
        try await result("tools/call", ["name": .string(tool), "arguments": arguments])
    }

    /// The document of a tool that does what it is asked for.
    func use(_ tool: String, _ arguments: JSON = [:]) async throws -> JSON {
        let result = try await call(tool, arguments)
        #expect(result["isError"] == false, "\(result)")
        return try #require(result["structuredContent"])
    }

    /// The problem of a tool that does not. It is text only, because it does not fit the tool's output schema.
    func mistake(_ tool: String, _ arguments: JSON = [:]) async throws -> JSON {
        let result = try await call(tool, arguments)
        #expect(result["isError"] == true, "\(result)")
        #expect(result["structuredContent"] == nil)
        let text = try #require(result["content"]?[0]?["text"]?.string)
        return try JSONDecoder().decode(JSON.self, from: Data(text.utf8))
    }

    /// The id of a new session.
    func session(at path: String? = nil, options: JSON = [:]) async throws -> JSON {
        var arguments: JSON = ["options": options]
        if let path { arguments = arguments.with("path", .string(path)) }
        return try #require(try await use("open_session", arguments)["session"])
    }
}

/// An agent that uses the running test's server.
var agent: Agent { Agent(server) }
