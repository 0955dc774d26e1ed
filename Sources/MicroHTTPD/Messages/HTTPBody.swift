internal import Glibc

/// The bytes of an answer, or of a piece of a stream. Any number of both may share them: they are never copied again.
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
    public convenience init(_ bytes: [UInt8]) {
        let copy = unsafe HTTPBodyWriter.allocate(bytes.count)
        unsafe copy.copyMemory(from: bytes, byteCount: bytes.count)
        unsafe self.init(adopting: copy, count: bytes.count)
    }

    /// A text in UTF-8.
    public convenience init(_ text: String) {
        self.init(Array(text.utf8))
    }

    static let empty = HTTPBody([])

    /// A copy of the bytes.
    public var bytes: [UInt8] { unsafe Array(raw) }

    var raw: UnsafeRawBufferPointer { unsafe UnsafeRawBufferPointer(start: start, count: count) }
}
