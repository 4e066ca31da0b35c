/* The time that LibreOffice writes into PDFs. */
#ifndef PLATEN_CLOCK_H
#define PLATEN_CLOCK_H

#include <time.h>

/*
 * Stops it at this second, so that the same document gives the same PDF; 0 lets it go on. Fields that show the day or the time
 * show the real one: they are worked out during the export, but ask another clock.
 */
void stop_clock(time_t at);

#endif
