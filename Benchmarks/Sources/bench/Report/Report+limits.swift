extension Report {
    /// Adds what the machine allows the journals with the same load.
    mutating func append(limits rows: [JournalRates.Row]) {
        var table = Table(columns: [
            "journal", "events/s", "commits/s", "p99", "alone", "highest, per second", "at the same rate: p50", "p99",
            "maximum",
        ])
        for row in rows where !row.limits.isEmpty {
            func spread(_ value: (StoreLimits.Round) -> Double) -> Spread { Spread(row.limits.map(value)) }
            let (highest, latency) = (spread { $0.highest }, spread { $0.times[1] }.text(digits: 1, unit: " ms"))
            let alone =
                row.store == .sqlite
                ? "`fdatasync` of \(Int(spread { $0.load.bytes }.median).grouped) bytes"
                : "`pgbench`, inserts of one row"
            if let goals = row.store.goals {
                set(goals.allowed, to: Spread([row.rate.median / highest.median]))
                set(limit: "has \(latency)", of: goals.latency)
            }
            table.rows.append(
                [
                    row.store.title, spread { $0.load.events }.text(digits: 0),
                    spread { $0.load.commits }.text(digits: 0), row.percentiles[1].text(digits: 2, unit: " ms"), alone,
                    highest.text(digits: 0),
                ] + (0..<3).map { place in spread { $0.times[place] }.text(digits: 2, unit: " ms") })
        }
        let text = """
            What the machine allows at half of a journal's rate, measured right after it. For SQLite, a program writes as \
            many bytes as a commit to a file that never grows, as many times per second, and waits for the disk each time. \
            For PostgreSQL, `pgbench` sends as many inserts per second over \(JournalRates.clients) connections, each of \
            one row of the size of an entry, in a transaction of its own.
            """
        append(title: "Limits of durable events", text: text, table: table)
    }
}
