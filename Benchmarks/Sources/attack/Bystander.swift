import Foundation
import Loopback
import Synchronization

/// A client that has nothing to do with the attack: it sends requests at a fixed rate, and notes how long each takes.
///
/// The time is from when a request was to be sent, so that one that is kept waiting counts for those behind it, too.
final class Bystander: Sendable {
    private struct Notes {
        /// In milliseconds.
        var times: [Double] = []
        var failures = 0
    }

    let name: String
    private let port: UInt16
    private let interval: Duration
    private let request: String
    private let notes = Mutex(Notes())

    init(_ name: String, port: UInt16, rate: Double, _ request: String) {
        self.name = name
        self.port = port
        interval = .seconds(1 / rate)
        self.request = request
    }

    /// Sends requests for a while, one after another.
    func run(for time: Duration) {
        var client = try? LoopbackClient(port: port)
        var due = ContinuousClock.now
        let end = due + time
        while due < end {
            let wait = due - .now
            if wait > .zero { usleep(UInt32(wait / .microseconds(1))) }
            let answer = try? client?.ask(request)
            let time = due.duration(to: .now) / .milliseconds(1)
            let isAnswered = answer.map { $0.status < 400 } ?? false
            notes.withLock { notes in
                notes.times.append(time)
                if !isAnswered { notes.failures += 1 }
            }
            if answer == nil { client = try? LoopbackClient(port: port) }
            due += interval
        }
    }

    /// `/livez: p50 0.2 ms, p99 1.4 ms, max 3.0 ms, 1000 answered`.
    var summary: String {
        notes.withLock { notes in
            let times = notes.times.sorted()
            func text(_ share: Double) -> String {
                guard let last = times.indices.last else { return "-" }
                return String(format: "%.1f ms", times[Int((Double(last) * share).rounded())])
            }
            let failed = notes.failures == 0 ? "" : ", \(notes.failures) refused"
            return "\(name): p50 \(text(0.5)), p99 \(text(0.99)), max \(text(1)), "
                + "\(times.count - notes.failures) answered\(failed)"
        }
    }
}
