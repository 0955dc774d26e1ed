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
        let known = if let named { request.knownVersions(of: named, app) } else { VersionCondition.Versions?.none }
        if version == nil {
            // A session in memory is read without waiting.
            let atHand = named.flatMap { sessions.findInMemory($0, for: client)?.routeAtOnce(unless: known) }
            let isChanged = if case .route? = atHand { true } else { false }
            if let time = request.waitingTime(), waitsUntilSettled || known != nil && !isChanged {
                let condition = RouteCondition(known: known, waitsUntilSettled: waitsUntilSettled)
                return wait(until: condition, in: named, for: request, atMost: time)
            }
            if let named, let atHand { return .now(response(atHand, of: named)) }
        }
        return answerIn(named, for: request) { session, introduction in
            let reading =
                if let version {
                    try await session.route(at: version, unless: known, for: client)
                } else {
                    try await session.route(unless: known)
                }
            return self.response(reading, of: session.id, introducedBy: introduction)
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
    private func wait(
        until condition: RouteCondition, in named: SessionID?, for request: borrowing HTTPRequest, atMost time: Duration
    ) -> HTTPAnswer {
        let (client, cookies) = (client(of: request), cookies(of: request))
        let wait = RouteWait(until: condition)
        return answer(
            atMost: time, isWork: false, otherwise: { self.response(after: wait) },
            respond: {
                let session: Session
                if let named {
                    session = try await self.sessions.find(named, for: client)
                    wait.place = .init(session: named, introduction: [:])
                } else {
                    session = try await self.sessions.begin(for: client).session
                    wait.place = .init(session: session.id, introduction: cookies.introduction(of: session))
                }
                let follower = try await session.follow(wait, wait.didCommit)
                if await !wait.isMet(), let follower {
                    session.unfollow(follower)
                    if session.hasEnded { throw SessionError.hasEnded }
                }
                return self.response(after: wait)
            })
    }

    /// The response when a wait is over.
    private func response(after wait: RouteWait) -> HTTPResponse {
        guard let place = wait.place else { return response(to: SessionError.tooBusy) }
        if let latest = wait.latest { return response(latest, of: place.session, introducedBy: place.introduction) }
        // The time is over, and the session cannot be read yet.
        guard case .some(let versions)? = wait.condition.known, let version = versions.max() else {
            return response(to: SessionError.tooBusy)
        }
        return .notModified(tag: RouteTag.text(version: version, session: place.session, app: app))
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
