internal import CoordinateSessions
internal import Dispatch
internal import Foundation
package import Logging
internal import Synchronization

/// Lines on their way to somebody who reads them, or does not: whoever logs waits for nobody.
///
/// A pipe whose reader stands still keeps one thread, which is the queue's own. Past its bounds lines are dropped, and
/// counted; the next line that gets in is preceded by one that tells how many.
package final class LogQueue: Sendable {
    /// The standard error of this process.
    package static let standardError = LogQueue { try? FileHandle.standardError.write(contentsOf: Data($0)) }

    private struct State {
        var waiting: [UInt8] = []
        var lines = 0
        /// What was taken out, and is being written.
        var linesBeingWritten = 0
        var bytesBeingWritten = 0
        /// Since a line got in last.
        var dropped = 0
        var droppedInAll = 0
        var isBeingWritten = false
    }

    private let maximumLines: Int
    private let maximumBytes: Int
    private let write: @Sendable ([UInt8]) -> Void
    private let thread = DispatchQueue(label: "coordinate.log")
    private let state = Mutex(State())

    /// - Parameters:
    ///   - maximumLines: The most that wait.
    ///   - maximumBytes: The most that wait, in bytes.
    ///   - write: Writes whole lines, and may take as long as it likes; called on one thread.
    package init(
        maximumLines: Int = 4_096, maximumBytes: Int = 1_048_576, write: @escaping @Sendable ([UInt8]) -> Void
    ) {
        self.maximumLines = maximumLines
        self.maximumBytes = maximumBytes
        self.write = write
    }

    /// How many lines were dropped so far.
    package var droppedCount: Int { state.withLock { $0.droppedInAll } }

    /// Puts a line in, without its end; drops it where there is no room.
    package func append(_ line: String) {
        let begins = state.withLock { state in
            guard state.lines + state.linesBeingWritten < maximumLines,
                state.waiting.count + state.bytesBeingWritten + line.utf8.count < maximumBytes
            else {
                state.dropped += 1
                state.droppedInAll += 1
                return false
            }
            tellOfDropped(&state)
            state.waiting += line.utf8
            state.waiting.append(UInt8(ascii: "\n"))
            state.lines += 1
            defer { state.isBeingWritten = true }
            return !state.isBeingWritten
        }
        if begins { thread.async { self.writeAll() } }
    }

    private func tellOfDropped(_ state: inout State) {
        guard state.dropped > 0 else { return }
        let lines = state.dropped == 1 ? "1 line was" : "\(state.dropped) lines were"
        state.waiting += "\(lines) dropped, as nobody read them in time.\n".utf8
        state.lines += 1
        state.dropped = 0
    }

    private func writeAll() {
        while let lines = next() { write(lines) }
    }

    private func next() -> [UInt8]? {
        state.withLock { state in
            tellOfDropped(&state)
            guard state.lines > 0 else {
                state.linesBeingWritten = 0
                state.bytesBeingWritten = 0
                state.isBeingWritten = false
                return nil
            }
            let lines = state.waiting
            (state.linesBeingWritten, state.bytesBeingWritten) = (state.lines, lines.count)
            (state.waiting, state.lines) = ([], 0)
            return lines
        }
    }

    /// Returns once all is written, or after so many seconds.
    package func flush(atMost seconds: Double) {
        let last = DispatchWorkItem {}
        thread.async(execute: last)
        _ = last.wait(timeout: .now() + seconds)
    }
}

/// A log whose lines go through a queue: `2026-11-21T09:30:00Z warning coordinate: [CoordinateServer] …`.
package struct QueuedLogHandler: LogHandler {
    package var metadata: Logger.Metadata = [:]
    package var logLevel = Logger.Level.info
    private let label: String
    private let queue: LogQueue

    package init(label: String, queue: LogQueue) {
        self.label = label
        self.queue = queue
    }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    package func log(event: LogEvent) {
        let metadata = metadata.merging(event.metadata ?? [:]) { $1 }.sorted { $0.key < $1.key }
            .map { " \($0.key)=\($0.value)" }.joined()
        let time = SessionClock.system.timestamp()
        queue.append("\(time) \(event.level) \(label):\(metadata) [\(event.source)] \(event.message)")
    }
}
