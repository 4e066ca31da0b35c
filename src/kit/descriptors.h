/* The descriptors that a child inherits. */
#ifndef PLATEN_DESCRIPTORS_H
#define PLATEN_DESCRIPTORS_H

#include <sys/types.h>

/*
 * Makes every descriptor above the standard ones but `kept` one that no other process shares: a file is opened anew,
 * for reading only; in place of anything else that `parent` has too comes /dev/null. The numbers stay taken, as LibreOffice believes them
 * to be. Standard output and standard error become /dev/null too. 0, or -1.
 */
int disown_descriptors(int kept, pid_t parent);

#endif
