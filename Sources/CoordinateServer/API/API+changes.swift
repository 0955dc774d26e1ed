internal import Coordinate
internal import CoordinateSessions
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
        return answer {
            let routes = try await self.sessions.find(id, for: client).routes(at: first, and: second, for: client)
            let (older, newer) = (routes.older.published.body, routes.newer.published.body)
            // The documents may be large, and other clients of this worker must not wait.
            return try await withTaskExecutorPreference(self.readers) {
                try Task.checkCancellation()
                return .json(try ChangesDocument.encode(from: first, to: second, older: older, newer: newer))
            }
        }
    }
}
