import Loopback

/// How fast a session's events are replayed, as they are whenever its tree is made again.
struct Waking {
    let stage: Stage

    /// Events a second on one core.
    ///
    /// The route after an earlier event is asked for, which replays all up to it on a tree of its own.
    func measure() throws -> Spread {
        let events = stage.isQuick ? 20_000 : 50_000
        let server = try stage.coordinate()
        let client = try LoopbackClient(port: server.port)
        let session = try RacingSession(on: client)
        let requests = [false, true].map { isFavourite in
            HTTPText.post(
                "/events", RacingSession.favourite(isFavourite),
                headers: [session.session, "Prefer: return=minimal"])
        }
        for event in 0..<events { try client.send(requests[event % 2]) }
        let rates = try (0...stage.rounds).map { round in
            let before = try server.processorTime()
            // Several at once, since processor time is exact to a hundredth of a second.
            for repetition in 0..<4 {
                let version = events - round * 4 - repetition
                try client.send(HTTPText.get("/route?version=\(version)", headers: [session.session]))
            }
            return Double(events * 4) / (try server.processorTime() - before)
        }
        // The first round warms up and does not count.
        return Spread(Array(rates.dropFirst()))
    }
}
