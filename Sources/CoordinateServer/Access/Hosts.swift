internal import MicroHTTPD

/// The names that a server answers to.
///
/// A web page can be given a name that leads to this machine, and then reads answers as if they were its own site's (DNS
/// rebinding). It cannot make its browser send another name than its own.
struct Hosts: Sendable {
    /// Nil for any.
    private let names: [String]?

    /// - Parameters:
    ///   - entries: Names and addresses besides the machine's own; ports do not matter.
    ///   - address: What the server listens on.
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

    /// An address of IPv6 may be without its brackets.
    private static func host(_ text: String) -> String? {
        let address = IPAddress(text) == nil || !text.contains(":") ? text : "[\(text)]"
        return Authority(address)?.host
    }

    /// Whether a request asks for one of the names. A client so old that it tells none is no browser.
    func includeAuthority(of request: borrowing HTTPRequest) -> Bool {
        guard let names, request.withAuthority(Self.isPlainlyOwn) == false else { return true }
        guard let host = request.authority.flatMap({ Authority($0) })?.host else { return false }
        return names.contains(host)
    }

    /// Recognises what clients of this machine send nearly always; taken apart, it would cost ten times as much.
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
