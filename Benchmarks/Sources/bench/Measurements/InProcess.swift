import Foundation

/// What the package's benchmarks in InProcess/ measured, exported in the format of JMH.
struct InProcess {
    /// One benchmark.
    struct Row {
        let name: String
        /// Microseconds by percentile, for one time: "50.0", "99.0".
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

    /// - Parameter file: What `swift package benchmark --format jmh` wrote.
    init(file: URL) throws {
        let entries = try JSONDecoder().decode([Entry].self, from: Data(contentsOf: file))
        rows = entries.compactMap { entry in
            guard let time = entry.secondaryMetrics["Time (wall clock)"] else { return nil }
            let name = entry.benchmark.split(separator: ".", maxSplits: 3).last.map(String.init) ?? entry.benchmark
            let units = ["ns": 1e-3, "μs": 1, "ms": 1e3, "s": 1e6]
            guard let microseconds = units[time.scoreUnit] else { return nil }
            // All but the replays and the explorations are run a thousand times a measurement.
            let scale = microseconds / (name.contains("replay") || name.contains("explore") ? 1 : 1_000)
            return Row(
                name: name.replacing("_", with: " "), percentiles: time.scorePercentiles.mapValues { $0 * scale })
        }
    }

    /// Those whose names begin alike, in the order of the numbers in them.
    func rows(named prefix: String) -> [Row] {
        rows.filter { $0.name.hasPrefix(prefix) }.sorted { $0.number < $1.number }
    }
}

extension InProcess.Row {
    /// The first number in its name: how deep it is, of how many events.
    var number: Int { numbers.first ?? 0 }
    /// The numbers in its name.
    var numbers: [Int] { name.replacing(",", with: "").split { !$0.isNumber }.compactMap { Int($0) } }
    var median: Double { percentiles["50.0"] ?? .nan }
}
