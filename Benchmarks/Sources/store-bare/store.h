#ifndef STORE_H
#define STORE_H

/// Returns the seconds of a clock that never jumps.
double now(void);

/// Ends the program with a reason.
void fail(const char *reason);

/// Adds copies of the one session in a file, and writes all their ids.
void fill_sqlite(const char *path, int count);

/// Writes bytes to a file and synchronizes it at a rate per second, for some seconds, and writes how long that takes.
void run_disk(const char *path, int size, double rate, double seconds);

#endif
