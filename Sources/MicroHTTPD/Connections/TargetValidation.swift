internal import Glibc

/// A check that every reader understands a request's target in the same way.
enum TargetValidation {
    /// The longest target, in bytes.
    static let targetLimit = 8 * 1024
    /// The most items of a query. Each look-up searches all of them.
    static let queryItemLimit = 128

    /// The range of the path in the part of the target before the `?`; `nil` if the target is malformed.
    ///
    /// A target is a path, a whole `http` address, as sent to a proxy, or `*` (RFC 9112, section 3.2).
    static func pathRange(_ target: UnsafeRawBufferPointer, query: [UInt8]?) -> Range<Int>? {
        guard unsafe areWellFormed(target) else { return nil }
        if let query, unsafe !query.withUnsafeBytes({ unsafe areWellFormed($0) }) { return nil }
        if unsafe target.first == UInt8(ascii: "/") { return 0..<target.count }
        if unsafe target.count == 1 && target.first == UInt8(ascii: "*") { return query == nil ? 0..<1 : nil }
        return unsafe pathRange(ofAddress: target)
    }

    private static func pathRange(ofAddress target: UnsafeRawBufferPointer) -> Range<Int>? {
        let scheme = "http://".utf8
        guard
            target.count > scheme.count,
            unsafe zip(target, scheme).allSatisfy({ $0 == $1 || ($1 >= UInt8(ascii: "a") && $0 | 0x20 == $1) }),
            unsafe target[scheme.count] != UInt8(ascii: "/")
        else { return nil }
        let path = unsafe target[scheme.count...].firstIndex(of: UInt8(ascii: "/")) ?? target.count
        return path..<target.count
    }

    /// Whether the bytes are printable ASCII, without a fragment and escapes.
    static func arePlain(_ bytes: UnsafeRawBufferPointer) -> Bool {
        unsafe !bytes.haveMarks { word in
            word.marks(below: 0x21) | word.marks(above: 0x7E) | word.marks(of: UInt8(ascii: "#"))
                | word.marks(of: UInt8(ascii: "%"))
        }
    }

    /// Whether the bytes are printable and valid UTF-8, without a fragment, and with complete escapes other than NUL.
    private static func areWellFormed(_ bytes: UnsafeRawBufferPointer) -> Bool {
        // Most targets are plain, and need no further check.
        if unsafe arePlain(bytes) { return true }
        var bytesAreASCII = true
        var iterator = unsafe bytes.makeIterator()
        while let byte = unsafe iterator.next() {
            switch byte {
            case ...0x20, 0x7F, UInt8(ascii: "#"):
                return false
            case UInt8(ascii: "%"):
                guard
                    let high = unsafe iterator.next().flatMap(HTTPCharacters.hexadecimalValue),
                    let low = unsafe iterator.next().flatMap(HTTPCharacters.hexadecimalValue),
                    high | low != 0
                else { return false }
            case 0x80...:
                bytesAreASCII = false
            default:
                break
            }
        }
        return unsafe bytesAreASCII || String(validating: bytes, as: UTF8.self) != nil
    }
}

extension Connection {
    /// Records the length of a request's target, and keeps its query.
    func readTarget(_ target: UnsafePointer<CChar>) {
        let length = unsafe strlen(target)
        targetLength = length
        guard let mark = unsafe memchr(target, Int32(UInt8(ascii: "?")), length) else { return }
        let begin = unsafe UnsafeRawPointer(mark) + 1 - UnsafeRawPointer(target)
        query = unsafe Array(UnsafeRawBufferPointer(start: mark + 1, count: length - begin))
    }

    /// Records the range of the path in the target.
    ///
    /// - Returns: The reason to refuse the request; `nil` if there is none.
    func findPath(in target: UnsafePointer<CChar>) -> HTTPRefusal.Reason? {
        var length = targetLength
        if let query { length -= "?".utf8.count + query.count }
        let path = unsafe TargetValidation.pathRange(
            UnsafeRawBufferPointer(start: target, count: length), query: query)
        // The path of a malformed target only decides how its client reads the refusal.
        pathRange = unsafe path ?? (target.pointee == CChar(UInt8(ascii: "/")) ? 0..<length : 0..<0)
        if isTargetTooLong { return .targetTooLong }
        return path == nil ? .malformedTarget : nil
    }

    private var isTargetTooLong: Bool {
        targetLength > TargetValidation.targetLimit || hasTooManyQueryItems
    }

    var hasTooManyQueryItems: Bool {
        guard let query, query.count > TargetValidation.queryItemLimit else { return false }
        return query.count { $0 == UInt8(ascii: "&") } >= TargetValidation.queryItemLimit
    }
}
