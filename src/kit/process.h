/* What the kernel tells of a process. */
#ifndef PLATEN_PROCESS_H
#define PLATEN_PROCESS_H

#include <sys/resource.h>
#include <sys/types.h>

/* Threads of this process; -1 when the system has no descriptor or memory to find out. */
int thread_count(void);

/* What the kernel tells of a process (proc_pid_stat(5)). */
struct statistics {
    unsigned long resident_mib; /* 0 also when its first thread has ended */
    unsigned long threads;
    int signalled; /* its first thread has ended by a signal, which ends all of them */
};

/* A descriptor to read the statistics of a process from, as long as it lives; -1. */
int open_statistics(pid_t pid);

/* 0, or -1 when the process is gone. */
int read_statistics(int descriptor, struct statistics *statistics);

/* User and system time, in milliseconds. */
long cpu_ms(const struct rusage *use);

#endif
