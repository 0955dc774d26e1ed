import Loopback

/// A kind of request that is measured, and how dear it may be.
enum Workload: String, CaseIterable {
    case route
    case notModified
    case minimal
    case full

    var title: String {
        switch self {
        case .route: "GET /route"
        case .notModified: "GET /route, 304"
        case .minimal: "POST /events, minimal"
        case .full: "POST /events, full"
        }
    }

    /// The most processor time it may take, as a multiple of what bare libmicrohttpd takes; nil where none is set.
    var goal: Double? {
        switch self {
        case .route: 1.1
        case .notModified: nil
        case .minimal: 2
        case .full: 4
        }
    }

    /// Whether it changes the session.
    var isEvent: Bool { self == .minimal || self == .full }

    /// The requests of one pass over some sessions. A second pass leaves them as they were.
    func requests(to sessions: [RacingSession], over client: LoopbackClient) throws -> [String] {
        switch self {
        case .route:
            return sessions.map { HTTPText.get("/route", headers: [$0.session]) }
        case .notModified:
            return try sessions.map { session in
                let tag = try client.send(HTTPText.get("/route", headers: [session.session])).header("ETag")
                return HTTPText.get("/route", headers: [session.session, "If-None-Match: \(tag ?? "")"])
            }
        case .minimal, .full:
            let preference = self == .minimal ? ["Prefer: return=minimal"] : []
            return [false, true].flatMap { isFavourite in
                sessions.map { session in
                    HTTPText.post(
                        "/events", RacingSession.favourite(isFavourite), headers: [session.session] + preference)
                }
            }
        }
    }
}
