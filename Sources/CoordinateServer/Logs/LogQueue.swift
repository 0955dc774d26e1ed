internal import CoordinateSessions
internal import Dispatch
internal import Foundation
package import Logging
internal import Synchronization

/// A queue of log lines, so that logging never blocks the caller.
///
/// If the log's reader stops reading a pipe, only the queue's own thread blocks. Lines beyond the bounds are dropped
/// and counted.
package final class LogQueue: Sendable {
    /// The standard error of this process.
    package static let standardError = LogQueue {
        try? FileHandle.standardError.write(contentsOf: Data($0))
        return 0
    }

    private struct State {
        var waiting: [UInt8] = []
        var lines = 0
        /// The lines that are being written.
        var linesBeingWritten = 0
        var bytesBeingWritten = 0
        /// The lines dropped since the last accepted one.
        var dropped = 0
        var droppedInAll = 0
        var isBeingWritten = false

        /// - Returns: Whether these are the first.
        mutating func recordDropped(_ count: Int) -> Bool {
            defer { droppedInAll += count }
            return count > 0 && droppedInAll == 0
        }
    }

    private let maximumLines: Int
    private let maximumBytes: Int
    private let notesDropped: Bool
    private let didDropFirst: @Sendable () -> Void
    private let write: @Sendable ([UInt8]) -> Int
    private let thread = DispatchQueue(label: "coordinate.log")
    private let timer = Mutex<(any DispatchSourceTimer)?>(nil)
    private let state = Mutex(State())

    /// - Parameters:
    ///   - maximumLines: The most lines that may wait.
    ///   - maximumBytes: The most bytes that may wait.
    ///   - notesDropped: Whether the next line that fits follows a line with the number of dropped ones.
    ///   - didDropFirst: Called when a line is dropped for the first time.
    ///   - write: Writes whole lines and may block. Returns the number of lines that it could not write. Called on one
    ///     thread.
    package init(
        maximumLines: Int = 4_096, maximumBytes: Int = 1_048_576, notesDropped: Bool = true,
        didDropFirst: @escaping @Sendable () -> Void = {}, write: @escaping @Sendable ([UInt8]) -> Int
    ) {
        self.maximumLines = maximumLines
        self.maximumBytes = maximumBytes
        self.notesDropped = notesDropped
        self.didDropFirst = didDropFirst
        self.write = write
    }

    deinit {
        timer.withLock { $0?.cancel() }
    }

    /// The number of lines dropped so far.
    package var droppedCount: Int { state.withLock { $0.droppedInAll } }

    /// Adds a line, given without its line break. Drops it if the queue is full.
    package func append(_ line: String) {
        append(line.utf8)
    }

    /// Adds a line as UTF-8.
    func append(_ line: some Collection<UInt8>) {
        let (begins, dropsFirst) = state.withLock { state in
            guard state.lines + state.linesBeingWritten < maximumLines,
                state.waiting.count + state.bytesBeingWritten + line.count < maximumBytes
            else {
                if notesDropped { state.dropped += 1 }
                return (false, state.recordDropped(1))
            }
            reportDropped(&state)
            state.waiting += line
            state.waiting.append(UInt8(ascii: "\n"))
            state.lines += 1
            defer { state.isBeingWritten = true }
            return (!state.isBeingWritten, false)
        }
        if begins { thread.async { self.writeAll() } }
        if dropsFirst { didDropFirst() }
    }

    private func reportDropped(_ state: inout State) {
        guard state.dropped > 0 else { return }
        let lines = state.dropped == 1 ? "1 line was" : "\(state.dropped) lines were"
        state.waiting += "\(lines) dropped, because the log was read too slowly.\n".utf8
        state.lines += 1
        state.dropped = 0
    }

    private func writeAll() {
        while let lines = next() {
            let dropped = write(lines)
            if dropped > 0, state.withLock({ $0.recordDropped(dropped) }) { didDropFirst() }
        }
    }

    private func next() -> [UInt8]? {
        state.withLock { state in
            reportDropped(&state)
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

    /// Holds the lines back until ``resume()``.
    func hold() {
        state.withLock { $0.isBeingWritten = true }
    }

    func resume() {
        thread.async { self.writeAll() }
    }

    /// Calls a body on the queue's thread twice a second from now on.
    func check(_ body: @escaping @Sendable () -> Void) {
        timer.withLock { timer in
            let new = DispatchSource.makeTimerSource(queue: thread)
            new.setEventHandler(handler: body)
            new.schedule(deadline: .now() + 0.5, repeating: 0.5)
            new.activate()
            timer = new
        }
    }

    /// Returns when everything is written, or after a number of seconds.
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
