internal import MicroHTTPD

/// The host names to which a server answers.
///
/// The owner of a web page can point the page's host name at this machine, and then read responses as if they came from
/// the page's own site (DNS rebinding). But the page cannot make a browser send another host name.
struct Hosts: Sendable {
    /// The names; `nil` if any name is allowed.
    private let names: [String]?

    /// - Parameters:
    ///   - entries: Names and addresses in addition to those of the machine itself. Ports are ignored.
    ///   - address: The address on which the server listens.
    init(_ entries: [String], listeningOn address: String, isOnLoopback: Bool) throws(UnfitSetting) {
        var names = ["127.0.0.1", "localhost", "[::1]"]
        if let own = Self.host(address) { names.append(own) }
        for entry in entries {
            guard let host = Self.host(entry) else {
                throw UnfitSetting(
                    "The host \"\(entry)\" is neither a name nor an address, as in coordinate.example",
                    key: "security.hosts", variable: "COORDINATE_HOSTS")
            }
            names.append(host)
        }
        self.names = isOnLoopback || !entries.isEmpty ? names : nil
    }

    /// The host of a name or an address. An IPv6 address may lack its brackets.
    private static func host(_ text: String) -> String? {
        let address = IPAddress(text) == nil || !text.contains(":") ? text : "[\(text)]"
        return Authority(address)?.host
    }

    /// Whether a request names one of these hosts. A client that names none is too old to be a browser, and is let in.
    func includeAuthority(of request: borrowing HTTPRequest) -> Bool {
        guard let names, request.withAuthority(Self.isPlainlyOwn) == false else { return true }
        guard let host = request.authority.flatMap({ Authority($0) })?.host else { return false }
        return names.contains(host)
    }

    /// Whether the host is one that clients on this machine nearly always send. Parsing the authority would cost ten
    /// times as much.
    private static func isPlainlyOwn(_ authority: Span<UInt8>) -> Bool {
        let size = "127.0.0.1".utf8.count
        guard authority.count >= size else { return false }
        let host = authority.extracting(first: size)
        guard host.isEqual(to: "127.0.0.1".utf8.span) || host.isEqual(to: "localhost".utf8.span) else { return false }
        if authority.count == size { return true }
        guard authority[size] == UInt8(ascii: ":"), authority.count <= size + ":65535".utf8.count else { return false }
        for index in size + 1..<authority.count where !(0x30...0x39).contains(authority[index]) { return false }
        return true
    }
}
