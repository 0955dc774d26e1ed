internal import CoordinateServer
internal import CoordinateSessions
internal import Dispatch
internal import Foundation
internal import Glibc
internal import SystemPackage

/// A file of places that is being written. It takes its name when it is complete.
struct PlacesOutput: ~Copyable {
    private let path: String
    private let file: FileHandle
    /// Removes the unfinished file if the program is interrupted.
    private let interruptions: [any DispatchSourceSignal]

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
        do {
            let part = try unsafe FileDescriptor.open(
                path + ".part", .writeOnly, options: [.create, .exclusiveCreate, .closeOnExec],
                permissions: .ownerReadWrite)
            let file = FileHandle(fileDescriptor: part.rawValue, closeOnDealloc: true)
            try file.write(contentsOf: header.line)
            self.file = file
        } catch Errno.fileExists {
            throw .configuration(
                "\(path).part exists: another recording is writing it, or was interrupted. If none is running, delete it."
            )
        } catch {
            throw Self.unwritable(path)
        }
        interruptions = [SIGINT, SIGTERM, SIGHUP].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                _ = unsafe unlink(path + ".part")
                signal(number, SIG_DFL)
                // Not raise: the threads of queues block signals.
                kill(getpid(), number)
            }
            source.resume()
            return source
        }
    }

    deinit {
        for interruption in interruptions { interruption.cancel() }
        for number in [SIGINT, SIGTERM, SIGHUP] { signal(number, SIG_DFL) }
        _ = unsafe unlink(unfinished)
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
