import Foundation

/// The results of the package's benchmarks in InProcess/, exported in the format of JMH.
struct InProcess {
    /// One benchmark.
    struct Row {
        let name: String
        /// Microseconds by percentile: "50.0", "99.0".
        let percentiles: [String: Double]
    }

    private struct Entry: Decodable {
        struct Metric: Decodable {
            let score: Double
            let scoreUnit: String
            let scorePercentiles: [String: Double]
        }
        let benchmark: String
        let secondaryMetrics: [String: Metric]
    }

    let rows: [Row]

    /// - Parameter file: The output of `swift package benchmark --format jmh`.
    init(file: URL) throws {
        let entries = try JSONDecoder().decode([Entry].self, from: Data(contentsOf: file))
        rows = entries.compactMap { entry in
            guard let time = entry.secondaryMetrics["Time (wall clock)"] else { return nil }
            let name = entry.benchmark.split(separator: ".", maxSplits: 3).last.map(String.init) ?? entry.benchmark
            let units = ["ns": 1e-3, "μs": 1, "ms": 1e3, "s": 1e6]
            guard let microseconds = units[time.scoreUnit] else { return nil }
            // All benchmarks except replays and explorations run a thousand times per measurement.
            let scale = microseconds / (name.contains("replay") || name.contains("explore") ? 1 : 1_000)
            return Row(
                name: name.replacing("_", with: " "), percentiles: time.scorePercentiles.mapValues { $0 * scale })
        }
    }

    /// Returns the rows whose names have a prefix, sorted by the numbers in them.
    func rows(named prefix: String) -> [Row] {
        rows.filter { $0.name.hasPrefix(prefix) }.sorted { $0.number < $1.number }
    }
}

extension InProcess.Row {
    /// The first number in its name: a depth or a number of events.
    var number: Int { numbers.first ?? 0 }
    /// The numbers in its name.
    var numbers: [Int] { name.replacing(",", with: "").split { !$0.isNumber }.compactMap { Int($0) } }
    var median: Double { percentiles["50.0"] ?? .nan }
}
