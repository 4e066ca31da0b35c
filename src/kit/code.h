/* Changes loaded code. */
#ifndef PLATEN_CODE_H
#define PLATEN_CODE_H

#include <stddef.h>

/*
 * Overwrites code of a library, in a copy of its pages that takes their place: no page is ever writable and executable. To be
 * called while the process has one thread.
 *
 * Returns 0, or -1 if the system forbids executing written memory; the code is then as it was.
 */
int replace_code(unsigned char *place, const unsigned char *code, size_t length);

#endif
