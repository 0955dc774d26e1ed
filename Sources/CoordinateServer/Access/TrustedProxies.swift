package import MicroHTTPD

/// The proxies that are trusted to say for which client they forward a request.
///
/// The same headers from any other address are ignored: any client can send them.
package struct TrustedProxies: Sendable {
    private let networks: [IPNetwork]

    /// - Parameter entries: Addresses and networks: `10.0.0.0/8`.
    package init(_ entries: [String]) throws(UnfitSetting) {
        var networks: [IPNetwork] = []
        for entry in entries {
            guard let network = IPNetwork(entry) else {
                throw UnfitSetting(
                    "The trusted proxy \"\(entry)\" is neither an IP address nor a network like 10.0.0.0/8",
                    key: "security.trustedProxies", variable: "COORDINATE_TRUSTED_PROXIES")
            }
            networks.append(network)
        }
        self.networks = networks
    }

    /// The address of the client: the peer's; or, of the chain that trusted proxies report, the nearest one that is not
    /// a trusted proxy.
    ///
    /// A proxy that hides the address of its client, as it may, counts as the client.
    package func client(of request: borrowing HTTPRequest) -> IPAddress {
        var client = request.peer
        guard trust(client) else { return client }
        let hops =
            request.header(.forwarded) == nil ? Self.addressesPassedOn(by: request) : Self.addresses(in: request)
        for hop in hops.reversed() {
            guard let hop else { break }
            client = hop
            guard trust(client) else { break }
        }
        return client
    }

    /// True where a trusted proxy says that the client speaks TLS to it.
    func isSecure(_ request: borrowing HTTPRequest) -> Bool {
        guard trust(request.peer) else { return false }
        guard request.header(.forwarded) == nil else {
            return Self.hops(in: request).contains { $0["proto"]?.lowercased() == "https" }
        }
        return request.headers(named: "X-Forwarded-Proto").flatMap { $0.utf8.split(separator: UInt8(ascii: ",")) }
            .contains { Substring($0.withoutBlanks).lowercased() == "https" }
    }

    private func trust(_ address: IPAddress) -> Bool {
        networks.contains { $0.contains(address) }
    }

    private static func addressesPassedOn(by request: borrowing HTTPRequest) -> [IPAddress?] {
        request.headers(named: "X-Forwarded-For")
            .flatMap { $0.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) }
            .map { address(in: $0.withoutBlanks) }
    }

    private static func addresses(in request: borrowing HTTPRequest) -> [IPAddress?] {
        hops(in: request).map { $0["for"].flatMap { address(in: $0.utf8[...]) } }
    }

    /// The elements of `Forwarded`, the client's first (RFC 7239, section 4); names are in lower case.
    private static func hops(in request: borrowing HTTPRequest) -> [[String: String]] {
        request.headers(named: .forwarded).flatMap { $0.utf8[...].parts(between: UInt8(ascii: ",")) }.map { element in
            var pairs: [String: String] = [:]
            for pair in element.parts(between: UInt8(ascii: ";")) {
                guard let equals = pair.firstIndex(of: UInt8(ascii: "=")) else { continue }
                let name = Substring(pair[..<equals].withoutBlanks).lowercased()
                pairs[name] = pair[equals...].dropFirst().withoutBlanks.unquoted
            }
            return pairs
        }
    }

    /// The address in a text that may have a port, and brackets around an IPv6 address.
    private static func address(in text: Substring.UTF8View) -> IPAddress? {
        if text.first == UInt8(ascii: "[") {
            return text.firstIndex(of: UInt8(ascii: "]")).flatMap { IPAddress(Substring(text[..<$0].dropFirst())) }
        }
        return IPAddress(Substring(text))
            ?? text.lastIndex(of: UInt8(ascii: ":")).flatMap { IPAddress(Substring(text[..<$0])) }
    }
}

extension StringProtocol where SubSequence == Substring {
    /// The text without the white space at both ends.
    var withoutBlanks: Substring { Substring(self[...].utf8.withoutBlanks) }
}

// A header is taken apart by its bytes: what follows a separator may be one character with it, as an accent is.
extension Substring.UTF8View {
    fileprivate var withoutBlanks: Substring.UTF8View {
        func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || (0x09...0x0D).contains(byte) }
        var text = self
        while let first = text.first, isBlank(first) { text = text.dropFirst() }
        while let last = text.last, isBlank(last) { text = text.dropLast() }
        return text
    }

    /// The parts between separators that are not within quotes.
    fileprivate func parts(between separator: UInt8) -> [Substring.UTF8View] {
        var isQuoted = false
        var isEscaped = false
        return split(omittingEmptySubsequences: false) { byte in
            if isEscaped {
                isEscaped = false
                return false
            }
            if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            isEscaped = isQuoted && byte == UInt8(ascii: "\\")
            return !isQuoted && byte == separator
        }
    }

    /// The text within quotes, or all of it where there are none (RFC 9110, section 5.6.4).
    fileprivate var unquoted: String {
        let quote = UInt8(ascii: "\"")
        guard count >= 2, first == quote, last == quote else { return String(Substring(self)) }
        var text: [UInt8] = []
        var isEscaped = false
        for byte in dropFirst().dropLast() {
            isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
            if !isEscaped { text.append(byte) }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
