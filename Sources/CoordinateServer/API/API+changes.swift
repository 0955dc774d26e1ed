internal import Coordinate
internal import CoordinateSessions
internal import JSON
internal import MicroHTTPD

extension API {
    /// `GET /sessions/{id}/changes`: the difference between a session's routes after two events.
    func getChanges(_ request: borrowing HTTPRequest, _ passage: Passage) throws(Problem) -> HTTPAnswer {
        let id = try named(passage.session)
        guard let first = try request.wholeNumber("from", in: 0...Int.max),
            let second = try request.wholeNumber("to", in: 0...Int.max)
        else {
            throw .malformedRequest("The query must name two versions, as \"from\" and \"to\": ?from=1&to=2.")
        }
        let client = client(of: request)
        return answer(sessions.find(id, for: client), for: client) { session in
            session.routes(at: first, and: second, for: client).flatMap(on: self.executor(of: client)) { older, newer in
                self.compare(older.published.body, newer.published.body, from: first, to: second)
            }
        }
    }

    /// Compares two documents on the readers' thread. They may be large, and other clients of this worker must not
    /// wait.
    private func compare(
        _ older: HTTPBody, _ newer: HTTPBody, from first: Int, to second: Int
    ) -> Future<HTTPResponse, SessionError> {
        let promise = Promise<HTTPResponse, SessionError>()
        readers.enqueue {
            guard promise.isAwaited else { return promise.fulfil(.failure(.abandoned)) }
            do throws(JSONSyntaxError) {
                let changes = try ChangesDocument.encode(from: first, to: second, older: older, newer: newer)
                promise.fulfil(.success(.json(changes)))
            } catch {
                promise.fulfil(.success(self.response(to: Problem.serverFailed)))
            }
        }
        return .later(promise)
    }
}
