import Loopback

extension Report {
    /// Adds what clients get from a server, by its journal.
    mutating func append(_ rows: [JournalRates.Row], fileSystem: String) {
        var table = Table(columns: [
            "sessions", "journal", "events/s", "of memory's", "goal", "entries a commit", "a commit", "p50", "p99",
            "p99.9",
        ])
        for row in rows {
            let goals = row.sessions > 1 ? row.store.goals : nil
            if let goals {
                set(goals.rate, to: row.ratio)
                set(goals.latency, to: row.percentiles[1])
            }
            let verdict = goals?.rate.verdict(row.ratio.median) ?? "–"
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
            `POST /events`, minimal, over HTTP: the acknowledged events per second that wrk measured on 64 \
            connections, with the sessions in turn. All servers run at the same time, each with its own journal, and \
            are measured one after the other, round after round. The stores keep what they acknowledge: SQLite with \
            `synchronous=FULL`, and PostgreSQL with its default settings on the same machine over the loopback \
            interface. Their files are on \(fileSystem). wrk, PostgreSQL and the servers share the processor, so a \
            ratio compares the throughput of the whole machine. With a single session, which is new each time, each \
            entry is a separate commit, and the clients wait for each other. The sizes and durations of commits are \
            from `/metrics`. Percentiles are from wrk with as many connections at half of that row's rate. A request \
            is sent when it is due, to a millisecond, if a connection is free.
            """
        append(title: "Journals", text: text, table: table)
    }

    /// Adds the times of pages by attribute.
    mutating func append(_ rows: [StorePages.Row]) {
        var table = Table(columns: ["store", "sessions", "a page", "of the first", "goal"])
        for row in rows {
            let goal = row.sessions > 500_000 ? row.store.pagesGoal : nil
            if let goal { set(goal, to: row.ratio) }
            table.rows.append([
                row.store.title, row.sessions.grouped, row.time.text(digits: 0, unit: " µs"),
                "**\(row.ratio.text(digits: 2))**", goal?.verdict(row.ratio.median) ?? "–",
            ])
        }
        let text = """
            No server: one client lists 20 sessions by an attribute, one page after the other, through the store's public \
            interface. In turn, 20 sessions have the attribute, or all have it. A page reads the heads of its sessions, \
            each with its last entry.
            """
        append(title: "Pages by attribute", text: text, table: table)
    }

    /// Adds the effect of many sessions in a file on a server.
    mutating func append(_ rows: [StoredCrowd.Row]) {
        var table = Table(columns: [
            "sessions", "file", "start", "goal", "resident", "a waking GET", "asked", "GET /route", "throughput",
            "POST /events, minimal", "throughput", "goal",
        ])
        for row in rows {
            let ratios = [row.get.ratio(to: rows[0].get), row.post.ratio(to: rows[0].post)]
            let isLarge = row.sessions > 500_000
            let isSpread = isLarge && row.asked > rows[0].asked
            if isLarge { set(.storedStart, to: row.startTime) }
            if isSpread { set(.storedWrites, to: ratios[1]) }
            let start = isLarge ? Goal.storedStart.verdict(row.startTime.median) : "–"
            let goal = isSpread ? Goal.storedWrites.verdict(ratios[1].median) : "–"
            table.rows.append([
                row.sessions.grouped, "\((Double(row.fileSize) / 1_048_576).text(1)) MiB",
                row.startTime.text(digits: 2, unit: " s"), start, "\(row.memory >> 20) MiB",
                "\(row.waking.text(2)) ms", row.asked.grouped,
                "\(Int(row.get.median).grouped)/s", ratios[0].text(digits: 2), "\(Int(row.post.median).grouped)/s",
                ratios[1].text(digits: 2), goal,
            ])
        }
        let text = """
            An SQLite file filled with copies of one session with one entry, in the order of their ids. The start is \
            the time until the server listens, with the file dropped from the system's cache as far as the system \
            allows it. Resident is its memory at that time. Then one client requests the routes of some of the \
            sessions, spread over the file in random order, which wakes them. Throughput is measured on those \
            sessions, with wrk on 64 connections: half of them are read, and half are written to. The first row of the \
            same round counts as 1. If as many sessions are requested as in the first row, the difference is caused by \
            the file. With more sessions, there are also more trees in memory, and a page of the file rarely contains \
            two of the entries.
            """
        append(title: "Sessions in a file", text: text, table: table)
    }
}
