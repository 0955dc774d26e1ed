internal import CMicroHTTPD

/// A check of the header that refuses what libmicrohttpd's lax parser accepts. It allocates no memory.
///
/// It sees the parsed header, not its bytes. The parser decides how lines are separated: version 0.9.75 accepts a bare
/// LF as the end of a line, 1.0 refuses it.
@safe struct HeaderValidation {
    /// The first problem found.
    private(set) var reason: HTTPRefusal.Reason?
    /// The value of `Content-Length`; `nil` if it is missing.
    private(set) var contentLength: Int?
    /// Whether the body comes in chunks, with a length that is not known.
    private(set) var isChunked = false
    /// A bit per single header that occurred more than once.
    private(set) var repeated: UInt32 = 0
    /// A bit per name length.
    private var nameLengths: UInt64 = 0

    /// Whether nothing is wrong or repeated and there is no body, so that no body plan is needed.
    var isPlain: Bool { reason == nil && repeated == 0 && contentLength ?? 0 == 0 && !isChunked }

    private var hosts = 0
    private let singles: SingleHeaders
    /// Whether the parser stops at a NUL and joins lines, so that gaps must be found.
    private let findsGaps = HeaderValidation.parserIsLax
    private var seen: UInt32 = 0
    /// The connection memory that the fields need in addition to their bytes.
    private var records = 0
    /// The address of the end of the previous field; `nil` before the first field, and if gaps are not checked.
    private var end: Int?
    /// Whether bytes were left out between the parts that the parser reports.
    private var hasGap = false

    /// Whether libmicrohttpd is older than 1.0. Its parser stops at a NUL, joins lines, and answers some headers twice.
    static let parserIsLax = unsafe MHD_get_version()?.pointee == CChar(UInt8(ascii: "0"))

    /// The memory that libmicrohttpd needs per field or cookie in addition to its bytes.
    private static let recordSize = 64
    /// The connection memory that must remain for the answer's head and for further reading. With less, libmicrohttpd
    /// closes the connection or answers itself.
    private static let reserve = 2 * 1024
    /// The largest header, in bytes.
    static let sizeLimit = 16 * 1024

    /// The bit for a name length. Several lengths share a bit.
    static func lengthBit(_ length: Int) -> UInt64 { 1 << UInt64(length & 63) }

    /// Reads the whole header. Stores the range of the path and the lengths of the names in the connection.
    static func read(
        _ raw: OpaquePointer,
        method: UnsafePointer<CChar>,
        target: UnsafePointer<CChar>,
        version: UnsafePointer<CChar>,
        connection: Connection,
        singles: SingleHeaders,
        memory: Int
    ) -> HeaderValidation {
        var header = HeaderValidation(singles: singles)
        unsafe header.readRequestLine(method: method, target: target, version: version, connection: connection)
        _ = unsafe withUnsafeMutablePointer(to: &header) { header in
            unsafe MHD_get_connection_values_n(
                raw, .HEADER_KIND,
                { header, _, key, keySize, value, valueSize in
                    guard let header = unsafe header?.assumingMemoryBound(to: HeaderValidation.self) else {
                        return .NO
                    }
                    unsafe header.pointee.readField(
                        UnsafeBufferPointer(start: key, count: keySize),
                        UnsafeBufferPointer(start: value, count: valueSize))
                    return .YES
                },
                header)
        }
        connection.nameLengths = header.nameLengths
        let size = unsafe cmhd_header_size(raw)
        if let end = header.end, !(2...4).contains(Int(bitPattern: method) + size - end) { header.hasGap = true }
        if header.hasGap { header.reason = header.reason ?? .controlBytes }
        if size > sizeLimit || size + header.records > memory - reserve {
            header.reason = header.reason ?? .headerTooLarge
        }
        let isOld = unsafe version[7] == CChar(UInt8(ascii: "0"))
        if header.hosts == 0 && !isOld { header.reason = header.reason ?? .missingHost }
        if header.isChunked && (isOld || header.contentLength != nil) {
            header.reason = header.reason ?? .transferEncoding
        }
        return header
    }

    private init(singles: SingleHeaders) {
        self.singles = singles
    }

    private mutating func readRequestLine(
        method: UnsafePointer<CChar>, target: UnsafePointer<CChar>, version: UnsafePointer<CChar>,
        connection: Connection
    ) {
        var end = unsafe method
        while unsafe HTTPCharacters.isToken(UInt8(bitPattern: end.pointee)) { unsafe end += 1 }
        reason = unsafe end == method || end.pointee != 0 ? .malformedMethod : connection.findPath(in: target)
        guard findsGaps else { return }
        let targetStart = Int(bitPattern: target)
        hasGap =
            targetStart != Int(bitPattern: end) + 1
            || Int(bitPattern: version) != targetStart + connection.targetLength + 1
    }

    private mutating func readField(_ name: UnsafeBufferPointer<CChar>, _ value: UnsafeBufferPointer<CChar>) {
        records += Self.recordSize
        nameLengths |= Self.lengthBit(name.count)
        if findsGaps {
            if let end, !(1...2).contains(Int(bitPattern: name.baseAddress) - end) { hasGap = true }
            end = Int(bitPattern: value.baseAddress) + value.count
        }
        if reason == nil { reason = unsafe reasonToRefuse(name, value) }
    }

    private mutating func reasonToRefuse(
        _ name: UnsafeBufferPointer<CChar>,
        _ value: UnsafeBufferPointer<CChar>
    ) -> HTTPRefusal.Reason? {
        guard !name.isEmpty, unsafe name.allSatisfy({ HTTPCharacters.isToken(UInt8(bitPattern: $0)) }) else {
            return .malformedHeaderName
        }
        guard unsafe !hasControls(value) else { return .controlBytes }
        let single = unsafe singles.bit(of: name)
        repeated |= seen & single
        seen |= single
        switch name.count {
        case 4 where unsafe HeaderValidation.is(name, "host"):
            hosts += 1
            guard hosts == 1 else { return .duplicateHost }
            let isHost = unsafe value.allSatisfy { HeaderValidation.isHostByte(UInt8(bitPattern: $0)) }
            return isHost ? nil : .malformedHost
        case 6 where unsafe HeaderValidation.is(name, "cookie"):
            // libmicrohttpd copies it and splits it.
            let cookies = unsafe value.count { $0 == CChar(UInt8(ascii: ";")) || $0 == CChar(UInt8(ascii: ",")) } + 1
            records += value.count + cookies * HeaderValidation.recordSize
            return nil
        case 6 where unsafe HeaderValidation.is(name, "expect"):
            return unsafe HeaderValidation.is(value, "100-continue") ? nil : .expectation
        case 14 where unsafe HeaderValidation.is(name, "content-length"):
            guard contentLength == nil else { return .conflictingContentLength }
            contentLength = unsafe HeaderValidation.number(value)
            return contentLength == nil ? .malformedContentLength : nil
        case 17 where unsafe HeaderValidation.is(name, "transfer-encoding"):
            guard !isChunked, unsafe HeaderValidation.is(value, "chunked") else { return .transferEncoding }
            isChunked = true
            return nil
        default:
            return nil
        }
    }

    /// Whether a value has control characters other than tab.
    private func hasControls(_ value: UnsafeBufferPointer<CChar>) -> Bool {
        unsafe UnsafeRawBufferPointer(value).haveMarks { $0.marks(below: 0x20) | $0.marks(of: 0x7F) }
            && value.contains { HTTPCharacters.isControl(UInt8(bitPattern: $0)) }
    }

    /// Whether bytes spell a lower-case word, ignoring case.
    static func `is`(_ bytes: UnsafeBufferPointer<CChar>, _ word: StaticString) -> Bool {
        guard bytes.count == word.utf8CodeUnitCount else { return false }
        for index in 0..<bytes.count {
            let byte = unsafe UInt8(bitPattern: bytes[index])
            let lower = unsafe word.utf8Start[index]
            guard byte == lower || byte | 0x20 == lower && (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(lower)
            else { return false }
        }
        return true
    }

    /// Whether a byte may occur in `uri-host [":" port]` or in the white space after it.
    private static func isHostByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"), UInt8(ascii: "@"), UInt8(ascii: "\\"),
            UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""), UInt8(ascii: ","):
            false
        default:
            byte < 0x7F
        }
    }

    private static func number(_ digits: UnsafeBufferPointer<CChar>) -> Int? {
        guard !digits.isEmpty else { return nil }
        var number = 0
        for index in 0..<digits.count {
            let digit = unsafe Int(digits[index]) - Int(UInt8(ascii: "0"))
            guard (0...9).contains(digit) else { return nil }
            let (tens, isTooMuch) = number.multipliedReportingOverflow(by: 10)
            let (sum, isTooMuchStill) = tens.addingReportingOverflow(digit)
            // Numbers too large to represent exceed every limit.
            number = isTooMuch || isTooMuchStill ? .max : sum
        }
        return number
    }
}
