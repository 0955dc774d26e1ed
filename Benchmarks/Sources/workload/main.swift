import Coordinate
import CoordinateSessions
import Glibc
import Loopback
import RacingFlow

// A fixed workload, so that Benchmarks/guard can count its instructions:
//
//   workload COUNT             COUNT turns of each kind, and the replay of as many events
//   workload COUNT DEPTH       only turns, with DEPTH details on the stack
//   workload COUNT KIND FORM   requests to a server in this process: get, unchanged, minimal or full; short or long
//   workload COUNT KIND FORM SESSIONS   the same, to SESSIONS sessions in turn
//
// Turns read no clock, and only the first thread works. The instructions of requests vary by one or two percent.

let arguments = Array(CommandLine.arguments.dropFirst())
guard let count = arguments.first.flatMap({ Int($0) }), count > 0 else {
    fatalError("Specify the number of turns or requests.")
}
if arguments.count >= 3 {
    guard let workload = Workload(rawValue: arguments[1]), let form = RequestForm(rawValue: arguments[2]) else {
        fatalError("Specify a kind of requests and a form.")
    }
    let sessions = arguments.count > 3 ? Int(arguments[3]) : 1
    guard let sessions, sessions > 0 else { fatalError("Specify the number of sessions.") }
    let flow = try RequestFlow(workload, form, sessions: sessions)
    try flow.send(count)
    // Nothing is freed, because that happens before the end in some runs and not in others.
    exit(0)
} else {
    let depth = arguments.count > 1 ? Int(arguments[1]) : nil
    let flow = RacingFlow(depth: depth ?? 1)
    for _ in 0..<count {
        flow.toggleFavorite()
        flow.pushAndPop()
        if depth == nil { precondition(flow.root.navigationState.path == "/main/teams/team/ferrari") }
    }
    if depth == nil {
        let path = try RacingFlow.app.replay(RacingFlow.journal(events: count))
        precondition(path == "/main/teams/team/ferrari")
    }
}
