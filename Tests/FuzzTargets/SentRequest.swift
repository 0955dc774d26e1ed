/// A request as a strict reader takes it from a connection (RFC 9112): nothing is corrected, nothing passed over.
struct SentRequest {
    let method: String
    let target: [UInt8]
    let isOld: Bool
    private(set) var fields: [(name: String, value: [UInt8])] = []
    private(set) var body: [UInt8] = []

    /// The requests in what came on a connection, up to the first that is malformed, or not complete.
    static func all(in bytes: [UInt8]) -> [SentRequest] {
        var rest = bytes[...]
        var requests: [SentRequest] = []
        while let request = SentRequest(&rest) { requests.append(request) }
        return requests
    }

    private init?(_ rest: inout ArraySlice<UInt8>) {
        // But for empty lines before a request, which may end in LF alone (section 2.2).
        while rest.first == 0x0A || rest.starts(with: [0x0D, 0x0A]) {
            rest = rest.dropFirst(rest.first == 0x0A ? 1 : 2)
        }
        guard let words = Self.line(&rest)?.split(at: " "), words.count == 3, Self.isToken(words[0]), !words[1].isEmpty,
            words[1].allSatisfy({ $0 > 0x20 && $0 != 0x7F }),
            // A minor version to come is understood, too (RFC 9110, section 2.5).
            words[2].count == 8, words[2].starts(with: "HTTP/1.".utf8), (0x30...0x39).contains(words[2][7])
        else { return nil }
        (method, target) = (String(decoding: words[0], as: UTF8.self), words[1])
        isOld = words[2].last == UInt8(ascii: "0")
        while true {
            guard let line = Self.line(&rest) else { return nil }
            if line.isEmpty { break }
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")), Self.isToken(line[..<colon]) else { return nil }
            let value = line[(colon + 1)...].trimmed
            guard value.allSatisfy({ ($0 >= 0x20 || $0 == 0x09) && $0 != 0x7F }) else { return nil }
            fields.append((line[..<colon].lowercased, value))
        }
        let sizes = values(of: "content-length")
        guard values(of: "transfer-encoding").isEmpty, sizes.count < 2,
            sizes.first?.allSatisfy({ (0x30...0x39).contains($0) }) ?? true,
            let size = Int(String(decoding: sizes.first ?? [0x30], as: UTF8.self)), size <= rest.count
        else { return nil }
        body = Array(rest.prefix(size))
        rest = rest.dropFirst(size)
    }

    /// - Parameter name: In lower case.
    func values(of name: String) -> [[UInt8]] {
        fields.filter { $0.name == name }.map(\.value)
    }

    /// Whether nobody can have anything against it.
    var isPlain: Bool {
        let hosts = values(of: "host")
        guard hosts.count == 1, hosts[0].allSatisfy({ (0x61...0x7A).contains($0) }) else { return false }
        let path = String(validating: target, as: UTF8.self).flatMap(FuzzTarget.path)
        return !isOld && target.first == UInt8(ascii: "/") && path != nil
            && values(of: "expect").isEmpty && body.count <= 64 * 1024
    }

    private static func line(_ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        // libmicrohttpd writes NULs over the ends of lines, so NUL LF cannot be told from CR LF. Both may be: a NUL taken for
        // a space (RFC 9110, section 5.5), and LF alone for an end (RFC 9112, section 2.2).
        guard let end = rest.firstIndex(of: 0x0A), end > rest.startIndex, [0x0D, 0].contains(rest[end - 1]) else {
            return nil
        }
        defer { rest = rest[(end + 1)...] }
        return rest[..<(end - 1)]
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
