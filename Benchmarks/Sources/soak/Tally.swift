import Foundation
import Synchronization

/// The results of a run: how often each action happened, and which checks failed.
final class Tally: Sendable {
    /// A requirement.
    enum Check: String, CaseIterable {
        case answers = "requests are answered as promised"
        case journals = "acknowledged events are in the journal, once and in order"
        case followers = "followers receive every version once, in order"
        case expiry = "unused sessions end"
        case memory = "the memory does not grow"
        case ending = "the server stops cleanly after SIGTERM"
    }

    /// A count of events in the run.
    enum Count: String, CaseIterable {
        case requests, events, retries, forks, imports, wakings, ends, streams, drops
        case versions = "versions followed"
        /// Refusals because the server, and so the machine, is too busy.
        case refusals
        /// Sessions that ended before their slow client returned.
        case missed = "sessions missed"
    }

    private struct State {
        var counts: [Count: Int] = [:]
        var seen: [Check: Int] = [:]
        var failures: [Check: Int] = [:]
    }

    private let state = Mutex(State())
    /// The number of failures per check that are reported individually.
    private static let reported = 10

    subscript(count: Count) -> Int { state.withLock { $0.counts[count, default: 0] } }

    func count(_ count: Count, _ number: Int = 1) { state.withLock { $0.counts[count, default: 0] += number } }

    /// Records a successful check.
    func pass(_ check: Check) { state.withLock { $0.seen[check, default: 0] += 1 } }

    /// Records a failed check.
    func fail(_ check: Check, _ text: String) {
        let number = state.withLock { state in
            state.failures[check, default: 0] += 1
            return state.failures[check, default: 0]
        }
        if number <= Self.reported { Self.say("FAILED: \(text)") }
    }

    func expect(_ check: Check, _ condition: Bool, _ text: @autoclosure () -> String) {
        if condition { pass(check) } else { fail(check, text()) }
    }

    /// Writes a line at once, even if the output is not a terminal.
    static func say(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }

    /// Writes a line for each check, and one for all.
    ///
    /// - Returns: Whether every check ran and passed.
    func conclude() -> Bool {
        state.withLock { state in
            Self.say(Count.allCases.map { "\(state.counts[$0, default: 0]) \($0.rawValue)" }.joined(separator: ", "))
            var failed = 0
            for check in Check.allCases {
                let (seen, failures) = (state.seen[check, default: 0], state.failures[check, default: 0])
                // A check that never ran has not passed.
                let isSo = seen > 0 && failures == 0
                if !isSo { failed += 1 }
                Self.say(
                    "\(isSo ? "passed" : "FAILED"): \(check.rawValue) (\(seen) times passed, \(failures) times failed)")
            }
            Self.say("\(Check.allCases.count - failed) passed, \(failed) failed")
            return failed == 0
        }
    }
}
