import Loopback

extension Report {
    /// Adds how long a client waits.
    mutating func append(_ rows: [Latency.Row]) {
        var table = Table(columns: ["request", "server", "requests/s", "p50", "p99", "p99.9"])
        for row in rows {
            let percentiles = row.percentiles.map { $0.text(digits: 1, unit: " ms") }
            table.rows.append([row.workload.title, row.server, Int(row.rate).grouped] + percentiles)
        }
        let text = """
            From hey, on 16 connections at half of the rate that each server reached without a limit. hey shares the \
            processor and uses more of it than any of the servers. It rounds to a tenth of a millisecond.
            """
        append(title: "Latency", text: text, table: table)
    }
}
