internal import Coordinate
internal import CoordinateSessions
internal import Foundation
internal import JSON
internal import Logging
internal import ProcessSupport

/// A log of committed events, one JSON object per line, in a file or on the standard output. It never holds an event
/// up: what cannot be written is dropped and counted.
final class EventLog: Sendable {
    /// The name that stands for the standard output.
    static let standardOutput = "-"

    private let queue: LogQueue

    /// - Parameter path: The file, or ``standardOutput``.
    init(_ path: String, _ logger: Logger) throws(SystemFailure) {
        let file = path == Self.standardOutput ? nil : try LogFile(path)
        queue = LogQueue(
            maximumLines: 65_536, maximumBytes: 16 << 20, notesDropped: false,
            didDropFirst: {
                logger.warning(
                    """
                    The event log \(path) cannot be written fast enough, or not at all. Lines are dropped. \
                    coordinate_event_log_dropped_total counts them.
                    """)
            },
            write: { lines in
                if let file { return file.write(lines) }
                let isWritten = (try? FileHandle.standardOutput.write(contentsOf: Data(lines))) != nil
                return isWritten ? 0 : lines.count { $0 == UInt8(ascii: "\n") }
            })
        if let file { queue.check { file.reopenIfMoved() } }
    }

    var droppedCount: Int { queue.droppedCount }

    /// Holds its lines back until ``resume()``.
    func hold() { queue.hold() }

    func resume() { queue.resume() }

    /// Returns when everything is written, or after a second.
    func flush() { queue.flush(atMost: 1) }

    func append(_ event: CommittedEvent) {
        var json = JSONWriter<[UInt8]>()
        json.object {
            $0.field("time", event.time.description)
            $0.field("session", event.reference)
            $0.field("key", event.key)
            $0.plain("attributes", event.attributes.plainObject)
            $0.field("version", event.version)
            $0.field("event", event.event)
            $0.plain("payload", event.payload)
            $0.field("handledBy", event.handledBy)
            $0.field("path", event.path)
            $0.field("screen", event.screen)
            $0.field("origin", event.origin.rawValue)
            $0.plain("turnMs", event.turnTime.map { .double(Double($0 / .microseconds(1)).rounded() / 1_000) } ?? .null)
        }
        queue.append(json.written())
    }
}
