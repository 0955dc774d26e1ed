// What a store is made of, without a store.
//
//     store-bare fill PATH COUNT
//     store-bare disk PATH BYTES RATE SECONDS
//
// `fill` creates many copies of the one session that a server has created in an SQLite file, and writes all their ids.
//
// `disk` writes BYTES to a file and synchronizes it, RATE times a second. It writes the number per second that it reached,
// and the median, the 99th percentile and the maximum in milliseconds.

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

int main(int count, char **arguments) {
    if (count == 4 && strcmp(arguments[1], "fill") == 0) {
        fill_sqlite(arguments[2], atoi(arguments[3]));
    } else if (count == 6 && strcmp(arguments[1], "disk") == 0) {
        run_disk(arguments[2], atoi(arguments[3]), atof(arguments[4]), atof(arguments[5]));
    } else {
        fail("fill PATH COUNT, or disk PATH BYTES RATE SECONDS");
    }
    return 0;
}
