import Loopback

extension Report {
    /// What a request costs, against the limit and the peer.
    mutating func add(_ rows: [RequestCost.Row]) {
        var table = Table(columns: [
            "request", "bytes", "Coordinate / bare", "goal", "Hummingbird / bare", "Coordinate", "bare", "Hummingbird",
        ])
        for row in rows {
            let goal = row.workload.goal
            let verdict = goal.map { "≤ \($0.text(2)) \(row.ratio.median <= $0 ? "✓" : "✗")" } ?? "–"
            let times = [row.coordinate, row.bare, row.hummingbird].map { "\(Spread($0).median.text(2)) µs" }
            table.rows.append(
                [
                    row.workload.title, row.answerSize.grouped, "**\(row.ratio.text(digits: 2))**", verdict,
                    row.peerRatio.text(digits: 2),
                ] + times)
        }
        let chart = BarChart(
            title: "Processor time of a request, as a multiple of bare libmicrohttpd's",
            groups: rows.map { row in
                let bars = [("Coordinate", row.ratio, 0), ("Hummingbird", row.peerRatio, 2)]
                return .init(
                    title: row.workload.title,
                    bars: bars.map { .init(label: $0, value: $1.median, text: "\($1.median.text(2))×", series: $2) },
                    goal: row.workload.goal)
            })
        let text = """
            User and system time of the server's process over the requests it answered, with wrk on 16 connections \
            of the loopback interface. Bare is libmicrohttpd with the same settings, receiving the same requests and \
            sending one shared response with as many bytes; it looks at nothing. Hummingbird sends bodies of the \
            same size and otherwise does nothing. Coordinate does it all: 64 sessions of the racing app, and events \
            that make a team a favourite or not. Where a goal is missed, [PROFILE.md](PROFILE.md) says what takes \
            the time.
            """
        add(title: "Requests", text: text, table: table, plot: ("requests", chart))
    }
}
