import Coordinate
internal import Foundation
internal import JSON

/// A path through an app as a session's exported journal, with the outcome of each event, line by line.
struct Recording {
    private let app: ExploredApp
    private let moves: [Move]

    init(_ app: ExploredApp, _ moves: [Move]) {
        self.app = app
        self.moves = moves
    }

    func failure(_ broken: Broken, walk: Int, found: Int) -> RandomWalks.Failure {
        let (lines, last) = recorded
        let way = moves.isEmpty ? "at the start" : "after \(moves.map(\.step.event).joined(separator: ", "))"
        return RandomWalks.Failure(
            promise: broken.promise, detail: "\(last?.detail ?? broken.detail), \(way).", walk: walk, found: found,
            journal: moves.map(\.step), lines: lines)
    }

    private var recorded: (lines: [UInt8], last: Broken?) {
        var json = JSONWriter<[UInt8]>(capacity: 256 * (moves.count + 1))
        var last: Broken?
        guard let tree = try? ExploredTree(app), let watched = try? WatchedTrees(app) else { return ([], nil) }
        json.line {
            $0.object {
                $0.field("journal", 2)
                $0.field("app", app.app.name)
                $0.field("appVersion", app.app.version)
                $0.key("options")
                $0.plain(app.options)
                $0.field("createdAt", tree.now.text)
                $0.field("seed", Int(app.seed))
                $0.field("path", tree.root.path)
            }
        }
        for (index, move) in moves.enumerated() {
            last = (try? watched.perform(move)) ?? last
            let before = tree.root.path
            let outcome = try? tree.perform(move)
            json.line {
                $0.object {
                    $0.field("version", index + 1)
                    $0.field("time", tree.now.text)
                    $0.field("event", move.step.event)
                    $0.key("payload")
                    $0.plain(move.step.payload)
                    $0.field("at", move.step.at)
                    $0.field("handled", outcome?.dispatch.isHandled ?? false)
                    $0.field("handledBy", outcome?.dispatch.handledBy)
                    $0.field("path", outcome?.path ?? before)
                    $0.field("origin", move.step.origin.rawValue)
                    $0.field("pending", move.step.pending)
                }
            }
        }
        return (json.finish(), last ?? watched.brokenLink ?? watched.brokenPromise)
    }
}

extension Timestamp {
    /// The moment in RFC 3339, in UTC and whole seconds.
    fileprivate var text: String {
        Date(timeIntervalSince1970: TimeInterval(seconds)).formatted(.iso8601)
    }
}
