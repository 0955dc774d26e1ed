// A file with many sessions.

#include "store.h"

#include <sqlite3.h>
#include <stdio.h>

static sqlite3 *database;

static void check(int status) {
    if (status != SQLITE_OK && status != SQLITE_DONE && status != SQLITE_ROW) fail(sqlite3_errmsg(database));
}

static void execute(const char *sql) { check(sqlite3_exec(database, sql, NULL, NULL, NULL)); }

static sqlite3_stmt *prepare(const char *sql) {
    sqlite3_stmt *statement;
    check(sqlite3_prepare_v3(database, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, NULL));
    return statement;
}

/// Runs a statement with its parameters bound, and ignores its rows.
static void run(sqlite3_stmt *statement) {
    int status;
    do {
        status = sqlite3_step(statement);
        check(status);
    } while (status == SQLITE_ROW);
    sqlite3_reset(statement);
}

static void open_file(const char *path) {
    check(sqlite3_open_v2(path, &database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL));
    execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL");
    execute("PRAGMA cache_size = -16384");
}

static void file_entries(void) {
    execute(
        "INSERT OR IGNORE INTO entries SELECT session, version, pending, mark, content FROM log"
        " ORDER BY session, version;"
        "UPDATE filed SET id = (SELECT coalesce(max(id), filed.id) FROM log);"
        "DELETE FROM log WHERE id <= (SELECT id FROM filed)");
}

/// Writes an id that sorts after those of smaller numbers and cannot be guessed easily: 22 URL-safe characters.
static void write_id(char *id, int number, int count) {
    // The ids are in the order of the file, so that no page is written twice.
    static const char alphabet[] = "-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz";
    unsigned char random[22];
    sqlite3_randomness(sizeof random, random);
    for (int place = 0; place < 22; place++) id[place] = alphabet[random[place] % 64];
    long first = (long)number * (1L << 24) / count;
    for (int place = 0; place < 4; place++) id[place] = alphabet[first >> (18 - 6 * place) & 63];
    // The id has 128 bits, two of them in the last character.
    id[21] = "AQgw"[random[21] % 4];
    id[22] = '\0';
}

void fill_sqlite(const char *path, int count) {
    open_file(path);
    execute("PRAGMA synchronous = OFF; BEGIN IMMEDIATE");
    file_entries();
    sqlite3_stmt *original = prepare("SELECT id FROM sessions");
    if (sqlite3_step(original) != SQLITE_ROW) fail("there is no session to copy");
    char model[23], id[23];
    snprintf(model, sizeof model, "%s", sqlite3_column_text(original, 0));
    sqlite3_finalize(original);

    sqlite3_stmt *session = prepare(
        "INSERT INTO sessions (id, app, content, base, base_pending, expires_at, work_withheld, reference)"
        " SELECT ?1, app, content, base, base_pending, expires_at, work_withheld, ?1 FROM sessions WHERE id = ?2");
    sqlite3_stmt *entries = prepare(
        "INSERT INTO entries SELECT ?1, version, pending, NULL, content FROM entries WHERE session = ?2");
    sqlite3_stmt *statements[] = {session, entries};
    for (int number = 0; number < count; number++) {
        write_id(id, number, count);
        for (int index = 0; index < 2; index++) {
            sqlite3_bind_text(statements[index], 1, id, 22, SQLITE_STATIC);
            sqlite3_bind_text(statements[index], 2, model, 22, SQLITE_STATIC);
            run(statements[index]);
        }
        puts(id);
    }
    execute("COMMIT; PRAGMA synchronous = FULL; PRAGMA wal_checkpoint(TRUNCATE)");
    sqlite3_finalize(session);
    sqlite3_finalize(entries);
    check(sqlite3_close(database));
}
