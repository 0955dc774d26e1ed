import CoordinateClient
import Foundation
import Loopback

/// Reads the server's memory once a second, and reports the progress every ten seconds.
final class Watch {
    private let soak: Soak
    private let process: ServerProcess
    private var samples: [(time: Double, bytes: Int)] = []

    init(_ soak: Soak, _ process: ServerProcess) {
        self.soak = soak
        self.process = process
    }

    /// Watches until the time is over or the run ends, and compares the memory.
    func run(for seconds: Int) async throws {
        let start = ContinuousClock.now
        var requests = 0
        for second in 1...seconds where !soak.isOver {
            if second == max(10, min(120, seconds / 12)) { soak.endRush() }
            try await Task.sleep(until: start + .seconds(second))
            guard process.isRunning else { return soak.tally.fail(.memory, "The server has ended.") }
            samples.append((Double(second), try process.residentMemory()))
            if second % 10 == 0 {
                try await report(second, requests: soak.tally[.requests] - requests)
                requests = soak.tally[.requests]
            }
        }
        compare(over: samples.last?.time ?? 0)
    }

    private func report(_ second: Int, requests: Int) async throws {
        var metrics: [Substring: Substring] = [:]
        let text = try await SessionClient(url: soak.url).get("/metrics").text
        for line in text.split(separator: "\n") where !line.hasPrefix("#") {
            if let space = line.lastIndex(of: " ") { metrics[line[..<space]] = line[line.index(after: space)...] }
        }
        func number(_ name: String) -> Substring { metrics["coordinate_\(name)"] ?? "no" }
        let memory = Self.text(samples.last?.bytes ?? 0)
        Tally.say(
            "\(second) s: \(requests / 10) requests/s, \(number("sessions")) live and \(number("sessions_passive")) "
                + "passive sessions, \(number("streams")) streams, \(memory)")
    }

    /// Compares the resident memory at the end with that after a sixth of the time, which is ten minutes in a run of an
    /// hour.
    ///
    /// A session lives for about a minute. After twice that time, the number of old sessions is stable. In an hour, the
    /// comparison starts long after that, so the bound is 2 %. In a run of two minutes, it starts before that: 4 to 6 %
    /// growth follow, and the bound is 10 %.
    private func compare(over time: Double) {
        let (early, window) = (time / 6, max(10, time / 60))
        let bound = time >= 3_600 ? 1.02 : 1.10
        let before = median(from: early, to: early + window)
        let after = median(from: time - window, to: time)
        let change = Double(after) / Double(max(1, before))
        let text =
            "\(Self.text(before)) resident after \(Int(early)) s, \(Self.text(after)) after \(Int(time)) s: "
            + String(format: "%+.1f %%, at most %+.0f %%", (change - 1) * 100, (bound - 1) * 100)
        Tally.say(text)
        soak.tally.expect(.memory, before > 0 && change <= bound, text)
    }

    private func median(from start: Double, to end: Double) -> Int {
        let sorted = samples.filter { (start...end).contains($0.time) }.map(\.bytes).sorted()
        return sorted.isEmpty ? 0 : sorted[sorted.count / 2]
    }

    private static func text(_ bytes: Int) -> String { String(format: "%.2f MiB", Double(bytes) / 1_048_576) }
}
