import Loopback

/// How fast a session's events are replayed when its tree is created again.
struct Waking {
    let stage: Stage

    /// Events per second on one core.
    ///
    /// The measurement requests the route after an earlier event, which replays all events up to it on a new tree.
    func measure() throws -> Spread {
        let events = stage.isQuick ? 20_000 : 50_000
        let server = try stage.coordinate()
        let client = try LoopbackClient(port: server.port)
        let session = try RacingSession(on: client)
        let requests = [false, true].map { isFavorite in
            HTTPText.post(
                "/events", RacingSession.favorite(isFavorite),
                headers: [session.session, "Prefer: return=minimal"])
        }
        for event in 0..<events { try client.send(requests[event % 2]) }
        let rates = try (0...stage.rounds).map { round in
            let before = try server.processorTime()
            // Several requests at once, because processor time has a resolution of a hundredth of a second.
            for repetition in 0..<4 {
                let version = events - round * 4 - repetition
                try client.send(HTTPText.get("/route?version=\(version)", headers: [session.session]))
            }
            return Double(events * 4) / (try server.processorTime() - before)
        }
        // The first round only warms up.
        return Spread(Array(rates.dropFirst()))
    }
}
