internal import CGnuTLS

/// Message authentication codes with a key (RFC 2104). GnuTLS computes them; libmicrohttpd uses it as well.
public enum HMAC {
    /// Returns the 32-byte code that only an owner of the key can compute for a message.
    public static func sha256(of message: [UInt8], key: [UInt8]) -> [UInt8] {
        var code = [UInt8](repeating: 0, count: 32)
        let result = unsafe cgnutls_hmac_sha256(key, key.count, message, message.count, &code)
        precondition(result == 0, "GnuTLS does not support HMAC with SHA-256")
        return code
    }
}
