/* The time of day that LibreOffice sees. */
#ifndef PLATEN_CLOCK_H
#define PLATEN_CLOCK_H

#include <time.h>

/* Stops the time of day at this second, so that the same document gives the same PDF. Other clocks go on. */
void stop_clock(time_t at);

#endif
