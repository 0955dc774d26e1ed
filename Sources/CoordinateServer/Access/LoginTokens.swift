internal import MicroHTTPD

/// The tokens that browsers get in exchange for the API key and send in its place.
///
/// A token contains its expiry time and is sealed with the key. Every server with the same key can check it, also after
/// a restart, without storing it. The key cannot be computed from it.
struct LoginTokens: Sendable {
    /// One day, in seconds.
    static let lifetime = 86_400

    private let secret: [UInt8]

    init(sealedWith key: [UInt8]) {
        // The secret is derived from the key, so that a text sealed for another purpose is not a valid token.
        secret = HMAC.sha256(of: "coordinate login token 1".utf8, key: key)
    }

    /// Creates a token.
    ///
    /// - Parameter now: The time in seconds since 1970.
    func token(at now: Int) -> String {
        let content = "\(now + Self.lifetime).\(String(UInt64.random(in: .min ... .max), radix: 16))"
        return "\(content).\(seal(content))"
    }

    /// Whether a token was sealed with the key and has not expired.
    func isValid(_ token: String, at now: Int) -> Bool {
        guard let dot = token.lastIndex(of: ".") else { return false }
        let content = token[..<dot]
        let sent = token[token.index(after: dot)...]
        guard Array(sent.utf8).isEqualInSecret(to: Array(seal(content).utf8)),
            let end = content.split(separator: ".").first.flatMap({ Int($0) })
        else { return false }
        return now < end
    }

    private func seal(_ content: some StringProtocol) -> String {
        HMAC.sha256(of: content.utf8, key: secret).hexadecimal
    }
}

extension [UInt8] {
    /// Two digits per byte.
    var hexadecimal: String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}
