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
        return try withSession(named) { session, introduction throws(SessionError) in
            try session.route(at: version, if: preconditions, introducedBy: introduction)
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
