internal import Coordinate

/// A page of a session's journal: section 3 of the contract.
enum JournalDocument {
    /// - Parameter next: What to pass as `after` for the next page, nil on the last one.
    static func encode(_ entries: [JournalEntry], next: Int?) -> [UInt8] {
        var json = JSONWriter(capacity: 64 + entries.count * 256)
        json.object {
            $0.array("events", entries) { $0.entry($1) }
            $0.field("next", next)
        }
        return json.bytes
    }
}

extension JSONWriter {
    fileprivate mutating func entry(_ entry: JournalEntry) {
        object {
            $0.field("version", entry.version)
            $0.field("time", entry.time.description)
            $0.field("event", entry.event)
            $0.key("payload")
            $0.plain(entry.payload)
            $0.field("at", entry.at)
            $0.field("handled", entry.handledBy != nil)
            $0.field("handledBy", entry.handledBy)
            $0.field("path", entry.path)
        }
    }
}
