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

/// A body that is being written, from its beginning to its end, right where libmicrohttpd sends it from.
///
/// An array would do as well, but slower: each append to one asks first whether the array is shared, and what was
/// written would be copied in the end. A document of some kilobytes has hundreds of appends.
///
/// ```swift
/// var writer = HTTPBodyWriter()
/// writer.append("hello\n")
/// let response = HTTPResponse(status: 200, body: writer.finish())
/// ```
@safe public struct HTTPBodyWriter: ~Copyable {
    /// How much was written, in bytes.
    @usableFromInline var count = 0
    @usableFromInline var capacity: Int
    @usableFromInline var start: UnsafeMutableRawPointer

    /// - Parameter capacity: How many bytes are likely to be written.
    public init(capacity: Int = 256) {
        self.capacity = max(16, capacity)
        unsafe start = HTTPBodyWriter.allocate(self.capacity)
    }

    deinit {
        unsafe free(start)
    }

    /// The body as it was written.
    ///
    /// - Parameter isToBeKept: whether it should take no more memory than it needs.
    public consuming func finish(isToBeKept: Bool = false) -> HTTPBody {
        if isToBeKept, let smaller = unsafe realloc(start, max(1, count)) { unsafe start = unsafe smaller }
        let body = unsafe HTTPBody(adopting: start, count: count)
        discard self
        return body
    }

    // MARK: Appending

    /// Appends one byte.
    @inlinable
    public mutating func append(_ byte: UInt8) {
        if count == capacity { grow(by: 1) }
        unsafe start.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
        count += 1
    }

    /// Appends what is written in the program itself.
    @inlinable
    public mutating func append(literal text: StaticString) {
        unsafe append(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Appends a text in UTF-8.
    @inlinable
    public mutating func append(_ text: String) {
        // Nearly every string lends its bytes, and is not even retained for that.
        let isDone: Void? = unsafe text.utf8.withContiguousStorageIfAvailable { bytes in
            unsafe append(UnsafeRawBufferPointer(bytes))
        }
        guard isDone == nil else { return }
        for byte in text.utf8 { append(byte) }
    }

    /// Appends an array's bytes.
    public mutating func append(_ bytes: [UInt8]) {
        unsafe bytes.withUnsafeBytes { unsafe append($0) }
    }

    /// Appends another body.
    public mutating func append(_ body: HTTPBody) {
        unsafe append(body.raw)
    }

    /// Appends a text in UTF-8, some bytes of which must not stand there as they are.
    ///
    /// - Parameter escape: writes what stands there instead of such a byte.
    @inlinable
    @inline(__always)  // so that no byte costs a call
    public mutating func append(
        escaping text: String, where mustBeEscaped: (UInt8) -> Bool, _ escape: (UInt8, inout HTTPBodyWriter) -> Void
    ) {
        let before = count
        append(text)
        var isPlain = true
        // Without a way out in between, the compiler lets many bytes be looked at at once.
        // swift-format-ignore
        for unsafe byte in unsafe UnsafeRawBufferPointer(start: start + before, count: count - before) {
            isPlain = mustBeEscaped(byte) ? false : isPlain
        }
        guard !isPlain else { return }
        count = before
        for byte in text.utf8 {
            if mustBeEscaped(byte) { escape(byte, &self) } else { append(byte) }
        }
    }

    @usableFromInline
    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        guard let source = bytes.baseAddress, unsafe !bytes.isEmpty else { return }
        if bytes.count > capacity - count { grow(by: bytes.count) }
        unsafe (start + count).copyMemory(from: source, byteCount: bytes.count)
        count += bytes.count
    }

    @usableFromInline
    mutating func grow(by size: Int) {
        capacity = max(count + size, 2 * capacity)
        unsafe start = HTTPBodyWriter.allocate(capacity, for: start)
    }

    /// - Parameter former: What has to be moved along.
    static func allocate(_ size: Int, for former: UnsafeMutableRawPointer? = nil) -> UnsafeMutableRawPointer {
        guard let memory = unsafe realloc(former, max(1, size)) else {
            fatalError("Out of memory for a body of \(size) bytes")
        }
        return unsafe memory
    }
}
