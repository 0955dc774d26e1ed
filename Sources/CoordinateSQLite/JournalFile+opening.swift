internal import CoordinateSessions
internal import Foundation
internal import GRDB

// What happens before a journal has its file: checks, and the settings of SQLite.

extension JournalFile {
    /// The largest file, in bytes, that is checked for damage when it is opened. The check takes a second.
    private static let checkedSize = 64 * 1024 * 1024

    /// The file to which a path leads. A symbolic link may lead to one that does not exist yet.
    static func target(of path: String) -> URL {
        var file = URL(filePath: path)
        // The kernel follows as many links: https://man7.org/linux/man-pages/man7/path_resolution.7.html.
        for _ in 0..<40 {
            guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: file.path) else { break }
            file = URL(filePath: target, relativeTo: file.deletingLastPathComponent()).absoluteURL
        }
        return file
    }

    static func open(_ path: String, isReadOnly: Bool) throws -> DatabasePool {
        var configuration = Configuration()
        configuration.readonly = isReadOnly
        configuration.maximumReaderCount = 4
        configuration.busyMode = .timeout(5)
        configuration.prepareDatabase { try $0.execute(sql: "PRAGMA cache_size = -16384") }
        let pool = try DatabasePool(path: path, configuration: configuration)
        if !isReadOnly {
            // Set after the pool is created, since a pool sets `synchronous` itself, to a weaker level.
            try pool.writeWithoutTransaction { database in
                try database.execute(
                    sql: "PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = \(LogCopier.longLog)")
            }
            try Schema.migrator.migrate(pool)
            try pool.writeWithoutTransaction { try $0.execute(sql: Schema.leases) }
        }
        return pool
    }

    /// Refuses a file that is damaged, or belongs to another program. It does not change the file.
    ///
    /// - Returns: The copy to read in place of the file; `nil` if the file itself can be opened.
    static func inspect(_ path: String, isReadOnly: Bool) throws -> FileCopy? {
        do {
            try check(path, isReadOnly: isReadOnly)
            return nil
        } catch let error as DatabaseError where isReadOnly && FileCopy.helps(with: error, path) {
            let copy = try FileCopy(of: path)
            try check(copy.path, isReadOnly: isReadOnly)
            return copy
        }
    }

    private static func check(_ path: String, isReadOnly: Bool) throws {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(5)
        try DatabaseQueue(path: path, configuration: configuration).read { database in
            let tables = try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_master") ?? 0
            let application = try Int.fetchOne(database, sql: "PRAGMA application_id") ?? 0
            guard tables > 0 else {
                guard isReadOnly else { return }
                throw JournalOpeningError.unusable("The journal \(path) is empty. Start a server with it first.")
            }
            guard application == Schema.applicationID else {
                throw JournalOpeningError.unusable(
                    "The file \(path) is the SQLite database of another program. Name another file for the journal.")
            }
            guard try !Schema.migrator.hasBeenSuperseded(database) else {
                throw JournalOpeningError.unusable(
                    "The journal \(path) was written by a newer version of this program. Use that version, or name"
                        + " another file.")
            }
            let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
            if size <= checkedSize, let finding = try String.fetchOne(database, sql: "PRAGMA quick_check(1)"),
                finding != "ok"
            {
                throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: finding)
            }
        }
    }

    static func opening(_ path: String, _ error: any Error) -> JournalOpeningError {
        guard let error = error as? DatabaseError else {
            return .unusable("The journal \(path) cannot be opened: \(error)")
        }
        let reason = error.message ?? "\(error.resultCode)"
        switch error.resultCode {
        case .SQLITE_NOTADB:
            return .unusable("The file \(path) is not a journal: \(reason). Name another file, or remove this one.")
        case .SQLITE_CORRUPT:
            return .unusable(
                "The journal \(path) is damaged: \(reason). Restore it from a backup, or save what can be read with"
                    + " sqlite3 \(path) .recover | sqlite3 NEW, and name NEW.")
        default:
            return .unreachable(
                "The journal \(path) cannot be opened: \(reason). Check that the disk has room, and that this user may"
                    + " write to the file and its folder.")
        }
    }
}
