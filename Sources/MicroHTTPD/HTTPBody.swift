internal import Glibc

/// The bytes of an answer, which any number of answers may share: they are never copied again.
@safe public final class HTTPBody: @unchecked Sendable {
    // Unchecked: nothing of it changes after `init`.

    /// The size, in bytes.
    public let count: Int
    /// From `malloc`, and owned.
    let start: UnsafeMutableRawPointer

    /// - Parameter start: From `malloc`; it is owned from here on.
    init(adopting start: UnsafeMutableRawPointer, count: Int) {
        unsafe self.start = unsafe start
        self.count = count
    }

    deinit {
        unsafe free(start)
    }

    /// Copies bytes.
    public static func copy(of bytes: [UInt8]) -> HTTPBody {
        var writer = HTTPBodyWriter(capacity: bytes.count)
        writer.append(bytes)
        return writer.finish()
    }

    /// A copy of the bytes.
    public var bytes: [UInt8] { unsafe Array(UnsafeRawBufferPointer(start: start, count: count)) }
}
