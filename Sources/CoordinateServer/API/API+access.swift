internal import Coordinate
package import CoordinateSessions
package import MicroHTTPD

extension API {
    /// The client's address: the peer's, or the one that a trusted proxy at that address reports. Computed only when
    /// called.
    package func address(of request: borrowing HTTPRequest) -> IPAddress {
        access.proxies.client(of: request)
    }

    /// The client of a request. Its results go to the request's worker. It shares the lanes fairly with other
    /// clients; all addresses of one holder share one part.
    package func client(of request: borrowing HTTPRequest) -> ClientKey {
        ClientKey(number: address(of: request).holder.number)
    }

    // MARK: Other hosts and sites

    /// Refuses a request for another host, or from a page of another site that is not allowed.
    ///
    /// - Returns: The response to a preflight request, which a browser sends to check whether such a page may send its
    ///   request; `nil` for other requests.
    func admit(_ request: borrowing HTTPRequest) throws(Problem) -> HTTPResponse? {
        guard access.hosts.includeAuthority(of: request) else { throw .unknownHost(request.authority ?? "") }
        guard let text = request.header(.origin) else { return nil }
        let origin = Origin(text)
        if origin?.isOwn(of: request.authority) == true { return nil }
        guard let origin, access.origins.contains(origin) else { throw .foreign(text) }
        request.addToAnswer([
            .accessControlAllowOrigin: text, .accessControlAllowCredentials: "true",
            .accessControlExposeHeaders: Self.exposedHeaders,
        ])
        guard request.method == .options, request.header(.accessControlRequestMethod) != nil else { return nil }
        return Self.preflight
    }

    private static let exposedHeaders: String =
        "Allow, ETag, Location, Preference-Applied, RateLimit, RateLimit-Policy, Retry-After, Session, traceparent, WWW-Authenticate"

    private static let preflight = HTTPResponse(
        status: .noContent,
        headers: [
            .accessControlAllowMethods: "GET, HEAD, POST, PUT, PATCH, DELETE",
            .accessControlAllowHeaders:
                """
            Accept, Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, Mcp-Method, \
            Mcp-Name, MCP-Protocol-Version, Prefer, Session, traceparent, tracestate
            """,
            .accessControlMaxAge: "600",
        ])

    /// Refuses to create a session if a page of another site caused the request: an image in such a page could create
    /// thousands. A request with an allowed `Origin` may create one.
    package func checkMayBeginSession(_ request: borrowing HTTPRequest) throws(Problem) {
        if request.header(.origin) == nil, isCrossSite(request) { throw .crossSiteSession }
    }

    /// Whether a page of another site caused the request, as far as the browser says.
    package func isCrossSite(_ request: borrowing HTTPRequest) -> Bool {
        let site = request.header(.secFetchSite)
        return site == "cross-site" || site == "same-site"
    }

    /// Refuses a form of a page of another site, even of one that may use the rest of the server.
    package func checkIsOwnForm(_ request: borrowing HTTPRequest) throws(Problem) {
        let origin = request.header(.origin)
        let isOwn = origin.map { Origin($0)?.isOwn(of: request.authority) == true } ?? true
        guard isOwn, !isCrossSite(request) else { throw .foreignForm }
    }

    // MARK: Ambiguous requests

    /// Refuses a target with texts that are slow to compare.
    func checkMarks(in request: borrowing HTTPRequest) throws(Problem) {
        // Most targets are.
        if request.isTargetPlain { return }
        guard request.path.hasShortMarkRuns, request.query?.hasShortMarkRuns != false else { throw .longMarkRun }
    }

    /// Refuses a request that repeats a header or query item that may be given only once.
    ///
    /// - Parameter namesSessionInPath: Whether the path names the session, so that the header `Session` is ignored.
    func checkRepetitions(in request: borrowing HTTPRequest, namesSessionInPath: Bool) throws(Problem) {
        if request.hasRepeatedHeaders,
            let name = request.repeatedHeaders.first(where: { !namesSessionInPath || $0 != "session" })
        {
            throw .malformedRequest("Send the header \"\(name)\" once.")
        }
        guard request.hasQuery else { return }
        var names: Set<[UInt8]> = []
        for item in request.queryItems where !names.insert(Array(item.name.utf8)).inserted {
            throw .malformedRequest("Send \"\(item.name)\" once in the query.")
        }
    }

    // MARK: The key

    /// Whether the server has an API key.
    package var hasKey: Bool { access.key != nil }

    /// Whether a client without the key and without a token may begin a session.
    package var letsClientsBegin: Bool { access.clients.mayBegin }

    /// Accepts the right key and counts a wrong one. Refuses both if the address has sent too many wrong keys.
    func judge(_ isRight: Bool, of request: borrowing HTTPRequest) throws(Problem) {
        if !isRight { refusedKeys.record() }
        let attempts = access.attempts
        if isRight, !attempts.hasDelayedAnyAddress { return }
        let client = address(of: request)
        let now = sessions.host.clock.uptime()
        if isRight {
            guard let time = attempts.waitingTime(of: client, at: now) else { return }
            throw .tooManyAttempts(waitingFor: time).reporting(Attempts.Remaining(count: 0, seconds: time))
        }
        let remaining = attempts.countWrongKey(from: client, at: now)
        let problem: Problem = remaining.isExceeded ? .tooManyAttempts(waitingFor: remaining.seconds) : .unauthorized
        throw problem.reporting(remaining)
    }

    /// `POST /login`: gives browsers a cookie in place of the key. Without a key, no cookie is needed.
    func postLogin(_ request: borrowing HTTPRequest) throws(Problem) -> HTTPAnswer {
        let body = try request.json()
        try body.checkFields("key")
        guard let sent = body[field: "key"]?.string else {
            throw .malformedRequest("The body must be an object like {\"key\": \"…\"}.", pointer: "/key")
        }
        return .now(
            HTTPResponse(status: .noContent, headers: try logIn(with: sent, request) + [.cacheControl: "no-store"]))
    }

    /// The header fields that give the browser of a client with the right key a cookie; empty on a server without a key,
    /// which needs none.
    package func logIn(with sent: String, _ request: borrowing HTTPRequest) throws(Problem) -> HTTPFields {
        guard let key = access.key else { return [:] }
        try judge(key.isEqual(to: sent.withoutBlanks), of: request)
        let end = sessions.host.clock.timestamp().seconds + AccessTokens.loginLifetime
        return cookies(of: request).login(key.tokens.text(of: .login(end: end)))
    }

    /// `POST /logout`: deletes the cookie in the browser. A copy of it stays valid until it expires.
    func postLogout(_ request: borrowing HTTPRequest) -> HTTPResponse {
        HTTPResponse(status: .noContent, headers: cookies(of: request).login("") + [.cacheControl: "no-store"])
    }
}

extension Problem {
    /// The same problem, with the number of wrong keys that an address may still send
    /// (draft-ietf-httpapi-ratelimit-headers).
    fileprivate func reporting(_ remaining: Attempts.Remaining) -> Problem {
        var problem = self
        problem.headers[.rateLimitPolicy] = "\"wrong-keys\";q=\(Attempts.limit);w=\(Attempts.window)"
        problem.headers[.rateLimit] = "\"wrong-keys\";r=\(remaining.count);t=\(remaining.seconds)"
        return problem
    }
}
