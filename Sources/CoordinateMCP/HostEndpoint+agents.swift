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
        switch tools.reply(to: request.body, headers: headers, for: client) {
        case .reply(let reply): return answer(reply, for: key, HTTPResponse.reply)
        case .waiting(let reply): return answer(reply, for: key)
        }
    }

    /// The time by which a connection outlasts the waiting of a tool, for reading the session at its end.
    private static let timeToRead = Duration.seconds(5)

    private func answer(_ reply: WaitingReply, for client: ClientKey) -> HTTPAnswer {
        .parked(
            atMost: reply.time + Self.timeToRead,
            otherwise: { self.response(to: Problem(self.isDraining ? .draining : .tooBusy)) },
            begin: { answer in
                reply.begin().whenDone(on: self.executor(of: client), for: WaitingClient(for: answer)) { result in
                    if case .success(let reply) = result { answer.answer(with: .reply(reply)) }
                }
                answer.whenExpired { reply.cancel() }
            })
    }
}

extension HTTPResponse {
    fileprivate static func reply(_ reply: RPCReply) -> HTTPResponse {
        guard let body = reply.body else { return HTTPResponse(status: reply.status) }
        // It may contain the id of a session.
        return .json(HTTPBody(body), status: reply.status, isSecret: true)
    }
}
