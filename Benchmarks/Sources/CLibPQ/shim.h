// libpq, for `store-bare`: https://www.postgresql.org/docs/15/libpq.html

#ifndef CLIBPQ_SHIM_H
#define CLIBPQ_SHIM_H

#include <libpq-fe.h>

#endif
