// Shared by the loops for SQLite and PostgreSQL.

#ifndef STORE_H
#define STORE_H

/// A session with its first entry in a store.
struct Session {
    char id[23];
    int version;
};

/// The work to commit: entries with the same content, for each session in turn.
struct Load {
    struct Session *sessions;
    int count;
    int next;
    void *content;
    int size;
    /// The number of entries per commit.
    int group;
    /// The duration, in seconds.
    double seconds;
};

/// Returns the next session in turn, with the version of its next entry.
struct Session *next_session(struct Load *load);

/// Adds a session of a store. All entries get the content of the last added one.
void add_session(struct Load *load, const char *id, int version, const void *content, int size);

/// Returns the seconds of a clock that never jumps.
double now(void);

/// Ends the program with a reason.
void fail(const char *reason);

/// Commits groups for the duration, and returns the entries per second.
double run_sqlite(const char *path, struct Load *load);
double run_postgresql(const char *address, struct Load *load);

/// Adds copies of the one session in a file, and writes all their ids.
void fill_sqlite(const char *path, int count);

#endif
