internal import CoordinateSessions
internal import MicroHTTPD

/// Notes the app's turns where the process finds them when it crashes or hangs.
struct NotedTurns: TurnWatch {
    func turnBegins(_ event: String, version: Int) {
        ThreadActivity.beginTurn(event, version: version)
    }

    func turnEnds() {
        ThreadActivity.endTurn()
    }

    var thread: UInt64 { ThreadActivity.currentThread }

    func isStuck(_ thread: UInt64) -> Bool { ThreadActivity.isStuck(thread) }
}
