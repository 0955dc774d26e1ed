#define _GNU_SOURCE
#include "CProcess.h"

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

// The standard error may be a pipe without a reader, so this does not wait. A writable pipe accepts this many bytes at
// once.
static void write_error(const char *text, size_t length) {
    struct pollfd error = {.fd = STDERR_FILENO, .events = POLLOUT, .revents = 0};
    if (poll(&error, 1, 0) != 1 || !(error.revents & POLLOUT)) return;
    if (length > 4096) length = 4096;
    ssize_t written = write(STDERR_FILENO, text, length);
    (void)written;
}

void cprocess_end_now(const char *text, size_t length, int status) {
    write_error(text, length);
    _exit(status);
}

// MARK: Thread notes

enum { places = 512, stack_size = 64 * 1024 };

struct place {
    atomic_int is_taken;
    pthread_t thread;
    atomic_uint_fast64_t notes;
    struct CProcessNote note;
    size_t text_length;
    char text[CPROCESS_TEXT_LENGTH];
    void *stack;
    /// Whether its crash should be recorded, and whether it is.
    atomic_int is_reported;
    atomic_int is_recorded;
};

static struct place all[places];
/// The place of a thread that found no free place. It is never read.
static struct place nowhere;
static __thread struct place *mine;
static pthread_key_t key;
static pthread_once_t once = PTHREAD_ONCE_INIT;

// When a thread ends, another one can use its place.
static void leave(void *taken) {
    struct place *place = taken;
    stack_t none = {.ss_sp = NULL, .ss_flags = SS_DISABLE, .ss_size = 0};
    if (place->stack != NULL) {
        sigaltstack(&none, NULL);
        munmap(place->stack, stack_size);
        place->stack = NULL;
    }
    mine = &nowhere;
    atomic_store(&place->is_taken, 0);
}

static void make_key(void) {
    pthread_key_create(&key, leave);
}

static struct place *find_place(void) {
    pthread_once(&once, make_key);
    mine = &nowhere;
    for (int index = 0; index < places; index++) {
        int expected = 0;
        struct place *place = &all[index];
        if (!atomic_compare_exchange_strong(&place->is_taken, &expected, 1)) continue;
        place->thread = pthread_self();
        atomic_store(&place->notes, 0);
        // After an endless recursion, the thread's own stack has no space left for the report.
        stack_t former;
        if (sigaltstack(NULL, &former) == 0 && (former.ss_flags & SS_DISABLE)) {
            void *memory = mmap(NULL, stack_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
            if (memory != MAP_FAILED) {
                stack_t stack = {.ss_sp = memory, .ss_flags = 0, .ss_size = stack_size};
                sigaltstack(&stack, NULL);
                place->stack = memory;
            }
        }
        pthread_setspecific(key, place);
        mine = place;
        break;
    }
    return mine;
}

static inline struct place *my_place(void) {
    return mine != NULL ? mine : find_place();
}

// Only the thread itself changes its counts.
static inline void count(atomic_uint_fast64_t *counter) {
    atomic_store_explicit(
        counter, atomic_load_explicit(counter, memory_order_relaxed) + 1, memory_order_release);
}

void cprocess_begin_note(const char *text, size_t length, const struct CProcessNote *note) {
    struct place *place = my_place();
    if (place == &nowhere) return;
    if (length > CPROCESS_TEXT_LENGTH) length = CPROCESS_TEXT_LENGTH;
    memcpy(place->text, text, length);
    place->text_length = length;
    place->note = *note;
    count(&place->notes);
}

void cprocess_end_note(void) {
    struct place *place = my_place();
    if (place != &nowhere) count(&place->notes);
}

int cprocess_read_note(int index, struct CProcessThread *thread) {
    struct place *place = &all[index];
    if (!atomic_load(&place->is_taken)) return 0;
    thread->thread = (uint64_t)place->thread;
    thread->notes = atomic_load_explicit(&place->notes, memory_order_acquire);
    thread->note = place->note;
    thread->text_length = place->text_length;
    memcpy(thread->text, place->text, CPROCESS_TEXT_LENGTH);
    return 1;
}

int cprocess_places(void) {
    return places;
}

uint64_t cprocess_thread(void) {
    return (uint64_t)pthread_self();
}

int32_t cprocess_system_thread(void) {
    return gettid();
}

// MARK: Crashes

static const int crashes[] = {SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV};
static const char *const crash_names[] = {"SIGILL", "SIGTRAP", "SIGABRT", "SIGBUS", "SIGFPE", "SIGSEGV"};
enum { crash_count = sizeof crashes / sizeof *crashes };
static struct sigaction former_actions[crash_count];
static struct CProcessWords words;
static atomic_int has_crashed;

/// The time for which a crashing thread waits until its note is recorded, in milliseconds.
enum { recording_time = 2000 };
static int reports[2] = {-1, -1};
static _Atomic(void (*)(int place)) record_place;

static void *wait_for_reports(void *unused) {
    for (;;) {
        int place;
        ssize_t length = read(reports[0], &place, sizeof place);
        if (length < 0 && errno == EINTR) continue;
        if (length != sizeof place) return unused;
        atomic_load(&record_place)(place);
    }
}

static void expect_reports(void (*record)(int place)) {
    atomic_store(&record_place, record);
    if (reports[0] >= 0 || pipe2(reports, O_CLOEXEC) != 0) return;
    pthread_t thread;
    if (pthread_create(&thread, NULL, wait_for_reports, NULL) == 0) {
        pthread_detach(thread);
    } else {
        close(reports[0]);
        close(reports[1]);
        reports[0] = reports[1] = -1;
    }
}

void cprocess_end_record(int place) {
    atomic_store(&all[place].is_recorded, 1);
}

static long long now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (long long)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

// The other threads continue, and one of them records the note. Another thread that crashes and has no note ends the
// process at once: it may be the one that was awaited.
static void report(struct place *place) {
    if (reports[1] < 0 || !place->note.has_subject || atomic_exchange(&place->is_reported, 1) != 0) return;
    int index = (int)(place - all);
    if (write(reports[1], &index, sizeof index) != sizeof index) return;
    long long end = now() + recording_time;
    while (!atomic_load(&place->is_recorded) && now() < end) poll(NULL, 0, 2);
}

struct message {
    char text[512];
    size_t length;
};

static void add(struct message *message, const char *text, size_t length) {
    if (length > sizeof message->text - message->length) length = sizeof message->text - message->length;
    memcpy(message->text + message->length, text, length);
    message->length += length;
}

static void add_text(struct message *message, const char *text) {
    add(message, text, strlen(text));
}

static void add_number(struct message *message, int64_t number) {
    char digits[24];
    size_t start = sizeof digits;
    uint64_t remaining = number < 0 ? 0 : (uint64_t)number;
    do {
        digits[--start] = (char)('0' + remaining % 10);
        remaining /= 10;
    } while (remaining > 0);
    add(message, digits + start, sizeof digits - start);
}

static void crash(int signal, siginfo_t *information, void *context) {
    (void)context;
    int former = errno;
    int index = 0;
    while (index < crash_count - 1 && crashes[index] != signal) index++;
    struct place *place = mine;
    int has_note = place != NULL && place != &nowhere && (atomic_load(&place->notes) & 1);
    if (atomic_exchange(&has_crashed, 1) == 0) {
        struct message message = {.length = 0};
        add_text(&message, "The process crashes (");
        add_text(&message, crash_names[index]);
        if (has_note) {
            add_text(&message, words.before_text);
            add(&message, place->text, place->text_length);
            add_text(&message, words.before_number);
            add_number(&message, place->note.number);
            add_text(&message, words.after_number);
        } else {
            add_text(&message, words.without_note);
        }
        write_error(message.text, message.length);
    }
    // A signal sent by another process is unrelated to the note.
    if (has_note && information->si_code != SI_USER) report(place);
    // Repeats the signal with its former action, so that the core, the backtrace and the status are the usual ones.
    sigaction(signal, &former_actions[index], NULL);
    // A faulting instruction faults again when it is resumed. A signal that was sent, or that follows a trap, does not
    // repeat.
    if (information->si_code <= 0 || signal == SIGTRAP) raise(signal);
    errno = former;
}

void cprocess_catch_crashes(const struct CProcessWords *chosen, void (*record)(int place)) {
    expect_reports(record);
    words = *chosen;
    for (int index = 0; index < crash_count; index++) {
        struct sigaction action;
        memset(&action, 0, sizeof action);
        action.sa_sigaction = crash;
        action.sa_flags = SA_ONSTACK | SA_SIGINFO;
        sigemptyset(&action.sa_mask);
        struct sigaction former;
        if (sigaction(crashes[index], NULL, &former) != 0 || former.sa_sigaction == crash) continue;
        former_actions[index] = former;
        sigaction(crashes[index], &action, NULL);
    }
}

// MARK: Background threads

void cprocess_set_background(const char *name, int niceness) {
    char kept[16];
    snprintf(kept, sizeof kept, "%s", name);
    pthread_setname_np(pthread_self(), kept);
    // On Linux 0 refers to the thread, not to the whole process.
    setpriority(PRIO_PROCESS, 0, niceness);
}

void cprocess_manage_memory(int arenas) {
#ifdef M_ARENA_MAX
    mallopt(M_ARENA_MAX, arenas);
    mallopt(M_MMAP_THRESHOLD, 64 * 1024);
    mallopt(M_TRIM_THRESHOLD, 1024 * 1024);
#else
    (void)arenas;
#endif
}
