internal import CGnuTLS

/// Codes that only a holder of the key can compute (RFC 2104).
package enum HMAC {
    /// Returns the 32 bytes of the code with SHA-256.
    package static func sha256(of text: some Sequence<UInt8>, key: [UInt8]) -> [UInt8] {
        let text = Array(text)
        var code = [UInt8](repeating: 0, count: 32)
        let status = unsafe gnutls_hmac_fast(GNUTLS_MAC_SHA256, key, key.count, text, text.count, &code)
        // It fails only if memory has run out, or if the system's policy forbids SHA-256.
        precondition(status == 0, "GnuTLS cannot compute an HMAC with SHA-256 (error \(status))")
        return code
    }
}
