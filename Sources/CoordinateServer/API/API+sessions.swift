internal import Coordinate
internal import MicroHTTPD

extension API {
    /// `POST /sessions`: a new session, at the path of the body where it has one, or with the events of a journal.
    func postSession(_ request: borrowing HTTPRequest) throws(Problem) -> HTTPResponse {
        guard !request.isOfType(MediaType.lines) else { return try postJournal(request) }
        let body = request.body.isEmpty ? .object([]) : try json(of: request)
        let link = body == .object([]) ? nil : EventRequest(opening: try path(in: body))
        return try withNewSession { () throws(SessionError) in
            try Session(host: host)
        } _: { session throws(SessionError) in
            if let link { _ = try session.inject(link, wantsRoute: false) }
            return .created(try session.summary())
        }
    }

    private func postJournal(_ request: borrowing HTTPRequest) throws(Problem) -> HTTPResponse {
        let upload = request.receiver as? JournalUpload ?? JournalUpload(to: host)
        return try withNewSession { () throws(SessionError) in
            try upload.session()
        } _: { session throws(SessionError) in
            .created(try session.summary())
        }
    }

    /// `POST /sessions/{id}/forks`: a new session with the first events of this one.
    func postFork(_ request: borrowing HTTPRequest, of id: String?) throws(Problem) -> HTTPResponse {
        let original = try session(id)
        guard case .int(let version) = try json(of: request)[field: "version"], version >= 0 else {
            throw .malformedRequest("The body must be an object like {\"version\": 3}.", pointer: "/version")
        }
        return try withNewSession { () throws(SessionError) in
            try original.fork(at: version)
        } _: { fork throws(SessionError) in
            .created(try fork.summary())
        }
    }

    /// `GET /sessions/{id}`: its version, its path, and when it expires.
    func getSession(_ id: String?) throws(Problem) -> HTTPResponse {
        let session = try session(id)
        return .json(SessionDocument.encode(try problems { () throws(SessionError) in try session.summary() }))
    }

    /// `DELETE /sessions/{id}`: ends it.
    func deleteSession(_ request: borrowing HTTPRequest, _ id: String?) throws(Problem) -> HTTPResponse {
        let session = try session(id)
        let preconditions = Preconditions(request)
        try problems { () throws(SessionError) in try session.end(if: preconditions) }
        sessions.end(session.id)
        return HTTPResponse(status: 204)
    }

    // MARK: Which session a request is about

    /// The session that a request names: in its path, else in the header `Session`, else in the cookie `session`.
    ///
    /// - Returns: nil where it names none.
    func namedSession(of request: borrowing HTTPRequest, id: String?) throws(Problem) -> Session? {
        guard let id = id ?? request.header("Session") ?? request.cookie("session") else { return nil }
        return try session(id)
    }

    private func session(_ id: String?) throws(Problem) -> Session {
        guard let id = id.flatMap(SessionID.init), let session = sessions.find(id) else { throw .sessionNotFound }
        return session
    }

    /// Runs the body on the session that was named, or else on a new one, which is ended again where the body fails.
    ///
    /// - Parameter body: is given the headers that tell the client of a new session; none for one it knows.
    func withSession(
        _ named: Session?,
        _ body: (Session, _ introduction: [(name: String, value: String)]) throws(SessionError) -> HTTPResponse
    ) throws(Problem) -> HTTPResponse {
        if let named { return try problems { () throws(SessionError) in try body(named, []) } }
        return try withNewSession { () throws(SessionError) in
            try Session(host: host)
        } _: { session throws(SessionError) in
            try body(session, Self.introduction(of: session))
        }
    }

    /// Makes a session, where there is room for it, and runs the body on it; it is ended again where the body fails.
    private func withNewSession(
        _ make: () throws(SessionError) -> Session, _ body: (Session) throws(SessionError) -> HTTPResponse
    ) throws(Problem) -> HTTPResponse {
        try problems { () throws(SessionError) in
            guard !sessions.isFull else { throw .tooManySessions }
            let session = try make()
            do throws(SessionError) {
                try sessions.add(session)
                return try body(session)
            } catch {
                sessions.end(session.id)
                session.end()
                throw error
            }
        }
    }

    private static func introduction(of session: Session) -> [(name: String, value: String)] {
        [("Set-Cookie", "session=\(session.id); Path=/; HttpOnly; SameSite=Strict"), ("Session", "\(session.id)")]
    }

    private func problems<Result>(_ body: () throws(SessionError) -> Result) throws(Problem) -> Result {
        do throws(SessionError) {
            return try body()
        } catch {
            throw Problem(error)
        }
    }
}

extension HTTPResponse {
    /// There is a new session, and where.
    fileprivate static func created(_ session: SessionSummary) -> HTTPResponse {
        .json(
            SessionDocument.encode(session), status: 201, headers: [("Location", "/sessions/\(session.id)")],
            isSecret: true)
    }
}
