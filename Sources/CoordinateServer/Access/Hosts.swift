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

    /// - Parameter authority: Nil for a client so old that it does not tell: no browser is.
    func include(_ authority: String?) -> Bool {
        guard let names, let authority, !Self.isPlainlyOwn(authority) else { return true }
        guard let host = Authority(authority)?.host else { return false }
        return names.contains(host)
    }

    /// Recognises what clients of this machine send nearly always; taken apart, it would cost ten times as much.
    private static func isPlainlyOwn(_ authority: String) -> Bool {
        guard authority.utf8.starts(with: "127.0.0.1".utf8) || authority.utf8.starts(with: "localhost".utf8) else { return false }
        let rest = authority.utf8.dropFirst("127.0.0.1".utf8.count)
        guard let colon = rest.first else { return true }
        return colon == UInt8(ascii: ":") && rest.dropFirst().allSatisfy { (0x30...0x39).contains($0) }
    }
}
