internal import Coordinate
internal import CoordinateSessions
internal import MicroHTTPD

extension API {
    /// `GET /route`: where the session is, or was after an event. Nothing is encoded where the current version has been
    /// asked for before, nor where the client has it.
    func getRoute(_ request: borrowing HTTPRequest, of id: String?) throws(Problem) -> HTTPAnswer {
        let named = try namedSession(of: request, id: id)
        let version = try request.wholeNumber("version", in: 0...Int.max)
        guard let named else {
            return answerInNewSession { session, introduction in
                let reading = version.map { session.route(at: $0) } ?? session.route()
                return reading.map { self.response($0, of: session.id, introducedBy: introduction) }
            }
        }
        let session = sessions.find(named)
        if version == nil, case .now(.success(let session)) = session,
            let route = session.publishedRoute?.published.asCurrent
        {
            guard let known = request.header("If-None-Match") else { return .now(route.response) }
            if known == route.tag, request.waitingTime() == nil { return .now(route.notModified) }
        }
        let known = request.knownVersions(of: named, app)
        if let version {
            return answer(session) { $0.route(at: version, unless: known).map { self.response($0, of: named) } }
        }
        // In memory nobody has to be waited for.
        let atHand: RouteReading? =
            if case .now(.success(let session)) = session,
                case .now(.success(let reading)) = session.route(unless: known)
            { reading } else { nil }
        if let known, let time = request.waitingTime() {
            if case .route = atHand {} else { return park(until: session, of: named, knowing: known, atMost: time) }
        }
        if let atHand { return .now(response(atHand, of: named)) }
        return answer(session) { $0.route(unless: known).map { self.response($0, of: named) } }
    }

    /// Answers when the session's version changes, or says in the end that it did not.
    private func park(
        until session: Future<Session, SessionError>, of id: SessionID, knowing known: VersionCondition.Versions,
        atMost time: Duration
    ) -> HTTPAnswer {
        .parked(
            atMost: time,
            otherwise: { self.unchanged(session, of: id, knowing: known) },
            begin: { answer in
                session.whenDone { result in
                    // An answer that is let go of, as where the session has just ended, is given by the closure above.
                    guard case .success(let session) = result else { return }
                    session.follow(ParkedRead(answer, knowing: known)) { version, route in
                        if known.contains(version) { return true }
                        answer.answer(with: route.published.asCurrent.response)
                        return false
                    }.whenDone { follower in
                        switch follower {
                        case .success(let follower?): answer.whenExpired { session.unfollow(follower) }
                        case .success(nil): break
                        case .failure(let error): answer.answer(with: self.response(to: Problem(error)))
                        }
                    }
                }
            })
    }

    /// The answer after so much waiting.
    private func unchanged(
        _ session: Future<Session, SessionError>, of id: SessionID, knowing known: VersionCondition.Versions
    ) -> HTTPResponse {
        switch session.result {
        case .failure(let error): return response(to: Problem(error))
        case .success(let session) where session.hasEnded: return response(to: Problem(.hasEnded))
        case .success(let session):
            switch session.route(unless: known).result {
            case .success(let reading): return response(reading, of: id)
            case .failure(let error): return response(to: Problem(error))
            case nil: break
            }
        case nil: break
        }
        // Somebody else has to be asked first, and the time is over.
        if case .some(let versions) = known, let version = versions.max() {
            return .notModified(tag: RouteTag.text(version: version, session: id, app: app))
        }
        return response(to: Problem(.tooBusy))
    }

    private func response(
        _ reading: RouteReading, of session: SessionID, introducedBy introduction: [(name: String, value: String)] = []
    ) -> HTTPResponse {
        switch reading {
        case .route(_, let route):
            let current = route.published.asCurrent
            return introduction.isEmpty
                ? current.response
                : .route(route.published.body, tag: current.tag, headers: introduction, isSecret: true)
        case .unchanged(let version, let route):
            return route?.published.asCurrent.notModified
                ?? .notModified(tag: RouteTag.text(version: version, session: session, app: app))
        }
    }

    /// `PUT /route`: a deep link, recorded as the event `navigation.open`.
    func putRoute(_ request: borrowing HTTPRequest, of id: String?) throws(Problem) -> HTTPAnswer {
        let named = try namedSession(of: request, id: id)
        return try inject(EventRequest(opening: path(in: json(of: request))), into: named, for: request)
    }

    /// The field `path` of a body.
    func path(in body: PlainValue) throws(Problem) -> String {
        guard let path = body[field: "path"]?.string else {
            throw .malformedRequest("The body must be an object like {\"path\": \"/splash\"}.", pointer: "/path")
        }
        return path
    }
}
