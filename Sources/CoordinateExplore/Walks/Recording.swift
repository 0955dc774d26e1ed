import Coordinate
internal import Foundation
internal import JSON

/// A tree that makes steps, and the exported journal of its session.
struct Recording {
    /// The field of the first line that names the program that has written a journal of its own accord.
    static let generator = "generator"

    let tree: ExploredTree
    private(set) var moves: [Move] = []
    /// The journal so far.
    private(set) var lines: [UInt8]

    /// Starts a session.
    ///
    /// - Parameter generator: The program that may replace the journal; `nil` if it is not replaced.
    init(_ app: ExploredApp, by generator: String? = nil) throws(StepError) {
        let tree = try ExploredTree(app)
        self.tree = tree
        var json = JSONWriter<[UInt8]>()
        json.line {
            $0.object {
                $0.field("journal", 2)
                $0.field("app", app.app.name)
                $0.field("appVersion", app.app.version)
                $0.plain("options", app.options)
                $0.field("createdAt", tree.now.text)
                $0.field("seed", Int(app.seed))
                $0.field("path", tree.root.path)
                if let generator { $0.field("generator", generator) }
            }
        }
        lines = json.finish()
    }

    /// Makes a step, and writes its line. A step that fails has a line as well, without a handler.
    @discardableResult
    mutating func perform(_ move: Move) throws(StepError) -> (dispatch: Dispatch, path: String) {
        let before = tree.root.path
        let outcome = Result { () throws(StepError) in try tree.perform(move) }
        let (dispatch, path) = (try? outcome.get()) ?? (nil, before)
        moves.append(move)
        let version = moves.count
        var json = JSONWriter<[UInt8]>()
        json.line {
            $0.object {
                $0.field("version", version)
                $0.field("time", tree.now.text)
                $0.field("event", move.step.event)
                $0.plain("payload", move.step.payload)
                $0.field("at", move.step.at)
                $0.field("handled", dispatch?.isHandled ?? false)
                $0.field("handledBy", dispatch?.handledBy)
                $0.field("path", path)
                $0.field("origin", move.step.origin.rawValue)
                $0.field("pending", move.step.pending)
            }
        }
        lines += json.finish()
        return try outcome.get()
    }
}

extension Timestamp {
    /// The moment in RFC 3339, in UTC and whole seconds.
    fileprivate var text: String {
        Date(timeIntervalSince1970: TimeInterval(seconds)).formatted(.iso8601)
    }
}
