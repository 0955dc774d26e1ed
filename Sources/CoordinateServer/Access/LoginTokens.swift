internal import MicroHTTPD

/// The tokens that browsers get in exchange for the API key, to send them in its place.
///
/// A token contains its end and is sealed with the key. So every server with the same key can check it, also after a
/// restart, and none has to store it. The key cannot be computed from it.
struct LoginTokens: Sendable {
    /// The name of the cookie.
    static let cookie = "coordinate-login"
    /// A day, in seconds.
    static let lifetime = 86_400

    private let secret: [UInt8]

    init(sealedWith key: [UInt8]) {
        // Tokens are not sealed with the key itself, so a text that was sealed for another purpose is no token.
        secret = HMAC.sha256(of: Array("coordinate login token 1".utf8), key: key)
    }

    /// Makes a new token.
    ///
    /// - Parameter now: The time in seconds since 1970.
    func token(at now: Int) -> String {
        let content = "\(now + Self.lifetime).\(String(UInt64.random(in: .min ... .max), radix: 16))"
        return "\(content).\(seal(content))"
    }

    /// Whether a token was sealed with the key, and is not over.
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
        let digits = Array("0123456789abcdef".utf8)
        let code = HMAC.sha256(of: Array(content.utf8), key: secret)
        return String(decoding: code.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}
