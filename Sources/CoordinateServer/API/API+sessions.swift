internal import Coordinate
internal import MicroHTTPD

extension API {
    /// `POST /sessions`: a new session, at the path of the body where it has one, or with the events of a journal.
    func postSession(_ request: borrowing HTTPRequest) throws(Problem) -> HTTPAnswer {
        guard !request.isOfType(MediaType.lines) else { return try postJournal(request) }
        let body = request.body.isEmpty ? .object([]) : try json(of: request)
        let link = body == .object([]) ? nil : EventRequest(opening: try path(in: body))
        return try answer { () throws(SessionError) in
            try self.withNewSession { () throws(SessionError) in
                try Session(host: self.host)
            } _: { session throws(SessionError) in
                if let link { _ = try session.inject(link, wantsRoute: false) }
                return .created(try session.summary())
            }
        }
    }

    private func postJournal(_ request: borrowing HTTPRequest) throws(Problem) -> HTTPAnswer {
        let upload = request.receiver as? JournalUpload ?? JournalUpload(to: host, in: sessions)
        do throws(SessionError) {
            return .now(.created(try upload.session().summary()))
        } catch {
            throw Problem(error)
        }
    }

    /// `POST /sessions/{id}/forks`: a new session with the first events of this one.
    func postFork(_ request: borrowing HTTPRequest, of id: String?) throws(Problem) -> HTTPAnswer {
        let original = try session(id)
        guard case .int(let version) = try json(of: request)[field: "version"], version >= 0 else {
            throw .malformedRequest("The body must be an object like {\"version\": 3}.", pointer: "/version")
        }
        return try answer { () throws(SessionError) in
            try self.withNewSession { () throws(SessionError) in
                try original.fork(at: version)
            } _: { fork throws(SessionError) in
                .created(try fork.summary())
            }
        }
    }

    /// `GET /sessions/{id}`: its version, its path, and when it expires.
    func getSession(_ id: String?) throws(Problem) -> HTTPAnswer {
        let session = try session(id)
        return try answer { () throws(SessionError) in .json(SessionDocument.encode(try session.summary())) }
    }

    /// `DELETE /sessions/{id}`: ends it.
    func deleteSession(_ request: borrowing HTTPRequest, _ id: String?) throws(Problem) -> HTTPAnswer {
        let session = try session(id)
        let preconditions = Preconditions(request)
        return try answer { () throws(SessionError) in
            try session.end(if: preconditions)
            self.sessions.end(session.id)
            return HTTPResponse(status: 204)
        }
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
    /// - Parameter body: is given the headers that tell the client of a new session; none for one it knows. It may be
    ///   run again, after it threw ``SessionError/takesLong``.
    func withSession(
        _ named: Session?,
        _ body:
            @escaping @Sendable (
                Session, _ introduction: [(name: String, value: String)]
            ) throws(SessionError) -> HTTPResponse
    ) throws(Problem) -> HTTPAnswer {
        try answer { () throws(SessionError) in
            if let named { return try body(named, []) }
            return try self.withNewSession { () throws(SessionError) in
                try Session(host: self.host)
            } _: { session throws(SessionError) in
                try body(session, Self.introduction(of: session))
            }
        }
    }

    /// Makes a session, where there is room for it, and runs the body on it; it is ended again where the body fails.
    private func withNewSession(
        _ make: () throws(SessionError) -> Session, _ body: (Session) throws(SessionError) -> HTTPResponse
    ) throws(SessionError) -> HTTPResponse {
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

    private static func introduction(of session: Session) -> [(name: String, value: String)] {
        [("Set-Cookie", "session=\(session.id); Path=/; HttpOnly; SameSite=Strict"), ("Session", "\(session.id)")]
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
