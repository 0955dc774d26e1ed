package import CoordinateSessions
package import MicroHTTPD

// Answers that may have to wait for a session.

extension API {
    /// Answers with the result of an `async` function, which begins at once. What it throws becomes a problem.
    ///
    /// A busy server refuses no sooner than a second after the request, unless it stops. Otherwise a client that repeats
    /// its request at once would keep the workers busy with refusals.
    ///
    /// - Parameters:
    ///   - time: The time for which the client waits.
    ///   - isWork: Whether a stopping server waits for the response.
    ///   - otherwise: Creates the response after that time; `nil` for a refusal.
    package func answer(
        atMost time: Duration = HTTPAnswer.longestWait, isWork: Bool = true,
        otherwise: (@Sendable () -> HTTPResponse)? = nil,
        respond: nonisolated(nonsending) @escaping @Sendable () async throws -> HTTPResponse
    ) -> HTTPAnswer {
        .async(
            atMost: time, isWork: isWork,
            otherwise: otherwise ?? { self.response(to: Problem(self.isDraining ? .draining : .tooBusy)) },
            respond: {
                let start = ContinuousClock.now
                do {
                    return try await respond()
                } catch {
                    if case SessionError.tooBusy = error, !self.isDraining {
                        try? await Task.sleep(until: start + .seconds(1))
                    }
                    return self.response(to: error)
                }
            })
    }

    /// Answers with the result of a body for the named session, or for a new one, which is ended if the body fails.
    ///
    /// - Parameter body: Creates the response. Its argument is the headers that introduce a new session to its client,
    ///   empty for a session that the client named.
    package func answerIn(
        _ named: SessionID?, for request: borrowing HTTPRequest,
        _ body: @escaping @Sendable (Session, _ introduction: HTTPFields) async throws -> HTTPResponse
    ) -> HTTPAnswer {
        let (client, cookies) = (client(of: request), cookies(of: request))
        return answer {
            if let named { return try await body(try await self.sessions.find(named, for: client), [:]) }
            let session = try await self.sessions.begin(for: client).session
            do {
                return try await body(session, cookies.introduction(of: session))
            } catch {
                try? await self.sessions.end(session)
                throw error
            }
        }
    }
}
