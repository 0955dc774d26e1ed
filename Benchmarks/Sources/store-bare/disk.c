// The disk alone: a file gets some bytes, and the program waits until they are on the disk, at a fixed rate.

#include "store.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

/// The size of the file. Like a write-ahead log, it is overwritten from its beginning, and never grows.
static const off_t file_size = 4 << 20;

static int compare(const void *left, const void *right) {
    double difference = *(const double *)left - *(const double *)right;
    return (difference > 0) - (difference < 0);
}

void run_disk(const char *path, int size, double rate, double seconds) {
    int file = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
    char *content = calloc(1, file_size);
    int limit = (int)(rate * seconds) + 1, count = 0;
    double *times = calloc((size_t)limit, sizeof *times);
    if (file < 0 || content == NULL || times == NULL || size < 1 || size > file_size) fail("no file that can be used");
    if (pwrite(file, content, file_size, 0) != file_size || fsync(file) != 0) fail("the disk is full");

    double start = now();
    off_t place = 0;
    while (count < limit && now() - start < seconds) {
        double wait = start + count / rate - now();
        if (wait > 0) nanosleep(&(struct timespec){(time_t)wait, (long)((wait - (double)(time_t)wait) * 1e9)}, NULL);
        double begin = now();
        if (place + size > file_size) place = 0;
        if (pwrite(file, content, (size_t)size, place) != size || fdatasync(file) != 0) fail("the disk is full");
        place += size;
        times[count++] = (now() - begin) * 1e3;
    }
    double reached = count / (now() - start);
    qsort(times, (size_t)count, sizeof *times, compare);
    printf("%.0f %.3f %.3f %.3f\n", reached, times[count / 2], times[(int)(count * 0.99)], times[count - 1]);
    unlink(path);
}
