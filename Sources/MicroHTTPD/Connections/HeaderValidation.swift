internal import CMicroHTTPD

/// A check of the header, in place in libmicrohttpd's memory, which refuses what libmicrohttpd's lax parser accepts.
///
/// It allocates nothing. The parser writes NULs over the separators and leaves everything else in place, so its strings
/// must follow each other without a gap: each value must be followed by two NULs, which were CR LF, and then by the
/// next name, the last one by two more. A gap is a NUL, a bare LF, a continued line, or a line that was taken for the end
/// of the header, as each one is that begins with NUL.
///
/// Not all can be told. A NUL or a colon may have been where CR was, or, between the last two ends of lines, LF and one of
/// these instead of CR LF; and lines that begin with NUL may have come before the request, where empty ones are passed over.
/// No length and no name is read otherwise for that.
@safe struct HeaderValidation {
    /// The first thing found wrong.
    private(set) var reason: HTTPRefusal.Reason?
    /// The value of `Content-Length`; nil where there is none.
    private(set) var contentLength: Int?
    /// A bit for each single header that came more than once.
    private(set) var repeated: UInt32 = 0
    /// A bit for each length of a name.
    private var nameLengths: UInt64 = 0

    /// True where nothing is wrong or repeated, and there is no body: then nothing has to be planned.
    var isPlain: Bool { reason == nil && repeated == 0 && contentLength ?? 0 == 0 }

    /// The place at which the next line must start.
    private var cursor: UnsafePointer<CChar>
    private var hosts = 0
    private let singles: SingleHeaders
    private var seen: UInt32 = 0
    /// The memory of the connection that the fields need beside their bytes.
    private var records = 0

    /// The memory that libmicrohttpd needs for a field, and for a cookie, beside its bytes.
    private static let recordSize = 64
    /// The memory of the connection that must be left for the answer's head and for reading on. With less libmicrohttpd
    /// closes the connection, or answers itself.
    private static let reserve = 2 * 1024

    /// The bit for a length of a name, which it shares with other lengths.
    static func lengthBit(_ length: Int) -> UInt64 { 1 << UInt64(length & 63) }

    /// Reads the whole header, and stores in the connection the range of the path and the lengths of the names.
    static func read(
        _ raw: OpaquePointer,
        method: UnsafePointer<CChar>,
        target: UnsafePointer<CChar>,
        version: UnsafePointer<CChar>,
        connection: Connection,
        singles: SingleHeaders,
        memory: Int
    ) -> HeaderValidation {
        var header = unsafe HeaderValidation(cursor: version + "HTTP/1.1\r\n".utf8.count, singles: singles)
        unsafe header.readRequestLine(method: method, target: target, version: version, connection: connection)
        _ = unsafe withUnsafeMutablePointer(to: &header) { header in
            unsafe MHD_get_connection_values_n(
                raw, .HEADER_KIND,
                { header, _, key, keySize, value, valueSize in
                    guard
                        let header = unsafe header?.assumingMemoryBound(to: HeaderValidation.self),
                        let key = unsafe key, let value = unsafe value
                    else { return .NO }
                    unsafe header.pointee.readField(
                        UnsafeBufferPointer(start: key, count: keySize),
                        UnsafeBufferPointer(start: value, count: valueSize))
                    return .YES
                },
                header)
        }
        connection.nameLengths = header.nameLengths
        let size = unsafe cmhd_header_size(raw)
        if header.reason == nil, size + header.records > memory - reserve { header.reason = .headerTooLarge }
        let isEnd = unsafe header.cursor + "\r\n".utf8.count == method + size
        if unsafe !isEnd || header.cursor[-1] | header.cursor[0] | header.cursor[1] != 0 {
            // Takes precedence: where the header ends is not known, so neither is where the body does.
            header.reason = .malformedLines
        }
        if header.reason == nil && header.hosts == 0, unsafe version[7] != CChar(UInt8(ascii: "0")) {
            header.reason = .missingHost
        }
        return header
    }

    private init(cursor: UnsafePointer<CChar>, singles: SingleHeaders) {
        unsafe self.cursor = unsafe cursor
        self.singles = singles
    }

    private mutating func readRequestLine(
        method: UnsafePointer<CChar>,
        target: UnsafePointer<CChar>,
        version: UnsafePointer<CChar>,
        connection: Connection
    ) {
        var end = unsafe method
        while unsafe HTTPCharacters.isToken(UInt8(bitPattern: end.pointee)) { unsafe end += 1 }
        if unsafe end == method || end.pointee != 0 {
            reason = .malformedMethod
        } else if unsafe end + 1 != target || target + connection.targetLength + 1 != version {
            reason = .malformedLines
        } else {
            reason = unsafe connection.findPath(in: target)
        }
    }

    private mutating func readField(_ name: UnsafeBufferPointer<CChar>, _ value: UnsafeBufferPointer<CChar>) {
        guard let start = name.baseAddress, let valueStart = value.baseAddress else { return }
        let isInLine = unsafe start == cursor
        unsafe cursor = unsafe valueStart + value.count + "\r\n".utf8.count
        records += Self.recordSize
        nameLengths |= Self.lengthBit(name.count)
        if reason == nil {
            reason = isInLine ? unsafe reasonToRefuse(name, value) : .malformedLines
        }
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
            // It is copied, and taken apart.
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
            return .transferEncoding
        default:
            return nil
        }
    }

    /// True where a value has control characters other than tab.
    private func hasControls(_ value: UnsafeBufferPointer<CChar>) -> Bool {
        unsafe UnsafeRawBufferPointer(value).haveMarks { $0.marks(below: 0x20) | $0.marks(of: 0x7F) }
            && value.contains { HTTPCharacters.isControl(UInt8(bitPattern: $0)) }
    }

    /// True where bytes spell a lower-case word, in any case.
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

    /// True for a byte of `uri-host [":" port]`, or of the white space after it.
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
            // Larger than any limit, as what it says is.
            number = isTooMuch || isTooMuchStill ? .max : sum
        }
        return number
    }
}
