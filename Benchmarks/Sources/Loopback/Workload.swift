/// A kind of measured request. The raw values are the names in the program `workload`.
package enum Workload: String, CaseIterable {
    case route = "get"
    case notModified = "unchanged"
    case minimal
    case full

    package var title: String {
        switch self {
        case .route: "GET /route"
        case .notModified: "GET /route, 304"
        case .minimal: "POST /events, minimal"
        case .full: "POST /events, full"
        }
    }

    /// Whether the request changes the session.
    package var isEvent: Bool { self == .minimal || self == .full }

    /// The requests of one pass over some sessions. A second pass returns the sessions to the same state.
    package func requests(
        to sessions: [RacingSession], as form: RequestForm = .short, over client: LoopbackClient
    ) throws -> [String] {
        switch self {
        case .route:
            return sessions.map { form.get("/route", of: $0) }
        case .notModified:
            return try sessions.map { session in
                let tag = try client.send(form.get("/route", of: session)).header("ETag")
                return form.get("/route", of: session, headers: ["If-None-Match: \(tag ?? "")"])
            }
        case .minimal, .full:
            let preference = self == .minimal ? ["Prefer: return=minimal"] : []
            return [false, true].flatMap { isFavorite in
                sessions.map { form.post("/events", RacingSession.favorite(isFavorite), to: $0, headers: preference) }
            }
        }
    }
}

/// How the request names its session.
package enum RequestForm: String, CaseIterable {
    /// `GET /route` with the header `Session`.
    case short
    /// `GET /sessions/{id}/route`, which most clients use.
    case long

    package func get(_ path: String, of session: RacingSession, headers: [String] = []) -> String {
        HTTPText.get(self.path(path, session), headers: self.headers(session) + headers)
    }

    package func post(_ path: String, _ body: String, to session: RacingSession, headers: [String]) -> String {
        HTTPText.post(self.path(path, session), body, headers: self.headers(session) + headers)
    }

    private func path(_ path: String, _ session: RacingSession) -> String {
        self == .long ? "/sessions/\(session.id)\(path)" : path
    }

    private func headers(_ session: RacingSession) -> [String] {
        self == .long ? [] : [session.session]
    }
}
