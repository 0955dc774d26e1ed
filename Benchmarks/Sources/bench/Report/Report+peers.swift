import Loopback

extension Report {
    /// Adds Coordinate next to an ordinary program.
    mutating func append(_ result: Peers.Result) {
        var table = Table(columns: [
            "request", "kept in", "Coordinate", "Hummingbird app", "ahead", "Coordinate, processor",
            "Hummingbird app, processor", "ahead", "bytes", "bytes of the app",
        ])
        for row in result.rows {
            let rates = (own: Spread(row.own.perSecond), peer: Spread(row.peer.perSecond))
            set(row.goal, to: rates.own.ratio(to: rates.peer))
            let costs = (own: Spread(row.own.cost), peer: Spread(row.peer.cost))
            table.rows.append([
                row.workload.title, row.isDurable ? "SQLite" : "memory", "\(rates.own.text(digits: 0))/s",
                "\(rates.peer.text(digits: 0))/s", "**\(rates.own.ratio(to: rates.peer).text(digits: 2))**",
                costs.own.text(digits: 1, unit: " µs"), costs.peer.text(digits: 1, unit: " µs"),
                costs.peer.ratio(to: costs.own).text(digits: 2), (result.sizes.own[row.workload] ?? 0).grouped,
                (result.sizes.peer[row.workload] ?? 0).grouped,
            ])
        }
        let text = """
            The program in Sources/hummingbird-app is what an ordinary author would write with Hummingbird: sessions in a \
            dictionary behind a lock, a version per session, and documents that `JSONEncoder` writes from the state at \
            each request. Its fields are those of Coordinate's document, so that the sizes are the same, to a tenth. If it \
            is durable, GRDB inserts each event in a transaction of its own, with a write-ahead log and \
            `synchronous=FULL`. Rates are from wrk, with 64 connections and 1,000 sessions in turn. All servers run at the \
            same time, and are measured one after the other, round after round. A check before the rounds sends events \
            and compares the following documents; it also kills both durable servers, and reads the events from their \
            files. After the rounds, the versions of all sessions prove that no answered event is missing. A session in \
            memory needs \(Int(result.memory.own).grouped) bytes of Coordinate, and \
            \(Int(result.memory.peer).grouped) of the app.
            """
        append(title: "Next to an ordinary program", text: text, table: table)
        append(
            "events",
            BarChart(
                title: "Events per second",
                groups: result.rows.filter(\.workload.isEvent).map { row in
                    let bars = [("Coordinate", row.own, 0), ("Hummingbird app", row.peer, 2)].map {
                        name, rates, series in
                        let rate = Spread(rates.perSecond).median
                        return BarChart.Bar(label: name, value: rate, text: Int(rate).grouped, series: series)
                    }
                    let kept = row.isDurable ? "durable, SQLite" : "in memory"
                    return .init(title: "\(kept): \(Self.answer(to: row.workload))", bars: bars)
                }))
    }

    private static func answer(to workload: Workload) -> String {
        workload == .minimal ? "short answer" : "with the document"
    }
}

extension Peers.Row {
    /// Its goal.
    fileprivate var goal: Goal {
        switch (workload, isDurable) {
        case (.minimal, false): .shortEvents
        case (.minimal, true): .durableShortEvents
        case (.full, false): .fullEvents
        case (.full, true): .durableFullEvents
        case (.route, _), (.notModified, _): .reads
        }
    }
}
