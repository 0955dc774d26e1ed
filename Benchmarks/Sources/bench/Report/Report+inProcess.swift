extension Report {
    /// What the library itself costs.
    mutating func add(_ inProcess: InProcess) {
        var table = Table(columns: ["what", "median", "p99", "a coordinator"])
        let dispatches = inProcess.rows(named: "dispatch")
        let others = inProcess.rows(named: "turn") + inProcess.rows(named: "navigation")
        for row in dispatches + others {
            let share = dispatches.contains { $0.name == row.name } ? row.median * 1_000 / Double(row.number) : nil
            table.rows.append([
                row.name, "\(row.median.text(2)) µs", "\((row.percentiles["99.0"] ?? .nan).text(2)) µs",
                share.map { "\($0.text(0)) ns" } ?? "–",
            ])
        }
        let chart = BarChart(
            title: "Time of a dispatch by the depth of the tree, in µs",
            groups: [
                .init(
                    title: "coordinators that are asked",
                    bars: dispatches.map {
                        .init(label: "\($0.number)", value: $0.median, text: $0.median.text(2), series: 0)
                    })
            ])
        let text = """
            One thread, without a server, by package-benchmark: its own counts of allocations need a trait that this \
            package leaves out, so that they are not given. A dispatch is a turn in which one event passes all \
            coordinators and the outermost intercepts it; the turns are those of the racing app, and a push and a \
            pop are two of them. The navigation state is what a route document is written from.
            """
        add(title: "In process", text: text, table: table, plot: ("dispatch", chart))
    }

    /// How fast events are replayed.
    mutating func add(waking: Spread, replay: InProcess.Row?) {
        var table = Table(columns: ["replay", "events/s", "goal"])
        let goal = 200_000.0
        table.rows.append([
            "to make a session's tree again", "**\(waking.text(digits: 0))**",
            "≥ 200,000 \(waking.median >= goal ? "✓" : "✗")",
        ])
        if let replay {
            let rate = Double(replay.number) / replay.median * 1e6
            table.rows.append(["of an exported journal, read and compared", rate.text(0), "–"])
        }
        let text = """
            Events that are replayed in a second of processor time; they make a team a favourite or not. The first \
            is what waking a passive session and looking back take: `GET /route?version=` on a long session, all of \
            it. The second is `app.replay(_:)`, which reads JSON and compares each line with what happens.
            """
        add(title: "Replay", text: text, table: table)
    }
}
