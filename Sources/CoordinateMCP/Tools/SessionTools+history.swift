internal import Coordinate
internal import CoordinateServer
internal import CoordinateSessions
internal import JSON

extension SessionTools {
    /// The size at which a page of the history ends, in bytes, even if more entries were requested.
    private static let pageSize = 512 * 1024
    /// The most bytes of an exported journal.
    private static let exportLimit = 1024 * 1024

    func readHistory(_ arguments: ToolArguments) async throws -> [UInt8] {
        let after = try arguments.int("after", in: 0...Int.max) ?? 0
        let limit = try arguments.int("limit", in: 1...1_000) ?? 100
        let journal = try await session(in: arguments).journal()
        let last = after < journal.head.version ? after + min(limit, journal.head.version - after) : after
        var reading = HistoryReading(after: after, upTo: last, atMost: Self.pageSize) { entry in
            var json = JSONWriter<[UInt8]>()
            json.entry(entry, recordedBy: api.app.version)
            return json.finish()
        }
        try await reading.read(journal)
        var json = JSONWriter<[UInt8]>(capacity: reading.size + 64)
        json.object {
            $0.array("events", reading.texts) { json, text in json.encoded { $0 += text } }
            $0.field("next", reading.version < journal.head.version ? reading.version : nil)
        }
        return json.finish()
    }

    func exportJournal(_ arguments: ToolArguments) async throws -> [UInt8] {
        let session = try await session(in: arguments)
        guard !sessions.host.budget.isFull else { throw SessionError.memoryIsFull }
        let journal = try await session.journal()
        let record = journal.head.record
        guard journal.head.damage != 0 else { throw SessionError.damaged(version: 0) }
        var header = JSONWriter<[UInt8]>()
        header.line(JournalHeader(of: record))
        var reading = HistoryReading(after: 0, upTo: journal.head.version, atMost: Self.exportLimit) { entry in
            var json = JSONWriter<[UInt8]>()
            json.line { $0.entry(entry, recordedBy: record.appVersion) }
            return json.finish()
        }
        reading.append(header.finish())
        try await reading.read(journal)
        guard reading.size <= Self.exportLimit, reading.version == reading.last else {
            throw ToolError.journalTooLarge(session.id, limit: Self.exportLimit)
        }
        var json = JSONWriter<[UInt8]>(capacity: reading.size + 64)
        json.object { $0.field("journal", String(decoding: reading.texts.joined(), as: UTF8.self)) }
        return json.finish()
    }
}

/// Entries of a journal, each as text.
private struct HistoryReading {
    /// The last version that was read.
    private(set) var version: Int
    /// The last version to read.
    private(set) var last: Int
    /// The size at which to stop, in bytes.
    private let limit: Int
    private(set) var texts: [[UInt8]] = []
    private(set) var size = 0
    private let text: (JournalEntry) -> [UInt8]

    init(after version: Int, upTo last: Int, atMost limit: Int, _ text: @escaping (JournalEntry) -> [UInt8]) {
        self.version = version
        self.last = last
        self.limit = limit
        self.text = text
    }

    mutating func append(_ text: [UInt8]) {
        texts.append(text)
        size += text.count
    }

    /// Reads entries until the last one that is wanted, or until there is no more room.
    mutating func read(_ journal: JournalView) async throws(SessionError) {
        while version < last, size < limit {
            do throws(SessionError) {
                let entries = try await journal.entries(after: version, limit: min(last - version, 100))
                guard !entries.isEmpty else { throw .journal(.unavailable) }
                for entry in entries where size < limit {
                    append(text(entry))
                    version = entry.version
                }
            } catch {
                // Ends before an entry that cannot be read.
                guard case .damaged(let damaged) = error, damaged > version + 1 else { throw error }
                last = damaged - 1
            }
        }
    }
}
