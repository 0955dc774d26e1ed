internal import MicroHTTPD

/// The key that clients must send, where one is configured.
struct APIKey: Sendable {
    private let credentials: [UInt8]

    /// Nil for an empty key: then everybody may do everything.
    init?(_ key: String) {
        guard !key.isEmpty else { return nil }
        credentials = Array(key.utf8)
    }

    /// Whether a request carries the key, in the scheme `Bearer` (RFC 6750, section 2.1).
    func opens(_ request: borrowing HTTPRequest) -> Bool {
        guard let header = request.header("Authorization") else { return false }
        let parts = header.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { return false }
        return isEqual(Array(parts[1].utf8))
    }

    /// Takes as long for a wrong key as for the right one, so that it cannot be guessed byte by byte.
    private func isEqual(_ sent: [UInt8]) -> Bool {
        var difference = sent.count ^ credentials.count
        for index in credentials.indices {
            difference |= Int(credentials[index] ^ (index < sent.count ? sent[index] : 0))
        }
        return difference == 0
    }
}
