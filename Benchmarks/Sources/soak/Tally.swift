import Foundation
import Synchronization

/// What a run has seen: how often what was done, and what was not as it has to be.
final class Tally: Sendable {
    /// What has to be so.
    enum Check: String, CaseIterable {
        case answers = "requests are answered as promised"
        case journals = "what was acknowledged is in the journal, once and in its place"
        case followers = "followers are told of every version once, in order"
        case expiry = "sessions that nobody uses are gone"
        case memory = "the memory stays as it was"
        case ending = "SIGTERM ends the server in good order"
    }

    /// What is counted.
    enum Count: String, CaseIterable {
        case requests, events, retries, forks, imports, wakings, ends, streams, drops
        case versions = "versions followed"
        /// Answers that the server is too busy, as it is where the machine is.
        case refusals
        /// Sessions whose client was so slow that their time was over before it came back.
        case missed = "sessions missed"
    }

    private struct State {
        var counts: [Count: Int] = [:]
        var seen: [Check: Int] = [:]
        var failures: [Check: Int] = [:]
    }

    private let state = Mutex(State())
    /// How many failures of a check are told of one by one.
    private static let told = 10

    subscript(count: Count) -> Int { state.withLock { $0.counts[count, default: 0] } }

    func count(_ count: Count, _ number: Int = 1) { state.withLock { $0.counts[count, default: 0] += number } }

    /// Notes that something was looked at, and was so.
    func pass(_ check: Check) { state.withLock { $0.seen[check, default: 0] += 1 } }

    /// Notes that something was looked at, and was not so.
    func fail(_ check: Check, _ text: String) {
        let number = state.withLock { state in
            state.failures[check, default: 0] += 1
            return state.failures[check, default: 0]
        }
        if number <= Self.told { Self.say("FAILED: \(text)") }
    }

    func expect(_ check: Check, _ condition: Bool, _ text: @autoclosure () -> String) {
        if condition { pass(check) } else { fail(check, text()) }
    }

    /// Writes a line at once, also where nobody's terminal is at the other end.
    static func say(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }

    /// A line for each check, and one for all.
    ///
    /// - Returns: Whether all was seen, and seen to be so.
    func conclude() -> Bool {
        state.withLock { state in
            Self.say(Count.allCases.map { "\(state.counts[$0, default: 0]) \($0.rawValue)" }.joined(separator: ", "))
            var failed = 0
            for check in Check.allCases {
                let (seen, failures) = (state.seen[check, default: 0], state.failures[check, default: 0])
                // What was never looked at is not known to be so.
                let isSo = seen > 0 && failures == 0
                if !isSo { failed += 1 }
                Self.say("\(isSo ? "passed" : "FAILED"): \(check.rawValue) (\(seen) times, \(failures) times not)")
            }
            Self.say("\(Check.allCases.count - failed) passed, \(failed) failed")
            return failed == 0
        }
    }
}
