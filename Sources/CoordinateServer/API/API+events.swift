internal import Coordinate
internal import MicroHTTPD

extension API {
    /// `POST /events`: injects one event.
    func postEvent(_ request: borrowing HTTPRequest, to id: String?) throws(Problem) -> HTTPAnswer {
        let named = try namedSession(of: request, id: id)
        return try inject(EventRequest(json(of: request)), into: named, for: request)
    }

    /// Injects an event into the session that was named, or else into a new one, and answers with the outcome.
    func inject(
        _ event: EventRequest, into named: Session?, for request: borrowing HTTPRequest
    ) throws(Problem) -> HTTPAnswer {
        let wantsMinimal = request.prefersMinimal()
        let preconditions = Preconditions(request)
        let retry = try request.retry(isMinimal: wantsMinimal)
        return try withSession(named) { session, introduction throws(SessionError) in
            let outcome = try session.inject(
                event, if: preconditions, retry: retry, wantsRoute: !wantsMinimal)
            var headers = introduction
            if outcome.route == nil { headers.append((name: "Preference-Applied", value: "return=minimal")) }
            return .json(OutcomeDocument.encode(outcome), headers: headers, isSecret: !introduction.isEmpty)
        }
    }

    /// `GET /events`: a page of the journal; all of it, one entry a line; or what happens from now on, as it happens.
    func getEvents(_ request: borrowing HTTPRequest, of id: String?) throws(Problem) -> HTTPAnswer {
        let named = try namedSession(of: request, id: id)
        let type = request.preferredType(of: [MediaType.json, MediaType.lines, MediaType.events])
        if type == MediaType.events { return try getStream(of: named, for: request) }
        let after = try request.wholeNumber("after", in: 0...Int.max) ?? 0
        let limit = try request.wholeNumber("limit", in: 1...1_000) ?? 100
        let wantsLines = type == MediaType.lines
        return try withSession(named) { session, introduction throws(SessionError) in
            let body = wantsLines ? try self.lines(of: session) : try self.page(of: session, after: after, limit: limit)
            return .json(
                body, type: wantsLines ? MediaType.lines : MediaType.json,
                headers: [("Vary", "Accept")] + introduction, isSecret: !introduction.isEmpty)
        }
    }

    private func getStream(of named: Session?, for request: borrowing HTTPRequest) throws(Problem) -> HTTPAnswer {
        // A client that says something else than a version begins anew.
        let lastSeen = request.header("Last-Event-ID").map { Int($0) ?? -1 }
        return try withSession(named) { session, introduction throws(SessionError) in
            .events(try session.stream(after: lastSeen), headers: introduction)
        }
    }

    private func page(of session: Session, after: Int, limit: Int) throws(SessionError) -> HTTPBody {
        let page = try session.entries(after: after, limit: limit)
        return JournalDocument.encode(page.entries, next: page.next)
    }

    private func lines(of session: Session) throws(SessionError) -> HTTPBody {
        var lines = JournalLines(of: host.app)
        try session.forEachEntry { entry throws(SessionError) in lines.append(entry) }
        return lines.finish()
    }
}
