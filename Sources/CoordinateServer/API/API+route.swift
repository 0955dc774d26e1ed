internal import Coordinate
internal import MicroHTTPD

extension API {
    /// `GET /route`: where the session is. Nothing is encoded where the version has been asked for before.
    func getRoute(_ request: borrowing HTTPRequest, of id: String?) throws(Problem) -> HTTPResponse {
        let named = try namedSession(of: request, id: id)
        return try withSession(named) { session, introduction throws(SessionError) in
            introduction.isEmpty ? try session.routeResponse() : try session.routeResponse(introducedBy: introduction)
        }
    }
}
