import Coordinate
import CoordinateSessions
import RacingFlow

// Always does the same: so many turns of each kind, and the replay of as many events. What it takes is counted in
// instructions by Benchmarks/guard, so it starts no thread and asks for no clock.

guard CommandLine.arguments.count == 2, let count = Int(CommandLine.arguments[1]), count > 0 else {
    fatalError("Name the number of turns.")
}
let flow = RacingFlow()
for _ in 0..<count {
    flow.toggleFavourite()
    flow.pushAndPop()
    precondition(flow.root.navigationState.path == "/main/teams/team/ferrari")
}
let path = try RacingFlow.app.replay(RacingFlow.journal(events: count))
precondition(path == "/main/teams/team/ferrari")
