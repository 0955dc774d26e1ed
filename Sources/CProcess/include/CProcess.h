// How a process ends, and what each of its threads is doing: all that has to hold in a signal handler, where no Swift may
// run.

#ifndef CPROCESS_H
#define CPROCESS_H

#include <stddef.h>
#include <stdint.h>

/// Has SIGTERM, SIGINT and SIGHUP caught, the last unless it is ignored. The first one starts the deadline, in
/// milliseconds, and is then passed on, on a thread of its own; each later one ends the process at once, with the
/// status 1. Returns 0, or -1 if the system refuses.
///
/// At the deadline the process ends with the status 0, whatever hangs. What `exit` does is not done then.
int cprocess_catch_termination(int deadline, void (*told)(int signal));

/// Moves the deadline to so many milliseconds from now; a negative number calls it off.
void cprocess_end_within(int milliseconds);

/// Writes on the standard error, if that takes it without waiting, and ends the process.
void cprocess_end_now(const char *text, size_t length, int status);

/// The words around a note in the message of a crash: what comes before its text, between its text and its number, and
/// after its number; and the whole message of a thread without a note. They have to stay where they are.
struct CProcessWords {
    const char *before_text;
    const char *before_number;
    const char *after_number;
    const char *without_note;
};

/// Writes on the standard error what the thread that crashes was doing. The process then crashes as it would have.
///
/// A note that has a subject is passed on first: `note` is called with the place of its thread, on a thread of its own.
/// The thread that crashed waits until `cprocess_noted`, and for two seconds at most. It does nothing but wait: whatever it
/// has locked stays so.
void cprocess_catch_crashes(const struct CProcessWords *words, void (*note)(int place));

/// Lets the thread of a place crash, now that its note is passed on.
void cprocess_noted(int place);

/// The most of a note's text that is kept, in bytes.
#define CPROCESS_TEXT_LENGTH 80

/// What a thread is doing, in the terms of the code that runs there.
struct CProcessNote {
    int64_t number;
    int is_repeated;
    /// Whether it has a subject, which is written nowhere.
    int has_subject;
    uint64_t subject[2];
};

/// Notes what this thread is doing, until the end of the note. Notes are not nested.
void cprocess_begin_note(const char *text, size_t length, const struct CProcessNote *note);
void cprocess_end_note(void);

/// Gives this thread a name, of which 15 bytes are kept, and has it be as nice to all others as it says (setpriority(2)).
void cprocess_be_background(const char *name, int niceness);

/// The note of a thread.
struct CProcessThread {
    uint64_t thread;
    /// Counts the notes that have begun and ended: odd while there is one.
    uint64_t notes;
    struct CProcessNote note;
    size_t text_length;
    char text[CPROCESS_TEXT_LENGTH];
};

/// Reads the note of a thread by its place, from 0. Returns 0 if there is no thread at this place.
int cprocess_look(int place, struct CProcessThread *thread);
int cprocess_places(void);

/// The number of this thread, as `CProcessThread` has it.
uint64_t cprocess_thread(void);

/// The number by which the system knows this thread.
int32_t cprocess_system_thread(void);

/// Lets malloc divide its memory among at most so many arenas, and give large pieces back to the system when they are
/// freed, if the C library has such settings.
void cprocess_manage_memory(int arenas);

#endif
