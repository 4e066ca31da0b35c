#define _GNU_SOURCE
#include "process.h"

#include <dirent.h>
#include <stdio.h>
#include <unistd.h>

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

unsigned long resident_mib(pid_t pid)
{
    char path[32];
    unsigned long pages = 0;
    snprintf(path, sizeof path, "/proc/%d/statm", (int)pid);
    FILE *file = fopen(path, "re");
    if (!file)
        return 0;
    if (fscanf(file, "%*u %lu", &pages) != 1)
        pages = 0;
    fclose(file);
    return pages * (unsigned long)sysconf(_SC_PAGESIZE) / (1024 * 1024);
}

long cpu_ms(const struct rusage *use)
{
    return (use->ru_utime.tv_sec + use->ru_stime.tv_sec) * 1000 +
           (use->ru_utime.tv_usec + use->ru_stime.tv_usec) / 1000;
}
