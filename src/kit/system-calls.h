/* The system calls that a child may make (seccomp, https://docs.kernel.org/userspace-api/seccomp_filter.html). */
#ifndef PLATEN_SYSTEM_CALLS_H
#define PLATEN_SYSTEM_CALLS_H

/* Makes the filter ready, once for all children. 0, or -1 when the system has no memory or descriptor. */
int prepare_filter(void);

/* Puts the filter on the calling process, for good. It needs no_new_privs. 0, or -1. */
int enter_filter(void);

#endif
