internal import Foundation

/// A line of the terminal that shows the progress of a command. If the standard error is no terminal, it shows nothing.
enum TerminalLine {
    private static let isShown = isatty(STDERR_FILENO) == 1

    /// Shows a text in place of the last one.
    static func show(_ text: String) {
        write("\r\u{1B}[K\(text)")
    }

    static func hide() {
        write("\r\u{1B}[K")
    }

    private static func write(_ text: String) {
        if isShown { try? FileHandle.standardError.write(contentsOf: Data(text.utf8)) }
    }
}

/// The progress of a number of sessions.
struct SessionProgress {
    /// The expected number of sessions.
    let total: Int
    private let start = ContinuousClock.now
    private var next = ContinuousClock.now

    init(of total: Int) {
        self.total = total
    }

    /// Shows how many are done, and the time that is left, a few times a second.
    mutating func show(_ done: Int) {
        let now = ContinuousClock.now
        guard now >= next else { return }
        next = now + .milliseconds(200)
        let left = (now - start) / Double(max(1, done)) * Double(max(0, total - done))
        TerminalLine.show(
            total < done ? "\(done) sessions" : "\(done) of \(total) sessions, \(left.components.seconds) s left")
    }
}
