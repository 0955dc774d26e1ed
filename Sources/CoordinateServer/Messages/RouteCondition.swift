internal import CoordinateSessions
internal import MicroHTTPD

/// A client's condition for a route. The request waits until the session's route meets it.
struct RouteCondition: Sendable {
    /// The versions that the client knows; `nil` if it names none.
    let known: VersionCondition.Versions?
    /// Whether only timers may be pending in the route. Otherwise the route must have a version that the client does
    /// not know.
    let waitsUntilSettled: Bool

    func isMet(by version: Int, _ route: PublishedRoute) -> Bool {
        waitsUntilSettled ? route.isSettled : known?.contains(version) != true
    }
}

/// A request that waits for a route that meets its client's condition.
final class ParkedRead: SessionFollower {
    private let answer: HTTPParkedAnswer
    private let condition: RouteCondition
    private let respond: @Sendable (Int, PublishedRoute) -> HTTPResponse

    init(
        _ answer: HTTPParkedAnswer, until condition: RouteCondition,
        _ respond: @escaping @Sendable (Int, PublishedRoute) -> HTTPResponse
    ) {
        self.answer = answer
        self.condition = condition
        self.respond = respond
    }

    func didCommit(_ version: Int, _ route: any EncodedRoute) -> Bool {
        let route = route.published
        guard condition.isMet(by: version, route) else { return true }
        answer.answer(with: respond(version, route))
        return false
    }

    // The parked answer is released, and its fallback responds.
    func didEnd() {}
    func wasReleased() {}
}
