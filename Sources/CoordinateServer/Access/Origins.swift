/// The site of a page, as its browser sends it with the page's requests (RFC 6454): `https://shop.example`.
struct Origin: Hashable, Sendable {
    private let scheme: String
    private let host: String
    /// The port, by default that of the scheme; `nil` for a scheme without a port.
    private let port: Int?

    /// Reads an origin; `nil` for `null`, which any page can have, and for a malformed one, such as an address with a
    /// path.
    init?(_ text: String) {
        guard let colon = text.firstIndex(of: ":"), text[colon...].hasPrefix("://") else { return nil }
        let scheme = text[..<colon].lowercased()
        guard !scheme.isEmpty, let authority = Authority(String(text[colon...].dropFirst(3))) else { return nil }
        self.scheme = scheme
        host = authority.host
        port = authority.port ?? Self.ports[scheme]
    }

    /// Whether it is the server's own origin, by the host that the client names in its header `Host`.
    func isOwn(of authority: String?) -> Bool {
        guard let standard = Self.ports[scheme], let authority = authority.flatMap({ Authority($0) }) else {
            return false
        }
        return host == authority.host && port == authority.port ?? standard
    }

    private static let ports = ["http": 80, "https": 443]
}

/// The other sites whose pages may use the server.
struct Origins: Sendable {
    private let origins: Set<Origin>

    init(_ entries: [String]) throws(UnfitSetting) {
        var origins: Set<Origin> = []
        for entry in entries {
            guard let origin = Origin(entry) else {
                throw UnfitSetting(
                    "The origin \"\(entry)\" is not just a scheme and a host, as in https://shop.example:8443",
                    key: "security.origins", variable: "COORDINATE_ORIGINS")
            }
            origins.insert(origin)
        }
        self.origins = origins
    }

    var isEmpty: Bool { origins.isEmpty }

    func contains(_ origin: Origin) -> Bool { origins.contains(origin) }
}
