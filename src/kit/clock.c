/* Functions that LibreOffice calls instead of those in the libraries (hence -rdynamic). */
#define _GNU_SOURCE
#include "clock.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>

/* As in LibreOffice's osl/time.h. */
struct osl_time {
    uint32_t seconds, nanoseconds;
};

static time_t stopped;

void stop_clock(time_t at) { stopped = at; }

/* The PDF writer asks for its dates and the file's id here. Fields, which show the real day, ask the C library. */
unsigned char osl_getSystemTime(struct osl_time *now);
unsigned char osl_getSystemTime(struct osl_time *now)
{
    if (stopped) {
        *now = (struct osl_time){.seconds = (uint32_t)stopped};
        return 1;
    }
    static unsigned char (*real)(struct osl_time *);
    if (!real)
        *(void **)&real = dlsym(RTLD_NEXT, "osl_getSystemTime");
    return real(now);
}

/* Little CMS asks for the date of a colour profile here. */
time_t time(time_t *now)
{
    struct timespec precise = {.tv_sec = stopped};
    if (!stopped)
        clock_gettime(CLOCK_REALTIME_COARSE, &precise);
    if (now)
        *now = precise.tv_sec;
    return precise.tv_sec;
}
