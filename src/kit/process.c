#define _GNU_SOURCE
#include "process.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* PF_SIGNALED of the kernel, include/linux/sched.h. */
enum { SIGNALLED = 0x400 };

int thread_count(void)
{
    DIR *tasks = opendir("/proc/self/task");
    if (!tasks)
        return -1;
    int n = 0;
    for (struct dirent *entry; (entry = readdir(tasks));)
        n += entry->d_name[0] != '.';
    closedir(tasks);
    return n;
}

int open_statistics(pid_t pid)
{
    char path[32];
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    return open(path, O_RDONLY | O_CLOEXEC);
}

int read_statistics(int descriptor, struct statistics *statistics)
{
    char line[1024];
    ssize_t length = pread(descriptor, line, sizeof line - 1, 0);
    if (length <= 0)
        return -1;
    line[length] = '\0';
    /* The process chooses its name, the second field, in parentheses: parse from its closing one. */
    char *rest = strrchr(line, ')');
    unsigned long flags, threads, pages, user, system;
    if (!rest || sscanf(rest + 1,
                        " %*c %*d %*d %*d %*d %*d %lu %*u %*u %*u %*u %lu %lu %*d %*d %*d %*d %lu %*d %*u %*u %lu",
                        &flags, &user, &system, &threads, &pages) != 5)
        return -1;
    *statistics = (struct statistics){
        .resident_mib = pages * (unsigned long)sysconf(_SC_PAGESIZE) / (1024 * 1024),
        .threads = threads,
        .cpu_ms = (user + system) * 1000 / (unsigned long)sysconf(_SC_CLK_TCK),
        .signalled = (flags & SIGNALLED) != 0,
    };
    return 0;
}

long cpu_ms(const struct rusage *use)
{
    return (use->ru_utime.tv_sec + use->ru_stime.tv_sec) * 1000 +
           (use->ru_utime.tv_usec + use->ru_stime.tv_usec) / 1000;
}
