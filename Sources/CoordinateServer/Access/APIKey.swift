/// The API key that clients must send, where one is configured.
struct APIKey: Sendable {
    /// The login tokens that browsers get in exchange for it.
    let tokens: LoginTokens
    private let key: [UInt8]

    /// Makes a key; nil where the text is empty: then everybody may do everything. White space around it, such as the
    /// end of the line from which it was read, is ignored.
    init?(_ text: String) throws(UnfitSetting) {
        let text = text.withoutBlanks
        guard !text.isEmpty else { return nil }
        guard text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else {
            throw UnfitSetting(
                "The API key has characters that no header can carry; make it of ASCII letters, digits and signs",
                key: "security.apiKey", variable: "COORDINATE_API_KEY")
        }
        key = Array(text.utf8)
        tokens = LoginTokens(sealedWith: key)
    }

    func isEqual(to sent: some StringProtocol) -> Bool {
        Array(sent.utf8).isEqualInSecret(to: key)
    }

    /// The token in a header `Authorization` of the scheme `Bearer` (RFC 6750, section 2.1); nil for another scheme.
    static func bearer(in header: String) -> Substring? {
        let parts = header.utf8.split(separator: UInt8(ascii: " "), maxSplits: 1).map(Substring.init)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
        return parts[1]
    }
}

extension [UInt8] {
    /// Compares in the same time whether the bytes are right or wrong, so that a secret cannot be guessed byte by byte.
    func isEqualInSecret(to secret: [UInt8]) -> Bool {
        var difference = count ^ secret.count
        for index in secret.indices {
            difference |= Int(secret[index] ^ (index < count ? self[index] : 0))
        }
        return difference == 0
    }
}
