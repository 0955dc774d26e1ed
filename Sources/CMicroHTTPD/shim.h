// What libmicrohttpd says in variadic C, said so that Swift can import it.

#ifndef CMICROHTTPD_SHIM_H
#define CMICROHTTPD_SHIM_H

#ifdef __linux__
#include <malloc.h>
#endif
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <microhttpd.h>

/// Everything a daemon is started with. It must stay where it is for as long as the daemon runs.
struct CMHDSettings {
    unsigned int workers;
    unsigned int connection_limit;
    unsigned int idle_timeout;
    size_t connection_memory;
    /// Bound and listening; the daemon closes it.
    int listening_socket;
    /// The first argument of every callback.
    void *context;
    MHD_AcceptPolicyCallback accepts;
    MHD_AccessHandlerCallback request_part;
    void *(*request_line)(void *context, const char *target, struct MHD_Connection *connection);
    size_t (*unescape)(void *context, struct MHD_Connection *connection, char *text);
    MHD_RequestCompletedCallback request_completed;
    MHD_NotifyConnectionCallback connection_changed;
    void (*log)(void *context, const char *line);
};

static inline void cmhd_log(void *settings, const char *format, va_list arguments) {
    struct CMHDSettings *owner = (struct CMHDSettings *)settings;
    char line[512];
    vsnprintf(line, sizeof line, format, arguments);
    owner->log(owner->context, line);
}

/// The logger comes first, so that complaints about the other options reach it; the pool size comes last,
/// since one worker is asked for by leaving it out.
///
/// Not strict: strictness adds two checks that are ours anyway, `Host` and spaces in the target. It answers the one
/// with two heads (0.9.75 goes on as if it had not answered) and the other with a closed connection.
static inline struct MHD_Daemon *cmhd_start(struct CMHDSettings *settings) {
    return MHD_start_daemon(
        MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ERROR_LOG, 0, settings->accepts, settings->context,
        settings->request_part, settings->context,
        MHD_OPTION_EXTERNAL_LOGGER, cmhd_log, settings,
        MHD_OPTION_LISTEN_SOCKET, settings->listening_socket,
        MHD_OPTION_STRICT_FOR_CLIENT, 0,
        MHD_OPTION_CONNECTION_LIMIT, settings->connection_limit,
        MHD_OPTION_CONNECTION_TIMEOUT, settings->idle_timeout,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, settings->connection_memory,
        MHD_OPTION_URI_LOG_CALLBACK, settings->request_line, settings->context,
        MHD_OPTION_UNESCAPE_CALLBACK, settings->unescape, settings->context,
        MHD_OPTION_NOTIFY_COMPLETED, settings->request_completed, settings->context,
        MHD_OPTION_NOTIFY_CONNECTION, settings->connection_changed, settings->context,
        settings->workers > 1 ? MHD_OPTION_THREAD_POOL_SIZE : MHD_OPTION_END, settings->workers,
        MHD_OPTION_END);
}

/// What Swift does not import, since each has a cast in it.
static const uint64_t cmhd_size_unknown = MHD_SIZE_UNKNOWN;
static const ssize_t cmhd_end_of_stream = MHD_CONTENT_READER_END_OF_STREAM;
static const ssize_t cmhd_end_with_error = MHD_CONTENT_READER_END_WITH_ERROR;

/// What `poll` calls a peer that has closed its side, in what a caller asks for and is told: POLLRDHUP, which the C
/// library shows to some callers only.
static const short cmhd_peer_closed = 0x2000;

/// Sends a body of unknown size as it is, until the connection is closed.
static inline void cmhd_leave_unchunked(struct MHD_Response *response) {
    MHD_set_response_options(response, MHD_RF_HTTP_1_0_COMPATIBLE_STRICT, MHD_RO_END);
}

/// What was stored in the socket context when the connection started.
static inline void *cmhd_socket_context(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info == NULL ? NULL : info->socket_context;
}

/// The connection's socket, or -1.
static inline int cmhd_socket(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info == NULL ? -1 : info->connect_fd;
}

/// The bytes from the start of the request line to the end of the empty line; 0 before they are all there.
static inline size_t cmhd_header_size(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
    return info == NULL ? 0 : info->header_size;
}

/// Whether an answer is queued, or being sent.
static inline int cmhd_has_answer(struct MHD_Connection *connection) {
    return MHD_get_connection_info(connection, MHD_CONNECTION_INFO_HTTP_STATUS) != NULL;
}

/// The bytes a TCP socket has received so far; 0 where the system does not tell.
///
/// Linux appends to `struct tcp_info` and never moves a field; `tcpi_bytes_received` (since 4.1) is at 128,
/// past the end of the C library's own declaration.
static inline uint64_t cmhd_bytes_received(int socket) {
    uint64_t received = 0;
#ifdef TCP_INFO
    unsigned char information[136];
    socklen_t size = sizeof information;
    if (getsockopt(socket, IPPROTO_TCP, TCP_INFO, information, &size) == 0 && size == sizeof information) {
        memcpy(&received, information + 128, sizeof received);
    }
#endif
    return received;
}

/// How far a TCP socket has come with what it was given to send.
typedef struct {
    /// The bytes that the other side has taken so far.
    uint64_t taken;
    /// Whether there are more.
    int is_waiting;
} CMHDSending;

/// Nothing is waiting where the system does not tell. `tcpi_unacked` is at 24, `tcpi_bytes_acked` (since 4.1) at 120,
/// `tcpi_notsent_bytes` (since 4.6) at 144.
static inline CMHDSending cmhd_sending(int socket) {
    CMHDSending sending = {0, 0};
#ifdef TCP_INFO
    unsigned char information[148];
    socklen_t size = sizeof information;
    if (getsockopt(socket, IPPROTO_TCP, TCP_INFO, information, &size) == 0 && size == sizeof information) {
        uint32_t unacknowledged, unsent;
        memcpy(&unacknowledged, information + 24, sizeof unacknowledged);
        memcpy(&sending.taken, information + 120, sizeof sending.taken);
        memcpy(&unsent, information + 144, sizeof unsent);
        sending.is_waiting = unacknowledged > 0 || unsent > 0;
    }
#endif
    return sending;
}

/// The nanoseconds of a clock that never jumps.
static inline int64_t cmhd_nanoseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/// The time, as it stands in `Date`; tells the length.
static inline size_t cmhd_date(char *text, size_t size) {
    time_t now = time(NULL);
    struct tm parts;
    return gmtime_r(&now, &parts) == NULL ? 0 : strftime(text, size, "%a, %d %b %Y %H:%M:%S GMT", &parts);
}

/// Lets malloc divide its memory among so many arenas and no more, where the C library has any.
static inline void cmhd_limit_arenas(int count) {
#ifdef M_ARENA_MAX
    mallopt(M_ARENA_MAX, count);
#else
    (void)count;
#endif
}

#endif
