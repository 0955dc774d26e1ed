package import CoordinateSessions

extension Session {
    /// A page of its journal.
    package func entries(after version: Int, limit: Int) -> Future<EntryPage, SessionError> {
        journal().then(on: InlineExecutor.shared) { result in
            switch result {
            case .failure(let error): return .failed(error)
            case .success(let journal):
                let entries = journal.entries(after: version, limit: limit, on: InlineExecutor.shared)
                return entries.map(on: InlineExecutor.shared) { entries in
                    let last = entries.last?.version ?? journal.head.version
                    return EntryPage(entries: entries, next: last < journal.head.version ? last : nil)
                }
            }
        }
    }
}

/// Some entries, and the version after which the next page begins; `nil` on the last page.
package struct EntryPage: Sendable {
    package let entries: [JournalEntry]
    package let next: Int?
}
