// What the loops over SQLite and PostgreSQL share.

#ifndef STORE_H
#define STORE_H

/// A session of a store that has a first entry.
struct Session {
    char id[23];
    int version;
};

/// What is committed: entries of the same content, for one session after the other.
struct Load {
    struct Session *sessions;
    int count;
    int next;
    void *content;
    int size;
    /// How many entries a commit has.
    int group;
    /// For how long, in seconds.
    double seconds;
};

/// The next session in turn, with the version of its next entry.
struct Session *next_session(struct Load *load);

/// Adds a session of a store; the content is that of the last one that is added.
void add_session(struct Load *load, const char *id, int version, const void *content, int size);

/// Seconds that never jump.
double now(void);

/// Ends the program with a reason.
void fail(const char *reason);

/// Commit groups for as long as is wanted, and return how many entries a second that were.
double run_sqlite(const char *path, struct Load *load);
double run_postgresql(const char *address, struct Load *load);

/// Adds copies of the one session that is in a file, and writes the ids of them all.
void fill_sqlite(const char *path, int count);

#endif
