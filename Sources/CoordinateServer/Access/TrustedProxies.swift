package import MicroHTTPD

/// The proxies that tell truly whose requests they pass on.
///
/// What others say in the same headers counts for nothing: anybody can send them.
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

    /// Whose request it is: the peer's; or, of what trusted proxies say, the nearest address that is none of theirs.
    ///
    /// Where a proxy does not tell an address, as it may, it stands for all those behind it.
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

    /// Whether a trusted proxy says that the client speaks TLS to it.
    func isSecure(_ request: borrowing HTTPRequest) -> Bool {
        guard trust(request.peer) else { return false }
        guard request.header(.forwarded) == nil else {
            return Self.hops(in: request).contains { $0["proto"]?.lowercased() == "https" }
        }
        return request.headers(named: "X-Forwarded-Proto").flatMap { $0.split(separator: ",") }
            .contains { $0.withoutBlanks.lowercased() == "https" }
    }

    private func trust(_ address: IPAddress) -> Bool {
        networks.contains { $0.contains(address) }
    }

    private static func addressesPassedOn(by request: borrowing HTTPRequest) -> [IPAddress?] {
        request.headers(named: "X-Forwarded-For").flatMap { $0.split(separator: ",", omittingEmptySubsequences: false) }
            .map { address(in: $0.withoutBlanks) }
    }

    private static func addresses(in request: borrowing HTTPRequest) -> [IPAddress?] {
        hops(in: request).map { $0["for"].flatMap { address(in: $0[...]) } }
    }

    /// The elements of `Forwarded`, the client's first (RFC 7239, section 4); names are in lower case.
    private static func hops(in request: borrowing HTTPRequest) -> [[String: String]] {
        request.headers(named: .forwarded).flatMap { $0.parts(between: ",") }.map { element in
            var pairs: [String: String] = [:]
            for pair in element.parts(between: ";") {
                guard let equals = pair.firstIndex(of: "=") else { continue }
                let value = pair[pair.index(after: equals)...].withoutBlanks
                pairs[pair[..<equals].withoutBlanks.lowercased()] = value.unquoted
            }
            return pairs
        }
    }

    /// An address that may have a port, and brackets where it is one of IPv6.
    private static func address(in text: Substring) -> IPAddress? {
        if text.first == "[" {
            guard let end = text.firstIndex(of: "]") else { return nil }
            return IPAddress(text[text.index(after: text.startIndex)..<end])
        }
        return IPAddress(text) ?? text.lastIndex(of: ":").flatMap { IPAddress(text[..<$0]) }
    }
}

extension StringProtocol {
    /// Without the white space at both ends.
    var withoutBlanks: SubSequence {
        var text = self[...]
        while text.first?.isBlank == true { text = text.dropFirst() }
        while text.last?.isBlank == true { text = text.dropLast() }
        return text
    }

    /// What is between separators that are not within quotes.
    fileprivate func parts(between separator: Character) -> [SubSequence] {
        var isQuoted = false
        var isEscaped = false
        return split(omittingEmptySubsequences: false) { character in
            if isEscaped {
                isEscaped = false
                return false
            }
            if character == "\"" { isQuoted.toggle() }
            isEscaped = isQuoted && character == "\\"
            return !isQuoted && character == separator
        }
    }

    /// The text within quotes, if it has any (RFC 9110, section 5.6.4).
    fileprivate var unquoted: String {
        guard count >= 2, first == "\"", last == "\"" else { return String(self) }
        var text = ""
        var isEscaped = false
        for character in dropFirst().dropLast() {
            if character == "\\", !isEscaped {
                isEscaped = true
            } else {
                text.append(character)
                isEscaped = false
            }
        }
        return text
    }
}

extension Character {
    fileprivate var isBlank: Bool { isASCII && isWhitespace }
}
