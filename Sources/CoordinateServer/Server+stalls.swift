internal import CoordinateSessions
internal import Dispatch
internal import Logging
internal import MicroHTTPD

extension Server {
    /// Logs turns that block a worker, and ends the process once all workers are blocked: its supervisor can start it
    /// again.
    func watchForStalls() -> StallWatch {
        let app = "\(api.app.name) \(api.app.version)"
        return StallWatch(
            of: http,
            onStall: { [logger] stall in
                let time = "\(stall.time.components.seconds) s"
                let event = stall.event.map { "The app \(app) has been at \($0), for version \(stall.version)," }
                let work = event ?? "Somebody waits for a session that is kept by another thread,"
                let clients =
                    stall.disconnected == 0 ? "" : "; of its clients, disconnected: \(stall.disconnected)"
                logger.error("\(work) for \(time)\(stall.isWorker ? ", and keeps a worker" : "")\(clients).")
            },
            onStandstill: { [api] activities in
                let noting = DispatchGroup()
                for activity in activities {
                    noting.enter()
                    api.noteCrash(in: activity) { noting.leave() }
                }
                _ = noting.wait(timeout: .now() + Self.timeToNote)
                LogQueue.standardError.flush(atMost: 0.5)
                ProcessEnd.endNow(
                    "All workers have been kept by the app \(app) for 10 s: the process ends, to be started again.",
                    status: Self.standstillStatus)
            })
    }

    /// The status EX_SOFTWARE of sysexits.h.
    private static var standstillStatus: Int32 { 70 }
    /// The time that the journal has to note what the app was doing, in seconds.
    private static var timeToNote: Double { 2 }
}

extension API {
    /// Has the journal note that the process ends in a turn of the app.
    func noteCrash(in activity: ThreadActivity, _ done: @escaping @Sendable () -> Void) {
        guard activity.isInTurn, let session = activity.turn.subject.map(SessionID.init(bits:)) else { return done() }
        let crash = CrashNote(
            version: activity.turn.version, isRepeated: activity.turn.isRepeated, event: activity.event,
            appVersion: app.version)
        sessions.host.journal.note(crash, of: session).whenDone { _ in done() }
    }
}

/// A record of the app's turns under way, which the process reads when it crashes or hangs.
struct NotedTurns: TurnWatch {
    func turnBegins(_ turn: WatchedTurn) {
        ThreadActivity.beginTurn(
            turn.event,
            ThreadActivity.Turn(version: turn.version, isRepeated: turn.isRepeated, subject: turn.session?.bits))
    }

    func turnEnds() {
        ThreadActivity.endTurn()
    }

    var thread: UInt64 { ThreadActivity.currentThread }

    func isStuck(_ thread: UInt64) -> Bool { ThreadActivity.isStuck(thread) }
}
