internal import Coordinate
internal import CoordinateSessions
internal import MicroHTTPD

extension API {
    /// `GET /route`: the session's route, now or after an event. Nothing is encoded if the current version has been
    /// encoded before, or if the client has it already.
    func getRoute(_ request: borrowing HTTPRequest, _ passage: Passage) throws(Problem) -> HTTPAnswer {
        let named = try namedSession(of: request, passage)
        if let named, !request.hasQuery, let response = encodedRoute(of: named, for: request) { return .now(response) }
        let version = try request.wholeNumber("version", in: 0...Int.max)
        let waitsUntilSettled = try request.queryItem("until", "\"settled\"") { $0 == "settled" ? true : nil } ?? false
        if waitsUntilSettled, version != nil {
            throw .malformedRequest("Send either \"version\" or \"until\", not both.")
        }
        let client = client(of: request)
        let executor = executor(of: client)
        guard let named else {
            return routeOfNewSession(at: version, waitsUntilSettled: waitsUntilSettled, for: request)
        }
        let session = sessions.find(named, for: client)
        let known = request.knownVersions(of: named, app)
        if let version {
            return answer(session, for: client) {
                $0.route(at: version, unless: known, for: client)
                    .map(on: executor) { self.response($0, of: named) }
            }
        }
        if waitsUntilSettled, let time = request.waitingTime() {
            return park(
                until: RouteCondition(known: known, waitsUntilSettled: true), in: session, for: client, atMost: time)
        }
        // A session in memory is read without waiting.
        let atHand: RouteReading? =
            if case .now(.success(let session)) = session,
                case .success(let reading)? = session.route(unless: known, for: client).result
            { reading } else { nil }
        let isChanged = if case .route? = atHand { true } else { false }
        if let known, !isChanged, let time = request.waitingTime() {
            return park(
                until: RouteCondition(known: known, waitsUntilSettled: false), in: session, for: client, atMost: time)
        }
        if let atHand { return .now(response(atHand, of: named)) }
        return answer(session, for: client) {
            $0.route(unless: known, for: client).map(on: executor) { self.response($0, of: named) }
        }
    }

    /// - Parameter version: The version to read; `nil` for the current one.
    private func routeOfNewSession(
        at version: Int?, waitsUntilSettled: Bool, for request: borrowing HTTPRequest
    ) -> HTTPAnswer {
        let client = client(of: request)
        let executor = executor(of: client)
        if waitsUntilSettled, let time = request.waitingTime() {
            return park(
                until: RouteCondition(known: nil, waitsUntilSettled: true),
                in: sessions.begin(for: client).map(on: executor, \.session), for: client,
                introducedBy: cookies(of: request), atMost: time)
        }
        return answerIn(nil, for: request) { session, introduction in
            let reading = version.map { session.route(at: $0, for: client) } ?? session.route(for: client)
            return reading.map(on: executor) { self.response($0, of: session.id, introducedBy: introduction) }
        }
    }

    /// The response with the session's current route; `nil` if that is not encoded, or misses the client's condition.
    private func encodedRoute(of id: SessionID, for request: borrowing HTTPRequest) -> HTTPResponse? {
        guard
            let session = sessions.findInMemory(id, for: client(of: request)),
            let route = session.publishedRoute?.published.asCurrent
        else { return nil }
        let isKnown = request.withHeader(.ifNoneMatch) { $0.isEqual(to: route.tag.utf8.span) }
        guard let isKnown else { return route.response }
        return isKnown && !request.wantsIndentedJSON && request.waitingTime() == nil ? route.notModified : nil
    }

    /// Answers when the session's route meets the client's condition, or with the current one when the time is over.
    ///
    /// - Parameter cookies: The cookies of a new session; `nil` if the client knows the session.
    private func park(
        until condition: RouteCondition, in session: Future<Session, SessionError>, for client: ClientKey,
        introducedBy cookies: Cookies? = nil, atMost time: Duration
    ) -> HTTPAnswer {
        .parked(
            atMost: time,
            otherwise: { self.unmet(condition, in: session, for: client, introducedBy: cookies) },
            begin: { answer in
                session.whenDone(on: self.executor(of: client)) { result in
                    // If the answer is released here, for instance because the session has just ended, `otherwise`
                    // responds.
                    guard case .success(let session) = result else { return }
                    let introduction = cookies?.introduction(of: session) ?? [:]
                    let respond: @Sendable (Int, PublishedRoute) -> HTTPResponse = { version, route in
                        let reading: RouteReading =
                            condition.known?.contains(version) == true
                            ? .unchanged(version, route) : .route(version, route)
                        return self.response(reading, of: session.id, introducedBy: introduction)
                    }
                    session.follow(ParkedRead(answer, until: condition, respond), for: client) { version, route in
                        guard condition.isMet(by: version, route.published) else { return true }
                        answer.answer(with: respond(version, route.published))
                        return false
                    }.whenDone(on: self.executor(of: client), for: WaitingClient(for: answer)) { follower in
                        switch follower {
                        case .success(let follower?):
                            answer.whenExpired { session.unfollow(follower, for: client) }
                        case .success(nil): break
                        case .failure(let error): answer.answer(with: self.response(to: Problem(error)))
                        }
                    }
                }
            })
    }

    /// The answer when the time is over.
    private func unmet(
        _ condition: RouteCondition, in session: Future<Session, SessionError>, for client: ClientKey,
        introducedBy cookies: Cookies?
    ) -> HTTPResponse {
        guard case .success(let session) = session.result else {
            if case .failure(let error) = session.result { return response(to: Problem(error)) }
            return response(to: Problem(.tooBusy))
        }
        if session.hasEnded { return response(to: Problem(.hasEnded)) }
        switch session.route(unless: condition.known, for: client).result {
        case .success(let reading):
            return response(reading, of: session.id, introducedBy: cookies?.introduction(of: session) ?? [:])
        case .failure(let error): return response(to: Problem(error))
        case nil: break
        }
        // The time is over, and the route cannot be read without waiting.
        if case .some(let versions)? = condition.known, let version = versions.max() {
            return .notModified(tag: RouteTag.text(version: version, session: session.id, app: app))
        }
        return response(to: Problem(.tooBusy))
    }

    private func response(
        _ reading: RouteReading, of session: SessionID, introducedBy introduction: HTTPFields = [:]
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
    func putRoute(_ request: borrowing HTTPRequest, _ passage: Passage) throws(Problem) -> HTTPAnswer {
        let named = try namedSession(of: request, passage)
        let body = try request.json()
        try body.checkFields("path")
        return try inject(EventRequest(opening: body.path()), into: named, for: request, passage.requester)
    }
}
