// The one function of GnuTLS that is used, without types that Swift would have to name.

#ifndef CGNUTLS_SHIM_H
#define CGNUTLS_SHIM_H

#include <gnutls/gnutls.h>
#include <gnutls/crypto.h>
#include <stddef.h>

/// Writes the 32-byte code. Returns a negative number on failure.
static inline int cgnutls_hmac_sha256(
    const void *key, size_t key_size, const void *message, size_t message_size, void *code) {
    return gnutls_hmac_fast(GNUTLS_MAC_SHA256, key, key_size, message, message_size, code);
}

#endif
