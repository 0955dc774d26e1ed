internal import CoordinateServer
internal import CoordinateSessions
internal import Foundation
internal import Glibc

/// A file of places that is being written. It takes its name when it is complete.
struct PlacesOutput: ~Copyable {
    private let path: String
    private let file: FileHandle
    /// Removes the unfinished file if the program is interrupted.
    private let interruption: Interruption

    private var unfinished: String { path + ".part" }

    /// - Parameter path: The path of the file, which replaces an older recording. It is readable for its owner only: ids
    ///   of sessions are secrets.
    init(_ path: String, _ header: PlacesHeader) throws(ServerError) {
        self.path = path
        let former = try? FileManager.default.attributesOfItem(atPath: path)
        // Nothing else is replaced: a wrong name could be that of the store.
        if let former, !Self.isReplaced(path, former) {
            throw .configuration("\(path) exists, and has no recorded places. Name another file for --record.")
        }
        let part = URL(filePath: path + ".part")
        do {
            try Data(header.line).write(to: part, options: .withoutOverwriting)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: part.path)
            let file = try FileHandle(forWritingTo: part)
            try file.seekToEnd()
            self.file = file
        } catch CocoaError.fileWriteFileExists {
            throw .configuration(
                "\(path).part exists: another recording is writing it, or was interrupted. If none is running, delete it."
            )
        } catch {
            // If it exists now, this has created it.
            try? FileManager.default.removeItem(at: part)
            throw Self.unwritable(path)
        }
        interruption = Interruption(by: [SIGINT, SIGTERM, SIGHUP]) { number in
            try? FileManager.default.removeItem(at: part)
            signal(number, SIG_DFL)
            // Not raise, which would signal this thread.
            kill(getpid(), number)
        }
    }

    deinit {
        interruption.cancel()
        try? FileManager.default.removeItem(atPath: unfinished)
    }

    func write(_ line: [UInt8]) throws(ServerError) {
        do {
            try file.write(contentsOf: line)
        } catch {
            throw Self.unwritable(path)
        }
    }

    /// - Parameter isComplete: Whether the file has all places. Otherwise it is not written.
    consuming func finish(isComplete: Bool) throws(ServerError) {
        guard isComplete else { return }
        // FileManager.replaceItemAt(_:withItemAt:) fails on Linux, after it has moved the former file.
        guard (try? file.synchronize()) != nil, (try? file.close()) != nil, unsafe rename(unfinished, path) == 0 else {
            throw Self.unwritable(path)
        }
    }

    private static func isReplaced(_ path: String, _ former: [FileAttributeKey: Any]) -> Bool {
        guard former[.type] as? FileAttributeType == .typeRegular else { return false }
        return former[.size] as? Int == 0 || (try? PlacesFile(path)) != nil
    }

    private static func unwritable(_ path: String) -> ServerError {
        .unavailable("\(path) cannot be written. Name a file in a writable folder on a disk with room.")
    }
}
