/*
 * Preloaded into redis-server: the time of day is the number in the file that CLOCK_FILE names, 8 bytes, microseconds
 * since the epoch in the byte order of the machine. The monotonic clock stays as it is.
 *
 * libfaketime does the same for other programs; with jemalloc, which Redis allocates with, it ends in an endless
 * recursion before main().
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>

static const volatile int64_t *clock_us;

__attribute__((constructor)) static void map_clock(void)
{
    const char *path = getenv("CLOCK_FILE");
    int fd = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    void *page = fd < 0 ? MAP_FAILED : mmap(NULL, sizeof *clock_us, PROT_READ, MAP_SHARED, fd, 0);
    if (page == MAP_FAILED) {
        perror("CLOCK_FILE");
        _Exit(1);
    }
    clock_us = page;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone)
{
    (void)zone;
    int64_t us = clock_us ? *clock_us : 0;
    now->tv_sec = us / 1000000;
    now->tv_usec = us % 1000000;
    return 0;
}

time_t time(time_t *now)
{
    time_t seconds = (clock_us ? *clock_us : 0) / 1000000;
    if (now)
        *now = seconds;
    return seconds;
}
