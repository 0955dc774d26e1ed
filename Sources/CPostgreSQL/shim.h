// libpq, PostgreSQL's C library: https://www.postgresql.org/docs/15/libpq.html

#ifndef CPOSTGRESQL_SHIM_H
#define CPOSTGRESQL_SHIM_H

#include <libpq-fe.h>

#endif
