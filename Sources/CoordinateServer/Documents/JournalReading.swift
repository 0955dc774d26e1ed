internal import Coordinate
package import CoordinateSessions
internal import JSON
package import MicroHTTPD

/// A session's journal for a client, encoded piece by piece as the client reads. It is a page, or the whole journal: a
/// header, then one entry per line (https://github.com/ndjson/ndjson-spec).
package actor JournalReading {
    package enum Form {
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

    /// The size at which a piece is full, in bytes.
    static let pieceSize = 64 * 1024
    /// The most entries to read at a time.
    private static let maximumCount = 250
    /// The size at which a reading usually ends if it is sent in one piece, in bytes.
    package static let wholeSize = 1024 * 1024

    private let journal: JournalView
    private let form: Form
    /// The last version that was written.
    private var version: Int
    /// The last version to write.
    private var last: Int
    private var isBegun = false
    /// The number of entries to read next: as many as probably fill a piece.
    private var count = 16
    /// The bytes after which a page ends.
    private var left: Int

    /// - Parameters:
    ///   - version: The version before the first one.
    ///   - limit: The most entries.
    ///   - size: The size at which it ends before the limit, in bytes, if the entries are large.
    package init(
        _ journal: JournalView, as form: Form, after version: Int = 0, limit: Int = .max, endingAt size: Int = .max
    ) {
        self.journal = journal
        self.form = form
        self.version = version
        last = version < journal.head.version ? version + min(limit, journal.head.version - version) : version
        left = size
    }

    /// All pieces in one.
    package func whole() async throws(SessionError) -> HTTPBody {
        try await pieces(atMost: .max, upTo: .max).body
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
    func beginning() async throws(SessionError) -> Piece {
        let limit = if case .page = form { 100 } else { 16 }
        return try await pieces(atMost: limit, upTo: Self.pieceSize)
    }

    /// Some pieces in one: a number of entries, up to a piece of a size.
    private func pieces(atMost limit: Int, upTo size: Int) async throws(SessionError) -> Piece {
        let first = version
        var piece = try await next(atMost: limit)
        var bodies = [piece.body]
        while !piece.isLast, version - first < limit, piece.body.count < size {
            piece = try await next(atMost: limit - (version - first))
            bodies.append(piece.body)
        }
        return Piece(body: Self.joined(bodies), isLast: piece.isLast)
    }

    /// Sends the next piece to a client. Aborts the stream if it cannot be read, so that the client does not mistake a
    /// part for the whole.
    func sendNext(to stream: HTTPStream) async {
        do throws(SessionError) {
            let piece = try await next()
            if piece.isLast { stream.end(with: piece.body) } else { stream.send(piece.body) }
        } catch {
            stream.abort()
        }
    }

    /// The next piece. Call this again when the piece has arrived, until the last piece.
    ///
    /// - Parameter limit: The most entries to read for the piece.
    private func next(atMost limit: Int = .max) async throws(SessionError) -> Piece {
        while version < last {
            do throws(SessionError) {
                let entries = try await journal.entries(after: version, limit: min(limit, count, last - version))
                guard !entries.isEmpty else { throw .journal(.unavailable) }
                return piece(of: entries)
            } catch {
                guard case .damaged(let damaged) = error, canEnd(before: damaged) else { throw error }
                last = damaged - 1
            }
        }
        return piece(of: [])
    }

    /// Whether the piece may end before an entry that cannot be read: a page has at least one entry.
    private func canEnd(before damaged: Int) -> Bool {
        guard case .page = form else { return damaged > version }
        return damaged > version + 1
    }

    /// Writes as many entries as fill a piece, and drops the others. They are read again later, because slow clients
    /// may not want them for a while.
    private func piece(of entries: [JournalEntry]) -> Piece {
        var parts = isBegun ? [] : [opening]
        var isFirst = !isBegun
        isBegun = true
        var (size, written) = (0, 0)
        for entry in entries {
            guard size < Self.pieceSize else { break }
            if case .page = form, !isFirst { parts.append(Self.comma) }
            isFirst = false
            let text = text(of: entry)
            parts.append(text)
            size += text.count
            written += 1
            version = entry.version
        }
        if written > 0 { count = min(max(1, Self.pieceSize * written / size), Self.maximumCount) }
        left -= size
        if left <= 0 { last = version }
        let isLast = version >= last
        if isLast { parts.append(closing(after: last)) }
        return Piece(body: Self.joined(parts), isLast: isLast)
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
