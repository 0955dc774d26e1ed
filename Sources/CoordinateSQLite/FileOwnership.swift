internal import CoordinateSessions
internal import Foundation

/// The right to use a journal's file: one process has it at a time, until it ends, however it ends.
///
/// It is a lock on a second file beside it, which names its owner. The journal's own file is left to SQLite, whose
/// locks are of another kind.
final class FileOwnership: Sendable {
    private let file: FileHandle

    init(of path: String) throws(JournalOpeningError) {
        let name = path + "-owner"
        let manager = FileManager.default
        if !manager.fileExists(atPath: name) {
            _ = manager.createFile(atPath: name, contents: nil, attributes: [.posixPermissions: 0o600])
        }
        guard let file = FileHandle(forUpdatingAtPath: name) else {
            throw .unreachable(
                "The journal \(path) cannot be opened: \(name) cannot be written. Is there such a folder, and may this"
                    + " user write to it?")
        }
        guard flock(file.fileDescriptor, LOCK_EX | LOCK_NB) == 0 else {
            let owner = (try? file.read(upToCount: 1_024)).map { String(decoding: $0, as: UTF8.self) } ?? ""
            throw .unusable(
                "The journal \(path) is in use by \(owner.isEmpty ? "another process" : owner). One server uses a file"
                    + " at a time: stop that one, or name another file. Several servers can share PostgreSQL.")
        }
        self.file = file
        let process = ProcessInfo.processInfo
        let text = "process \(process.processIdentifier) (\(process.processName)) on \(process.hostName)"
        try? file.truncate(atOffset: 0)
        try? file.write(contentsOf: Data(text.utf8))
    }

    deinit {
        giveUp()
    }

    /// Releases the file for others.
    func giveUp() {
        try? file.truncate(atOffset: 0)
        // Closing would not do while a child process that is just being started has it, too.
        _ = flock(file.fileDescriptor, LOCK_UN)
        try? file.close()
    }
}
