/// A request as a strict reader reads it from a connection (RFC 9112): nothing is corrected or skipped.
struct SentRequest {
    let method: String
    let target: [UInt8]
    let isOld: Bool
    private(set) var fields: [(name: String, value: [UInt8])] = []
    private(set) var body: [UInt8] = []
    /// Whether white space follows the digits of `Content-Length`. It is allowed, but libmicrohttpd refuses it.
    private var hasPaddedLength = false

    /// Returns the requests on a connection, up to the first that is malformed or incomplete.
    static func all(in bytes: [UInt8]) -> [SentRequest] {
        var rest = bytes[...]
        var requests: [SentRequest] = []
        while let request = SentRequest(&rest) { requests.append(request) }
        return requests
    }

    private init?(_ rest: inout ArraySlice<UInt8>) {
        // Empty lines before a request are skipped, and may end in LF alone (section 2.2). libmicrohttpd also treats a
        // line that begins with NUL as empty, and does not pass it on.
        while rest.first == 0x0A || rest.first == 0 || rest.starts(with: [0x0D, 0x0A]) {
            guard let end = rest.firstIndex(of: 0x0A) else { return nil }
            rest = rest[(end + 1)...]
        }
        guard let lines = Self.lines(&rest) else { return nil }
        var words = lines[0].split(at: " ")
        // A reader may treat several spaces as one (section 3), as libmicrohttpd does after the method.
        while words.count > 3, words[1].isEmpty { words.remove(at: 1) }
        guard words.count == 3, Self.isToken(words[0]), !words[1].isEmpty,
            words[1].allSatisfy({ $0 > 0x20 && $0 != 0x7F }),
            // Later minor versions are accepted as well (RFC 9110, section 2.5).
            words[2].count == 8, words[2].starts(with: "HTTP/1.".utf8), (0x30...0x39).contains(words[2][7])
        else { return nil }
        (method, target) = (String(decoding: words[0], as: UTF8.self), words[1])
        isOld = words[2].last == UInt8(ascii: "0")
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")), Self.isToken(line[..<colon]) else { return nil }
            let value = line[(colon + 1)...].trimmed
            guard value.allSatisfy({ ($0 >= 0x20 || $0 == 0x09) && $0 != 0x7F }) else { return nil }
            fields.append((line[..<colon].lowercased, value))
            if fields.last?.name == "content-length", line.last == 0x20 || line.last == 0x09 { hasPaddedLength = true }
        }
        let sizes = values(of: "content-length")
        guard values(of: "transfer-encoding").isEmpty, sizes.count < 2,
            sizes.first?.allSatisfy({ (0x30...0x39).contains($0) }) ?? true,
            let size = Int(String(decoding: sizes.first ?? [0x30], as: UTF8.self)), size <= rest.count
        else { return nil }
        body = Array(rest.prefix(size))
        rest = rest.dropFirst(size)
    }

    /// - Parameter name: The name in lower case.
    func values(of name: String) -> [[UInt8]] {
        fields.filter { $0.name == name }.map(\.value)
    }

    /// Whether the request has no fault at all.
    var isPlain: Bool {
        let hosts = values(of: "host")
        guard hosts.count == 1, hosts[0].allSatisfy({ (0x61...0x7A).contains($0) }) else { return false }
        let path = String(validating: target, as: UTF8.self).flatMap(FuzzTarget.path)
        return !isOld && target.first == UInt8(ascii: "/") && path != nil
            && values(of: "expect").isEmpty && !hasPaddedLength && body.count <= 64 * 1024
    }

    /// Returns the lines of a header without their ends: CR LF, or what libmicrohttpd treats as such.
    ///
    /// libmicrohttpd overwrites the ends of lines and the first colon of each with NULs. It treats LF alone as an end
    /// (section 2.2), and a line that then begins with NUL as the end of the header. So each line must be followed by
    /// two bytes that become NUL, and the last one by four, whatever they were.
    private static func lines(_ rest: inout ArraySlice<UInt8>) -> [ArraySlice<UInt8>]? {
        var lines: [ArraySlice<UInt8>] = []
        // The number of bytes after the last line.
        var behind = 0
        while let end = rest.firstIndex(of: 0x0A) {
            var line = rest[...end].dropLast(end > rest.startIndex && rest[end - 1] == 0x0D ? 2 : 1)
            let isEnd = !lines.isEmpty && (line.first ?? 0 == 0 || line.first == UInt8(ascii: ":"))
            defer { rest = rest[(end + 1)...] }
            if isEnd {
                if line.first == UInt8(ascii: ":") { line = line.dropFirst() }
                guard line.allSatisfy({ $0 == 0 }), behind + rest[...end].count == 4 else { return nil }
                return lines
            }
            // Only the last line may be followed by more bytes, or fewer.
            guard lines.isEmpty || behind == 2 else { return nil }
            let text = line.prefix { $0 != 0 }
            guard line[text.endIndex...].allSatisfy({ $0 == 0 }), !lines.isEmpty || text.count == line.count else {
                return nil
            }
            lines.append(text)
            behind = rest[...end].count - text.count
        }
        return nil
    }

    private static func isToken(_ bytes: some Collection<UInt8>) -> Bool {
        !bytes.isEmpty
            && bytes.allSatisfy { byte in
                let character = Character(Unicode.Scalar(byte))
                return byte < 0x80
                    && (character.isLetter || character.isNumber || "!#$%&'*+-.^_`|~".contains(character))
            }
    }
}
