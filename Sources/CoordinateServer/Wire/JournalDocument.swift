internal import Coordinate
internal import CoordinateSessions
internal import JSON
internal import MicroHTTPD
internal import Synchronization

/// A page of a session's journal: section 3 of the contract.
enum JournalDocument {
    /// - Parameters:
    ///   - next: What to pass as `after` for the next page, nil on the last one.
    ///   - appVersion: The version of the app that is understood of entries that do not say another.
    static func encode(_ entries: [JournalEntry], next: Int?, recordedBy appVersion: String) -> HTTPBody {
        var json = DocumentWriter(capacity: 64 + entries.count * 256)
        json.object {
            $0.array("events", entries) { $0.entry($1, recordedBy: appVersion) }
            $0.field("next", next)
        }
        return json.finish()
    }
}

/// The whole journal: a header, then one entry a line (https://github.com/ndjson/ndjson-spec).
final class JournalExport: Sendable {
    private struct State: ~Copyable {
        var json = DocumentWriter(capacity: 4096)
        var appVersion = ""

        consuming func finish() -> HTTPBody { json.finish() }
    }

    private let state = Mutex(State())

    func begin(_ session: SessionRecord) {
        state.withLock { state in
            state.json.line(JournalHeader(of: session))
            state.appVersion = session.appVersion
        }
    }

    func append(_ entry: JournalEntry) {
        state.withLock { state in
            let appVersion = state.appVersion
            state.json.line { $0.entry(entry, recordedBy: appVersion) }
        }
    }

    /// All that was written.
    func finish() -> HTTPBody {
        state.withLock { state in
            let written = state
            state = State()
            return written.finish()
        }
    }
}
