/* Statistics of a process. */
#ifndef PLATEN_PROCESS_H
#define PLATEN_PROCESS_H

#include <sys/resource.h>
#include <sys/types.h>

/* Threads of this process; -1 if the system is out of descriptors or memory. */
int thread_count(void);

/* From proc_pid_stat(5). */
struct statistics {
    unsigned long resident_mib; /* also 0 once its main thread has ended */
    unsigned long threads;
    unsigned long cpu_ms; /* user and system time, of all its threads */
    int signalled; /* a signal ended its main thread, and with it all others */
};

/* A descriptor for read_statistics, valid while the process lives; -1 on failure. */
int open_statistics(pid_t pid);

/* 0, or -1 when the process is gone. */
int read_statistics(int descriptor, struct statistics *statistics);

/* User and system time, in milliseconds. */
long cpu_ms(const struct rusage *use);

#endif
