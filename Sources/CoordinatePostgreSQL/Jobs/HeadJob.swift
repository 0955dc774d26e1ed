internal import Coordinate
internal import CoordinateSessions

/// A query for a session's head.
enum HeadJob: ConnectionJob {
    case head(SessionID, JournalCaller<SessionHead?>)
    /// Compares the clocks, without a caller that waits.
    case time

    func refuse() {
        if case .head(_, let caller) = self { caller.resume(returning: .failure(.unavailable)) }
    }
}

/// The work of the worker that reads heads: one query for all requests since the last one. Each request came before the
/// query is sent, so the result is recent enough for all.
struct HeadWork: Sendable {
    let clock: StoreClock

    private typealias Question = (session: SessionID, caller: JournalCaller<SessionHead?>)

    /// The time that a query may take. It is short, since the caller has other things to do.
    private static let patience = Duration.seconds(2)

    func callAsFunction(_ link: inout Link, _ jobs: [HeadJob], _ intake: ConnectionWorker<HeadJob>.Intake) {
        var questions: [Question] = []
        for job in jobs {
            switch job {
            case .head(let session, let caller): questions.append((session, caller))
            case .time: compareClocks(&link)
            }
        }
        do throws(PostgreSQLError) {
            try look(&link, at: questions)
        } catch {
            if case .noConnection = error { return intake.putBack(jobs) }
            for question in questions { question.caller.resume(returning: .failure(.unavailable)) }
        }
    }

    private func look(_ link: inout Link, at questions: [Question]) throws(PostgreSQLError) {
        guard !questions.isEmpty else { return }
        let query = Statements.head { $0.appendIDs(of: questions) { $0.session } }
        let rows = try link.read(query, within: Self.patience)
        var heads = [Result<SessionHead?, JournalError>](repeating: .success(nil), count: questions.count)
        for row in 0..<rows.count {
            let place = rows.int(row, 0) - 1
            heads[place] = .success(SessionHead(questions[place].session, rows, row))
        }
        for (question, head) in zip(questions, heads) { question.caller.resume(returning: head) }
    }
}

extension HeadWork {
    private func compareClocks(_ link: inout Link) {
        let start = ContinuousClock.now
        guard let rows = try? link.ask(Statements.time(), within: Self.patience) else { return }
        clock.record(rows.int(0, 0), since: start)
    }
}

extension SessionHead {
    /// Reads a row with, from the second column on: the app, the record, the expiry, the version, the number of pieces
    /// of work and timers pending, the last entry, the last crash, and whether work is withheld.
    init(_ session: SessionID, _ rows: Rows, _ row: Int) {
        let (app, version) = (rows.text(row, 1), rows.int(row, 4))
        let hasEntry = version > 0 && !rows.isNull(row, 6)
        self.init(
            session, app: app,
            record: try? SessionRecord(
                id: session, app: app, stored: rows.bytes(row, 2), isWorkWithheld: rows.bool(row, 12)),
            version: version,
            last: hasEntry ? try? JournalEntry(version: version, mark: nil, stored: rows.bytes(row, 6)) : nil,
            expiresAt: Timestamp(seconds: rows.int(row, 3)), pending: rows.int(row, 5),
            crash: CrashNote(rows, row, at: 7))
    }
}

extension CrashNote {
    /// Reads a session's last crash; `nil` if none was recorded.
    ///
    /// - Parameter column: The first of the columns of the last crash.
    fileprivate init?(_ rows: Rows, _ row: Int, at column: Int) {
        guard !rows.isNull(row, column) else { return nil }
        self.init(
            version: rows.int(row, column), isRepeated: rows.bool(row, column + 1),
            event: String(decoding: rows.bytes(row, column + 2), as: UTF8.self),
            appVersion: String(decoding: rows.bytes(row, column + 3), as: UTF8.self),
            times: rows.int(row, column + 4))
    }
}
