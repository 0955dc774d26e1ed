package import CoordinateSessions
internal import Dispatch
package import MicroHTTPD

// Answers that may have to wait for a session.

extension API {
    /// Answers with a body's result for a session, once the session is found.
    func answer(
        _ session: Future<Session, SessionError>, for client: ClientKey,
        _ body: @escaping @Sendable (Session) -> Future<HTTPResponse, SessionError>
    ) -> HTTPAnswer {
        if case .now(.success(let session)) = session { return answer(body(session), for: client) }
        return answer(session.flatMap(on: executor(of: client), body), for: client)
    }

    /// Answers at once if the response is ready, else when it is. No thread waits for it.
    func answer(_ response: Future<HTTPResponse, SessionError>, for client: ClientKey) -> HTTPAnswer {
        answer(response, for: client) { $0 }
    }

    /// The executor for the code that handles a client's request.
    package func executor(of client: ClientKey) -> any CoordinateSessions.Executor {
        client.executor ?? sessions.host.scheduler
    }

    /// Answers at once if the value for the response is ready, else when it is.
    package func answer<Value: Sendable>(
        _ value: Future<Value, SessionError>, for client: ClientKey,
        _ respond: @escaping @Sendable (Value) -> HTTPResponse
    ) -> HTTPAnswer {
        if let result = value.result {
            if case .failure(.tooBusy) = result { return refusalOfBusyServer() }
            return .now(response(to: result, respond))
        }
        return .later(
            atMost: HTTPParkedAnswer.longestWait,
            otherwise: { self.response(to: Problem(self.isDraining ? .draining : .tooBusy)) },
            begin: { answer in
                value.whenDone(on: self.executor(of: client), for: WaitingClient(for: answer)) {
                    answer.answer(with: self.response(to: $0, respond))
                }
            })
    }

    private static let refusals = DispatchQueue(label: "coordinate.refusals")

    /// Refuses a request because the server is busy, but a second later. Otherwise a client that repeats its request at
    /// once would keep the workers busy with refusals.
    private func refusalOfBusyServer() -> HTTPAnswer {
        .parked(
            atMost: HTTPParkedAnswer.longestWait, otherwise: { self.response(to: Problem(.tooBusy)) },
            // Releasing the answer responds with the refusal above.
            begin: { answer in Self.refusals.asyncAfter(deadline: .now() + 1) { _ = answer } })
    }

    private func response<Value>(
        to result: Result<Value, SessionError>, _ respond: (Value) -> HTTPResponse
    ) -> HTTPResponse {
        switch result {
        case .success(let value): respond(value)
        case .failure(let error): response(to: Problem(error))
        }
    }
}

/// A client that waits for a parked answer until it disconnects.
package final class WaitingClient: Awaited {
    private let answer: HTTPParkedAnswer

    package init(for answer: HTTPParkedAnswer) {
        self.answer = answer
    }

    package var isAwaited: Bool { !answer.isOver }
}
