extension Report {
    /// Adds the memory of sessions, and the effect of many sessions on a request.
    mutating func add(_ rows: [Population.Row], passive: Population.Passive) {
        var memory = Table(columns: ["session", "bytes", "goal", "measured with"])
        for row in rows {
            let measured = "\(row.sessions.grouped) sessions"
            memory.rows += [
                ["live", Int(row.live).grouped, Self.verdict(row.live, 8_192), measured],
                ["live, its route read", Int(row.liveRead).grouped, Self.verdict(row.liveRead, 8_192), measured],
            ]
        }
        memory.rows += [
            [
                "passive", Int(passive.bytes).grouped, Self.verdict(passive.bytes, 512),
                "\(passive.sessions.grouped) sessions, to four times that",
            ],
            [
                "passive, resident", Int(passive.resident).grouped, "–",
                "\(passive.sessions.grouped) sessions, with what malloc keeps",
            ],
        ]
        let memoryText = """
            Resident memory of the server's process, before and after creating forks of a session with three events, \
            and then their trees. malloc keeps most of the memory that passive sessions release, for the next trees. \
            So there are two numbers: the resident memory once all sessions are passive, which is mostly that, and the \
            growth by three more populations once they are passive as well and have reused that memory.
            """
        let chart = BarChart(
            title: "Resident memory of a session, in bytes",
            groups: [
                .init(title: "live", bars: rows.map { Self.bar(of: $0.sessions, $0.live) }, goal: 8_192),
                .init(
                    title: "live, its route read", bars: rows.map { Self.bar(of: $0.sessions, $0.liveRead) },
                    goal: 8_192),
                .init(
                    title: "passive",
                    bars: [
                        .init(label: "added", value: passive.bytes, text: Int(passive.bytes).grouped, series: 0)
                    ], goal: 512),
            ])
        add(title: "Memory", text: memoryText, table: memory, plot: ("memory", chart))

        var crowd = Table(columns: [
            "sessions", "GET /route", "of the first", "throughput",
            "POST /events, minimal", "of the first", "throughput", "goal",
        ])
        for row in rows {
            var cells = [row.sessions.grouped]
            var isReached = true
            for (load, first) in [(row.get, rows[0].get), (row.post, rows[0].post)] {
                // The work that a processor does in the same time: a higher cost means less of it.
                let speed = first.cost.ratio(to: load.cost)
                cells += [
                    load.cost.text(digits: 2, unit: " µs"), "**\(speed.text(digits: 2))**",
                    load.rate.ratio(to: first.rate).text(digits: 2),
                ]
                isReached = isReached && speed.median >= 0.9
            }
            cells.append(row.sessions > 500_000 ? "≥ 0.90 \(isReached ? "✓" : "✗")" : "–")
            crowd.rows.append(cells)
        }
        let text = """
            Half of the sessions are read in turn, with their routes encoded before, and half are written to. The \
            first row of the same round counts as 1. The goal compares requests per second of the server's processor \
            time. Throughput compares what wrk measured: wrk's own share grows with the number of different requests \
            that it sends, and all of its connections may have been accepted by one worker. `make bench \
            ARGS=--million` adds a million sessions.
            """
        add(title: "Many sessions", text: text, table: crowd)
    }

    private static func bar(of sessions: Int, _ bytes: Double) -> BarChart.Bar {
        .init(label: "of \(sessions.grouped)", value: bytes, text: Int(bytes).grouped, series: 0)
    }

    /// Returns whether a number of bytes is below a goal.
    private static func verdict(_ value: Double, _ goal: Int) -> String {
        "≤ \(goal.grouped) \(value <= Double(goal) ? "✓" : "✗")"
    }
}
