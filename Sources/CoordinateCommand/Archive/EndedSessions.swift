internal import ArgumentParser
internal import Coordinate
internal import CoordinateServer
internal import CoordinateSessions
internal import Foundation
internal import JSON

/// The sessions of a store that have ended, on their way to files.
struct EndedSessions {
    private let app: String
    private let journal: any Journal
    private var count = 0
    /// The sessions that stay in the store, since they could not be archived.
    private var failed: Set<SessionID> = []

    private static let pageSize = 100
    /// The time for which an expired session is left to the servers that share a store, in seconds.
    private static let patience = 60

    init(of app: String, in journal: any Journal) {
        self.app = app
        self.journal = journal
    }

    /// Writes each session to a file, and then deletes it from the store.
    ///
    /// - Returns: The number of sessions that were archived, and of those that could not be.
    nonisolated(nonsending) mutating func move(
        to folder: ArchiveFolder
    ) async throws -> (count: Int, failures: Int) {
        var last: SessionID?
        while true {
            let page = try await page(after: last)
            for head in page where try await archive(head, in: folder) { count += 1 }
            guard page.count == Self.pageSize else { return (count, failed.count) }
            last = page.last?.record.id
        }
    }

    private nonisolated(nonsending) func page(after last: SessionID?) async throws -> [SessionHead] {
        let now = Int(Date().timeIntervalSince1970) + journal.clockOffset
        let moment = Timestamp(seconds: journal.isShared ? now - Self.patience : now)
        do throws(JournalError) {
            return try await journal.endedSessions(of: app, by: moment, after: last, limit: Self.pageSize).value
        } catch {
            throw Self.storeUnreachable
        }
    }

    private static let storeUnreachable = ServerError.unavailable(
        "The store cannot be reached or written. What was archived so far is in the folder. Run archive again.")

    /// Archives a session.
    ///
    /// - Returns: `false` if it stays in the store, or another program has archived it.
    private nonisolated(nonsending) mutating func archive(
        _ head: SessionHead, in folder: ArchiveFolder
    ) async throws -> Bool {
        let session = head.record.id
        do {
            if head.damage == 0 { throw JournalError.damaged(version: 0) }
            guard let file = try folder.begin("\(session).ndjson") else { return false }
            try file.write { $0.line(JournalHeader(of: head.record)) }
            var version = 0
            while version < head.version {
                let entries = try await journal.readEnded(session, after: version, limit: 250).value
                guard let last = entries.last else { throw JournalError.damaged(version: version + 1) }
                for entry in entries {
                    try file.write { json in json.line { $0.entry(entry, recordedBy: head.record.appVersion) } }
                }
                version = last.version
            }
            try file.finish()
            try await journal.removeEnded(session).value
            return true
        } catch JournalError.noSuchSession {
            return false
        } catch JournalError.damaged(let version) {
            fail(session, ServerError.damaged(version: version).description)
        } catch is JournalError {
            throw Self.storeUnreachable
        } catch let error as ArchiveFolder.Occupied {
            fail(session, error.description)
        }
        return false
    }

    private mutating func fail(_ session: SessionID, _ reason: String) {
        failed.insert(session)
        ExitCode.complain("\(session) stays in the store: \(reason)")
    }
}
