internal import Coordinate
internal import CoordinateSessions
internal import JSON
internal import MicroHTTPD
internal import Synchronization

/// A session's journal for a client, encoded piece by piece as the client reads. It is a page, or the whole journal: a
/// header, then one entry per line (https://github.com/ndjson/ndjson-spec).
final class JournalReading: Sendable {
    enum Form {
        /// - Parameter appVersion: The app version of entries that name none.
        case page(recordedBy: String)
        /// - Parameter isForOperator: Whether the reader may see the session's reference and key.
        case export(isForOperator: Bool = true)
    }

    /// A part of the journal that is encoded at once.
    struct Piece: Sendable {
        let body: HTTPBody
        let isLast: Bool
    }

    private struct State {
        /// The last version that was written.
        var version: Int
        /// The last version to write.
        var last: Int
        var isBegun = false
        /// The number of entries to read next: as many as probably fill a piece.
        var count = 16
        /// The bytes after which a page ends.
        var left: Int
    }

    /// The size at which a piece is full, in bytes.
    static let pieceSize = 64 * 1024
    /// The most entries to read at a time.
    private static let maximumCount = 250
    /// The size at which a page ends that is sent in one piece, in bytes.
    private static let wholePageSize = 1024 * 1024

    private let journal: JournalView
    private let form: Form
    private let state: Mutex<State>

    /// - Parameters:
    ///   - version: The version before the first one.
    ///   - limit: The most entries.
    ///   - isWhole: Whether it is sent in one piece, which ends earlier if the entries are large.
    init(_ journal: JournalView, as form: Form, after version: Int = 0, limit: Int = .max, isWhole: Bool = false) {
        self.journal = journal
        self.form = form
        let last = version < journal.head.version ? version + min(limit, journal.head.version - version) : version
        state = Mutex(State(version: version, last: last, left: isWhole ? Self.wholePageSize : .max))
    }

    /// All pieces in one.
    func whole(on executor: any CoordinateSessions.Executor) -> Future<HTTPBody, SessionError> {
        whole(after: [], on: executor)
    }

    private func whole(
        after bodies: [HTTPBody], on executor: any CoordinateSessions.Executor
    ) -> Future<HTTPBody, SessionError> {
        next(on: executor).flatMap(on: executor) { piece in
            let bodies = bodies + [piece.body]
            guard piece.isLast else { return self.whole(after: bodies, on: executor) }
            return .now(Self.joined(bodies))
        }
    }

    private static func joined(_ bodies: [HTTPBody]) -> HTTPBody {
        var writer = HTTPBodyWriter(capacity: bodies.reduce(0) { $0 + $1.count })
        for body in bodies { writer.append(body) }
        return writer.finish()
    }

    /// The whole journal if it is short, else the first piece.
    ///
    /// A worker with other clients encodes it, so it is a small part of an export, and at most the default size of a
    /// page.
    func beginning(on executor: any CoordinateSessions.Executor) -> Future<Piece, SessionError> {
        let count = if case .page = form { 100 } else { 16 }
        return beginning(entries: count, on: executor)
    }

    private func beginning(
        entries count: Int, on executor: any CoordinateSessions.Executor
    ) -> Future<Piece, SessionError> {
        let version = state.withLock { $0.version }
        return next(atMost: count, on: executor).then(on: executor) { result in
            let left = count - (self.state.withLock { $0.version } - version)
            guard case .success(let piece) = result, !piece.isLast, left > 0, piece.body.count < Self.pieceSize else {
                return .now(result)
            }
            return self.beginning(entries: left, on: executor).map(on: executor) { following in
                Piece(body: Self.joined([piece.body, following.body]), isLast: following.isLast)
            }
        }
    }

    /// The next piece. Call this again when the piece has arrived, until the last piece.
    ///
    /// - Parameters:
    ///   - count: The most entries to read for the piece.
    ///   - executor: Where it is written.
    func next(
        atMost count: Int = .max, on executor: any CoordinateSessions.Executor
    ) -> Future<Piece, SessionError> {
        let wanted = state.withLock { state in
            state.version < state.last
                ? (after: state.version, limit: min(count, state.count, state.last - state.version)) : nil
        }
        guard let wanted else { return .now(piece(of: [])) }
        let entries = journal.entries(after: wanted.after, limit: wanted.limit, on: executor)
        return entries.then(on: executor) { result in
            switch result {
            case .success(let entries) where entries.isEmpty: return .failed(.journal(.unavailable))
            case .success(let entries): return .now(self.piece(of: entries))
            case .failure(.damaged(let version)) where self.canEnd(before: version):
                self.state.withLock { $0.last = version - 1 }
                return self.next(atMost: count, on: executor)
            case .failure(let error): return .failed(error)
            }
        }
    }

    /// Whether the piece may end before an entry that cannot be read: a page has at least one entry.
    private func canEnd(before version: Int) -> Bool {
        let written = state.withLock { $0.version }
        guard case .page = form else { return version > written }
        return version > written + 1
    }

    /// Writes as many entries as fill a piece, and drops the others. They are read again later, because slow clients
    /// may not want them for a while.
    private func piece(of entries: [JournalEntry]) -> Piece {
        state.withLock { state in
            var parts = state.isBegun ? [] : [opening]
            var isFirst = !state.isBegun
            state.isBegun = true
            var size = 0
            var count = 0
            for entry in entries {
                guard size < Self.pieceSize else { break }
                if case .page = form, !isFirst { parts.append(Self.comma) }
                isFirst = false
                parts.append(text(of: entry))
                size += parts.last?.count ?? 0
                count += 1
                state.version = entry.version
            }
            if count > 0 { state.count = min(max(1, Self.pieceSize * count / size), Self.maximumCount) }
            state.left -= size
            if state.left <= 0 { state.last = state.version }
            let isLast = state.version >= state.last
            if isLast { parts.append(closing(after: state.last)) }
            return Piece(body: Self.joined(parts), isLast: isLast)
        }
    }

    private static let comma = HTTPBody(",")

    private var opening: HTTPBody {
        guard case .export(let isForOperator) = form else { return HTTPBody(#"{"events":["#) }
        var json = DocumentWriter()
        json.line(JournalHeader(of: journal.head.record), isForOperator: isForOperator)
        return json.finish()
    }

    private func closing(after last: Int) -> HTTPBody {
        guard case .page = form else { return HTTPBody([]) }
        return HTTPBody(#"],"next":\#(last < journal.head.version ? "\(last)" : "null")}"#)
    }

    private func text(of entry: JournalEntry) -> HTTPBody {
        var json = DocumentWriter()
        switch form {
        case .page(let appVersion): json.entry(entry, recordedBy: appVersion)
        case .export: json.line { $0.entry(entry, recordedBy: journal.head.record.appVersion) }
        }
        return json.finish()
    }
}
