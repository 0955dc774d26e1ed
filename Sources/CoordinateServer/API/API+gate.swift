internal import Coordinate
internal import CoordinateSessions
package import MicroHTTPD

/// A request that the gate has let in.
package final class Passage: Sendable {
    enum Destination: Sendable {
        case endpoint(Endpoint)
        case file(PublicFile)
        /// The response to a browser's question whether a page of another site may send its request.
        case preflight(HTTPResponse)
    }

    let destination: Destination
    /// The session that the path names; `nil` if it names none.
    let session: SessionID?
    package let requester: Requester
    /// Whether the requester needs the key for this page, and may enter it.
    package let leadsToLogin: Bool

    init(
        _ destination: Destination, of session: SessionID? = nil, by requester: Requester = .client(.none),
        leadsToLogin: Bool = false
    ) {
        self.destination = destination
        self.session = session
        self.requester = requester
        self.leadsToLogin = leadsToLogin
    }
}

extension API {
    /// Decides whether a request may do what it asks for. Every request passes here once, before its body is read.
    ///
    /// - Returns: The request's destination, and who may do what there.
    /// - Throws: The refusal.
    func pass(_ request: borrowing HTTPRequest) throws(Problem) -> Passage {
        if let preflight = try admit(request) { return Passage(.preflight(preflight)) }
        try checkMarks(in: request)
        let method = request.method == .head ? .get : request.method
        let (match, id) = request.withPath { path in
            let match = router.match(path)
            return (match, match?.value.flatMap { SessionID(utf8: path.extracting($0)) })
        }
        guard let match, let number = router.number(of: match, for: method) else {
            return try passToFile(request, method, others: match.map(router.endpoints) ?? [])
        }
        let endpoint = router.endpoints[number]
        request.classify(as: metrics.byRoute.kind(of: number))
        if request.isOnReserve, !endpoint.isProbe { throw .tooManyConnections }
        try checkRepetitions(in: request, namesSessionInPath: endpoint.namesSession)
        let requester: Requester
        do throws(Problem) {
            requester = try self.requester(of: request, with: endpoint.right(request))
        } catch {
            guard error.kind == .unauthorized, endpoint.isPage, method == .get else { throw error }
            return Passage(.endpoint(endpoint), leadsToLogin: true)
        }
        if isDraining, !endpoint.isProbe { throw .draining }
        guard endpoint.namesSession else { return Passage(.endpoint(endpoint), by: requester) }
        guard let id else { throw .sessionNotFound }
        guard case .token(let token) = requester else {
            return Passage(.endpoint(endpoint), of: id, by: requester)
        }
        guard id == token.session || id == token.reference else { throw .sessionNotFound }
        return Passage(.endpoint(endpoint), of: token.session, by: requester)
    }

    /// The passage to a file, which needs no right, or the reason why there is none.
    ///
    /// - Parameter endpoints: The endpoints of the same path, for other methods.
    private func passToFile(
        _ request: borrowing HTTPRequest, _ method: HTTPRequest.Method, others endpoints: [Endpoint]
    ) throws(Problem) -> Passage {
        if request.isOnReserve { throw .tooManyConnections }
        let path = request.path
        let file = endpoints.isEmpty ? file(at: path) : nil
        if file == nil || method != .get { _ = try requester(of: request, with: .read) }
        if isDraining { throw .draining }
        guard endpoints.isEmpty else {
            throw .methodNotAllowed(endpoints.flatMap { $0.method == .get ? ["GET", "HEAD"] : [$0.method.rawValue] })
        }
        guard let file else { throw publicFiles.problem(at: path) }
        request.classify(as: metrics.byRoute.files)
        guard method == .get else { throw .methodNotAllowed(["GET", "HEAD"]) }
        return Passage(.file(file))
    }

    // MARK: Who sent it

    /// Finds out who sent a request, and checks that they have a right. If none is needed, anybody may have sent it.
    private func requester(of request: borrowing HTTPRequest, with right: Rights) throws(Problem) -> Requester {
        if right.isEmpty { return .client(.none) }
        let requester = try authenticate(request)
        guard requester.may(right) else { throw refusal(of: request, by: requester) }
        return requester
    }

    /// The refusal of a request whose requester lacks a right.
    package func refusal(of request: borrowing HTTPRequest, by requester: Requester) -> Problem {
        if case .token = requester { return .operatorOnly("The token is for the use of one session.", hasKey: true) }
        guard access.key != nil else { return .operatorOnly(reasonAgainstOperator(request) ?? "") }
        return requester.may(.read) ? .operatorOnly("The request has no API key.", hasKey: true) : .unauthorized
    }

    /// Finds out who sent a request: by the key or a token in a header, else by the login cookie.
    ///
    /// An address that must wait after wrong keys is refused even with the right key. A client with a token or a login is
    /// not: those cannot be guessed. A cookie that is not valid does not count as an attempt, because browsers keep
    /// sending cookies from before the key was changed.
    private func authenticate(_ request: borrowing HTTPRequest) throws(Problem) -> Requester {
        guard let key = access.key else {
            return reasonAgainstOperator(request) == nil ? .operator : .client(access.clients)
        }
        let cookie = try contentOfCookie(of: request, key.tokens)
        guard let sent = request.header(.authorization).flatMap(APIKey.bearer) else {
            return cookie.map(Requester.init) ?? .client(access.clients)
        }
        if !key.isEqual(to: sent), case .session(let token)? = key.tokens.content(of: String(sent)) {
            guard sessions.host.clock.timestamp().seconds < token.end else { throw .tokenExpired }
            try checkAgreement(of: token, cookie, request)
            return .token(token)
        }
        try judge(key.isEqual(to: sent), of: request)
        return .operator
    }

    /// What the login cookie allows; `nil` if there is no valid one.
    private func contentOfCookie(
        of request: borrowing HTTPRequest, _ tokens: AccessTokens
    ) throws(Problem) -> AccessTokens.Content? {
        guard request.hasHeader(.cookie) else { return nil }
        let now = sessions.host.clock.timestamp().seconds
        // There may be several cookies, for other paths or from before the key was changed.
        var contents: [AccessTokens.Content] = []
        _ = request.cookie(access.cookies.login(of: request)) { text in
            if let content = tokens.content(of: text), now < content.end { contents.append(content) }
            return false
        }
        if let login = contents.first(where: { $0.session == nil }) { return login }
        guard Set(contents.map(\.session)).count <= 1 else { throw .ambiguousSession("Two tokens") }
        return contents.first
    }

    /// Checks that no cookie names another session than the token in a header does.
    private func checkAgreement(
        of token: SessionToken, _ cookie: AccessTokens.Content?, _ request: borrowing HTTPRequest
    ) throws(Problem) {
        if let other = cookie?.session, other != token.session { throw .ambiguousSession("The token and a cookie") }
        if let other = try sessionCookie(of: request), SessionID(other) != token.session {
            throw .ambiguousSession("The token and the session cookie")
        }
    }

    /// The headers with which a proxy reports the client of a request that it forwards (RFC 7239; RFC 9110, section
    /// 7.6.3; and their older forms).
    private static let forwardingHeaders: [HTTPField.Name] = [
        .forwarded, .xForwardedFor, .xForwardedHost, .xForwardedProto, .xRealIP, .via,
    ]

    /// The reason why a request to a server without a key may not be its operator's, as a sentence; `nil` if it is.
    private func reasonAgainstOperator(_ request: borrowing HTTPRequest) -> String? {
        guard access.isOnLoopback else { return "This server can be reached from other machines." }
        for index in Self.forwardingHeaders.indices where request.hasHeader(Self.forwardingHeaders[index]) {
            return "This request came through a proxy, which sent the header \(Self.forwardingHeaders[index])."
        }
        return nil
    }
}

extension AccessTokens.Content {
    /// The session that it allows to use; `nil` for a login.
    fileprivate var session: SessionID? {
        if case .session(let token) = self { token.session } else { nil }
    }
}

extension Requester {
    fileprivate init(_ content: AccessTokens.Content) {
        switch content {
        case .login: self = .operator
        case .session(let token): self = .token(token)
        }
    }
}

extension Passage {
    /// The time at which the requester's right ends, in seconds since 1970; `nil` if it does not.
    var end: Int? {
        if case .token(let token) = requester { token.end } else { nil }
    }

    /// What hides the session's id from its requester; `nil` if nothing has to.
    var redaction: Redaction? {
        if case .token(let token) = requester { token.redaction } else { nil }
    }

    /// Whether the requester makes a difference to how the answer is converted.
    var decidesConversion: Bool {
        if case .endpoint(let endpoint) = destination, endpoint.isPage { true } else { redaction != nil }
    }

    /// Whether it leads to a probe, which answers while the server is draining.
    var isProbe: Bool {
        if case .endpoint(let endpoint) = destination { endpoint.isProbe } else { false }
    }
}

// The rights that depend on what a request asks for.
extension Rights {
    /// The past is a developer's.
    @Sendable
    static func toReadRoute(_ request: borrowing HTTPRequest) -> Rights {
        request.hasQuery && request.queryValue("version") != nil ? .develop : .read
    }

    /// A live stream shows the present, and a journal the past.
    @Sendable
    static func toReadEvents(_ request: borrowing HTTPRequest) -> Rights {
        request.preferredType(of: MediaType.ofEvents) == MediaType.events ? .read : .develop
    }

    /// A journal can say anything.
    @Sendable
    static func toPostSession(_ request: borrowing HTTPRequest) -> Rights {
        request.isOfType(MediaType.lines) ? .develop : .begin
    }
}
