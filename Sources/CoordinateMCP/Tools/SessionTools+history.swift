internal import Coordinate
internal import CoordinateServer
internal import CoordinateSessions
internal import JSON

extension SessionTools {
    /// The size at which a page of the history ends, in bytes, even if more entries were requested.
    private static let pageSize = 512 * 1024
    /// The most bytes of an exported journal.
    private static let exportLimit = 1024 * 1024

    func readHistory(_ arguments: ToolArguments) throws(ToolError) -> Future<[UInt8], ToolError> {
        let after = try arguments.int("after", in: 0...Int.max) ?? 0
        let limit = try arguments.int("limit", in: 1...1_000) ?? 100
        return with(try session(in: arguments)) { session in
            with(failable(session.journal(for: key))) { journal in
                let last = after < journal.head.version ? after + min(limit, journal.head.version - after) : after
                let reading = HistoryReading(after: after, upTo: last, atMost: Self.pageSize) { entry in
                    var json = JSONWriter<[UInt8]>()
                    json.entry(entry, recordedBy: api.app.version)
                    return json.finish()
                }
                return read(journal, reading).mapResult(on: executor) { result in
                    result.map { reading in
                        var json = JSONWriter<[UInt8]>(capacity: reading.size + 64)
                        json.object {
                            $0.array("events", reading.texts) { json, text in json.encoded { $0 += text } }
                            $0.field("next", reading.version < journal.head.version ? reading.version : nil)
                        }
                        return json.finish()
                    }
                }
            }
        }
    }

    func exportJournal(_ arguments: ToolArguments) throws(ToolError) -> Future<[UInt8], ToolError> {
        with(try session(in: arguments)) { session in
            guard !sessions.host.budget.isFull else { return .failed(.session(.memoryIsFull)) }
            return with(failable(session.journal(for: key))) { journal in
                let record = journal.head.record
                guard journal.head.damage != 0 else { return .failed(.session(.damaged(version: 0))) }
                var header = JSONWriter<[UInt8]>()
                header.line(JournalHeader(of: record))
                var reading = HistoryReading(after: 0, upTo: journal.head.version, atMost: Self.exportLimit) { entry in
                    var json = JSONWriter<[UInt8]>()
                    json.line { $0.entry(entry, recordedBy: record.appVersion) }
                    return json.finish()
                }
                reading.append(header.finish())
                return read(journal, reading).mapResult(on: executor) { result in
                    result.flatMap { reading in
                        guard reading.size <= Self.exportLimit, reading.version == reading.last else {
                            return .failure(.journalTooLarge(session.id, limit: Self.exportLimit))
                        }
                        var json = JSONWriter<[UInt8]>(capacity: reading.size + 64)
                        json.object {
                            $0.field("journal", String(decoding: reading.texts.joined(), as: UTF8.self))
                        }
                        return .success(json.finish())
                    }
                }
            }
        }
    }

    /// Reads entries until the last one that is wanted, or until there is no more room.
    private func read(_ journal: JournalView, _ reading: HistoryReading) -> Future<HistoryReading, ToolError> {
        guard reading.version < reading.last, reading.size < reading.limit else { return .now(reading) }
        let count = min(reading.last - reading.version, 100)
        return journal.entries(after: reading.version, limit: count, on: executor).then(on: executor) { result in
            var reading = reading
            switch result {
            case .success(let entries) where entries.isEmpty: return .failed(.session(.journal(.unavailable)))
            case .success(let entries):
                for entry in entries where reading.size < reading.limit { reading.append(entry) }
                return read(journal, reading)
            // Ends before an entry that cannot be read.
            case .failure(.damaged(let version)) where version > reading.version + 1:
                reading.last = version - 1
                return read(journal, reading)
            case .failure(let error): return .failed(.session(error))
            }
        }
    }
}

/// Entries of a journal, each as text.
private struct HistoryReading: Sendable {
    /// The last version that was read.
    private(set) var version: Int
    /// The last version to read.
    var last: Int
    /// The size at which to stop, in bytes.
    let limit: Int
    private(set) var texts: [[UInt8]] = []
    private(set) var size = 0
    private let text: @Sendable (JournalEntry) -> [UInt8]

    init(
        after version: Int, upTo last: Int, atMost limit: Int, _ text: @escaping @Sendable (JournalEntry) -> [UInt8]
    ) {
        self.version = version
        self.last = last
        self.limit = limit
        self.text = text
    }

    mutating func append(_ text: [UInt8]) {
        texts.append(text)
        size += text.count
    }

    mutating func append(_ entry: JournalEntry) {
        append(text(entry))
        version = entry.version
    }
}
