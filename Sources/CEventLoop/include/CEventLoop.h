// The kernel interfaces of an event loop, in a form that Swift imports: waiting, waking, and a socket's state.

#ifndef CEVENTLOOP_H
#define CEVENTLOOP_H

#include <stdint.h>

/// Returns the bytes that a TCP socket has received so far; 0 for other sockets.
uint64_t cloop_bytes_received(int socket);

/// The progress of a TCP socket's outgoing data.
struct CLoopSending {
    /// The bytes that the peer has acknowledged so far.
    uint64_t acknowledged;
    /// Whether some bytes are not acknowledged yet.
    int is_waiting;
};

/// Returns the progress of a socket. Nothing is waiting in sockets other than TCP's.
struct CLoopSending cloop_sending(int socket);

/// Waits until one of two descriptors is readable, or the time is over. A negative time has no end. Returns a bit for
/// each readable descriptor: 1 for the first, 2 for the second.
int cloop_wait(int first, int second, int64_t nanoseconds);

/// Accepts a client on a socket that does not block and is not inherited. Returns -1 if no client is waiting or the
/// next one is already gone, and -2 if the system refuses, for example for lack of files.
int cloop_accept(int listening);

/// Creates an eventfd (eventfd(2)) that does not block, or returns -1.
int cloop_eventfd(void);

/// Wakes the thread that waits for an eventfd.
void cloop_signal(int eventfd);

/// Clears the signals of an eventfd, so that it can be waited for again.
void cloop_clear(int eventfd);

/// Names this thread. 15 bytes of the name are kept.
void cloop_name_thread(const char *name);

/// The system's number of this thread.
int32_t cloop_thread(void);

/// The nanoseconds of the monotonic clock.
int64_t cloop_nanoseconds(void);

/// The event of `poll` for a peer that has closed its side: POLLRDHUP, which the C library does not always declare.
static const short cloop_peer_closed = 0x2000;

#endif
