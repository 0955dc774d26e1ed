// The end of the process and the notes of its threads: everything that must work in a signal handler, where Swift must
// not run.

#ifndef CPROCESS_H
#define CPROCESS_H

#include <stddef.h>
#include <stdint.h>

/// Writes to the standard error, if that is possible without waiting, and ends the process.
void cprocess_end_now(const char *text, size_t length, int status);

/// The texts around a note in a crash message: before its text, between its text and its number, and after its number;
/// and the whole message of a thread without a note. They must not be moved or freed.
struct CProcessWords {
    const char *before_text;
    const char *before_number;
    const char *after_number;
    const char *without_note;
};

/// Writes to the standard error what the crashing thread was doing. The process then crashes as usual.
///
/// A note with a subject is recorded first: `record` is called with the place of its thread, on a separate thread. The
/// crashing thread waits for `cprocess_end_record`, at most two seconds. It only waits, and keeps any locks that it holds.
void cprocess_catch_crashes(const struct CProcessWords *words, void (*record)(int place));

/// Lets the thread at a place crash, after its note was recorded.
void cprocess_end_record(int place);

/// The longest stored text of a note, in bytes.
#define CPROCESS_TEXT_LENGTH 80

/// The note of what a thread is doing, in the terms of its code.
struct CProcessNote {
    int64_t number;
    int is_repeated;
    /// Whether it has a subject. The subject is never written.
    int has_subject;
    uint64_t subject[2];
};

/// Sets the note of this thread, until it is ended. Notes are not nested.
void cprocess_begin_note(const char *text, size_t length, const struct CProcessNote *note);
void cprocess_end_note(void);

/// Names this thread, of which 15 bytes are kept, and sets its nice value (setpriority(2)).
void cprocess_set_background(const char *name, int niceness);

/// The note of a thread.
struct CProcessThread {
    uint64_t thread;
    /// The number of begun and ended notes. It is odd while the thread has a note.
    uint64_t notes;
    struct CProcessNote note;
    size_t text_length;
    char text[CPROCESS_TEXT_LENGTH];
};

/// Reads the note of the thread at a place, counted from 0. Returns 0 if there is no thread at this place.
int cprocess_read_note(int place, struct CProcessThread *thread);
int cprocess_places(void);

/// The number of this thread, as in `CProcessThread`.
uint64_t cprocess_thread(void);

/// The system's number of this thread.
int32_t cprocess_system_thread(void);

/// Limits malloc to a number of arenas, and makes it return large pieces to the system when they are freed, if the C
/// library has such settings.
void cprocess_manage_memory(int arenas);

#endif
