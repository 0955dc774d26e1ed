// What a process does as it ends, and what each of its threads is doing: all that has to hold in a signal handler, where
// no Swift may run.

#ifndef CPROCESS_H
#define CPROCESS_H

#include <stddef.h>
#include <stdint.h>

/// Has SIGTERM and SIGINT caught. The first one starts the deadline, in milliseconds, and is then passed on, on a thread of
/// its own; each later one ends the process at once, with the status 1. Returns 0, or -1 where the system refuses.
///
/// At the deadline the process ends with the status 0, whatever hangs. What `exit` does is not done then.
int cprocess_catch_termination(int deadline, void (*told)(int signal));

/// Moves the deadline to so many milliseconds from now; a negative number calls it off.
void cprocess_end_within(int milliseconds);

/// Writes on the standard error, if that takes it without waiting, and ends the process.
void cprocess_end_now(const char *text, size_t length, int status);

/// Has what the threads are doing said on the standard error when the process crashes. It then crashes as it would have.
///
/// A turn that has a subject is noted first: `note` is called with the place of its thread, on a thread of its own. The
/// thread that crashed waits until `cprocess_noted`, and for two seconds at most. It does nothing but wait: whatever it has
/// locked stays so.
void cprocess_catch_crashes(const char *app, size_t length, void (*note)(int place));

/// Lets the thread of a place crash, now that this is noted.
void cprocess_noted(int place);

/// The most of an event's name that is kept, in bytes.
#define CPROCESS_EVENT_LENGTH 80

/// What the app is run for.
struct CProcessTurn {
    int64_t version;
    /// Whether this version was made before.
    int is_repeated;
    /// Whose turn it is, if anybody's. It is written nowhere.
    int has_subject;
    uint64_t subject[2];
};

/// Notes that this thread runs the app, or does so no more.
void cprocess_begin_turn(const char *event, size_t length, const struct CProcessTurn *turn);
void cprocess_end_turn(void);

/// Notes that this thread, one that serves clients, is kept by one of them, or is so no more.
void cprocess_begin_call(void);
void cprocess_end_call(void);

/// Gives this thread a name, of which 15 bytes are kept, and has it be as nice to all others as it says (setpriority(2)).
void cprocess_be_background(const char *name, int niceness);

/// What a thread is doing.
struct CProcessThread {
    uint64_t thread;
    /// Counts what it has begun and ended: odd while it is at it.
    uint64_t calls;
    uint64_t turns;
    struct CProcessTurn turn;
    size_t event_length;
    char event[CPROCESS_EVENT_LENGTH];
};

/// Tells what a thread is doing by its place, from 0; 0 where there is none at this place.
int cprocess_look(int place, struct CProcessThread *thread);
int cprocess_places(void);

/// This thread's number, as `CProcessThread` has it.
uint64_t cprocess_thread(void);

#endif
