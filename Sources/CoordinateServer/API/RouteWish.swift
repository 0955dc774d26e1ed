internal import CoordinateSessions
internal import MicroHTTPD

/// A client's wish for a route: it waits until the session has one that meets it.
struct RouteWish: Sendable {
    /// The versions that the client knows; nil where it does not say so.
    let known: VersionCondition.Versions?
    /// True where only timers may be pending in the route; else it has to be one that the client does not know.
    let isToBeSettled: Bool

    func isMet(by version: Int, _ route: PublishedRoute) -> Bool {
        isToBeSettled ? route.isSettled : known?.contains(version) != true
    }
}

/// A request that waits for a route which meets its client's wish.
final class ParkedRead: SessionFollower {
    private let answer: HTTPParkedAnswer
    private let wish: RouteWish
    private let respond: @Sendable (Int, PublishedRoute) -> HTTPResponse

    init(
        _ answer: HTTPParkedAnswer, until wish: RouteWish,
        _ respond: @escaping @Sendable (Int, PublishedRoute) -> HTTPResponse
    ) {
        self.answer = answer
        self.wish = wish
        self.respond = respond
    }

    func didCommit(_ version: Int, _ route: any EncodedRoute) -> Bool {
        let route = route.published
        guard wish.isMet(by: version, route) else { return true }
        answer.answer(with: respond(version, route))
        return false
    }

    // Let go of, it is answered by what stands in.
    func didEnd() {}
    func wasLetGo() {}
}
