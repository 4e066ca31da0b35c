/* The descriptors that a child inherits. */
#ifndef PLATEN_DESCRIPTORS_H
#define PLATEN_DESCRIPTORS_H

#include <sys/types.h>

/*
 * Ensures that no descriptor above the standard ones, except `kept`, is shared with another process: files are reopened
 * read-only, everything else that `parent` also has becomes /dev/null. The numbers stay open, as LibreOffice expects.
 * Standard output and standard error become /dev/null too. 0, or -1.
 */
int disown_descriptors(int kept, pid_t parent);

#endif
