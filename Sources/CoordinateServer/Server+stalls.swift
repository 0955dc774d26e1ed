package import CoordinateSessions
internal import Dispatch
internal import Logging
internal import MicroHTTPD
package import ProcessSupport

extension Server {
    /// Logs turns that block a worker or a lane. Ends the process when all workers or all lanes are blocked, so that
    /// its supervisor can restart it.
    ///
    /// - Parameter isListening: Whether the server has workers.
    package func watchForStalls(isListening: Bool = true) -> Watchdog {
        let app = "\(api.app.name) \(api.app.version)"
        return Watchdog(
            (isListening ? [.init("worker", http.workers)] : []) + [.init("lane", laneThreads)],
            onStall: { [logger, api] stall in
                let time = "\(stall.time.components.seconds) s"
                let work =
                    stall.note.map { "The app \(app) has been running \($0.text), for version \($0.number)," }
                    ?? (stall.requestKind.map(api.metrics.byRoute.name).map { "\($0) has made no progress" }
                        ?? "A thread has made no progress")
                let thread = stall.group.map { ", and blocks a \($0)" } ?? ""
                let clients = stall.disconnected == 0 ? "" : "; disconnected \(stall.disconnected) clients"
                logger.error("\(work) for \(time)\(thread)\(clients).")
                if let session = stall.note?.session { api.sessions.refuseWaiting(in: session) }
            },
            onStandstill: { [api] group, notes in
                let recording = DispatchGroup()
                for note in notes {
                    recording.enter()
                    api.recordCrash(in: note) { recording.leave() }
                }
                _ = recording.wait(timeout: .now() + Self.recordingTime)
                LogQueue.standardError.flush(atMost: 0.5)
                ProcessEnd.endNow(
                    "The app \(app) has blocked all \(group.name)s for 10 s. The process ends, to be restarted.",
                    status: Self.standstillStatus)
            })
    }

    /// The status EX_SOFTWARE of sysexits.h.
    private static var standstillStatus: Int32 { 70 }
    /// The time for the journal to record what the app was doing, in seconds.
    private static var recordingTime: Double { 2 }
}

extension API {
    /// Has the journal record that the process ends in a turn of the app, then calls `done`. Needs neither a worker nor
    /// a lane.
    package func recordCrash(in note: ThreadNote, _ done: @escaping @Sendable () -> Void) {
        guard let session = note.session else { return done() }
        let crash = CrashNote(
            version: note.number, isRepeated: note.isRepeated, event: note.text, appVersion: app.version)
        // The app may occupy all other threads.
        Task(executorPreference: ResumingExecutor.shared) {
            try? await self.sessions.host.journal.record(crash, of: session)
            done()
        }
    }
}

extension ThreadNote {
    /// The session of the turn in the note; `nil` if the turn has no session.
    fileprivate var session: SessionID? { subject.map(SessionID.init(bits:)) }
}

extension ThreadNote.Words {
    /// The texts for the turns of an app.
    package init(of app: HostedApp) {
        let name = "\(app.name) \(app.version)"
        self.init(
            beforeText: ") in a turn of the app \(name): event ", beforeNumber: ", which would have been version ",
            afterNumber: " of its session.\n", withoutNote: "), not in a turn of the app \(name).\n")
    }
}

/// A recorder of the app's turns, for the watchdog and for crash reports.
final class NotedTurns: TurnWatch {
    func turnBegins(_ turn: WatchedTurn) {
        ThreadNote.begin(
            turn.event, number: turn.version, isRepeated: turn.isRepeated, subject: turn.session?.bits)
    }

    func turnEnds() {
        ThreadNote.end()
    }

    var thread: UInt64 { ThreadNote.currentThread }

    func isStuck(_ thread: UInt64) -> Bool { ThreadNote.isStuck(thread) }
}
