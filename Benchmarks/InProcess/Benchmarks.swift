import Benchmark
import Coordinate
import CoordinateExplore
import CoordinateSessions
import RacingFlow

let benchmarks: @Sendable () -> Void = {
    Benchmark.defaultConfiguration = .init(
        metrics: [.wallClock, .throughput], warmupIterations: 3, scalingFactor: .kilo, maxDuration: .seconds(1))

    for depth in [1, 2, 4, 8, 16, 32, 64] {
        Benchmark("dispatch \(depth) deep") { benchmark in
            let chain = Chain(depth: depth)
            let leaf = chain.visibleLeaf.getRootViewController()
            precondition(leaf.emitEvent(Knock.knock).trace.count == depth, "The chain is not \(depth) deep.")
            benchmark.startMeasurement()
            for _ in benchmark.scaledIterations { blackHole(leaf.emitEvent(Knock.knock)) }
            benchmark.stopMeasurement()
        }
    }

    Benchmark("turn: a favorite") { benchmark in
        let flow = RacingFlow()
        benchmark.startMeasurement()
        for _ in benchmark.scaledIterations { flow.toggleFavorite() }
        benchmark.stopMeasurement()
    }

    Benchmark("turn: a push and a pop") { benchmark in
        let flow = RacingFlow()
        benchmark.startMeasurement()
        for _ in benchmark.scaledIterations { flow.pushAndPop() }
        benchmark.stopMeasurement()
    }

    for depth in [1, 100, 900] {
        Benchmark("stack: an event, \(depth) deep") { benchmark in
            let flow = RacingFlow(depth: depth)
            benchmark.startMeasurement()
            for _ in benchmark.scaledIterations { flow.toggleFavorite() }
            benchmark.stopMeasurement()
        }

        Benchmark("stack: a push and a pop, \(depth) deep") { benchmark in
            let flow = RacingFlow(depth: depth)
            benchmark.startMeasurement()
            for _ in benchmark.scaledIterations { flow.pushAndPop() }
            benchmark.stopMeasurement()
        }

        Benchmark("stack: navigation state, \(depth) deep") { benchmark in
            let flow = RacingFlow(depth: depth)
            benchmark.startMeasurement()
            for _ in benchmark.scaledIterations { blackHole(flow.root.navigationState) }
            benchmark.stopMeasurement()
        }
    }

    Benchmark("navigation state") { benchmark in
        let flow = RacingFlow()
        benchmark.startMeasurement()
        for _ in benchmark.scaledIterations { blackHole(flow.root.navigationState) }
        benchmark.stopMeasurement()
    }

    for (name, depth) in [("replay", 1), ("deep replay", 900)] {
        Benchmark("\(name) of 10,000 events", configuration: .init(scalingFactor: .one)) { benchmark in
            let journal = RacingFlow.journal(events: 10_000, depth: depth)
            benchmark.startMeasurement()
            for _ in benchmark.scaledIterations { blackHole(try RacingFlow.app.replay(journal)) }
            benchmark.stopMeasurement()
        }
    }

    let graph = RacingFlow.app.explore(key: .path, threads: 1)
    let once = Benchmark.Configuration(scalingFactor: .one, maxDuration: .seconds(10))
    let name = "explore: \(graph.transitions.count) transitions, \(graph.replays) replays"
    Benchmark(name, configuration: once) { benchmark in
        for _ in benchmark.scaledIterations { blackHole(RacingFlow.app.explore(key: .path, threads: 1)) }
    }

    Benchmark("explore: their journals replayed, \(graph.transitions.count)", configuration: once) { benchmark in
        for _ in benchmark.scaledIterations {
            for transition in graph.transitions {
                let journal = graph.states[transition.from].journal + [transition.step]
                blackHole(RacingFlow.path(after: journal.map { ($0.event, $0.payload) }))
            }
        }
    }
}
