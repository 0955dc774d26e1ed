import Loopback

extension Report {
    /// Adds the cost of a request, compared to bare libmicrohttpd and Hummingbird.
    mutating func append(_ result: RequestCost.Result) {
        var table = Table(columns: [
            "request", "form", "bytes", "16 connections", "64 connections", "one session", "Coordinate", "bare",
            "Hummingbird / bare", "instructions",
        ])
        for (workload, form) in Workload.allCases.flatMap({ workload in RequestForm.allCases.map { (workload, $0) } }) {
            let few = RequestCost.Case(workload: workload, form: form)
            let many = RequestCost.Case(workload: workload, form: form, connections: 64)
            let one = RequestCost.Case(workload: workload, form: form, sessions: 1)
            guard let costs = result.costs[few], let crowd = result.costs[many] else { continue }
            table.rows.append([
                workload.title, "\(form)", (result.sizes[workload] ?? 0).grouped,
                "**\(costs.ratio.text(digits: 2))**", "**\(crowd.ratio.text(digits: 2))**",
                result.costs[one]?.ratio.text(digits: 2) ?? "–",
                "\(Spread(costs.coordinate).median.text(2)) µs", "\(Spread(costs.bare).median.text(2)) µs",
                few.hasPeer ? costs.peerRatio.text(digits: 2) : "–",
                result.instructions?[few]?.grouped ?? "–",
            ])
        }
        let chart = BarChart(
            title: "Processor time of a request, as a multiple of bare libmicrohttpd's",
            groups: Workload.allCases.compactMap { workload in
                let cases = RequestForm.allCases.map { RequestCost.Case(workload: workload, form: $0) }
                guard let short = result.costs[cases[0]], let long = result.costs[cases[1]] else { return nil }
                let bars = [
                    ("Coordinate, short", short.ratio, 0), ("Coordinate, long", long.ratio, 1),
                    ("Hummingbird", short.peerRatio, 2),
                ]
                return .init(
                    title: workload.title,
                    bars: bars.map { .init(label: $0, value: $1.median, text: "\($1.median.text(2))×", series: $2) })
            })
        let text = """
            User and system time of the server's process per request, divided by that of bare libmicrohttpd in the \
            same round, with wrk on connections of the loopback interface. Bare is libmicrohttpd with the same \
            settings. It receives the same requests and sends one shared response with as many bytes, without reading \
            the request. Hummingbird sends bodies of the same size and does nothing else. Coordinate does its full \
            work: 64 sessions of the racing app, or one for all clients, with events that add a team to the favorites \
            or remove it. Short is `/route` with the header `Session`. Long is `/sessions/{id}/route`. Instructions \
            are Coordinate's and libmicrohttpd's for a request over a socket, without the kernel's, counted by \
            callgrind. They are nearly the same in every run.
            """
        append(title: "Requests", text: text, table: table, plot: ("requests", chart))
    }
}
