internal import Coordinate
internal import MicroHTTPD

/// A session's journal as its clients read it, a page at a time or whole: section 3 of the contract.
enum JournalDocument {
    /// A page.
    ///
    /// - Parameter next: What to pass as `after` for the next page, nil on the last one.
    static func encode(_ entries: [JournalEntry], next: Int?) -> HTTPBody {
        var json = JSONWriter(capacity: 64 + entries.count * 256)
        json.object {
            $0.array("events", entries) { $0.entry($1) }
            $0.field("next", next)
        }
        return json.finish()
    }
}

/// The whole journal: a header, then one entry a line (https://github.com/ndjson/ndjson-spec).
struct JournalLines: ~Copyable {
    private var json = JSONWriter(capacity: 4096)

    init(of app: any CoordinatedApp) {
        json.line { $0.header(JournalHeader(app: app.name, appVersion: app.version)) }
    }

    mutating func append(_ entry: JournalEntry) {
        json.line { $0.entry(entry) }
    }

    consuming func finish() -> HTTPBody { json.finish() }
}

/// The first line of an exported journal.
struct JournalHeader {
    /// The form of the lines; there is one so far.
    static let format = 1

    let app: String
    let appVersion: String
}

extension JSONWriter {
    fileprivate mutating func header(_ header: JournalHeader) {
        object {
            $0.field("journal", JournalHeader.format)
            $0.field("app", header.app)
            $0.field("appVersion", header.appVersion)
        }
    }

    fileprivate mutating func entry(_ entry: JournalEntry) {
        object {
            $0.field("version", entry.version)
            $0.field("time", entry.time.description)
            $0.field("event", entry.event)
            $0.key("payload")
            $0.plain(entry.payload)
            $0.field("at", entry.at)
            $0.field("handled", entry.isHandled)
            $0.field("handledBy", entry.handledBy)
            $0.field("path", entry.path)
        }
    }
}
