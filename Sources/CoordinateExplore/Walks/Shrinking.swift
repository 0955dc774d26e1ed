import Coordinate

/// The search for a shorter path to a broken promise: by leaving out events, as delta debugging does (Zeller and
/// Hildebrandt, "Simplifying and Isolating Failure-Inducing Input", 2002), and by replacing events by simpler ones.
struct Shrinking {
    /// The longest path, in events, that is also tried without each pair of events.
    private static let longestForPairs = 24

    let app: ExploredApp
    let promise: String

    /// Returns a path from which no event, and no two events, can be left out, and in which no value can be simpler.
    func shortest(_ moves: [Move]) -> [Move] {
        var best = moves
        var isBetter = true
        while isBetter {
            isBetter = false
            for shorten in [withoutParts, byLink, withoutPairs, withSimplerValues] {
                while let better = shorten(best) {
                    best = better
                    isBetter = true
                }
            }
        }
        return best
    }

    private func withoutParts(_ moves: [Move]) -> [Move]? {
        var size = moves.count
        while size > 0 {
            for start in stride(from: 0, to: moves.count, by: size) {
                let end = min(start + size, moves.count)
                if let better = attempt(Array(moves[..<start] + moves[end...])) { return better }
            }
            size /= 2
        }
        return nil
    }

    private func withoutPairs(_ moves: [Move]) -> [Move]? {
        guard moves.count <= Self.longestForPairs else { return nil }
        for first in moves.indices {
            for second in moves.indices[(first + 1)...] {
                var remaining = moves
                remaining.remove(at: second)
                remaining.remove(at: first)
                if let better = attempt(remaining) { return better }
            }
        }
        return nil
    }

    /// Returns the path with a link in place of everything before it.
    private func byLink(_ moves: [Move]) -> [Move]? {
        guard moves.count > 1, let trees = try? WatchedTrees(app) else { return nil }
        let links = trees.links
        for start in moves.indices.dropFirst(2).reversed() {
            for link in links {
                if let better = attempt([link] + moves[start...]) { return better }
            }
        }
        return nil
    }

    /// Returns the path with a simpler payload for the first event that allows one and still breaks the promise.
    private func withSimplerValues(_ moves: [Move]) -> [Move]? {
        for index in moves.indices {
            for simpler in choices(after: moves[..<index], like: moves[index]) {
                var other = moves
                other[index] = simpler
                if let better = attempt(other), better.count <= moves.count { return better }
            }
        }
        return nil
    }

    /// Returns the moves with the same event as a move that precede it in the order of the screen.
    private func choices(after moves: ArraySlice<Move>, like move: Move) -> [Move] {
        guard let trees = try? WatchedTrees(app) else { return [] }
        for move in moves {
            guard let match = match(of: move, in: trees.moves), (try? trees.perform(match)) != nil else { return [] }
        }
        let alike = trees.moves.filter { $0.step.event == move.step.event && $0.step.origin == move.step.origin }
        return Array(alike.prefix { $0.sent != move.sent })
    }

    /// Returns the path up to the event that breaks the promise; `nil` if the promise is kept, or no user can take the
    /// path.
    private func attempt(_ moves: [Move]) -> [Move]? {
        guard let trees = try? WatchedTrees(app) else { return nil }
        var taken: [Move] = []
        if trees.brokenPromise?.promise == promise { return [] }
        for move in moves {
            guard let match = match(of: move, in: trees.moves) else { return nil }
            do throws(StepError) {
                let broken = try trees.perform(match)
                taken.append(match)
                guard let broken else { continue }
                return broken.promise == promise ? taken : nil
            } catch {
                return nil
            }
        }
        return trees.brokenLink?.promise == promise ? taken : nil
    }

    /// Returns the same move in another state, with the coordinator and the pending work of that state.
    private func match(of move: Move, in moves: [Move]) -> Move? {
        moves.first {
            $0.step.event == move.step.event && $0.sent == move.sent && $0.step.origin == move.step.origin
        }
    }
}
