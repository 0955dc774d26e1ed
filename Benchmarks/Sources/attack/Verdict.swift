import Foundation

/// The verdict on an attack: the effects on the victims, and the server's memory. It is one row of the
/// table.
struct Verdict {
    /// The name in Markdown.
    let name: String
    /// The victims' slowest 99th percentile and longest time, in milliseconds. `nil` if the attack failed to run.
    var times: (p99: Double, longest: Double)?
    /// The victims' failed requests.
    var refused = 0
    /// The victims' sessions that are lost or miss events.
    var lost = 0
    var memory: MemoryWatch.Reading?
    /// The server's memory limit in bytes. `nil` for the default, which has no verdict.
    var limit: Int?
    /// Other faults, in a few words each.
    var faults: [String] = []

    init(_ name: String, faults: [String] = []) {
        self.name = name
        self.faults = faults
    }

    var isFit: Bool { failures.isEmpty }

    private var failures: [String] {
        var failures = faults
        if refused > 0 { failures.append("victims refused") }
        if lost > 0 { failures.append("sessions lost") }
        guard let memory else { return failures }
        if let limit, memory.growth > limit + limit / 4 { failures.append("memory over its limit") }
        let larger = max(memory.counted, memory.growth)
        // The allocator keeps released pages.
        if abs(memory.counted - memory.growth) > max(larger / 4, 16 << 20) { failures.append("memory miscounted") }
        return failures
    }

    /// The verdicts as a table in Markdown.
    static func table(_ verdicts: [Verdict]) -> String {
        let heading = """
            | attack | victims' p99, max (ms) | refused | lost | resident at start, at most (MiB) | counted (MiB) | \
            limit (MiB) | result |
            | --- | --- | --- | --- | --- | --- | --- | --- |
            """
        return ([heading] + verdicts.map(\.row)).joined(separator: "\n")
    }

    private var row: String {
        let times = times.map { String(format: "%.1f, %.1f", $0.p99, $0.longest) }
        let resident = memory.map { "\(Self.mebibytes($0.start)), \(Self.mebibytes($0.worst))" }
        let counted = memory.map { Self.mebibytes($0.counted) }
        let result = isFit ? "passed" : "failed: \(failures.joined(separator: "; "))"
        // An attack that failed to run has no victims.
        let (refused, lost) = times == nil ? ("", "") : (String(refused), String(lost))
        let cells = [
            name, times ?? "", refused, lost, resident ?? "", counted ?? "", limit.map(Self.mebibytes) ?? "",
            result,
        ]
        return "| \(cells.joined(separator: " | ")) |"
    }

    private static func mebibytes(_ bytes: Int) -> String {
        String(Int((Double(bytes) / 1_048_576).rounded()))
    }
}
