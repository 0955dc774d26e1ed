import Loopback

extension Report {
    /// Adds what clients get from a server, by its journal.
    mutating func add(_ rows: [JournalRates.Row], fileSystem: String) {
        var table = Table(columns: [
            "sessions", "journal", "events/s", "of memory's", "goal", "entries a commit", "a commit", "p50", "p99",
            "p99.9",
        ])
        for row in rows {
            let goal = row.sessions > 1 ? row.store.goal : nil
            let verdict = goal.map { "≥ \($0.text(2)) \(row.ratio.median >= $0 ? "✓" : "✗")" } ?? "–"
            let commits =
                row.commits.map { [$0.group.text(digits: 1), $0.time.text(digits: 2, unit: " ms")] } ?? ["–", "–"]
            let percentiles = row.percentiles.map { $0.text(digits: 2, unit: " ms") }
            table.rows.append(
                [
                    row.sessions.grouped, row.store.title, Int(row.rate.median).grouped,
                    row.store == .memory ? "1.00" : "**\(row.ratio.text(digits: 2))**", verdict,
                ] + commits + percentiles)
        }
        let text = """
            `POST /events`, minimal, over HTTP: the events a second that wrk saw acknowledged on 64 connections, \
            over the sessions in turn. All servers are up at once, each on a journal of its own, and are asked one \
            after the other, round after round. The stores hold what they acknowledge: SQLite with \
            `synchronous=FULL`, PostgreSQL as it is set up by default, on the same machine and over the loopback \
            interface; their files are on \(fileSystem). wrk, PostgreSQL and the servers share the processor, so \
            that a ratio is of the throughput of the whole machine. With a single session, a new one each time, \
            each entry is a commit of its own, and the clients queue for it. The sizes and the times of commits are those of `/metrics`. \
            Percentiles are wrk's on as many connections at half of that row's rate: a request goes when it is due, \
            to a millisecond, if a connection is free.
            """
        add(title: "Journals", text: text, table: table)
    }

    /// Adds the rates of stores without a server.
    mutating func add(_ rows: [StorePart.Row]) {
        var table = Table(columns: [
            "store", "store / C", "goal", "store, entries/s", "C, entries/s", "entries a commit", "a commit",
        ])
        for row in rows {
            table.rows.append([
                row.store.title, "**\(row.ratio.text(digits: 2))**",
                "≥ 0.80 \(row.ratio.median >= 0.8 ? "✓" : "✗")", row.own.text(digits: 0), row.bare.text(digits: 0),
                row.group.text(digits: 1), row.commitTime.text(digits: 2, unit: " ms"),
            ])
        }
        let text = """
            No server: entries are appended by the store's public interface, to 1,000 sessions in turn, 64 of them \
            always on their way; the store writes their JSON, gathers groups, commits them, and tells of each. \
            Beside it is a loop in C that commits groups of the size that the store reached in that round: the same \
            tables, statements and settings, and entries of as many bytes (\(rows.first?.entrySize ?? 0)) that lie \
            ready. It has one thread and one connection, and nobody waits for its entries. In SQLite both append to \
            the log, look the session up for each entry, and file the log's entries at the same intervals; \
            SQLite copies its write-ahead log into the file after the same number of pages.
            """
        add(title: "Stores", text: text, table: table)
    }

    /// Adds the effect of many sessions in a file on a server.
    mutating func add(_ rows: [StoredCrowd.Row]) {
        var table = Table(columns: [
            "sessions", "file", "start", "goal", "resident", "a waking GET", "asked", "GET /route", "throughput",
            "POST /events, minimal", "throughput", "goal",
        ])
        for row in rows {
            let ratios = [row.get.ratio(to: rows[0].get), row.post.ratio(to: rows[0].post)]
            let isLarge = row.sessions > 500_000
            let start = isLarge ? "≤ 2 s \(row.startTime.median <= 2 ? "✓" : "✗")" : "–"
            let goal = isLarge ? "≥ 0.90 \(ratios.allSatisfy { $0.median >= 0.9 } ? "✓" : "✗")" : "–"
            table.rows.append([
                row.sessions.grouped, "\((Double(row.fileSize) / 1_048_576).text(1)) MiB",
                row.startTime.text(digits: 2, unit: " s"), start, "\(row.memory >> 20) MiB",
                "\(row.waking.text(2)) ms", row.asked.grouped,
                "\(Int(row.get.median).grouped)/s", ratios[0].text(digits: 2), "\(Int(row.post.median).grouped)/s",
                ratios[1].text(digits: 2), goal,
            ])
        }
        let text = """
            A file of SQLite filled with copies of one session with one entry, in the order of their ids. The start \
            is the time until the server says that it listens, with the file dropped from the system's cache, as \
            far as that lets it; resident is its memory then. After that some of the sessions, spread over the \
            file, are asked for their routes in no order, one after the other by one client, which wakes them. \
            Throughput is measured on those, with wrk on 64 connections: half of them are read, and half are written \
            to. It is that of the first row, in the same round, taken as 1. With as many sessions asked as in the \
            first row, the difference is the file's; with more, there are also more trees in memory, and an entry \
            has hardly another one beside it in its page of the file. `make bench ARGS=--million` makes the larger \
            file one of a million.
            """
        add(title: "Sessions in a file", text: text, table: table)
    }
}
