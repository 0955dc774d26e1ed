/// A session of the racing app on Coordinate's server, at a team's details.
package struct RacingSession {
    package let id: String

    /// Creates a session with three events.
    package init(on client: LoopbackClient) throws {
        self = try Self.new(on: client)
        for event in [
            #"{"event": "splash.didFinish"}"#, #"{"event": "teams.didSelect", "payload": {"team": "ferrari"}}"#,
            Self.favorite(true),
        ] {
            try client.send(HTTPText.post("/events", event, headers: [session]))
        }
    }

    /// Creates a session without any event.
    package static func new(on client: LoopbackClient) throws -> RacingSession {
        guard let id = try client.send(HTTPText.get("/route")).header("Session") else {
            throw BenchmarkError("The server did not name the new session.")
        }
        return RacingSession(id: id)
    }

    /// A session that exists.
    package init(id: String) { self.id = id }

    /// Creates a session that is ``depth`` screens deep.
    ///
    /// - Parameter events: The session's final version, at least ``depth``.
    package static func deep(events: Int = depth, on client: LoopbackClient) throws -> RacingSession {
        let session = try RacingSession(on: client)
        for _ in 3..<depth {
            try client.send(
                HTTPText.post(
                    "/events", #"{"event": "teams.didSelect", "payload": {"team": "ferrari"}}"#,
                    headers: [session.session, "Prefer: return=minimal"]))
        }
        try session.toggleFavorite(times: events - depth, on: client)
        return session
    }

    /// Nearly the maximum number of screens in a tree.
    package static let depth = 985

    /// The request that resumes a stream of a deep session 200 versions back.
    package var resumedStream: String {
        HTTPText.get(
            "/sessions/\(id)/events",
            headers: ["Accept: text/event-stream", "Last-Event-ID: \(Self.depth - 200)"])
    }

    /// Sends events that do not change the size of the tree.
    package func toggleFavorite(times: Int, on client: LoopbackClient) throws {
        for number in 0..<times {
            try client.send(
                HTTPText.post(
                    "/events", Self.favorite(number % 2 == 1), headers: [session, "Prefer: return=minimal"]))
        }
    }

    /// The header that names the session.
    package var session: String { "Session: \(id)" }

    /// An event that does not change the size of the tree: it adds the team to the favorites or removes it.
    package static func favorite(_ isFavorite: Bool) -> String {
        #"{"event": "teams.\#(isFavorite ? "setFavorite" : "unsetFavorite")", "payload": {"team": "ferrari"}}"#
    }
}

/// Requests as text.
package enum HTTPText {
    package static func get(_ path: String, headers: [String] = []) -> String {
        (["GET \(path) HTTP/1.1", "Host: 127.0.0.1"] + headers + ["", ""]).joined(separator: "\r\n")
    }

    package static func delete(_ path: String, headers: [String] = []) -> String {
        (["DELETE \(path) HTTP/1.1", "Host: 127.0.0.1"] + headers + ["", ""]).joined(separator: "\r\n")
    }

    package static func post(
        _ path: String, _ body: String, type: String = "application/json", headers: [String] = []
    ) -> String {
        let lines = ["POST \(path) HTTP/1.1", "Host: 127.0.0.1", "Content-Type: \(type)"]
        let all = lines + headers + ["Content-Length: \(body.utf8.count)", "", body]
        return all.joined(separator: "\r\n")
    }
}
