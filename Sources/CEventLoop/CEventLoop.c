#define _GNU_SOURCE
#include "CEventLoop.h"

#include <errno.h>
// The kernel's declaration, because the C library's lacks the byte counters.
#include <linux/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>
#include <netinet/in.h>

// Reads the fields that the kernel fills in; an older one has fewer. Returns whether the needed field is among them.
static int read_information(int socket, struct tcp_info *information, size_t needed) {
    socklen_t size = sizeof *information;
    return getsockopt(socket, IPPROTO_TCP, TCP_INFO, information, &size) == 0 && size >= needed;
}

#define END_OF(field) (offsetof(struct tcp_info, field) + sizeof(((struct tcp_info *)0)->field))

uint64_t cloop_bytes_received(int socket) {
    struct tcp_info information;
    return read_information(socket, &information, END_OF(tcpi_bytes_received)) ? information.tcpi_bytes_received : 0;
}

struct CLoopSending cloop_sending(int socket) {
    struct CLoopSending sending = {0, 0};
    struct tcp_info information;
    if (read_information(socket, &information, END_OF(tcpi_notsent_bytes))) {
        sending.acknowledged = information.tcpi_bytes_acked;
        sending.is_waiting = information.tcpi_unacked > 0 || information.tcpi_notsent_bytes > 0;
    }
    return sending;
}

int cloop_wait(int first, int second, int64_t nanoseconds) {
    struct pollfd sockets[2] = {{.fd = first, .events = POLLIN}, {.fd = second, .events = POLLIN}};
    struct timespec time = {.tv_sec = nanoseconds / 1000000000, .tv_nsec = nanoseconds % 1000000000};
    if (ppoll(sockets, 2, nanoseconds < 0 ? NULL : &time, NULL) <= 0) return 0;
    return (sockets[0].revents != 0 ? 1 : 0) | (sockets[1].revents != 0 ? 2 : 0);
}

int cloop_accept(int listening) {
    for (;;) {
        int client = accept4(listening, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (client >= 0) return client;
        if (errno != EINTR && errno != ECONNABORTED) return errno == EAGAIN ? -1 : -2;
    }
}

int cloop_eventfd(void) {
    return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
}

void cloop_signal(int eventfd) {
    ssize_t written = eventfd_write(eventfd, 1);
    (void)written;
}

void cloop_clear(int eventfd) {
    eventfd_t signals;
    ssize_t read = eventfd_read(eventfd, &signals);
    (void)read;
}

void cloop_name_thread(const char *name) {
    char kept[16];
    snprintf(kept, sizeof kept, "%s", name);
    pthread_setname_np(pthread_self(), kept);
}

int32_t cloop_thread(void) {
    return gettid();
}

int64_t cloop_nanoseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}
