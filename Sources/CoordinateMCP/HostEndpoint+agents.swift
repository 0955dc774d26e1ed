public import CoordinateServer
internal import CoordinateSessions
internal import MicroHTTPD

/// The tools that a server offers to agents (https://modelcontextprotocol.io).
public enum MCPAccess: String, Sendable, CaseIterable {
    /// The tools that only read.
    case read
    /// All tools.
    case full
}

extension HostEndpoint {
    /// The tools for agents, at `/mcp`.
    public static func agents(_ access: MCPAccess = .full) -> HostEndpoint {
        HostEndpoint { parts throws(ServerError) in
            parts.endpoints.append(
                Endpoint(.post, "/mcp", .develop) { api, request, _ in
                    try api.postMessage(request, to: ToolServer(api, access))
                })
        }
    }
}

extension API {
    /// `POST /mcp`: a message of an agent.
    fileprivate func postMessage(
        _ request: borrowing HTTPRequest, to tools: ToolServer
    ) throws(Problem) -> HTTPAnswer {
        try checkMayBeginSession(request)
        guard request.isOfType(MediaType.json) else { throw .unsupportedMediaType }
        let key = client(of: request)
        let headers = RequestHeaders(
            version: request.headers(named: .mcpProtocolVersion), method: request.headers(named: .mcpMethod),
            name: request.headers(named: .mcpName))
        let client = ToolClient(key, traceparent: request.addedToAnswer[.traceparent])
        switch tools.answer(to: request.body, headers: headers, for: client) {
        case .reply(let reply): return .now(.reply(reply))
        case .call(let call):
            guard let time = call.waitingTime else { return answer { .reply(await call.reply()) } }
            return answer(atMost: time + Self.timeToRead, isWork: false) { .reply(await call.reply()) }
        }
    }

    /// The time by which a connection outlasts the waiting of a tool, for reading the session at its end.
    private static let timeToRead = Duration.seconds(5)
}

extension HTTPResponse {
    fileprivate static func reply(_ reply: RPCReply) -> HTTPResponse {
        guard let body = reply.body else { return HTTPResponse(status: reply.status) }
        // It may contain the id of a session.
        return .json(HTTPBody(body), status: reply.status, isSecret: true)
    }
}
