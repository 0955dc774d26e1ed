internal import Coordinate
package import JSON

extension JSONWriter where Output: ~Copyable {
    /// Writes the first line.
    ///
    /// - Parameter isForOperator: Whether the reader may see the session's reference and key.
    package mutating func line(_ header: JournalHeader, isForOperator: Bool = true) {
        line {
            $0.object {
                $0.field("journal", JournalHeader.format)
                $0.field("app", header.app)
                $0.field("appVersion", header.appVersion)
                $0.key("options")
                $0.plain(header.options)
                $0.field("createdAt", header.createdAt.description)
                $0.field("seed", Int(header.seed))
                $0.field("path", header.path)
                if isForOperator, let reference = header.reference { $0.field("reference", reference) }
                if isForOperator, let key = header.key { $0.field("key", key) }
                if header.isWorkWithheld { $0.field("work", JournalHeader.withheld) }
            }
        }
    }

    /// Writes an entry in the form that clients read.
    ///
    /// - Parameter appVersion: The version of the app that the first line names. An entry of the same version leaves it
    ///   out.
    package mutating func entry(_ entry: JournalEntry, recordedBy appVersion: String) {
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
            $0.field("origin", entry.origin.rawValue)
            $0.field("pending", entry.pending)
            if entry.appVersion != appVersion { $0.field("appVersion", entry.appVersion) }
            if let traceparent = entry.traceparent { $0.field("traceparent", traceparent) }
        }
    }
}
