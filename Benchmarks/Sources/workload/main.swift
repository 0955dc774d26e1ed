import Coordinate
import CoordinateSessions
import RacingFlow

// Always does the same: so many turns of each kind, and the replay of as many events. What it takes is counted in
// instructions by Benchmarks/guard, so it starts no thread and asks for no clock.

let numbers = CommandLine.arguments.dropFirst().compactMap { Int($0) }
guard let count = numbers.first, count > 0, numbers.count == CommandLine.arguments.count - 1 else {
    fatalError("Name the number of turns, and of details on a stack where turns alone are to be taken on top of that.")
}
let flow = RacingFlow(depth: numbers.count > 1 ? numbers[1] : 1)
for _ in 0..<count {
    flow.toggleFavourite()
    flow.pushAndPop()
    if numbers.count == 1 { precondition(flow.root.navigationState.path == "/main/teams/team/ferrari") }
}
if numbers.count == 1 {
    let path = try RacingFlow.app.replay(RacingFlow.journal(events: count))
    precondition(path == "/main/teams/team/ferrari")
}
