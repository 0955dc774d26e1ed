internal import CGnuTLS

/// Texts that only a holder of the key can write or read: AES-256 in Galois/Counter Mode (NIST SP 800-38D).
package struct SealedText: Sendable {
    private static let nonceSize = 12
    private static let tagSize = 16

    private let key: [UInt8]

    /// - Parameter key: 32 bytes.
    package init(key: [UInt8]) {
        precondition(key.count == 32, "AES-256 needs a key of 32 bytes")
        self.key = key
    }

    /// Seals some bytes. The result differs each time, and is longer by 28 bytes.
    package func seal(_ content: [UInt8]) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        let nonce = (0..<Self.nonceSize).map { _ in UInt8.random(in: 0...255, using: &generator) }
        var sealed = [UInt8](repeating: 0, count: content.count + Self.tagSize)
        var size = sealed.count
        let status = unsafe withCipher { cipher in
            unsafe gnutls_aead_cipher_encrypt(
                cipher, nonce, nonce.count, nil, 0, Self.tagSize, content, content.count, &sealed, &size)
        }
        precondition(status == 0 && size == sealed.count, "GnuTLS cannot seal a text (error \(status))")
        return nonce + sealed
    }

    /// Opens sealed bytes; `nil` if they were not sealed with this key.
    package func open(_ sealed: [UInt8]) -> [UInt8]? {
        guard sealed.count > Self.nonceSize + Self.tagSize else { return nil }
        let nonce = Array(sealed.prefix(Self.nonceSize))
        let rest = Array(sealed.dropFirst(Self.nonceSize))
        var content = [UInt8](repeating: 0, count: rest.count - Self.tagSize)
        var size = content.count
        let status = unsafe withCipher { cipher in
            unsafe gnutls_aead_cipher_decrypt(
                cipher, nonce, nonce.count, nil, 0, Self.tagSize, rest, rest.count, &content, &size)
        }
        return status == 0 && size == content.count ? content : nil
    }

    private func withCipher(_ body: (gnutls_aead_cipher_hd_t?) -> Int32) -> Int32 {
        var key = key
        return unsafe key.withUnsafeMutableBufferPointer { bytes in
            var datum = unsafe gnutls_datum_t(data: bytes.baseAddress, size: UInt32(bytes.count))
            var cipher: gnutls_aead_cipher_hd_t?
            let status = unsafe gnutls_aead_cipher_init(&cipher, GNUTLS_CIPHER_AES_256_GCM, &datum)
            // It fails only if memory has run out, or if the system's policy forbids AES.
            precondition(status == 0, "GnuTLS cannot use AES-256 (error \(status))")
            defer { unsafe gnutls_aead_cipher_deinit(cipher) }
            return unsafe body(cipher)
        }
    }
}
