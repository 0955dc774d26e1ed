import Foundation

/// The end of this program by a signal, such as after Ctrl-C.
enum Interruption {
    /// The pipe that wakes the thread that cleans up. Set once, before any signal is handled.
    private nonisolated(unsafe) static var descriptor: Int32 = -1

    /// Runs code on a thread of its own when the program is interrupted, and then ends the program.
    static func handle(_ body: @escaping @Sendable () -> Void) {
        let pipe = Pipe()
        descriptor = pipe.fileHandleForWriting.fileDescriptor
        Thread.detachNewThread {
            _ = pipe.fileHandleForReading.readData(ofLength: 1)
            body()
            _exit(130)
        }
        for number in [SIGHUP, SIGINT, SIGTERM] {
            // Only functions such as write(2) may be called here.
            signal(number) { _ in
                var byte: UInt8 = 0
                _ = write(Interruption.descriptor, &byte, 1)
            }
        }
    }
}
