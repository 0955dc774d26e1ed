internal import Coordinate
internal import CoordinateSessions
internal import MicroHTTPD

extension API {
    /// Who asks, as far as it can be known: the address at the other side of the connection, or the one that a trusted
    /// proxy there tells. It costs nothing before it is asked for.
    func client(of request: borrowing HTTPRequest) -> IPAddress {
        access.proxies.client(of: request)
    }

    /// Those who share their part of the lanes with whoever sent a request: all that have addresses of one holder.
    func requester(of request: borrowing HTTPRequest) -> Requester {
        Requester(number: client(of: request).holder.number)
    }

    // MARK: Other names, other sites

    /// Refuses what is asked of another host, or by a page of another site that is not let in.
    ///
    /// - Returns: the answer to a browser that asks, before it sends a request for such a page, whether it may.
    func admit(_ request: borrowing HTTPRequest) throws(Problem) -> HTTPResponse? {
        guard access.hosts.includeAuthority(of: request) else { throw .unknownHost(request.authority ?? "") }
        guard let text = request.header(.origin) else { return nil }
        let origin = Origin(text)
        if origin?.isOwn(of: request.authority) == true { return nil }
        guard let origin, access.origins.contains(origin) else { throw .foreign(text) }
        request.addToAnswer([
            "Access-Control-Allow-Origin": HTTPField.Value(text), "Access-Control-Allow-Credentials": "true",
            "Access-Control-Expose-Headers": Self.exposedHeaders, .vary: "Origin",
        ])
        guard request.method == .options, request.header("Access-Control-Request-Method") != nil else { return nil }
        return Self.preflight
    }

    private static let exposedHeaders: HTTPField.Value =
        "Allow, ETag, Location, Preference-Applied, RateLimit, RateLimit-Policy, Retry-After, Session, traceparent, WWW-Authenticate"

    private static let preflight = HTTPResponse(
        status: 204,
        headers: [
            "Access-Control-Allow-Methods": "GET, HEAD, POST, PUT, DELETE",
            "Access-Control-Allow-Headers":
                """
            Accept, Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, Prefer, Session, \
            traceparent, tracestate
            """,
            "Access-Control-Max-Age": "600",
        ])

    /// Refuses to make a session for what another site has a browser ask for: an image in a page would be enough to make
    /// thousands. One that is let in says who it is.
    func checkMayBeginSession(_ request: borrowing HTTPRequest) throws(Problem) {
        guard let site = request.header("Sec-Fetch-Site"), site == "cross-site" || site == "same-site",
            request.header(.origin) == nil
        else { return }
        throw .beginsElsewhere
    }

    // MARK: What could be read in two ways

    /// Refuses a header or an item of the query that came twice, of those that say one thing.
    ///
    /// - Parameter namesSessionInPath: Whether the header `Session` is not looked at.
    func checkRepetitions(in request: borrowing HTTPRequest, namesSessionInPath: Bool) throws(Problem) {
        let repeated = request.repeatedHeaders
        if !repeated.isEmpty, let name = repeated.first(where: { !namesSessionInPath || $0 != "session" }) {
            throw .malformedRequest("Send the header \"\(name)\" once.")
        }
        guard request.hasQuery else { return }
        var names: Set<String> = []
        for item in request.queryItems where !names.insert(item.name).inserted {
            throw .malformedRequest("Send \"\(item.name)\" once in the query.")
        }
    }

    // MARK: The key

    /// Refuses a request without the key, where one is configured, or without what a browser was given for it.
    ///
    /// A header with a key counts alone. Who has to wait after wrong keys waits with the right one, too; but who has
    /// logged in goes on, since what a browser is given cannot be guessed.
    func checkKey(of request: borrowing HTTPRequest) throws(Problem) {
        guard let key = access.key else { return }
        if let sent = request.header(.authorization).flatMap(APIKey.bearer) {
            return try judge(key.isEqual(to: sent), of: request)
        }
        guard let token = request.cookie(LoginTokens.cookie, where: { !$0.isEmpty }) else { throw .unauthorized }
        switch key.tokens.judge(token, at: sessions.host.clock.timestamp().seconds) {
        case .good: return
        case .over: throw .unauthorized.forgettingLogin
        case .wrong: try judge(false, of: request, else: .unauthorized.forgettingLogin)
        }
    }

    /// Lets a right key pass and counts a wrong one, unless there were too many of them.
    private func judge(
        _ isRight: Bool, of request: borrowing HTTPRequest, else problem: Problem = .unauthorized
    ) throws(Problem) {
        if !isRight { refusedKeys.note() }
        let attempts = access.attempts
        if isRight, !attempts.haveHeldSomebody { return }
        let client = client(of: request)
        let now = sessions.host.clock.uptime()
        if isRight {
            guard let time = attempts.waitingTime(of: client, at: now) else { return }
            throw .tooManyAttempts(waitingFor: time).telling(Attempts.Rest(count: 0, seconds: time))
        }
        let rest = attempts.noteWrongKey(from: client, at: now)
        throw (rest.isExceeded ? .tooManyAttempts(waitingFor: rest.seconds) : problem).telling(rest)
    }

    /// `POST /login`: a cookie for the key, for browsers. Where there is no key, nobody needs a cookie.
    func postLogin(_ request: borrowing HTTPRequest) throws(Problem) -> HTTPAnswer {
        let body = try json(of: request)
        try body.checkFields("key")
        guard let sent = body[field: "key"]?.string else {
            throw .malformedRequest("The body must be an object like {\"key\": \"…\"}.", pointer: "/key")
        }
        guard let key = access.key else {
            return .now(HTTPResponse(status: 204, headers: [.cacheControl: "no-store"]))
        }
        try judge(key.isEqual(to: sent.withoutBlanks), of: request)
        let token = key.tokens.token(at: sessions.host.clock.timestamp().seconds)
        let isSecure = access.proxies.isSecure(request)
        return .now(
            HTTPResponse(
                status: 204,
                headers: [
                    .setCookie: Self.loginCookie(token, lifetime: LoginTokens.lifetime, isSecure: isSecure),
                    .cacheControl: "no-store",
                ]))
    }

    /// `POST /logout`: takes the cookie away. A copy of it would be good until its end.
    func postLogout() -> HTTPResponse {
        HTTPResponse(status: 204, headers: [.setCookie: Self.loginCookie("", lifetime: 0), .cacheControl: "no-store"])
    }

    fileprivate static func loginCookie(
        _ token: String, lifetime: Int, isSecure: Bool = false
    ) -> HTTPField.Value {
        let cookie = "\(LoginTokens.cookie)=\(token); Path=/; HttpOnly; SameSite=Strict; Max-Age=\(lifetime)"
        return HTTPField.Value(isSecure ? cookie + "; Secure" : cookie)
    }
}

extension Problem {
    /// The same, saying how many more wrong keys an address may send (draft-ietf-httpapi-ratelimit-headers).
    fileprivate func telling(_ rest: Attempts.Rest) -> Problem {
        var problem = self
        problem.headers.append(.rateLimitPolicy, "\"wrong-keys\";q=\(Attempts.limit);w=\(Attempts.window)")
        problem.headers.append(.rateLimit, "\"wrong-keys\";r=\(rest.count);t=\(rest.seconds)")
        return problem
    }

    /// The same, taking away a cookie that opens nothing any more, so that it is not sent again and again.
    fileprivate var forgettingLogin: Problem {
        var problem = self
        problem.headers.append(.setCookie, API.loginCookie("", lifetime: 0))
        return problem
    }
}
