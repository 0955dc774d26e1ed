package import Logging
internal import Synchronization

/// A log that keeps each line.
package final class LogCapture: Sendable {
    private let captured = Mutex<[String]>([])

    package init() {}

    package var lines: [String] { captured.withLock { $0 } }

    package var logger: Logger {
        Logger(label: "test") { _ in Handler(capture: self) }
    }

    private func append(_ line: String) {
        captured.withLock { $0.append(line) }
    }

    private struct Handler: LogHandler {
        let capture: LogCapture
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.trace

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            capture.append("\(event.level) \(event.message) \(metadata) \(event.metadata ?? [:])")
        }
    }
}

extension Logger {
    package static let silent = Logger(label: "silent") { _ in SwiftLogNoOpLogHandler() }
}
