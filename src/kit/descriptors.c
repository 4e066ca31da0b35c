#define _GNU_SOURCE
#include "descriptors.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_SIZE = 48 };

/*
 * LibreOffice keeps files open, some for writing, such as the NSS databases. Siblings that share them could communicate past
 * every rule on paths, and would share the read position.
 */
static int open_anew(int descriptor)
{
    char path[PATH_SIZE];
    snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file >= 0)
        lseek(file, lseek(descriptor, 0, SEEK_CUR), SEEK_SET);
    return file;
}

/* LibreOffice recreates the pipe that wakes its main loop in a forked process; it is then not shared. */
static int is_own_pipe(int descriptor, const struct stat *about, pid_t parent)
{
    char path[PATH_SIZE];
    struct stat of_parent;
    snprintf(path, sizeof path, "/proc/%d/fd/%d", (int)parent, descriptor);
    return S_ISFIFO(about->st_mode) && (stat(path, &of_parent) || of_parent.st_ino != about->st_ino);
}

static int disown(int descriptor, pid_t parent)
{
    struct stat about;
    if (fstat(descriptor, &about))
        return -1;
    if (is_own_pipe(descriptor, &about, parent))
        return 0;
    int own = S_ISREG(about.st_mode) ? open_anew(descriptor) : open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (own < 0)
        return -1;
    int failed = dup3(own, descriptor, O_CLOEXEC) < 0;
    close(own);
    return failed ? -1 : 0;
}

int disown_descriptors(int kept, pid_t parent)
{
    /* A document must not write into our log through LibreOffice. */
    if (dup2(STDIN_FILENO, STDOUT_FILENO) < 0 || dup2(STDIN_FILENO, STDERR_FILENO) < 0)
        return -1;
    DIR *folder = opendir("/proc/self/fd");
    if (!folder)
        return -1;
    int failed = 0;
    for (struct dirent *entry; !failed && (entry = readdir(folder));) {
        int descriptor = atoi(entry->d_name); /* 0 for "." and ".." */
        if (descriptor > STDERR_FILENO && descriptor != kept && descriptor != dirfd(folder))
            failed = disown(descriptor, parent);
    }
    closedir(folder);
    return failed ? -1 : 0;
}
