internal import Foundation
internal import GRDB

/// A copy of a journal's file, for a journal in a folder in which this user may not write.
///
/// Even to read, SQLite needs a file beside the journal that readers and the writer share
/// (https://sqlite.org/wal.html#readonly). If a server runs, that file exists. Otherwise SQLite would have to create
/// it; but then no server writes, so a copy is complete.
final class FileCopy: Sendable {
    let path: String
    private let folder: URL

    /// Whether a copy can be opened although the file itself cannot.
    static func helps(with error: DatabaseError, _ path: String) -> Bool {
        [.SQLITE_CANTOPEN, .SQLITE_READONLY].contains(error.resultCode)
            && FileManager.default.isReadableFile(atPath: path)
    }

    init(of path: String) throws {
        let manager = FileManager.default
        folder = manager.temporaryDirectory.appending(path: "coordinate-\(UUID().uuidString)")
        try manager.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        self.path = folder.appending(path: "journal.sqlite").path
        for suffix in ["", "-wal"] where manager.fileExists(atPath: path + suffix) {
            try manager.copyItem(atPath: path + suffix, toPath: self.path + suffix)
        }
    }

    deinit {
        remove()
    }

    func remove() {
        try? FileManager.default.removeItem(at: folder)
    }
}
