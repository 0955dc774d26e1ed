// What an event loop needs of the kernel, in a form that Swift imports: waiting, waking, and what is known of a socket.

#ifndef CEVENTLOOP_H
#define CEVENTLOOP_H

#include <stdint.h>

/// Returns the bytes that a TCP socket has received so far; 0 for other sockets.
uint64_t cloop_bytes_received(int socket);

/// How far a TCP socket has come with what it was given to send.
struct CLoopSending {
    /// The bytes that the peer has acknowledged so far.
    uint64_t acknowledged;
    /// Whether bytes are left that it has not acknowledged.
    int is_waiting;
};

/// Returns how far a socket has come; nothing is waiting in sockets other than TCP's.
struct CLoopSending cloop_sending(int socket);

/// Waits until one of two descriptors can be read, or the time is over; a negative time has no end. Returns a bit for each
/// that can be read: 1 for the first, 2 for the second.
int cloop_wait(int first, int second, int64_t nanoseconds);

/// Accepts a client, whose socket does not block and is not inherited. Returns -1 if none waits, or the next one is gone
/// already, and -2 if the system refuses it, for lack of files for instance.
int cloop_accept(int listening);

/// Creates an eventfd (eventfd(2)) that does not block, or returns -1.
int cloop_eventfd(void);

/// Wakes whoever waits for an eventfd.
void cloop_signal(int eventfd);

/// Takes the signals from an eventfd, so that it can be waited for again.
void cloop_clear(int eventfd);

/// Gives this thread a name, of which 15 bytes are kept.
void cloop_name_thread(const char *name);

/// The number by which the system knows this thread.
int32_t cloop_thread(void);

/// The nanoseconds of a clock that never jumps.
int64_t cloop_nanoseconds(void);

/// What `poll` calls a peer that has closed its side, in the events asked for and reported: POLLRDHUP, which the C
/// library declares for some callers only.
static const short cloop_peer_closed = 0x2000;

#endif
