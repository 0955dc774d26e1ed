internal import CoordinateServer
internal import MicroHTTPD

/// The proxies' headers about the client (RFC 7239, section 4), read byte by byte.
struct ProxyHeaders {
    private static let peer = address("10.0.0.1")
    private static let networks = ["10.0.0.0/8", "2001:db8::/32"]

    private let fields: HTTPFields

    init(_ fields: HTTPFields) {
        self.fields = fields
    }

    /// Checks that the client is the nearest address that does not belong to a trusted proxy.
    func check() throws {
        let request = try HTTPRequest(.get, "/", headers: fields, from: Self.peer ?? .loopback)
        let client = try TrustedProxies(Self.networks).client(of: request)
        try require(client == wantedClient, "\(fields) belongs to \(client) instead of \(wantedClient)")
    }

    private var wantedClient: IPAddress {
        var client = Self.peer ?? .loopback
        for hop in hops.reversed() {
            guard let hop else { break }
            client = hop
            guard Self.networks.compactMap(IPNetwork.init).contains(where: { $0.contains(hop) }) else { break }
        }
        return client
    }

    private var hops: [IPAddress?] {
        // A request with both headers counts as the proxy's own, since the client may have sent one of them.
        guard Set(fields.map(\.name)).count < 2 else { return [] }
        guard fields.contains(where: { $0.name == .forwarded }) else {
            return fields.bytes(of: .xForwardedFor).flatMap { $0.split(at: ",") }.map { Self.hop($0.trimmed) }
        }
        return fields.bytes(of: .forwarded).flatMap { Self.parts($0, between: ",") }.map { element in
            let pairs = Self.parts(element, between: ";").compactMap { pair -> (name: String, value: [UInt8])? in
                guard let equals = pair.firstIndex(of: UInt8(ascii: "=")) else { return nil }
                return (pair[..<equals].trimmed.lowercased, Self.unquoted(pair[(equals + 1)...].trimmed))
            }
            return pairs.last { $0.name == "for" }.flatMap { Self.hop($0.value) }
        }
    }

    /// Returns an address that may have a port and brackets.
    private static func hop(_ bytes: [UInt8]) -> IPAddress? {
        if bytes.first == UInt8(ascii: "[") {
            return bytes.firstIndex(of: UInt8(ascii: "]")).flatMap { address(bytes[1..<$0]) }
        }
        return address(bytes) ?? bytes.lastIndex(of: 0x3A).flatMap { address(bytes[..<$0]) }
    }

    private static func address(_ bytes: some Collection<UInt8>) -> IPAddress? {
        IPAddress(String(decoding: bytes, as: UTF8.self))
    }

    private static func address(_ text: String) -> IPAddress? { IPAddress(text) }

    /// Returns the parts between separators outside of quotes.
    private static func parts(_ bytes: [UInt8], between separator: Character) -> [[UInt8]] {
        var parts: [[UInt8]] = [[]]
        var (isQuoted, isEscaped) = (false, false)
        for byte in bytes {
            if byte == separator.asciiValue, !isQuoted {
                parts.append([])
                continue
            }
            parts[parts.count - 1].append(byte)
            if isEscaped {
                isEscaped = false
            } else {
                if byte == 0x22 { isQuoted.toggle() }
                isEscaped = isQuoted && byte == 0x5C
            }
        }
        return parts
    }

    private static func unquoted(_ bytes: [UInt8]) -> [UInt8] {
        guard bytes.count > 1, bytes.first == 0x22, bytes.last == 0x22 else { return bytes }
        var text: [UInt8] = []
        var isEscaped = false
        for byte in bytes.dropFirst().dropLast() {
            isEscaped = byte == 0x5C && !isEscaped
            if !isEscaped { text.append(byte) }
        }
        return text
    }
}
