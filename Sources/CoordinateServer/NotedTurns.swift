internal import CoordinateSessions
internal import MicroHTTPD

/// Notes the app's turns where the process finds them when it crashes or hangs.
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
