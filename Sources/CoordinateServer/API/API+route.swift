internal import Coordinate
internal import MicroHTTPD

extension API {
    /// `GET /route`: where the session is, or was after an event. Nothing is encoded where the current version has been
    /// asked for before, nor where the client has it.
    func getRoute(_ request: borrowing HTTPRequest, of id: String?) throws(Problem) -> HTTPAnswer {
        let named = try namedSession(of: request, id: id)
        let version = try request.wholeNumber("version", in: 0...Int.max)
        // A new session cannot be known to anybody.
        let preconditions = named == nil ? .none : Preconditions(request)
        let answer = try withSession(named) { session, introduction throws(SessionError) in
            try session.route(at: version, if: preconditions, introducedBy: introduction)
        }
        guard case .now(let response) = answer, response.status == 304, version == nil, let named,
            let patience = request.waitingTime()
        else { return answer }
        return park(until: named, if: preconditions, atMost: patience)
    }

    /// Answers when the session's version changes, or says in the end that it did not.
    private func park(until session: Session, if preconditions: Preconditions, atMost patience: Duration) -> HTTPAnswer
    {
        .parked(
            atMost: patience,
            otherwise: {
                do throws(SessionError) {
                    return try session.route(if: preconditions)
                } catch {
                    return self.response(to: Problem(error))
                }
            },
            begin: { answer in
                // An answer that is let go of, as where the session has just ended, is given by the closure above.
                try? session.answer(answer, if: preconditions)
            })
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
