/* What the kernel tells of a process. */
#ifndef PLATEN_PROCESS_H
#define PLATEN_PROCESS_H

#include <sys/resource.h>
#include <sys/types.h>

/* Threads of this process; -1 when the system has no descriptor or memory to find out. */
int thread_count(void);

/* Resident MiB of a process; 0 when it is gone. */
unsigned long resident_mib(pid_t pid);

/* User and system time, in milliseconds. */
long cpu_ms(const struct rusage *use);

#endif
