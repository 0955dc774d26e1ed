internal import Coordinate
internal import CoordinateSessions
internal import Dispatch
internal import MicroHTTPD

extension API {
    /// `POST /events`: injects one event.
    func postEvent(_ request: borrowing HTTPRequest, _ passage: Passage) throws(Problem) -> HTTPAnswer {
        let named = try namedSession(of: request, passage)
        let event = try EventRequest(request.json(), of: app, mayNameOrigin: true)
        if event.origin == .host, !passage.requester.isOperator { throw refusal(of: request, by: passage.requester) }
        return try inject(event, into: named, for: request, passage.requester)
    }

    /// Injects an event into the named session, or into a new one, and answers with the outcome.
    func inject(
        _ event: consuming EventRequest, into named: SessionID?, for request: borrowing HTTPRequest,
        _ requester: Requester
    ) throws(Problem) -> HTTPAnswer {
        let wantsMinimal = request.prefersMinimal()
        // A minimal answer is always the same, for speed.
        let wantsTiming = !wantsMinimal && request.preference("timing") != nil
        let retry = try request.retry(of: event, in: app, isMinimal: wantsMinimal)
        event.traceparent = request.addedToAnswer[.traceparent]
        let injection = EventInjection(
            event, if: request.condition(on: named, of: app), retry: retry, wantsRoute: !wantsMinimal,
            isBoundToScreen: requester.isBoundToScreen)
        let client = client(of: request)
        guard let named else {
            let cookies = cookies(of: request)
            return answer {
                let new = try await self.sessions.begin(with: injection, for: client)
                guard let outcome = new.outcome else { throw Problem.serverFailed }
                return self.response(outcome, cookies.introduction(of: new.session), isTimed: wantsTiming)
            }
        }
        return answer {
            let session = try await self.sessions.find(named, for: client)
            return self.response(try await session.inject(injection), [:], isTimed: wantsTiming)
        }
    }

    /// - Parameters:
    ///   - introduction: The headers that introduce a new session to its client.
    ///   - isTimed: Whether the client wants to know how long the turn took.
    private func response(_ outcome: EventOutcome, _ introduction: HTTPFields, isTimed: Bool) -> HTTPResponse {
        let body = OutcomeDocument.encode(outcome, route: outcome.route?.published.body)
        if outcome.route == nil, introduction.isEmpty { return .minimal(body) }
        var headers = outcome.route == nil ? introduction + HTTPResponse.minimalReturn : introduction
        if isTimed, let time = outcome.turnTime { headers[.serverTiming] = Self.timing(of: time) }
        return .json(body, headers: headers, isSecret: !introduction.isEmpty)
    }

    /// The duration of a turn in milliseconds, as in `turn;dur=0.25` (https://www.w3.org/TR/server-timing).
    private static func timing(of nanoseconds: UInt64) -> String {
        let (whole, fraction) = (nanoseconds / 1_000).quotientAndRemainder(dividingBy: 1_000)
        return "turn;dur=\(whole).\(String(1_000 + fraction).dropFirst())"
    }

    /// `GET /events`: a page of the journal, the whole journal with one entry per line, or a live stream.
    func getEvents(_ request: borrowing HTTPRequest, _ passage: Passage) throws(Problem) -> HTTPAnswer {
        let named = try namedSession(of: request, passage)
        let type = request.preferredType(of: MediaType.ofEvents)
        if type == MediaType.events {
            let seesPast = !passage.requester.isBoundToScreen
            let (redaction, isOver) = (passage.redaction, passage.end.map(isOver(at:)))
            // A `Last-Event-ID` that is not a version starts the stream anew.
            let lastSeen = request.header(.lastEventID).map { Int($0) ?? -1 }
            let client = client(of: request)
            return answerIn(named, for: request) { session, introduction in
                try await self.stream(
                    of: session, after: lastSeen, seesPast: seesPast, redaction, until: isOver, for: client,
                    introducedBy: introduction)
            }
        }
        let after = try request.wholeNumber("after", in: 0...Int.max) ?? 0
        let limit = try request.wholeNumber("limit", in: 1...1_000) ?? 100
        let wantsLines = type == MediaType.lines
        let isOperator = passage.requester.isOperator
        let isIndented = !wantsLines && request.wantsIndentedJSON
        let client = client(of: request)
        return answerIn(named, for: request) { session, introduction in
            guard !wantsLines || !self.budget.isFull else { throw SessionError.memoryIsFull }
            let journal = try await session.journal()
            guard wantsLines else {
                let page = JournalReading(
                    journal, as: .page(recordedBy: self.app.version), after: after, limit: limit,
                    endingAt: isIndented ? JournalReading.wholeSize : .max)
                return try await self.response(
                    page, of: session.id, type: MediaType.json, for: client, isWhole: isIndented,
                    introducedBy: introduction)
            }
            guard journal.head.damage != 0 else { throw SessionError.damaged(version: 0) }
            return try await self.response(
                JournalReading(journal, as: .export(isForOperator: isOperator)), of: session.id, type: MediaType.lines,
                for: client, introducedBy: introduction)
        }
    }

    /// The response with a journal. A short journal is sent whole. A long one is a stream: each piece is encoded when
    /// the client has read the one before.
    ///
    /// - Parameter isWhole: Whether it is sent whole in any case, because it is indented.
    private func response(
        _ reading: JournalReading, of session: SessionID, type: String, for client: ClientKey, isWhole: Bool = false,
        introducedBy headers: HTTPFields
    ) async throws(SessionError) -> HTTPResponse {
        let isSecret = !headers.isEmpty
        guard !isWhole else {
            let body = try await withTaskExecutorPreference(readers) { () throws(SessionError) in
                try await reading.whole()
            }
            return .json(body, type: type, headers: headers, isSecret: isSecret)
        }
        let piece = try await reading.beginning()
        guard !piece.isLast else { return .json(piece.body, type: type, headers: headers, isSecret: isSecret) }
        let stream = HTTPStream(
            quota: exportQuota, readers: unread, groups: HTTPReaders.Group.of(client, session),
            source: { stream in
                Task(executorPreference: self.readers) { await reading.sendNext(to: stream) }
            })
        stream.send(piece.body)
        return .json(stream, type: type, headers: headers, isSecret: isSecret)
    }

    // MARK: Streams

    /// Returns whether a time, in seconds since 1970, has come.
    private func isOver(at end: Int) -> @Sendable () -> Bool {
        let clock = sessions.host.clock
        return { clock.timestamp().seconds >= end }
    }

    /// A live stream of every version from now on, without gaps. It starts after the current version, or after the last
    /// one that the client has received.
    ///
    /// - Parameters:
    ///   - seesPast: Whether the client may see the versions that it missed. If not, it gets the current one.
    ///   - isOver: Returns whether the client's right has ended; `nil` if it does not end.
    private func stream(
        of session: Session, after lastSeen: Int?, seesPast: Bool, _ redaction: Redaction?,
        until isOver: (@Sendable () -> Bool)?, for client: ClientKey, introducedBy introduction: HTTPFields
    ) async throws(SessionError) -> HTTPResponse {
        guard !budget.isFull else { throw .memoryIsFull }
        let following = Following(session, metrics)
        let groups = HTTPReaders.Group.of(client, session.id)
        let follower = StreamFollower(following, sharing: streamQuota, unread, as: groups, redaction, until: isOver)
        do throws(SessionError) {
            let id = try await session.follow(follower) { _, route in follower.join(at: route.published) }
            if let id { following.begin(as: id) }
            try await follower.catchUp(
                with: session, after: lastSeen, for: client, isBrief: !seesPast || unread.areCrowded(groups))
        } catch {
            // No client is connected to this stream, so nothing else would end it.
            following.end()
            throw error
        }
        return .events(follower.stream, headers: introduction)
    }
}
