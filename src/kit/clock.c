/* The C library's functions, which LibreOffice calls these instead of (hence -rdynamic). */
#define _GNU_SOURCE
#include "clock.h"

#include <dlfcn.h>
#include <stddef.h>
#include <sys/time.h>

static time_t stopped;

void stop_clock(time_t at) { stopped = at; }

int clock_gettime(clockid_t clock, struct timespec *now)
{
    if (stopped && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) {
        *now = (struct timespec){.tv_sec = stopped};
        return 0;
    }
    static int (*real)(clockid_t, struct timespec *);
    if (!real)
        *(void **)&real = dlsym(RTLD_NEXT, "clock_gettime");
    return real(clock, now);
}

int gettimeofday(struct timeval *restrict now, void *restrict zone)
{
    (void)zone;
    struct timespec precise;
    clock_gettime(CLOCK_REALTIME, &precise);
    *now = (struct timeval){.tv_sec = precise.tv_sec, .tv_usec = precise.tv_nsec / 1000};
    return 0;
}

time_t time(time_t *now)
{
    struct timespec precise;
    clock_gettime(CLOCK_REALTIME_COARSE, &precise);
    if (now)
        *now = precise.tv_sec;
    return precise.tv_sec;
}
