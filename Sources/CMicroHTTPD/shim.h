// Wrappers for the variadic and macro parts of libmicrohttpd's C interface, which Swift cannot import.

#ifndef CMICROHTTPD_SHIM_H
#define CMICROHTTPD_SHIM_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <microhttpd.h>

/// The settings of a daemon. They must not move while the daemon runs.
struct CMHDSettings {
    unsigned int connection_limit;
    unsigned int idle_timeout;
    size_t connection_memory;
    /// The first argument of every callback.
    void *context;
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

/// Starts a daemon without a thread and without a listening socket. The caller runs it and adds its connections.
///
/// The logger comes first, so that messages about the other options reach it. From 1.0 on the parser is strict. In
/// 0.9.75 it is not: its strict mode adds only two checks that this library makes itself, and answers one of them with
/// two heads.
static inline struct MHD_Daemon *cmhd_start(struct CMHDSettings *settings) {
    return MHD_start_daemon(
        MHD_USE_EPOLL | MHD_USE_NO_LISTEN_SOCKET | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ERROR_LOG, 0, NULL, NULL,
        settings->request_part, settings->context,
        MHD_OPTION_EXTERNAL_LOGGER, cmhd_log, settings,
        MHD_OPTION_STRICT_FOR_CLIENT, MHD_get_version()[0] == '0' ? 0 : 1,
        MHD_OPTION_CONNECTION_LIMIT, settings->connection_limit,
        MHD_OPTION_CONNECTION_TIMEOUT, settings->idle_timeout,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, settings->connection_memory,
        MHD_OPTION_URI_LOG_CALLBACK, settings->request_line, settings->context,
        MHD_OPTION_UNESCAPE_CALLBACK, settings->unescape, settings->context,
        MHD_OPTION_NOTIFY_COMPLETED, settings->request_completed, settings->context,
        MHD_OPTION_NOTIFY_CONNECTION, settings->connection_changed, settings->context,
        MHD_OPTION_END);
}

/// The descriptor that becomes readable when the daemon has something to do; -1 if there is none.
static inline int cmhd_epoll_descriptor(struct MHD_Daemon *daemon) {
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_EPOLL_FD);
    return info == NULL ? -1 : info->epoll_fd;
}

/// The milliseconds after which the daemon must run; negative if it can wait for its descriptor.
static inline int64_t cmhd_timeout(struct MHD_Daemon *daemon) {
    MHD_UNSIGNED_LONG_LONG timeout = 0;
    if (MHD_get_timeout(daemon, &timeout) != MHD_YES) return -1;
    return timeout > 3600000 ? 3600000 : (int64_t)timeout;
}

/// Gives a connected socket to the daemon. The daemon closes it when it has finished or if it refuses the connection.
static inline enum MHD_Result cmhd_add_connection(struct MHD_Daemon *daemon, int socket) {
    struct sockaddr_storage address = {0};
    socklen_t size = sizeof address;
    if (getpeername(socket, (struct sockaddr *)&address, &size) != 0) address.ss_family = AF_UNIX;
    // The address of a socket pair is empty, which 1.0 does not accept.
    if (address.ss_family == AF_UNIX) size = sizeof(struct sockaddr_un);
    return MHD_add_connection(daemon, socket, (struct sockaddr *)&address, size);
}

/// Constants that Swift does not import because they contain casts.
static const uint64_t cmhd_size_unknown = MHD_SIZE_UNKNOWN;
static const ssize_t cmhd_end_of_stream = MHD_CONTENT_READER_END_OF_STREAM;
static const ssize_t cmhd_end_with_error = MHD_CONTENT_READER_END_WITH_ERROR;

/// Sends a body of unknown size without chunks, until the connection is closed.
static inline void cmhd_leave_unchunked(struct MHD_Response *response) {
    MHD_set_response_options(response, MHD_RF_HTTP_1_0_COMPATIBLE_STRICT, MHD_RO_END);
}

/// The pointer stored in the socket context when the connection started.
static inline void *cmhd_socket_context(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info == NULL ? NULL : info->socket_context;
}

/// The connection's socket; -1 if it is unknown.
static inline int cmhd_socket(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info == NULL ? -1 : info->connect_fd;
}

/// The bytes from the start of the request line to the end of the empty line; 0 before all have arrived.
static inline size_t cmhd_header_size(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
    return info == NULL ? 0 : info->header_size;
}

#endif
