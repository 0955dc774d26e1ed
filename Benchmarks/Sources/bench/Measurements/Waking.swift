import Loopback

/// How fast a session's events are replayed when its tree is created again.
struct Waking {
    let stage: Stage

    /// Returns events per second on one core, one value per round.
    func measure() throws -> Spread {
        let session = try start()
        // The first round only warms up.
        return Spread(Array(try (0...stage.rounds).map { _ in try session.rate() }.dropFirst()))
    }

    /// Starts a server with a session of many events.
    func start() throws -> WakingSession {
        let events = stage.isQuick ? 20_000 : 50_000
        let server = try stage.coordinate()
        let client = try LoopbackClient(port: server.port)
        let session = try RacingSession(on: client)
        try session.toggleFavorite(times: events, on: client)
        return WakingSession(server: server, client: client, session: session, events: events)
    }
}

/// A session whose earlier routes are read, which replays its events on a new tree.
final class WakingSession {
    private let server: ServerProcess
    private let client: LoopbackClient
    private let session: RacingSession
    private let events: Int
    /// The version that is read next. None is read twice.
    private var version: Int

    init(server: ServerProcess, client: LoopbackClient, session: RacingSession, events: Int) {
        (self.server, self.client, self.session, self.events) = (server, client, session, events)
        version = events
    }

    /// Returns events per second of processor time.
    func rate() throws -> Double {
        // Several requests at once, because processor time has a resolution of a hundredth of a second.
        let cost = try server.cost {
            for _ in 0..<4 {
                try client.send(HTTPText.get("/route?version=\(version)", headers: [session.session]))
                version -= 1
            }
            return 4 * events
        }
        return 1e6 / cost
    }
}
