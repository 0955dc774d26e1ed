package import CoordinateSessions

extension Session {
    /// A page of its journal.
    package func entries(after version: Int, limit: Int) async throws(SessionError) -> EntryPage {
        let journal = try await journal()
        let entries = try await journal.entries(after: version, limit: limit)
        let last = entries.last?.version ?? journal.head.version
        return EntryPage(entries: entries, next: last < journal.head.version ? last : nil)
    }
}

/// Some entries, and the version after which the next page begins; `nil` on the last page.
package struct EntryPage: Sendable {
    package let entries: [JournalEntry]
    package let next: Int?
}
