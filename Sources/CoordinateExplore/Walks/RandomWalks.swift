public import Coordinate

/// The outcome of random walks through an app.
///
/// ```swift
/// let walks = ShopApp().walkAtRandom(1_000)
/// #expect(walks.failures.isEmpty, "\(walks.failures.map(\.detail))")
/// ```
public struct RandomWalks: Sendable {
    /// A path to a state in which a promise is broken, made as short as possible.
    public struct Failure: Sendable {
        /// The promise: the name of the app's invariant, or of a promise of the library.
        public let promise: String
        /// A sentence or two on how the promise is broken, and how to see it.
        public let detail: String
        /// The number of the walk that has found it, from 0.
        public let walk: Int
        /// The number of events of the walk.
        public let found: Int
        /// The events that lead there.
        public let journal: [Step]
        /// The same events as an exported journal, for `replay`.
        public let lines: [UInt8]
    }

    public let seed: UInt64
    public let walks: Int
    /// The number of events of all walks.
    public let events: Int
    /// One failure for each broken promise, in the order of the walks.
    public let failures: [Failure]
}

extension CoordinatedApp {
    /// Walks through the app at random, like a user who does not know it, and checks each state that it reaches.
    ///
    /// Each state must satisfy the app's ``Coordinate/CoordinatedApp/invariants``, and the promises of the library:
    /// every offered action is handled, no turn fails, the path agrees with the screen, ids are unique, exactly the
    /// visible coordinators are active, a coordinator that leaves the tree has ended, the same events produce the same
    /// state, and a path leads to the state that showed it. A walk to a state that breaks a promise is shortened, event by
    /// event and value by value, while it still leads there.
    ///
    /// - Parameters:
    ///   - count: The number of walks.
    ///   - steps: The most events of a walk.
    ///   - seed: The seed of the walks, which are the same for the same seed.
    ///   - threads: The number of threads; `nil` for one per core.
    public func walkAtRandom(_ count: Int, steps: Int = 60, seed: UInt64 = 0, threads: Int? = nil) -> RandomWalks {
        let app = ExploredApp(self, seed: seed)
        let found = Crew(width: threads).map(max(0, count)) { number in
            app.walk(number, upTo: max(1, steps))
        }
        var seen: Set<String> = []
        var failures: [RandomWalks.Failure] = []
        for (number, walk) in found.enumerated() {
            guard let broken = walk.broken, seen.insert(broken.promise).inserted else { continue }
            let shortest = Shrinking(app: app, promise: broken.promise).shortest(walk.moves)
            failures.append(
                RandomWalks.Failure(of: broken, after: shortest, in: app, walk: number, found: walk.moves.count))
        }
        return RandomWalks(
            seed: seed, walks: found.count, events: found.reduce(0) { $0 + $1.moves.count }, failures: failures)
    }
}

extension ExploredApp {
    /// Makes a random move in each state, until a promise is broken.
    ///
    /// - Parameter limit: The most steps; their number is random as well.
    fileprivate func walk(_ number: Int, upTo limit: Int) -> (moves: [Move], broken: Broken?) {
        var chance = TurnRandom(seed: seed, version: number)
        let count = Int.random(in: 1...limit, using: &chance)
        var taken: [Move] = []
        do throws(StepError) {
            let trees = try WatchedTrees(self)
            if let broken = trees.brokenPromise { return ([], broken) }
            while taken.count < count, let move = trees.moves.randomElement(using: &chance) {
                do throws(StepError) {
                    let broken = try trees.perform(move)
                    taken.append(move)
                    if let broken { return (taken, broken) }
                } catch .refused(let reason) where move.isShown && move.isOffered {
                    let detail =
                        "\(move.step.event) is offered with a payload whose field \(reason.field) \(reason.message)"
                    return (taken, Broken(promise: "what is offered can be sent", detail: detail))
                } catch .refused {
                    // A user may enter invalid values.
                    continue
                }
            }
            return (taken, trees.brokenLink)
        } catch {
            return (taken, Broken(promise: "the app starts", detail: "it fails at its start"))
        }
    }
}

extension RandomWalks.Failure {
    /// Records the moves that break a promise.
    fileprivate init(of broken: Broken, after moves: [Move], in app: ExploredApp, walk: Int, found: Int) {
        var last: Broken?
        var lines: [UInt8] = []
        if var recording = try? Recording(app), let watched = try? WatchedTrees(app) {
            for move in moves {
                last = (try? watched.perform(move)) ?? last
                _ = try? recording.perform(move)
            }
            last = last ?? watched.brokenLink ?? watched.brokenPromise
            lines = recording.lines
        }
        let way = moves.isEmpty ? "at the start" : "after \(moves.map(\.step.event).joined(separator: ", "))"
        self.init(
            promise: broken.promise, detail: "\(last?.detail ?? broken.detail), \(way).", walk: walk, found: found,
            journal: moves.map(\.step), lines: lines)
    }
}
