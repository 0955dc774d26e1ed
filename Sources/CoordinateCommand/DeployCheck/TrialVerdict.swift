internal import Coordinate
internal import CoordinateSessions
internal import JSON

/// The result of trying to wake one session: a line that a ``TrialWorker`` writes for each session that it reads.
enum TrialVerdict: Equatable, Sendable {
    case ok
    /// The session ended meanwhile.
    case ended
    case problem(WakingProblem)
    /// The store could not be reached. The worker has ended.
    case unreachable
    /// Not a verdict yet: a turn of the session begins. A worker writes it only if it is told to.
    case turn(event: String, version: Int)

    /// The line, with a line feed.
    var line: [UInt8] {
        var json = JSONWriter<[UInt8]>()
        json.line {
            $0.object {
                switch self {
                case .ok: $0.field("is", "ok")
                case .ended: $0.field("is", "ended")
                case .unreachable: $0.field("is", "unreachable")
                case .turn(let event, let version):
                    $0.field("is", "turn")
                    $0.field("event", event)
                    $0.field("version", version)
                case .problem(let problem):
                    $0.field("is", "problem")
                    $0.field("cause", problem.cause.rawValue)
                    $0.field("event", problem.event)
                    $0.journal(problem)
                }
            }
        }
        return json.written()
    }

    /// Reads a line; `nil` if it is not a complete ``line``.
    init?(line: [UInt8]) {
        guard let fields = try? JSONParser.parse(line) else { return nil }
        switch fields[field: "is"]?.string {
        case "ok": self = .ok
        case "ended": self = .ended
        case "unreachable": self = .unreachable
        case "turn":
            guard let event = fields[field: "event"]?.string, case .int(let version) = fields[field: "version"] else {
                return nil
            }
            self = .turn(event: event, version: version)
        case "problem":
            guard let problem = WakingProblem(fields) else { return nil }
            self = .problem(problem)
        default: return nil
        }
    }
}
