/// The API key that clients must send, if one is configured.
struct APIKey: Sendable {
    /// The tokens that clients send in place of the key.
    let tokens: AccessTokens
    private let key: [UInt8]

    /// Creates a key; `nil` if the text is empty: then every request is allowed. White space around the key is ignored,
    /// such as the end of the line from which it was read.
    init?(_ text: String) throws(UnfitSetting) {
        let text = text.withoutBlanks
        guard !text.isEmpty else { return nil }
        guard text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else {
            throw UnfitSetting(
                "The API key has characters that a header cannot carry; use only ASCII letters, digits and punctuation",
                key: "security.apiKey", variable: "COORDINATE_API_KEY")
        }
        key = Array(text.utf8)
        tokens = AccessTokens(sealedWith: key)
    }

    func isEqual(to sent: some StringProtocol) -> Bool {
        Array(sent.utf8).isEqualInSecret(to: key)
    }

    /// The token in an `Authorization` header of the scheme `Bearer` (RFC 6750, section 2.1); `nil` for another scheme.
    static func bearer(in header: String) -> Substring? {
        let parts = header.utf8.split(separator: UInt8(ascii: " "), maxSplits: 1).map(Substring.init)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
        return parts[1].drop { $0 == " " }
    }
}

extension [UInt8] {
    /// Compares in constant time, so that a client cannot guess a secret byte by byte.
    func isEqualInSecret(to secret: [UInt8]) -> Bool {
        var difference = count ^ secret.count
        for index in secret.indices {
            difference |= Int(secret[index] ^ (index < count ? self[index] : 0))
        }
        return difference == 0
    }
}
