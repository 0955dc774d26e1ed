package import MicroHTTPD

/// The proxies that are trusted to report the client of a request that they forward.
///
/// The same headers from any other address are ignored, because any client can send them.
package struct TrustedProxies: Sendable {
    private let networks: [IPNetwork]
    private let header: ForwardingHeader

    /// - Parameters:
    ///   - entries: Addresses and networks: `10.0.0.0/8`.
    ///   - header: The header in which they report their clients.
    package init(_ entries: [String], reportingIn header: ForwardingHeader = .either) throws(UnfitSetting) {
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
        self.header = header
    }

    /// The client's address: the peer's, or the nearest one in the reported chain that is not a trusted proxy.
    ///
    /// A proxy that hides its client's address counts as the client. So does one whose request has both headers, unless
    /// the settings name the header that it sets: the client may have sent the other one.
    package func client(of request: borrowing HTTPRequest) -> IPAddress {
        var client = request.peer
        guard trust(client) else { return client }
        for hop in addresses(in: request).reversed() {
            guard let hop else { break }
            client = hop
            guard trust(client) else { break }
        }
        return client
    }

    /// Whether a trusted proxy reports that the client uses TLS.
    func isSecure(_ request: borrowing HTTPRequest) -> Bool {
        guard trust(request.peer) else { return false }
        if header != .xForwardedFor, Self.hops(in: request).contains(where: { $0["proto"]?.lowercased() == "https" }) {
            return true
        }
        guard header != .forwarded else { return false }
        return request.headers(named: .xForwardedProto).flatMap { $0.utf8.split(separator: UInt8(ascii: ",")) }
            .contains { Substring($0.withoutBlanks).lowercased() == "https" }
    }

    /// The reported addresses, the client's first.
    private func addresses(in request: borrowing HTTPRequest) -> [IPAddress?] {
        switch header {
        case .forwarded: Self.addressesForwarded(with: request)
        case .xForwardedFor: Self.addressesPassedOn(by: request)
        case .either:
            switch (request.hasHeader(.forwarded), request.hasHeader(.xForwardedFor)) {
            case (true, false): Self.addressesForwarded(with: request)
            case (false, true): Self.addressesPassedOn(by: request)
            case (true, true), (false, false): []
            }
        }
    }

    private func trust(_ address: IPAddress) -> Bool {
        networks.contains { $0.contains(address) }
    }

    private static func addressesPassedOn(by request: borrowing HTTPRequest) -> [IPAddress?] {
        request.headers(named: .xForwardedFor)
            .flatMap { $0.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) }
            .map { address(in: $0.withoutBlanks) }
    }

    private static func addressesForwarded(with request: borrowing HTTPRequest) -> [IPAddress?] {
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

/// The header in which the trusted proxies report their clients.
public enum ForwardingHeader: String, CaseIterable, Sendable {
    /// Whichever header the request has. A request with both counts as the proxy's own.
    case either
    /// `Forwarded` (RFC 7239).
    case forwarded
    /// `X-Forwarded-For`, with `X-Forwarded-Proto`.
    case xForwardedFor = "x-forwarded-for"
}

extension StringProtocol where SubSequence == Substring {
    /// The text without white space at both ends.
    var withoutBlanks: Substring { Substring(self[...].utf8.withoutBlanks) }
}

// Headers are split by bytes, because a combining character may follow a separator.
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

    /// The text within quotes, or the whole text if it has none (RFC 9110, section 5.6.4).
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
