// The stores' libraries alone: commits groups of entries, one after the other, as fast as possible.
//
//     store-bare loop ADDRESS GROUP SECONDS
//     store-bare fill sqlite:PATH COUNT
//
// ADDRESS is `sqlite:PATH` or `postgres://…`. `store-loop` has created the tables, and sessions with an entry each. The
// statements are those of Sources/CoordinateSQLite and Sources/CoordinatePostgreSQL. No client waits for an entry, no
// entry is checked, and there is only one thread. This is the least possible work for a group.
//
// `fill` creates many copies of the one session that a server has created in a file.

#include "store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

void fail(const char *reason) {
    fprintf(stderr, "store-bare: %s\n", reason);
    exit(1);
}

double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

struct Session *next_session(struct Load *load) {
    struct Session *session = &load->sessions[load->next];
    load->next = (load->next + 1) % load->count;
    session->version++;
    return session;
}

void add_session(struct Load *load, const char *id, int version, const void *content, int size) {
    load->sessions = realloc(load->sessions, (size_t)(load->count + 1) * sizeof *load->sessions);
    load->content = realloc(load->content, (size_t)size);
    if (load->sessions == NULL || load->content == NULL || strlen(id) != 22) fail("no session that can be used");
    struct Session *session = &load->sessions[load->count++];
    memcpy(session->id, id, sizeof session->id);
    session->version = version;
    memcpy(load->content, content, (size_t)size);
    load->size = size;
}

int main(int count, char **arguments) {
    if (count < 4) fail("loop ADDRESS GROUP SECONDS, or fill sqlite:PATH COUNT");
    const char *address = arguments[2];
    const char *path = strncmp(address, "sqlite:", 7) == 0 ? address + 7 : NULL;
    if (strcmp(arguments[1], "fill") == 0 && path != NULL) {
        fill_sqlite(path, atoi(arguments[3]));
        return 0;
    }
    struct Load load = {.group = atoi(arguments[3]), .seconds = count > 4 ? atof(arguments[4]) : 0};
    if (load.group < 1 || load.seconds <= 0) fail("a group and a time have to be more than nothing");
    double rate = path != NULL ? run_sqlite(path, &load) : run_postgresql(address, &load);
    printf("%.0f %d\n", rate, load.size);
    return 0;
}
