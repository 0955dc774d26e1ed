extension Report {
    /// Adds the memory of sessions, and the effect of many sessions on a request.
    mutating func append(_ rows: [Population.Row], passive: Population.Passive) {
        var memory = Table(columns: ["session", "bytes", "goal", "measured with"])
        for row in rows {
            let measured = "\(row.sessions.grouped) sessions"
            memory.rows += [
                ["live", Int(row.live).grouped, "–", measured],
                ["live, its route read", Int(row.liveRead).grouped, Goal.live.verdict(row.liveRead), measured],
            ]
        }
        set(.live, to: Spread(rows.map(\.liveRead)))
        set(.passive, to: Spread([passive.bytes]))
        memory.rows += [
            [
                "passive", Int(passive.bytes).grouped, Goal.passive.verdict(passive.bytes),
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
                .init(title: "live", bars: rows.map { Self.bar(of: $0.sessions, $0.live) }),
                .init(
                    title: "live, its route read", bars: rows.map { Self.bar(of: $0.sessions, $0.liveRead) },
                    goal: Goal.live.limit),
                .init(
                    title: "passive",
                    bars: [
                        .init(label: "added", value: passive.bytes, text: Int(passive.bytes).grouped, series: 0)
                    ], goal: Goal.passive.limit),
            ])
        append(title: "Memory", text: memoryText, table: memory, plot: ("memory", chart))

        var crowd = Table(columns: [
            "sessions", "GET /route", "of the first", "throughput",
            "POST /events, minimal", "of the first", "throughput", "goal",
        ])
        for row in rows {
            var cells = [row.sessions.grouped]
            let isLarge = row.sessions > 500_000
            var isReached = true
            for (load, first, goal) in [
                (row.get, rows[0].get, Goal.manyReads), (row.post, rows[0].post, Goal.manyWrites),
            ] {
                // The work that a processor does in the same time: a higher cost means less of it.
                let speed = first.cost.ratio(to: load.cost)
                cells += [
                    load.cost.text(digits: 2, unit: " µs"), "**\(speed.text(digits: 2))**",
                    load.rate.ratio(to: first.rate).text(digits: 2),
                ]
                isReached = isReached && goal.isMet(by: speed.median)
                if isLarge { set(goal, to: speed) }
            }
            cells.append(isLarge ? "\(Goal.manyReads.text) \(isReached ? "✓" : "✗")" : "–")
            crowd.rows.append(cells)
        }
        let text = """
            Half of the sessions are read in turn, with their routes encoded before, and half are written to. The \
            first row of the same round counts as 1. The goal compares requests per second of the server's processor \
            time. Throughput compares what wrk measured: wrk's own share grows with the number of different requests \
            that it sends, and all of its connections may have been accepted by one worker.
            """
        append(title: "Many sessions", text: text, table: crowd)
    }

    private static func bar(of sessions: Int, _ bytes: Double) -> BarChart.Bar {
        .init(label: "of \(sessions.grouped)", value: bytes, text: Int(bytes).grouped, series: 0)
    }
}
