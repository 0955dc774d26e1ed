internal import Glibc
internal import Synchronization

/// The bytes of an answer or of a stream's piece. Any number of answers and pieces may share them without copying.
@safe public final class HTTPBody: @unchecked Sendable {
    // Unchecked: its memory does not change after `init`.

    /// The size, in bytes.
    public let count: Int
    /// Memory from `malloc`, which the body owns.
    let start: UnsafeMutableRawPointer
    /// The number of places in which the body waits to be sent.
    private let waits = Atomic(0)

    /// - Parameter start: Memory from `malloc`, which the body owns from now on.
    init(adopting start: UnsafeMutableRawPointer, count: Int) {
        unsafe self.start = unsafe start
        self.count = count
    }

    deinit {
        unsafe free(start)
    }

    /// Creates a body from a copy of bytes.
    public convenience init(_ bytes: [UInt8]) {
        let copy = unsafe HTTPBodyWriter.allocate(bytes.count)
        unsafe copy.copyMemory(from: bytes, byteCount: bytes.count)
        unsafe self.init(adopting: copy, count: bytes.count)
    }

    /// Creates a body from a text in UTF-8.
    public convenience init(_ text: String) {
        self.init(Array(text.utf8))
    }

    static let empty = HTTPBody([])

    /// Records that the body waits in one more place. It is charged once, however many clients wait for it.
    func beginToWait(chargedTo quota: MemoryQuota?) {
        if waits.wrappingAdd(1, ordering: .relaxed).oldValue == 0 { quota?.use(count) }
    }

    /// Records that the body waits in one place less.
    func endToWait(chargedTo quota: MemoryQuota?) {
        if waits.wrappingSubtract(1, ordering: .relaxed).newValue == 0 { quota?.use(-count) }
    }

    /// A copy of the bytes.
    public var bytes: [UInt8] { unsafe Array(raw) }

    var raw: UnsafeRawBufferPointer { unsafe UnsafeRawBufferPointer(start: start, count: count) }
}

/// A writer of a body, from beginning to end, in the memory from which libmicrohttpd sends it.
///
/// An array would be slower: each append first checks whether the array is shared, and in the end its bytes would be
/// copied. A document of some kilobytes has hundreds of appends.
///
/// ```swift
/// var writer = HTTPBodyWriter()
/// writer.append("hello\n")
/// let response = HTTPResponse(status: 200, body: writer.finish())
/// ```
@safe public struct HTTPBodyWriter: ~Copyable {
    /// The number of bytes written.
    @usableFromInline var count = 0
    @usableFromInline var capacity: Int
    @usableFromInline var start: UnsafeMutableRawPointer

    /// - Parameter capacity: The expected number of bytes.
    public init(capacity: Int = 256) {
        self.capacity = max(16, capacity)
        unsafe start = HTTPBodyWriter.allocate(self.capacity)
    }

    deinit {
        unsafe free(start)
    }

    /// Ends the body.
    ///
    /// - Parameter isToBeKept: Whether to shrink the memory to the body's size.
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
        reserve(1)
        unsafe put(byte)
    }

    /// Appends a literal.
    @inlinable
    @inline(__always)  // so that its length is a constant
    public mutating func append(literal text: StaticString) {
        reserve(text.utf8CodeUnitCount)
        unsafe put(text)
    }

    /// Appends a text in UTF-8.
    @inlinable
    public mutating func append(_ text: String) {
        // Nearly every string lends its bytes without being retained.
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

    /// Appends a text in UTF-8 between two marks. Control characters, the mark and one other ASCII byte are escaped.
    ///
    /// - Parameter escape: Writes the escape of such a byte.
    @inlinable
    @inline(__always)  // so that the mark and the other byte are constants
    public mutating func append(
        _ text: some StringProtocol, between mark: UInt8, escaping other: UInt8,
        by escape: (UInt8, inout HTTPBodyWriter) -> Void
    ) {
        precondition(mark < 0x80 && other < 0x80, "A byte that is part of a letter cannot be escaped")
        let size = text.utf8.count
        reserve(size + 2)
        unsafe put(mark)
        let mustBeEscaped: Bool? = text.utf8.withContiguousStorageIfAvailable { bytes in
            unsafe UnsafeRawBufferPointer(bytes).copy(to: start + count, seeking: (mark, other))
        }
        if mustBeEscaped == false {
            count += size
            unsafe put(mark)
        } else {
            append(text, endingWith: mark, escaping: other, by: escape)
        }
    }

    @inlinable
    @inline(never)  // a loop over a string retains it, and would do so at the beginning of what it is inlined into
    mutating func append(
        _ text: some StringProtocol, endingWith mark: UInt8, escaping other: UInt8,
        by escape: (UInt8, inout HTTPBodyWriter) -> Void
    ) {
        for byte in text.utf8 {
            if byte < 0x20 || byte == mark || byte == other { escape(byte, &self) } else { append(byte) }
        }
        append(mark)
    }

    /// Appends a byte. There must be room for it.
    @inlinable
    @inline(__always)
    @unsafe mutating func put(_ byte: UInt8) {
        unsafe start.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
        count += 1
    }

    /// Appends a literal. There must be room for it.
    @inlinable
    @inline(__always)
    @unsafe mutating func put(_ literal: StaticString) {
        unsafe (start + count).copyMemory(from: literal.utf8Start, byteCount: literal.utf8CodeUnitCount)
        count += literal.utf8CodeUnitCount
    }

    /// Makes room for a number of bytes.
    @inlinable
    @inline(__always)
    mutating func reserve(_ size: Int) {
        if size > capacity - count { grow(by: size) }
    }

    @inlinable
    @inline(__always)
    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        guard let source = bytes.baseAddress, unsafe !bytes.isEmpty else { return }
        reserve(bytes.count)
        unsafe (start + count).copyMemory(from: source, byteCount: bytes.count)
        count += bytes.count
    }

    @usableFromInline
    mutating func grow(by size: Int) {
        capacity = max(count + size, 2 * capacity)
        unsafe start = HTTPBodyWriter.allocate(capacity, for: start)
    }

    /// - Parameter former: The memory whose content is moved.
    static func allocate(_ size: Int, for former: UnsafeMutableRawPointer? = nil) -> UnsafeMutableRawPointer {
        guard let memory = unsafe realloc(former, max(1, size)) else {
            fatalError("Out of memory for a body of \(size) bytes")
        }
        return unsafe memory
    }
}

extension UnsafeRawBufferPointer {
    /// Copies the bytes, eight at once. Returns whether any of them is an ASCII control character or one of two others.
    @inlinable
    @inline(__always)
    @unsafe func copy(to target: UnsafeMutableRawPointer, seeking others: (UInt8, UInt8)) -> Bool {
        func copy<Word: FixedWidthInteger>(_ type: Word.Type, at offset: Int) -> UInt64 {
            let word = unsafe loadUnaligned(fromByteOffset: offset, as: Word.self)
            unsafe target.storeBytes(of: word, toByteOffset: offset, as: Word.self)
            return UInt64(truncatingIfNeeded: word)
        }
        func marks(_ bytes: UInt64) -> UInt64 {
            ByteWord(bytes).marks(below: 0x20, of: others.0, others.1)
        }
        // Missing bytes of a word are filled with a byte that is not sought.
        let blanks = ByteWord.ones << 5
        // Copies the last bytes again if they do not fill a word.
        switch count {
        case 8...:
            var found: UInt64 = 0
            var offset = 0
            while offset + 8 <= count {
                found |= marks(copy(UInt64.self, at: offset))
                offset += 8
            }
            if offset < count { found |= marks(copy(UInt64.self, at: count - 8)) }
            return found != 0
        case 4...:
            return marks(copy(UInt32.self, at: 0) | copy(UInt32.self, at: count - 4) << 32) != 0
        case 2...:
            return marks(copy(UInt16.self, at: 0) | copy(UInt16.self, at: count - 2) << 16 | blanks << 32) != 0
        case 1: return marks(copy(UInt8.self, at: 0) | blanks << 8) != 0
        default: return false
        }
    }
}
