internal import CoordinateSessions
package import Logging

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
