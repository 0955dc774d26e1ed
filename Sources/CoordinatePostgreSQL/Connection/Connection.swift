internal import CPostgreSQL
internal import Glibc

/// A connection to PostgreSQL, used by one thread. It owns a `PGconn`, and closes it when it is destroyed.
///
/// It never waits beyond the deadlines that it is given. All statements use libpq's pipeline mode. The statements that
/// are sent together are one transaction, unless they begin one themselves. It is committed once all their results have
/// been received.
@safe struct Connection: ~Copyable {
    private let raw: OpaquePointer
    /// The last warning that the server sent. The callback of libpq stores it without retaining this object.
    private let warnings: Warnings
    /// The number of statements, and ends of pipelines, whose results have not arrived yet.
    private var statementCount = 0

    private final class Warnings {
        var last: ServerMessage?
    }

    private init(_ raw: OpaquePointer) {
        unsafe self.raw = raw
        warnings = Warnings()
        unsafe PQsetNoticeReceiver(
            raw, { unsafe Connection.receiveNotice($0, $1) }, Unmanaged.passUnretained(warnings).toOpaque())
    }

    deinit {
        unsafe PQfinish(raw)
    }

    private static func receiveNotice(_ context: UnsafeMutableRawPointer?, _ result: OpaquePointer?) {
        guard let context = unsafe context, let result = unsafe result else { return }
        let message = unsafe ServerMessage(of: result)
        guard message.severity == "WARNING" else { return }
        unsafe Unmanaged<Warnings>.fromOpaque(context).takeUnretainedValue().last = message
    }

    // MARK: Opening

    /// Begins to connect; `nil` if there is no memory for a connection.
    static func begin(_ parameters: [String: String]) -> Connection? {
        let names = parameters.keys.sorted()
        let texts = unsafe names.flatMap { unsafe [strdup($0), strdup(parameters[$0] ?? "")] }
        defer { for index in unsafe texts.indices { unsafe free(texts[index]) } }
        var keywords = unsafe stride(from: 0, to: texts.count, by: 2).map { unsafe UnsafePointer(texts[$0]) }
        var values = unsafe stride(from: 1, to: texts.count, by: 2).map { unsafe UnsafePointer(texts[$0]) }
        unsafe keywords.append(nil)
        unsafe values.append(nil)
        guard let raw = unsafe PQconnectStartParams(keywords, values, 0) else { return nil }
        return unsafe Connection(raw)
    }

    /// Opens a connection, and prepares statements on it.
    static func open(
        _ settings: ConnectionSettings, preparing statements: [Statement],
        until deadline: ContinuousClock.Instant
    ) throws(PostgreSQLError) -> Connection {
        let host = settings.firstHost
        guard var connection = begin(settings.parameters(beginningWith: host)) else {
            throw .noConnection("no memory")
        }
        do throws(PostgreSQLError) {
            try connection.establish(until: deadline)
            try connection.prepare(settings, statements, until: deadline)
        } catch {
            settings.recordFailure(beginningWith: host)
            throw .noConnection(settings.message(error.description))
        }
        return connection
    }

    private mutating func establish(until deadline: ContinuousClock.Instant) throws(PostgreSQLError) {
        if let failure { throw .noConnection(failure) }
        var next = PGRES_POLLING_WRITING
        while next != PGRES_POLLING_OK {
            try wait(for: next == PGRES_POLLING_READING ? POLLIN : POLLOUT, until: deadline)
            next = unsafe PQconnectPoll(raw)
            guard next != PGRES_POLLING_FAILED else { throw .noConnection(lastError) }
        }
        guard unsafe PQsetnonblocking(raw, 1) == 0, unsafe PQenterPipelineMode(raw) == 1 else {
            throw .noConnection(lastError)
        }
    }

    private mutating func prepare(
        _ settings: ConnectionSettings, _ statements: [Statement], until deadline: ContinuousClock.Instant
    ) throws(PostgreSQLError) {
        // A reported commit must be on the server's disk, whatever the server's settings are.
        let durable = Statement(
            "SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'")
        let set = Statement(
            "SELECT set_config(name, value, false) FROM unnest($1::text[], $2::text[]) AS s(name, value)")
        try send([
            durable(),
            set(.texts(settings.session.map(\.name)), .texts(settings.session.map(\.value))),
        ])
        _ = try receive(until: deadline)
        if settings.isWriting { try confirm(until: deadline) }
        guard !statements.isEmpty else { return }
        for statement in statements {
            try sent(unsafe PQsendPrepare(raw, statement.name ?? "", statement.sql, 0, nil))
        }
        try sent(unsafe PQpipelineSync(raw))
        try flush()
        _ = try receive(until: deadline)
    }

    /// Commits a message if the server may not commit without a standby.
    ///
    /// A former primary that came back alone cannot commit, and would serve outdated data. Neither can a server that
    /// has just started, and whose data its standby may lack. If a commit waits already, this one is not tried: a
    /// commit that waits for a standby occupies its process on the server, even after its client has left.
    private mutating func confirm(until deadline: ContinuousClock.Instant) throws(PostgreSQLError) {
        let look = Statement(
            """
            SELECT EXISTS (
                SELECT FROM pg_stat_activity
                WHERE wait_event = 'SyncRep' AND query_start < now() - interval '1.5 seconds')
            WHERE current_setting('synchronous_standby_names', true) <> ''
            """)
        try send([look()])
        guard let waiting = try receive(until: deadline).first, waiting.count == 1 else { return }
        let reason = "its commits wait for a standby"
        guard !waiting.bool(0, 0) else { throw .noConnection(reason) }
        try send([Statement("SELECT pg_logical_emit_message(true, 'coordinate', '')")()])
        do throws(PostgreSQLError) {
            _ = try receive(until: deadline)
        } catch {
            if case .noAnswer(let detail) = error { throw .noConnection("\(reason): \(detail)") }
            throw error
        }
    }

    /// The reason why the connection failed; `nil` if it has not failed so far.
    var failure: String? { unsafe PQstatus(raw) == CONNECTION_BAD ? lastError : nil }

    /// The parameters of the connection, including those that libpq reads from elsewhere.
    var parameters: [String: String] {
        guard let options = unsafe PQconninfo(raw) else { return [:] }
        defer { unsafe PQconninfoFree(options) }
        return unsafe ConnectionSettings.values(of: options)
    }

    // MARK: Requests

    /// Whether the connection is usable, as far as that is known without a request. A server that shut down in an
    /// orderly way has reported it.
    mutating func isThere() -> Bool {
        for _ in 0..<8 {
            var descriptor = unsafe pollfd(fd: PQsocket(raw), events: Int16(POLLIN), revents: 0)
            guard unsafe poll(&descriptor, 1, 0) == 1 else { break }
            guard unsafe PQconsumeInput(raw) == 1 else { return false }
            _ = unsafe PQisBusy(raw)
        }
        return unsafe PQstatus(raw) == CONNECTION_OK
    }

    /// Sends statements as one transaction. Nothing else may be sent until their results are received.
    mutating func send(_ calls: [Call]) throws(PostgreSQLError) {
        warnings.last = nil
        for call in calls { try send(call) }
        try sent(unsafe PQpipelineSync(raw))
        try flush()
    }

    private mutating func send(_ call: Call) throws(PostgreSQLError) {
        let values = call.parameters.values
        let lengths = values.map { Int32($0?.count ?? 0) }
        let formats = values.map { _ in Int32(1) }
        let result = unsafe call.parameters.buffer.withUnsafeBytes { buffer in
            let start = unsafe buffer.baseAddress?.assumingMemoryBound(to: CChar.self)
            let pointers = unsafe values.map { range -> UnsafePointer<CChar>? in
                guard let start = unsafe start, let range else { return nil }
                return unsafe start + range.lowerBound
            }
            if let name = call.statement.name {
                return unsafe PQsendQueryPrepared(raw, name, Int32(values.count), pointers, lengths, formats, 1)
            }
            return unsafe PQsendQueryParams(
                raw, call.statement.sql, Int32(values.count), nil, pointers, lengths, formats, 1)
        }
        try sent(result)
    }

    /// Counts a statement, or the end of a pipeline, that libpq has accepted.
    private mutating func sent(_ result: Int32) throws(PostgreSQLError) {
        guard result == 1 else { throw .noAnswer(lastError) }
        statementCount += 1
    }

    private func flush() throws(PostgreSQLError) {
        guard unsafe PQflush(raw) >= 0 else { throw .noAnswer(lastError) }
    }

    /// Receives the results of the statements that were sent, in their order. Either all of them are committed, or
    /// none.
    mutating func receive(until deadline: ContinuousClock.Instant) throws(PostgreSQLError) -> [Rows] {
        var rows: [Rows] = []
        var refusal: ServerMessage?
        defer { statementCount = 0 }
        // Each statement has a result and a null pointer after it, and the end of the pipeline has a result.
        var patience = 2 * statementCount + 2
        while patience > 0 {
            patience -= 1
            try awaitResult(until: deadline)
            guard let result = unsafe PQgetResult(raw) else {
                guard unsafe PQstatus(raw) == CONNECTION_OK else { break }
                continue
            }
            let answer = unsafe Rows(result)
            switch answer.status {
            case PGRES_TUPLES_OK, PGRES_COMMAND_OK: rows.append(answer)
            case PGRES_PIPELINE_ABORTED: break
            case PGRES_PIPELINE_SYNC:
                if let refusal { throw refusal.provesRollback ? .refused(refusal) : .doubtful(refusal) }
                if let warning = warnings.last { throw .doubtful(warning) }
                return rows
            default:
                let message = answer.message
                guard message.severity == "ERROR" else { throw .noAnswer(message.description) }
                refusal = refusal ?? message
            }
        }
        throw .noAnswer(lastError)
    }

    private func awaitResult(until deadline: ContinuousClock.Instant) throws(PostgreSQLError) {
        while unsafe PQisBusy(raw) == 1 {
            let unsent = unsafe PQflush(raw)
            guard unsent >= 0 else { throw .noAnswer(lastError) }
            try wait(for: unsent == 0 ? POLLIN : POLLIN | POLLOUT, until: deadline)
            guard unsafe PQconsumeInput(raw) == 1 else { throw .noAnswer(lastError) }
        }
    }

    private func wait(for events: Int32, until deadline: ContinuousClock.Instant) throws(PostgreSQLError) {
        var descriptor = unsafe pollfd(fd: PQsocket(raw), events: Int16(events), revents: 0)
        while true {
            let left = ContinuousClock.now.duration(to: deadline)
            guard left > .zero else { throw .noAnswer("no answer in time") }
            let count = unsafe poll(&descriptor, 1, Int32(left / .milliseconds(1)) + 1)
            if count > 0 { return }
            guard count == 0 || errno == EINTR else { throw .noAnswer("poll failed: \(errno)") }
        }
    }

    // MARK: Messages

    private var lastError: String {
        let text = unsafe PQerrorMessage(raw).map { unsafe String(cString: $0) } ?? ""
        return text.isEmpty ? "the connection was lost" : text
    }
}
