import Foundation
import Loopback
import Synchronization

/// A client that is not part of the attack. It sends requests at a fixed rate and measures how long each one takes.
///
/// The time starts when the request was due, so a delayed request also counts for the ones behind it.
final class Bystander: Sendable {
    private struct Notes {
        /// In milliseconds.
        var times: [Double] = []
        var failures: [String: Int] = [:]
    }

    let name: String
    /// The highest 99th percentile in milliseconds. `nil` if nothing is promised.
    let bound: Double?
    private let port: UInt16
    private let interval: Duration
    private let request: String
    private let isNewcomer: Bool
    private let notes = Mutex(Notes())

    /// - Parameters:
    ///   - rate: The number of requests per second.
    ///   - isNewcomer: Whether each request uses a new connection.
    init(_ name: String, port: UInt16, rate: Double, bound: Double?, isNewcomer: Bool = false, _ request: String) {
        self.name = name
        self.port = port
        self.bound = bound
        self.isNewcomer = isNewcomer
        interval = .seconds(1 / rate)
        self.request = request
    }

    /// Sends requests for a while, one after another.
    func run(for time: Duration) {
        // Uses a high priority if the system allows it, because the client represents another machine.
        setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, -10)
        var client: LoopbackClient?
        var due = ContinuousClock.now
        let end = due + time
        while due < end {
            let wait = due - .now
            if wait > .zero { usleep(UInt32(wait / .microseconds(1))) }
            if isNewcomer || client == nil { client = try? LoopbackClient(port: port) }
            let answer = try? client?.ask(request)
            let time = due.duration(to: .now) / .milliseconds(1)
            let failure = answer.map { $0.status < 400 ? nil : String($0.status) } ?? "not answered"
            notes.withLock { notes in
                notes.times.append(time)
                if let failure { notes.failures[failure, default: 0] += 1 }
            }
            if answer == nil { client = nil }
            due += interval
        }
    }

    /// The number of successful requests.
    var successes: Int { notes.withLock { $0.times.count } - failures }

    /// The number of failed requests.
    var failures: Int { notes.withLock { $0.failures.values.reduce(0, +) } }

    /// The 99th percentile of the times, and the longest one, in milliseconds.
    var times: (p99: Double, longest: Double) {
        notes.withLock { notes in
            let times = notes.times.sorted()
            return (Self.time(times, 0.99), Self.time(times, 1))
        }
    }

    /// Whether fewer than 99 % of the requests were answered within the bound.
    var isLate: Bool { bound.map { times.p99 > $0 } ?? false }

    /// `/livez: p50 0.2 ms, p99 1.4 ms (at most 20 ms), max 3.0 ms, 1000 answered`.
    var summary: String {
        notes.withLock { notes in
            let times = notes.times.sorted()
            func text(_ share: Double) -> String { String(format: "%.1f ms", Self.time(times, share)) }
            let failures = notes.failures.sorted { $0.key < $1.key }.map { ", \($0.value) × \($0.key)" }.joined()
            let most = bound.map { " (at most \(Int($0)) ms)" } ?? ""
            return "\(name): p50 \(text(0.5)), p99 \(text(0.99))\(most), max \(text(1)), "
                + "\(times.count - notes.failures.values.reduce(0, +)) answered\(failures)"
        }
    }

    private static func time(_ sorted: [Double], _ share: Double) -> Double {
        sorted.last.map { _ in sorted[Int((Double(sorted.count - 1) * share).rounded())] } ?? .infinity
    }
}
