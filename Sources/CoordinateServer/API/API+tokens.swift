internal import Coordinate
internal import CoordinateSessions
internal import JSON
package import MicroHTTPD

extension API {
    /// `POST /sessions/{id}/tokens`: a token that allows its holder the use of this session for a while.
    func postToken(_ request: borrowing HTTPRequest, _ passage: Passage) throws(Problem) -> HTTPAnswer {
        let id = try named(passage.session)
        guard let key = access.key else { throw .noAPIKey }
        let body = request.body.isEmpty ? .object([]) : try request.json()
        guard case .object = body else {
            throw .malformedRequest("The body must be an object like {\"scope\": \"use\", \"seconds\": 3600}.")
        }
        try body.checkFields("scope", "seconds")
        let scope = try scope(in: body)
        let seconds = try lifetime(in: body)
        let client = client(of: request)
        return answer {
            let summary = try await self.sessions.summary(of: id, for: client)
            let end = self.sessions.host.clock.timestamp().seconds + seconds
            let reference = SessionID(summary.head.record.reference) ?? .random()
            let token = SessionToken(session: id, reference: reference, scope: scope, end: end)
            var json = DocumentWriter()
            json.object {
                $0.field("token", key.tokens.text(of: .session(token)))
                $0.field("session", id.description)
                $0.field("scope", scope.rawValue)
                $0.field("expiresAt", Timestamp(seconds: end).description)
            }
            return .json(json.finish(), status: .created, isSecret: true)
        }
    }

    /// The header fields that give a person's browser a token for a session.
    package func accept(token text: String, _ request: borrowing HTTPRequest) throws(Problem) -> HTTPFields {
        guard let key = access.key else { throw .noAPIKey }
        guard case .session(let token)? = key.tokens.content(of: text) else {
            // A page of another site must not use up its visitor's attempts.
            if !isCrossSite(request) { try judge(false, of: request) }
            throw .unauthorized
        }
        let lifetime = token.end - sessions.host.clock.timestamp().seconds
        guard lifetime > 0 else { throw .tokenExpired }
        return cookies(of: request).token(text, lifetime: lifetime)
    }

    private func scope(in body: PlainValue) throws(Problem) -> SessionToken.Scope {
        guard let value = body[field: "scope"] else { return .use }
        guard let scope = value.string.flatMap(SessionToken.Scope.init) else {
            throw .malformedRequest("The field \"scope\" must be \"use\" or \"read\".", pointer: "/scope")
        }
        return scope
    }

    /// The lifetimes of tokens, in seconds.
    private static let lifetimes = 60...86_400

    private func lifetime(in body: PlainValue) throws(Problem) -> Int {
        guard let value = body[field: "seconds"] else { return 3_600 }
        guard case .int(let seconds) = value, Self.lifetimes.contains(seconds) else {
            throw .malformedRequest(
                """
                The field "seconds" must be a whole number from \(Self.lifetimes.lowerBound) to \
                \(Self.lifetimes.upperBound).
                """, pointer: "/seconds")
        }
        return seconds
    }
}
