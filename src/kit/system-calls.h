/* The system calls that a child may make (seccomp, https://docs.kernel.org/userspace-api/seccomp_filter.html). */
#ifndef PLATEN_SYSTEM_CALLS_H
#define PLATEN_SYSTEM_CALLS_H

/* Prepares the filter, once for all children. 0, or -1 if the system is out of memory or descriptors. */
int prepare_filter(void);

/* Applies the filter to the calling process permanently. Requires no_new_privs. 0, or -1. */
int enter_filter(void);

#endif
