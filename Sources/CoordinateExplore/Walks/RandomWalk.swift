import Coordinate

/// One random walk: it makes a random move in each state, until a promise is broken.
struct RandomWalk {
    private let app: ExploredApp
    private let number: Int

    init(_ app: ExploredApp, number: Int) {
        self.app = app
        self.number = number
    }

    /// - Parameter limit: The most steps; their number is random as well.
    func go(upTo limit: Int) -> (moves: [Move], broken: Broken?) {
        var chance = TurnRandom(seed: app.seed, version: number)
        let count = Int.random(in: 1...limit, using: &chance)
        var taken: [Move] = []
        do throws(StepError) {
            let trees = try WatchedTrees(app)
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
