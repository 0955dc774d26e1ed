import Loopback

extension Report {
    /// The section of PROFILE.md on the programs next to Coordinate.
    static let peersSection = "Next to an ordinary program"

    static let peersText = """
        The same requests to [a program with Hummingbird](Sources/hummingbird-app) that keeps sessions in a dictionary behind
        a lock, applies each event, and writes an equal document with `JSONEncoder`. If it is durable, each event is a
        commit of GRDB in an SQLite file, with `synchronous=FULL`. `make bench` checks that both do the work, and that no
        answered event is missing.
        """

    /// Adds Coordinate next to an ordinary program.
    mutating func append(_ result: Peers.Result) {
        peers = result
        var table = Table(columns: [
            "request", "kept in", "Coordinate", "Hummingbird app", "ahead", "Coordinate, processor",
            "Hummingbird app, processor", "ahead", "bytes", "bytes of the app",
        ])
        for row in result.rows {
            let rates = (own: Spread(row.own.perSecond), peer: Spread(row.peer.perSecond))
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
            files. After the rounds, the versions of all sessions prove that no answered event is missing.
            """
        append(title: Self.peersSection, text: text, table: table)
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

    /// The table of `RESULTS.md`.
    func table(of result: Peers.Result) -> Table {
        var table = Table(columns: ["the same work", "Coordinate", "Hummingbird app", "Coordinate is ahead by"])
        for row in result.rows {
            let (own, peer) = (Spread(row.own.perSecond), Spread(row.peer.perSecond))
            func text(_ spread: Spread) -> String { spread.text { Int($0).grouped } }
            let kind = row.isDurable ? "durable events/s" : row.workload.isEvent ? "events/s" : "reads/s"
            table.rows.append([
                "\(kind), \(Self.answer(to: row.workload))", text(own), text(peer),
                "**\(own.ratio(to: peer).text(digits: 2))**",
            ])
        }
        func bytes(_ own: Double, _ name: String, else reason: String) -> [String] {
            let ratio = result.memory.peer / own
            let link = ratio < 1 ? ": [\(reason)](PROFILE.md#next-to-an-ordinary-program)" : ""
            return [
                "bytes per session, \(name)", Int(own).grouped, Int(result.memory.peer).grouped,
                "**\(ratio.text(2))**\(link)",
            ]
        }
        table.rows.append(bytes(result.memory.own, "live", else: "a tree of objects, a journal, an encoded route"))
        if let passive = passiveBytes {
            table.rows.append(bytes(passive, "passive", else: "its journal, to create the tree again"))
        }
        return table
    }

    private static func answer(to workload: Workload) -> String {
        workload == .minimal ? "short answer" : "with the document"
    }
}
