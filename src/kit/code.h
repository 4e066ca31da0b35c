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

/*
 * Makes calls of a library (x86-64, CALL rel32) lead to a function of ours. That is farther away than a call reaches, so a page near
 * the library has a jump to it. To be called while the process has one thread.
 *
 * Returns 0, or -1 if the system forbids executing written memory or there is no room near the library; some calls may lead to the
 * function even then.
 */
int redirect_calls(unsigned char *const calls[], size_t count, const void *function);

#endif
