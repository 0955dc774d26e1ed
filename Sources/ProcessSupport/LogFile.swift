internal import Glibc
internal import Synchronization

/// A file to which whole lines are appended. If it was renamed or removed, a new one is begun.
///
/// Its mode is 0600 if it is created here. A named pipe needs no reader: lines wait in the pipe, and writing waits for
/// room in it. So one thread should do nothing else.
package final class LogFile: Sendable {
    private struct State {
        var descriptor: Int32
        /// Whether the file ends with a part of a line.
        var isMidLine = false
        /// Whether the file is gone, and no new one could be begun. Then lines are dropped.
        var isGone = false
    }

    private let path: String
    private let state: Mutex<State>

    /// - Throws: ``SystemFailure`` if the file cannot be opened for writing.
    package init(_ path: String) throws(SystemFailure) {
        self.path = path
        guard let descriptor = Self.open(path) else { throw SystemFailure(errno) }
        state = Mutex(State(descriptor: descriptor))
    }

    deinit {
        _ = state.withLock { close($0.descriptor) }
    }

    private static func open(_ path: String) -> Int32? {
        let flags = O_APPEND | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
        let descriptor = unsafe Glibc.open(path, O_WRONLY | O_CREAT | flags, 0o600)
        guard descriptor < 0 else { return descriptor }
        // A pipe without a reader can be opened for both.
        let pipe = errno == ENXIO ? unsafe Glibc.open(path, O_RDWR | flags) : -1
        return pipe < 0 ? nil : pipe
    }

    /// Begins a new file if this one was renamed or removed. If that is not possible, lines are dropped until it is.
    package func reopenIfMoved() {
        state.withLock { _ = reopenIfMoved(&$0) }
    }

    private func reopenIfMoved(_ state: inout State) -> Bool {
        var (open, named) = (stat(), stat())
        guard unsafe fstat(state.descriptor, &open) == 0 else { return false }
        let isThere = unsafe stat(path, &named) == 0
        if isThere ? (open.st_dev, open.st_ino) == (named.st_dev, named.st_ino) : errno != ENOENT { return false }
        guard let descriptor = Self.open(path) else {
            state.isGone = true
            return false
        }
        close(state.descriptor)
        state = State(descriptor: descriptor)
        return true
    }

    /// Writes whole lines, and waits while a pipe has no room for them.
    ///
    /// - Returns: The number of lines that could not be written.
    package func write(_ lines: [UInt8]) -> Int {
        state.withLock { state in
            let lineBreak = UInt8(ascii: "\n")
            if state.isGone { return lines.count { $0 == lineBreak } }
            let lines = state.isMidLine ? [lineBreak] + lines : lines
            state.isMidLine = false
            var remaining = lines[...]
            while !remaining.isEmpty {
                let count = unsafe remaining.withUnsafeBytes { bytes in
                    unsafe Glibc.write(state.descriptor, bytes.baseAddress, bytes.count)
                }
                if count > 0 {
                    remaining = remaining.dropFirst(count)
                } else if count < 0, errno == EINTR {
                    continue
                } else if count < 0, errno == EAGAIN {
                    var room = pollfd(fd: state.descriptor, events: Int16(POLLOUT), revents: 0)
                    _ = unsafe poll(&room, 1, 250)
                    guard reopenIfMoved(&state), let end = lines[..<remaining.startIndex].lastIndex(of: lineBreak)
                    else {
                        continue
                    }
                    remaining = lines[(end + 1)...]
                } else {
                    state.isMidLine = remaining.startIndex > 0 && lines[remaining.startIndex - 1] != lineBreak
                    return remaining.count { $0 == lineBreak }
                }
            }
            return 0
        }
    }
}

/// A call of the system that failed, with the system's reason.
package struct SystemFailure: Error, CustomStringConvertible {
    package let description: String

    init(_ code: Int32) {
        description = unsafe String(cString: strerror(code))
    }
}
