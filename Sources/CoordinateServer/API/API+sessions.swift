internal import Coordinate
internal import MicroHTTPD

extension API {
    /// `POST /sessions`: a new session, at the path of the body where it has one.
    func postSession(_ request: borrowing HTTPRequest) throws(Problem) -> HTTPResponse {
        let body = request.body.isEmpty ? .object([]) : try json(of: request)
        let link = body == .object([]) ? nil : EventRequest(opening: try path(in: body))
        return try withSession(nil) { session, _ throws(SessionError) in
            if let link { _ = try session.inject(link, wantsRoute: false) }
            let summary = try session.summary()
            return .json(
                SessionDocument.encode(summary), status: 201,
                headers: [("Location", "/sessions/\(summary.id)")], isSecret: true)
        }
    }

    /// `GET /sessions/{id}`: its version, its path, and when it expires.
    func getSession(_ id: String?) throws(Problem) -> HTTPResponse {
        let session = try session(id)
        return .json(SessionDocument.encode(try problems { () throws(SessionError) in try session.summary() }))
    }

    /// `DELETE /sessions/{id}`: ends it.
    func deleteSession(_ id: String?) throws(Problem) -> HTTPResponse {
        guard sessions.end(try session(id).id) else { throw .sessionNotFound }
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
        let session = try newSession()
        do throws(Problem) {
            return try problems { () throws(SessionError) in try body(session, Self.introduction(of: session)) }
        } catch {
            sessions.end(session.id)
            throw error
        }
    }

    private func newSession() throws(Problem) -> Session {
        try problems { () throws(SessionError) in
            guard !sessions.isFull else { throw .tooManySessions }
            let session = try Session(host: host)
            do throws(SessionError) {
                try sessions.add(session)
            } catch {
                session.end()
                throw error
            }
            return session
        }
    }

    private static func introduction(of session: Session) -> [(name: String, value: String)] {
        [("Set-Cookie", "session=\(session.id); Path=/; HttpOnly; SameSite=Strict"), ("Session", "\(session.id)")]
    }

    private func problems<Result>(_ body: () throws(SessionError) -> Result) throws(Problem) -> Result {
        do throws(SessionError) {
            return try body()
        } catch {
            throw Problem(error, events: host.events.entries.map(\.name))
        }
    }
}
