// PostgreSQL: a group is one prepared statement.

#include "store.h"

#include <arpa/inet.h>
#include <libpq-fe.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/// As in Sources/CoordinatePostgreSQL/SQL/Statements.swift.
static const char append[] =
    "INSERT INTO coordinate_entries (session, version, pending, mark, content)"
    " SELECT s.id, n.version, COALESCE(p.pending, s.base_pending) + n.change, n.mark, n.content"
    " FROM ("
    "     SELECT * FROM unnest($1::text[], $2::int[], $3::int[], $4::bigint[], $5::bytea[])"
    "         AS n(session, version, change, mark, content)"
    "     ORDER BY session COLLATE \"C\""
    " ) n"
    " CROSS JOIN LATERAL ("
    "     SELECT id, base, base_pending, n.version - 1 AS version FROM coordinate_sessions WHERE id = n.session"
    "     FOR KEY SHARE"
    " ) s"
    " LEFT JOIN coordinate_entries p ON p.session = s.id AND p.version = s.version"
    " WHERE p.session IS NOT NULL OR n.version = s.base + 1"
    " ORDER BY s.id"
    " ON CONFLICT DO NOTHING"
    " RETURNING session";

/// As in Sources/CoordinatePostgreSQL/Connection/ConnectionSettings.swift.
static const char settings[] =
    "SET plan_cache_mode = force_generic_plan; SET enable_seqscan = off; SET enable_hashjoin = off;"
    "SET enable_mergejoin = off; SET enable_material = off; SET jit = off";

/// A parameter with an array in binary format.
struct Array {
    char *bytes;
    size_t size;
};

static void add(struct Array *array, const void *bytes, size_t size) {
    memcpy(array->bytes + array->size, bytes, size);
    array->size += size;
}

static void add_number(struct Array *array, uint32_t number) {
    number = htonl(number);
    add(array, &number, sizeof number);
}

static void add_element(struct Array *array, const void *bytes, size_t size) {
    add_number(array, (uint32_t)size);
    add(array, bytes, size);
}

/// Starts an array of one dimension without nulls.
static void begin(struct Array *array, uint32_t type, int count) {
    array->size = 0;
    uint32_t head[] = {1, 0, type, (uint32_t)count, 1};
    for (int index = 0; index < 5; index++) add_number(array, head[index]);
}

static void expect(PGconn *connection, PGresult *result, ExecStatusType status, int rows) {
    if (PQresultStatus(result) != status) fail(PQerrorMessage(connection));
    if (rows >= 0 && PQntuples(result) != rows) fail("an entry was refused");
    PQclear(result);
}

static void find_sessions(PGconn *connection, struct Load *load) {
    PGresult *all = PQexecParams(
        connection, "SELECT session, version::text, content FROM coordinate_entries", 0, NULL, NULL, NULL, NULL, 1);
    if (PQresultStatus(all) != PGRES_TUPLES_OK) fail(PQerrorMessage(connection));
    for (int row = 0; row < PQntuples(all); row++) {
        add_session(
            load, PQgetvalue(all, row, 0), atoi(PQgetvalue(all, row, 1)), PQgetvalue(all, row, 2),
            PQgetlength(all, row, 2));
    }
    PQclear(all);
    if (load->count < load->group) fail("there are fewer sessions than entries in a group");
}

double run_postgresql(const char *address, struct Load *load) {
    PGconn *connection = PQconnectdb(address);
    if (PQstatus(connection) != CONNECTION_OK) fail(PQerrorMessage(connection));
    expect(connection, PQexec(connection, settings), PGRES_COMMAND_OK, -1);
    expect(connection, PQprepare(connection, "append", append, 0, NULL), PGRES_COMMAND_OK, -1);
    find_sessions(connection, load);

    // text, int4, int4, int8 and bytea
    static const uint32_t types[] = {25, 23, 23, 20, 17};
    static const int formats[] = {1, 1, 1, 1, 1};
    struct Array arrays[5];
    const char *values[5];
    int lengths[5];
    for (int index = 0; index < 5; index++) {
        arrays[index].bytes = malloc(20 + (size_t)load->group * (size_t)(load->size + 32));
        if (arrays[index].bytes == NULL) fail("no memory");
        values[index] = arrays[index].bytes;
    }
    const uint32_t change = 0;
    uint64_t mark = 0;
    double start = now();
    while (now() - start < load->seconds) {
        for (int index = 0; index < 5; index++) begin(&arrays[index], types[index], load->group);
        for (int entry = 0; entry < load->group; entry++) {
            struct Session *session = next_session(load);
            uint32_t version = htonl((uint32_t)session->version);
            mark++;
            add_element(&arrays[0], session->id, 22);
            add_element(&arrays[1], &version, sizeof version);
            add_element(&arrays[2], &change, sizeof change);
            add_element(&arrays[3], &mark, sizeof mark);
            add_element(&arrays[4], load->content, (size_t)load->size);
        }
        for (int index = 0; index < 5; index++) lengths[index] = (int)arrays[index].size;
        PGresult *result = PQexecPrepared(connection, "append", 5, values, lengths, formats, 1);
        expect(connection, result, PGRES_TUPLES_OK, load->group);
    }
    double rate = (double)mark / (now() - start);
    PQfinish(connection);
    return rate;
}
