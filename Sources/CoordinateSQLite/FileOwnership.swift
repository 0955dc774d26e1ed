internal import CoordinateSessions
internal import Foundation
internal import Synchronization

/// The number of a file, which is the same for all of its names.
struct FileIdentity: Hashable {
    private let device: Int
    private let number: Int

    /// - Returns: `nil` if no file has the path.
    init?(of path: String) {
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: path),
            let device = attributes[.systemNumber] as? Int, let number = attributes[.systemFileNumber] as? Int
        else { return nil }
        (self.device, self.number) = (device, number)
    }
}

/// The right to use a journal's file. One server has it at a time, until the file is closed or the process ends,
/// whatever path led to the file.
///
/// It is a lock of the whole file (`flock`), which is independent of SQLite's locks (`fcntl`). A second file beside it
/// names the owner, for messages.
final class FileOwnership: Sendable {
    /// The files that servers of this process own. These are not opened again: when a process closes a file, it loses
    /// SQLite's locks of that file, those of other connections included (https://sqlite.org/howtocorrupt.html, section
    /// 2.2).
    private static let owned = Mutex<Set<FileIdentity>>([])

    private let file: FileHandle
    private let ownerFile: String
    private let identity: FileIdentity
    private let isReleased = Atomic(false)

    /// Acquires the right to use a file.
    ///
    /// - Parameter path: The path without symbolic links.
    init(of path: String) throws(JournalOpeningError) {
        guard let identity = FileIdentity(of: path) else { throw Self.cannotBeOpened(path) }
        guard Self.owned.withLock({ $0.insert(identity).inserted }) else { throw Self.inUse(path) }
        do throws(JournalOpeningError) {
            file = try Self.lock(path)
        } catch {
            Self.owned.withLock { _ = $0.remove(identity) }
            throw error
        }
        self.identity = identity
        let process = ProcessInfo.processInfo
        let text = "process \(process.processIdentifier) (\(process.processName)) on \(process.hostName)"
        ownerFile = Self.ownerFile(of: path)
        _ = FileManager.default.createFile(
            atPath: ownerFile, contents: Data(text.utf8), attributes: [.posixPermissions: 0o600])
    }

    private static func lock(_ path: String) throws(JournalOpeningError) -> FileHandle {
        guard let file = FileHandle(forUpdatingAtPath: path) else { throw cannotBeOpened(path) }
        guard flock(file.fileDescriptor, LOCK_EX | LOCK_NB) == 0 else { throw inUse(path) }
        return file
    }

    deinit {
        release()
    }

    /// Releases the file for others. This process must not have it open any more.
    func release() {
        guard !isReleased.exchange(true, ordering: .relaxed) else { return }
        try? FileManager.default.removeItem(atPath: ownerFile)
        // Closing the file is not enough while a child process that is being started has it as well.
        _ = flock(file.fileDescriptor, LOCK_UN)
        try? file.close()
        Self.owned.withLock { _ = $0.remove(identity) }
    }

    private static func ownerFile(of path: String) -> String { path + "-owner" }

    private static func inUse(_ path: String) -> JournalOpeningError {
        let text = FileManager.default.contents(atPath: ownerFile(of: path)) ?? Data()
        let owner = text.isEmpty ? "another process" : String(decoding: text.prefix(1_024), as: UTF8.self)
        return .unusable(
            "The journal \(path) is in use by \(owner). Only one server can use a file at a time. Stop"
                + " that server, or name another file. To share sessions between servers, use PostgreSQL.")
    }

    private static func cannotBeOpened(_ path: String) -> JournalOpeningError {
        .unreachable(
            "The journal \(path) cannot be opened for writing. Check that the folder exists, and that"
                + " this user may write to it.")
    }
}
