internal import Coordinate
internal import CoordinateSessions
internal import MicroHTTPD

extension API {
    /// `POST /sessions`: a new session, at the path of the body where it has one, or with the events of a journal.
    func postSession(_ request: borrowing HTTPRequest) throws(Problem) -> HTTPAnswer {
        guard !request.isOfType(MediaType.lines) else {
            let upload = request.receiver as? JournalUpload ?? JournalUpload(into: sessions)
            return answer(upload.session(for: Self.client(of: request)).map(HTTPResponse.created))
        }
        let body = request.body.isEmpty ? .object([]) : try json(of: request)
        guard case .object(let fields) = body else {
            throw .malformedRequest("The body must be an object like {\"path\": \"/main\", \"options\": {}}.")
        }
        let options = try options(in: body)
        // A body with neither names something that there is not.
        let hasLink = body[field: "path"] != nil || (body[field: "options"] == nil && !fields.isEmpty)
        let link = hasLink ? EventRequest(opening: try path(in: body)) : nil
        return answer(
            sessions.begin(
                options: options, with: link.map { EventInjection($0, wantsRoute: false) },
                for: Self.client(of: request)
            ).then { new in Self.with(new) { $0.session.summary() } }
                .map(HTTPResponse.created))
    }

    /// The field `options` of a body.
    private func options(in body: PlainValue) throws(Problem) -> PlainValue {
        switch body[field: "options"] {
        case nil: return .object([])
        case .object(let options): return .object(options)
        default: throw .invalidOptions(pointer: "/options", "The options must be an object.")
        }
    }

    /// `POST /sessions/{id}/forks`: a new session with the first events of this one.
    func postFork(_ request: borrowing HTTPRequest, of id: String?) throws(Problem) -> HTTPAnswer {
        let original = try sessionID(id)
        guard case .int(let version) = try json(of: request)[field: "version"], version >= 0 else {
            throw .malformedRequest("The body must be an object like {\"version\": 3}.", pointer: "/version")
        }
        let client = Self.client(of: request)
        return answer(sessions.find(original)) { session in
            self.sessions.fork(session, at: version, for: client).map(HTTPResponse.created)
        }
    }

    /// `GET /sessions`: a page of all sessions, last used first. Wakes nobody, and is no use of them.
    func getSessions(_ request: borrowing HTTPRequest) throws(Problem) -> HTTPAnswer {
        try checkListing(request)
        let limit = try request.wholeNumber("limit", in: 1...1_000) ?? 100
        let cursor = try request.queryItem("after", "the \"next\" of the page before, as told", SessionCursor.init)
        let path = try request.queryItem("path", "what paths begin with: /main, for instance") { text in
            text.hasPrefix("/") ? text : nil
        }
        let states = SessionSummary.State.allCases.map(\.rawValue).joined(separator: ", ")
        let state = try request.queryItem("state", "one of \(states)", SessionSummary.State.init)
        return answer(
            sessions.list(limit: limit, after: cursor, path: path, state: state).map {
                .json(SessionDocument.encode($0), isSecret: true)
            })
    }

    /// By which a proxy tells whose request it passes on (RFC 7239; RFC 9110, section 7.6.3; and what came before them).
    private static let forwardingHeaders = [
        "Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Real-IP", "Via",
    ]

    /// Whoever knows a session's id controls it, so all of them are only for whoever runs the server: who has its key,
    /// or, where there is none, who is on the same machine.
    private func checkListing(_ request: borrowing HTTPRequest) throws(Problem) {
        // Without the key the request would not be here.
        guard apiKey == nil else { return }
        guard isOnLoopback else { throw .listingRefused("This server can be reached from other machines.") }
        for name in Self.forwardingHeaders where request.header(name) != nil {
            throw .listingRefused("This request came through a proxy, which sent the header \(name).")
        }
    }

    /// `GET /sessions/{id}`: how far it has come, and when it expires. Wakes nobody.
    func getSession(_ id: String?) throws(Problem) -> HTTPAnswer {
        answer(sessions.summary(of: try sessionID(id)).map { .json(SessionDocument.encode($0)) })
    }

    /// `DELETE /sessions/{id}`: ends it.
    func deleteSession(_ request: borrowing HTTPRequest, _ id: String?) throws(Problem) -> HTTPAnswer {
        let id = try sessionID(id)
        let condition = request.condition(on: id, of: app)
        return answer(sessions.find(id)) { session in
            self.sessions.end(session, if: condition).map { HTTPResponse(status: 204) }
        }
    }

    // MARK: Which session a request is about

    /// The session that a request names: in its path, else in the header `Session`, else in the cookie `session`.
    ///
    /// - Returns: nil where it names none.
    func namedSession(of request: borrowing HTTPRequest, id: String?) throws(Problem) -> SessionID? {
        guard let id = id ?? request.header("Session") ?? request.cookie("session") else { return nil }
        return try sessionID(id)
    }

    private func sessionID(_ id: String?) throws(Problem) -> SessionID {
        guard let id = id.flatMap(SessionID.init) else { throw .sessionNotFound }
        return id
    }

    /// Answers with what comes of the session that was named, or else of a new one.
    ///
    /// - Parameters:
    ///   - client: A number for whoever asks.
    ///   - body: is given the headers that tell the client of a new session; none for one it knows.
    func answerIn(
        _ named: SessionID?, for client: Int,
        _ body:
            @escaping @Sendable (
                Session, _ introduction: [(name: String, value: String)]
            ) -> Future<HTTPResponse, SessionError>
    ) -> HTTPAnswer {
        guard let named else { return answerInNewSession(for: client, body) }
        return answer(sessions.find(named)) { body($0, []) }
    }

    /// Answers with what comes of a new session, which is ended again where the body fails.
    func answerInNewSession(
        for client: Int,
        _ body:
            @escaping @Sendable (
                Session, _ introduction: [(name: String, value: String)]
            ) -> Future<HTTPResponse, SessionError>
    ) -> HTTPAnswer {
        answer(
            sessions.begin(for: client).then { new in
                Self.with(new) { new in
                    body(new.session, Self.introduction(of: new.session)).mapResult { result in
                        if case .failure = result { self.sessions.end(new.session).whenDone { _ in } }
                        return result
                    }
                }
            })
    }

    private static func with<Value: Sendable>(
        _ new: Result<NewSession, SessionError>, _ body: (NewSession) -> Future<Value, SessionError>
    ) -> Future<Value, SessionError> {
        switch new {
        case .success(let new): body(new)
        case .failure(let error): .failed(error)
        }
    }

    static func introduction(of session: Session) -> [(name: String, value: String)] {
        [("Set-Cookie", "session=\(session.id); Path=/; HttpOnly; SameSite=Strict"), ("Session", "\(session.id)")]
    }
}

extension HTTPResponse {
    /// There is a new session, and where.
    fileprivate static func created(_ session: SessionSummary) -> HTTPResponse {
        .json(
            SessionDocument.encode(session), status: 201,
            headers: [("Location", "/sessions/\(session.head.record.id)")],
            isSecret: true)
    }
}
