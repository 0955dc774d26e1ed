internal import Coordinate
internal import MicroHTTPD

extension API {
    /// `POST /events`: injects one event.
    func postEvent(_ request: borrowing HTTPRequest, to id: String?) throws(Problem) -> HTTPResponse {
        let named = try namedSession(of: request, id: id)
        return try inject(EventRequest(json(of: request)), into: named, for: request)
    }

    /// Injects an event into the session that was named, or else into a new one, and answers with the outcome.
    func inject(
        _ event: EventRequest, into named: Session?, for request: borrowing HTTPRequest
    ) throws(Problem) -> HTTPResponse {
        let wantsMinimal = request.prefers("return", "minimal")
        return try withSession(named) { session, introduction throws(SessionError) in
            let outcome = try session.inject(event, wantsRoute: !wantsMinimal)
            let preference = wantsMinimal ? [(name: "Preference-Applied", value: "return=minimal")] : []
            return .json(
                OutcomeDocument.encode(outcome), headers: preference + introduction, isSecret: !introduction.isEmpty)
        }
    }

    /// `GET /events`: a page of the journal.
    func getEvents(_ request: borrowing HTTPRequest, of id: String?) throws(Problem) -> HTTPResponse {
        let named = try namedSession(of: request, id: id)
        let after = try request.wholeNumber("after", in: 0...Int.max) ?? 0
        let limit = try request.wholeNumber("limit", in: 1...1_000) ?? 100
        return try withSession(named) { session, introduction throws(SessionError) in
            let page = try session.entries(after: after, limit: limit)
            return .json(
                JournalDocument.encode(page.entries, next: page.next), headers: introduction,
                isSecret: !introduction.isEmpty)
        }
    }
}

extension HTTPRequest {
    /// A query item that is a number, nil where it is not there.
    fileprivate borrowing func wholeNumber(_ name: String, in range: ClosedRange<Int>) throws(Problem) -> Int? {
        guard let text = queryValue(name) else { return nil }
        guard let number = Int(text), range.contains(number) else {
            let limit = range.upperBound == .max ? "or more" : "to \(range.upperBound)"
            throw .malformedRequest("The query's \"\(name)\" must be a whole number: \(range.lowerBound) \(limit).")
        }
        return number
    }
}
