internal import CoordinateServer
internal import Foundation
internal import Glibc
internal import JSON
internal import SystemPackage

/// A folder to which files are added, each as a whole. None is overwritten.
struct ArchiveFolder {
    /// The error for a name that a file with another content has.
    struct Occupied: Error, CustomStringConvertible {
        let path: String
        var description: String {
            "The file \(path) exists and has another content. Move it away, or name another folder."
        }
    }

    private let path: String

    /// Creates the folder if necessary. Only this user can read it then.
    init(_ path: String) throws(ServerError) {
        self.path = path
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw .configuration("The folder \(path) cannot be created. Name another one with --to.")
        }
    }

    /// Begins a file that only this user can read.
    ///
    /// - Returns: `nil` if another program is writing it.
    func begin(_ name: String) throws(ServerError) -> NewFile? {
        try NewFile("\(path)/\(name)", draft: "\(path)/.\(name).partial", in: path)
    }

    /// A file that is being written, under another name until it is complete.
    ///
    /// The draft of an interrupted program is used again. A lock keeps two programs from writing the same one.
    final class NewFile {
        private let path: String
        private let draft: String
        private let folder: String
        private let file: FileDescriptor
        private var buffer: [UInt8] = []

        private static let bufferSize = 256 * 1024

        fileprivate init?(_ path: String, draft: String, in folder: String) throws(ServerError) {
            (self.path, self.draft, self.folder) = (path, draft, folder)
            do {
                file = try FileDescriptor.open(
                    FilePath(draft), .readWrite, options: [.create, .closeOnExec, .noFollow],
                    permissions: .ownerReadWrite)
            } catch {
                throw Self.unwritable(draft, error)
            }
            guard flock(file.rawValue, LOCK_EX | LOCK_NB) == 0 else { return nil }
            // The other program may have finished it just now.
            guard let status = try? file.stat(), status.linkCount > 0 else { return nil }
            guard ftruncate(file.rawValue, 0) == 0, fchmod(file.rawValue, 0o600) == 0 else {
                throw Self.unwritable(draft, Errno(rawValue: errno))
            }
        }

        deinit {
            try? file.close()
        }

        func write(_ line: (inout JSONWriter<[UInt8]>) -> Void) throws(ServerError) {
            var json = JSONWriter<[UInt8]>()
            line(&json)
            buffer += json.written()
            if buffer.count >= Self.bufferSize { try flush() }
        }

        private func flush() throws(ServerError) {
            do {
                try file.writeAll(buffer)
            } catch {
                throw giveUp(error)
            }
            buffer = []
        }

        /// Gives the complete file its name, once it is on the disk.
        ///
        /// - Throws: ``Occupied`` if a file with another content has the name. A file with the same content is left by
        ///   a program that was interrupted before it deleted the session.
        func finish() throws {
            try flush()
            guard fsync(file.rawValue) == 0 else { throw giveUp(Errno(rawValue: errno)) }
            var isSame = true
            do {
                // Unlike a renaming, a link overwrites nothing.
                try FileManager.default.linkItem(atPath: draft, toPath: path)
            } catch CocoaError.fileWriteFileExists {
                isSame = FileManager.default.contentsEqual(atPath: draft, andPath: path)
            } catch {
                let reason = (error as? CocoaError)?.underlying as? POSIXError
                throw giveUp(reason.map { Errno(rawValue: $0.code.rawValue) } ?? error)
            }
            removeDraft()
            guard isSame else { throw Occupied(path: path) }
            do {
                let folder = try FileDescriptor.open(FilePath(folder), .readOnly, options: [.directory, .closeOnExec])
                try folder.closeAfter {
                    guard fsync(folder.rawValue) == 0 else { throw Errno(rawValue: errno) }
                }
            } catch {
                throw Self.unwritable(path, error)
            }
        }

        private func giveUp(_ error: any Error) -> ServerError {
            removeDraft()
            return Self.unwritable(path, error)
        }

        private func removeDraft() {
            try? FileManager.default.removeItem(atPath: draft)
        }

        private static func unwritable(_ path: String, _ error: any Error) -> ServerError {
            .configuration(
                "The file \(path) cannot be written: \(error). Its session stays in the store. Run archive again when"
                    + " the folder is writable and has room.")
        }
    }
}
