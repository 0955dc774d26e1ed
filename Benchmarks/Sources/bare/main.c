// Bare libmicrohttpd: it reads requests completely, and answers all of them with the content of a file.
//
//     bare ANSWER
//
// ANSWER is a whole HTTP answer. The daemon has the settings of Sources/CMicroHTTPD/shim.h, and the answer is one
// shared response. This is the least possible work for a request.

#define _GNU_SOURCE

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>
#include <microhttpd.h>

struct Answer {
    unsigned int status;
    struct MHD_Response *response;
};

struct Request {
    size_t size;
    char body[4096];
};

/// Stands for `struct Request` in requests without a body.
static char without_body;

static enum MHD_Result request_part(
    void *context, struct MHD_Connection *connection, const char *url, const char *method, const char *version,
    const char *data, size_t *size, void **request
) {
    (void)url;
    (void)version;
    if (*request == NULL) {
        *request = method[0] == 'P' ? calloc(1, sizeof(struct Request)) : &without_body;
        return *request == NULL ? MHD_NO : MHD_YES;
    }
    if (*size > 0) {
        struct Request *posted = *request;
        if (*request == &without_body || *size > sizeof posted->body - posted->size) return MHD_NO;
        memcpy(posted->body + posted->size, data, *size);
        posted->size += *size;
        *size = 0;
        return MHD_YES;
    }
    const struct Answer *answer = context;
    return MHD_queue_response(connection, answer->status, answer->response);
}

static void request_completed(
    void *context, struct MHD_Connection *connection, void **request, enum MHD_RequestTerminationCode code
) {
    (void)context;
    (void)connection;
    (void)code;
    if (*request != &without_body) free(*request);
    *request = NULL;
}

static void fail(const char *reason) {
    fprintf(stderr, "bare: %s\n", reason);
    exit(1);
}

/// Creates a response from the bytes in a file. libmicrohttpd adds its own headers.
static struct Answer read_answer(const char *path) {
    static char text[1 << 20];
    FILE *file = fopen(path, "rb");
    if (file == NULL) fail("no answer to read");
    size_t size = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    char *end = strstr(text, "\r\n\r\n");
    if (end == NULL || strlen(text) < 12) fail("not an HTTP answer");
    struct Answer answer = {.status = (unsigned int)atoi(text + 9)};
    char *body = end + 4;
    size_t length = size - (size_t)(body - text);
    // A 304 contains the length of the body, which libmicrohttpd does not send in this case.
    char *field = strcasestr(text, "\r\nContent-Length: ");
    if (answer.status == 304 && field != NULL) length = strtoul(field + 18, NULL, 10);
    answer.response = MHD_create_response_from_buffer(length, body, MHD_RESPMEM_PERSISTENT);
    *end = '\0';
    char *line = strstr(text, "\r\n");
    while (line != NULL) {
        char *name = line + 2;
        line = strstr(name, "\r\n");
        if (line != NULL) *line = '\0';
        char *colon = strstr(name, ": ");
        if (colon == NULL) continue;
        *colon = '\0';
        if (strcasecmp(name, "Date") == 0 || strcasecmp(name, "Content-Length") == 0) continue;
        if (strcasecmp(name, "Connection") == 0) continue;
        MHD_add_response_header(answer.response, name, colon + 2);
    }
    return answer;
}

int main(int count, char **arguments) {
    if (count != 2) fail("name the file of the answer");
    struct Answer answer = read_answer(arguments[1]);
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    if (bind(listener, (struct sockaddr *)&address, length) != 0 || listen(listener, 1024) != 0) fail("no port");
    getsockname(listener, (struct sockaddr *)&address, &length);
    unsigned int cores = (unsigned int)sysconf(_SC_NPROCESSORS_ONLN);
    struct MHD_Daemon *daemon = MHD_start_daemon(
        MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ERROR_LOG, 0, NULL, NULL,
        request_part, &answer,
        MHD_OPTION_LISTEN_SOCKET, listener,
        MHD_OPTION_STRICT_FOR_CLIENT, 0,
        MHD_OPTION_CONNECTION_LIMIT, 10000u,
        MHD_OPTION_CONNECTION_TIMEOUT, 30u,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)49152,
        MHD_OPTION_NOTIFY_COMPLETED, request_completed, NULL,
        cores > 1 ? MHD_OPTION_THREAD_POOL_SIZE : MHD_OPTION_END, cores,
        MHD_OPTION_END);
    if (daemon == NULL) fail("the daemon did not start");
    printf("listening on http://127.0.0.1:%d\n", ntohs(address.sin_port));
    fflush(stdout);
    pause();
    return 0;
}
