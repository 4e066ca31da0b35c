/* The system calls that a child may make (seccomp, https://docs.kernel.org/userspace-api/seccomp_filter.html). */
#ifndef PLATEN_SYSTEM_CALLS_H
#define PLATEN_SYSTEM_CALLS_H

/* Prepares the filters, once for all children. 0, or -1 if the system is out of memory or descriptors. */
int prepare_filters(void);

/*
 * Applies a filter to the calling process permanently: one that also allows it to become another program, which has the same filter,
 * or one that does not. Requires no_new_privs. 0, or -1.
 */
int enter_filter(int may_execute);

#endif
