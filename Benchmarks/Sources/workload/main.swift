import Coordinate
import CoordinateSessions
import Loopback
import RacingFlow

// Always does the same, so that its instructions can be counted by Benchmarks/guard:
//
//   workload COUNT             so many turns of each kind, and the replay of as many events
//   workload COUNT DEPTH       turns alone, with so many details on the stack
//   workload COUNT KIND FORM   requests to a server in this process: get, unchanged, minimal or full; short or long
//   workload COUNT KIND FORM SESSIONS   the same, to so many sessions in turn
//
// Turns ask for no clock, and no thread but the first one has anything to do. Of requests, one or two percent are left to chance.

let arguments = Array(CommandLine.arguments.dropFirst())
guard let count = arguments.first.flatMap({ Int($0) }), count > 0 else {
    fatalError("Name the number of turns or requests.")
}
if arguments.count >= 3 {
    guard let workload = Workload(rawValue: arguments[1]), let form = RequestForm(rawValue: arguments[2]) else {
        fatalError("Name a kind of requests, and their form.")
    }
    let sessions = arguments.count > 3 ? Int(arguments[3]) : 1
    guard let sessions, sessions > 0 else { fatalError("Name the number of sessions.") }
    let flow = try RequestFlow(workload, form, sessions: sessions)
    try flow.send(count)
    flow.stop()
} else {
    let depth = arguments.count > 1 ? Int(arguments[1]) : nil
    let flow = RacingFlow(depth: depth ?? 1)
    for _ in 0..<count {
        flow.toggleFavourite()
        flow.pushAndPop()
        if depth == nil { precondition(flow.root.navigationState.path == "/main/teams/team/ferrari") }
    }
    if depth == nil {
        let path = try RacingFlow.app.replay(RacingFlow.journal(events: count))
        precondition(path == "/main/teams/team/ferrari")
    }
}
