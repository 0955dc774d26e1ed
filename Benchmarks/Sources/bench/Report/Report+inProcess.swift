extension Report {
    /// Adds the cost of the library itself.
    mutating func append(_ inProcess: InProcess) {
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
                    title: "coordinators in the chain",
                    bars: dispatches.map {
                        .init(label: "\($0.number)", value: $0.median, text: $0.median.text(2), series: 0)
                    })
            ])
        let text = """
            One thread, without a server, by package-benchmark. Its counts of allocations need a trait that this \
            package leaves out, so they are not given. A dispatch is a turn in which one event passes all coordinators \
            and the outermost one handles it. The turns are those of the racing app. A push and a pop are two turns. \
            The navigation state is the source of a route document.
            """
        append(title: "In process", text: text, table: table, plot: ("dispatch", chart))
    }

    /// Adds the cost of a turn on a deep stack.
    mutating func append(stacks inProcess: InProcess) {
        var table = Table(columns: ["turn", "of 1", "deep", "deep / 1", "goal"])
        for turn in ["an event", "a push and a pop", "navigation state"] {
            let rows = inProcess.rows(named: "stack: \(turn)")
            guard let shallow = rows.first?.median else { continue }
            for row in rows.dropFirst() {
                let ratio = row.median / shallow
                let goal: Goal? = ["an event": .deepEvent, "a push and a pop": .deepPush][turn]
                if let goal, row.number == rows.last?.number { set(goal, to: Spread([ratio])) }
                table.rows.append([
                    "\(turn), \(row.number) deep", "\(shallow.text(2)) µs", "\(row.median.text(2)) µs",
                    goal == nil ? ratio.text(2) : "**\(ratio.text(2))**", goal?.verdict(ratio) ?? "–",
                ])
            }
        }
        let text = """
            The same turns of the racing app at the top of a stack of 1 and of many. Their cost depends on what \
            changes and what is visible, not on the depth of the stack. The navigation state lists the whole tree, so \
            it grows with the tree. It is created once per version, on request.
            """
        append(title: "Deep stacks", text: text, table: table)
    }

    /// Adds the speed of exploring an app, compared to the minimum.
    mutating func append(explore inProcess: InProcess) {
        guard let explored = inProcess.rows(named: "explore: ").first(where: { $0.name.hasSuffix("replays") }),
            let replayed = inProcess.rows(named: "explore: their").first
        else { return }
        let replays = Double(explored.numbers.last ?? 0) / Double(max(1, explored.number))
        func rate(_ row: InProcess.Row) -> Double { Double(row.number) / row.median * 1e6 }
        var table = Table(columns: ["the racing app", "transitions/s", "next to the replays", "goal"])
        table.rows.append([
            "its journals, replayed one by one", rate(replayed).text(0), "1.00", "–",
        ])
        table.rows.append([
            "explored", "**\(rate(explored).text(0))**", (rate(explored) / rate(replayed)).text(2),
            Goal.explore.verdict(rate(explored)),
        ])
        set(.explore, to: Spread([rate(explored)]))
        let text = """
            One thread. All \(explored.number) transitions between the racing app's paths. No tree can be copied, so a \
            transition needs a new tree and a replay of its state's journal; the first transition of each state uses the \
            tree that found it. That makes \(replays.text(2)) replays for each transition. The first row is the least that \
            it takes: a tree for each transition, its journal, and nothing else. Exploring also reads each state, compares \
            it with a replay, and opens its path.
            """
        append(title: "Explore", text: text, table: table)
    }

    /// Adds the speed of replays.
    mutating func append(waking: Spread, replay: InProcess.Row?, deepReplay: InProcess.Row?) {
        var table = Table(columns: ["replay", "events/s", "goal"])
        set(.waking, to: waking)
        table.rows.append([
            "to create a session's tree again", "**\(waking.text(digits: 0))**",
            Goal.waking.verdict(waking.median),
        ])
        if let replay {
            let rate = Double(replay.number) / replay.median * 1e6
            table.rows.append(["of an exported journal, read and compared", rate.text(0), "–"])
        }
        if let deepReplay {
            let rate = Double(deepReplay.number) / deepReplay.median * 1e6
            table.rows.append(["of one whose events are at the top of a stack of 900", rate.text(0), "–"])
        }
        let text = """
            Replayed events per second of processor time. They add a team to the favorites or remove it. The first row \
            is the cost of waking a passive session or reading an earlier route: `GET /route?version=` for the whole \
            history of a long session. The second row is `app.replay(_:)`, which reads JSON and compares each line \
            with the result.
            """
        append(title: "Replay", text: text, table: table)
    }
}
