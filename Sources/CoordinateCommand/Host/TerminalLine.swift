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
