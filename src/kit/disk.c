/*
 * Wrappers around the C library's write functions, which LibreOffice calls instead (hence -rdynamic): they remember that the
 * disk was full. <fcntl.h> and <sys/stat.h> are not included, as their inline functions would conflict.
 */
#define _GNU_SOURCE
#include "disk.h"

#include <errno.h>
#include <linux/fcntl.h>
#include <stdarg.h>
#include <sys/syscall.h>
#include <unistd.h>

static int full;

int met_full_disk(void) { return full; }

static long note(long result)
{
    if (result < 0 && (errno == ENOSPC || errno == EDQUOT))
        full = 1;
    return result;
}

/* A short write to a regular file means that the disk is full. */
static ssize_t note_written(int file, ssize_t written, size_t size)
{
    if (written >= 0 && (size_t)written < size && lseek(file, 0, SEEK_CUR) >= 0)
        full = 1;
    return note(written);
}

ssize_t write(int file, const void *data, size_t size)
{
    return note_written(file, syscall(SYS_write, file, data, size), size);
}

ssize_t pwrite(int file, const void *data, size_t size, off_t position)
{
    return note_written(file, syscall(SYS_pwrite64, file, data, size, position), size);
}

ssize_t pwrite64(int file, const void *data, size_t size, off_t position) __attribute__((alias("pwrite")));

int open(const char *path, int flags, ...);
int open(const char *path, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    unsigned mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(arguments, unsigned) : 0;
    va_end(arguments);
    return (int)note(syscall(SYS_openat, AT_FDCWD, path, flags, mode));
}

int open64(const char *path, int flags, ...) __attribute__((alias("open")));

int mkdir(const char *path, unsigned mode);
int mkdir(const char *path, unsigned mode) { return (int)note(syscall(SYS_mkdirat, AT_FDCWD, path, mode)); }
