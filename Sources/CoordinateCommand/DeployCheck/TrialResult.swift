internal import CoordinateSessions
internal import Foundation

/// The result of replaying a session with this version of the app: a line that a ``TrialWorker`` writes for each session.
enum TrialResult: Codable, Sendable {
    case ok
    /// The session ended meanwhile.
    case ended
    case problem(SessionProblem)
    /// The session would continue, and was compared with its recorded place.
    case compared(PlaceComparison)
    /// The line of its place: with `--record`.
    case place([UInt8])
    /// No result yet: a turn of the session begins. A worker writes it only with `--trace`.
    case turn(event: String, version: Int)

    /// The mark before a place, which is JSON already.
    private static let mark = Array("place ".utf8)

    /// Reads a line without its line feed; `nil` if it is no result.
    init?(line: Data) {
        if line.starts(with: Self.mark) {
            self = .place(Array(line.dropFirst(Self.mark.count)) + [UInt8(ascii: "\n")])
        } else {
            guard let result = try? JSONDecoder().decode(TrialResult.self, from: line) else { return nil }
            self = result
        }
    }

    /// The line, with its line feed.
    var line: Data {
        get throws {
            if case .place(let line) = self { return Data(Self.mark + line) }
            return try JSONEncoder().encode(self) + [UInt8(ascii: "\n")]
        }
    }
}
