internal import CGnuTLS

/// Proof that a message is from somebody who has a key (RFC 2104): by GnuTLS, which libmicrohttpd itself stands on.
public enum HMAC {
    /// 32 bytes that only who has the key can make for a message.
    public static func sha256(of message: [UInt8], key: [UInt8]) -> [UInt8] {
        var code = [UInt8](repeating: 0, count: 32)
        let result = unsafe cgnutls_hmac_sha256(key, key.count, message, message.count, &code)
        precondition(result == 0, "GnuTLS has no HMAC with SHA-256")
        return code
    }
}
