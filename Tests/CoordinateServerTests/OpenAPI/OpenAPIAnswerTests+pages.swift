import CoordinateTesting
import Testing

@testable import CoordinateServer

/// The app as web pages, and as tools for agents.
extension OpenAPIAnswerTests {
    func checkPages(_ check: DescriptionCheck, _ server: TestServer) async throws {
        let client = server.client()
        _ = try await client.route()
        let session = ["Session": try #require(client.sessionID)]
        let type = ["Content-Type": "application/x-www-form-urlencoded"]
        func page(_ path: String, _ headers: [String: String] = [:]) -> DescribedRequest {
            var request = DescribedRequest(.init("GET", "/app/{path}")).with(headers: session.merging(headers) { $1 })
            request.placeholder = path
            return request
        }
        try check.sendHead(of: DescribedRequest(.init("GET", "/app")), to: server.url, status: 303)
        let named = DescribedRequest(.init("GET", "/app")).with(query: "?at=/main/teams", headers: session)
        try check.sendHead(of: named.with(headers: ["Purpose": "prefetch"]), to: server.url, status: 204)
        try check.sendHead(of: page("main/teams", ["Sec-Purpose": "prefetch"]), to: server.url, status: 204)
        try check.sendHead(of: named, to: server.url, status: 200)
        try check.sendHead(of: page("main/teams"), to: server.url, status: 200)
        try check.sendHead(of: page("nowhere"), to: server.url, status: 404)
        try check.sendHead(of: page(""), to: server.url, status: 303)

        let form = DescribedRequest(.init("POST", "/app")).with(headers: session.merging(type) { $1 })
        let mark = try await WebClient(client: client).get("/app").mark
        let bodies = [
            ("event=navigation.none&version=1&session=\(mark)", 422),
            ("event=navigation.back&version=1&session=x", 409),
            ("version=1", 400),
        ]
        for (body, status) in bodies { try await check.send(form.with(body: body), as: client, status: status) }
        let late = "event=navigation.back&version=0&session=\(mark)"
        try check.sendWhole(form.with(body: late), to: server.url, status: 303)
        let press = "event=navigation.popToRoot&version=1&session=\(mark)"
        try check.sendWhole(form.with(body: press), to: server.url, status: 303)
    }

    func checkPagesWithAKey(_ check: DescriptionCheck, _ server: TestServer) async throws {
        let client = server.client()
        let type = ["Content-Type": "application/x-www-form-urlencoded"]
        try check.sendHead(of: DescribedRequest(.init("GET", "/app/login")), to: server.url, status: 200)
        let login = DescribedRequest(.init("POST", "/app/login")).with(headers: type)
        try check.sendWhole(login.with(body: "key=key"), to: server.url, status: 303)
        try await check.send(login.with(body: "key=none"), as: client, status: 401)
    }

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
