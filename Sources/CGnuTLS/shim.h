// GnuTLS, which libmicrohttpd loads and whose headers libmicrohttpd-dev installs:
// https://www.gnutls.org/manual/html_node/Using-GnuTLS-as-a-cryptographic-library.html

#ifndef CGNUTLS_SHIM_H
#define CGNUTLS_SHIM_H

#include <gnutls/gnutls.h>
#include <gnutls/crypto.h>

#endif
