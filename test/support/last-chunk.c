/*
 * Preloaded into the service: it dies by SIGKILL at one instant around the last chunk of a PDF, which DIE_AFTER names.
 *
 *   note          the delivery is in the journal, the last chunk is not written
 *   chunk         the system has taken the last chunk at once
 *   withdrawal    the system did not take it, and the delivery was withdrawn from the journal
 *   late-chunk    after that the system has taken it, and nothing is noted again
 *
 * The service writes its journal and its connections by write() or writev(), one thread, in order: the first write to
 * a TCP connection after a note is the last chunk.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

static bool noted, withdrawn;

static bool dies_after(const char *instant)
{
    const char *wanted = getenv("DIE_AFTER");
    return wanted && strcmp(wanted, instant) == 0;
}

static void die_after(const char *instant)
{
    if (!dies_after(instant))
        return;
    kill(getpid(), SIGKILL);
    for (;;)
        pause();
}

static bool is_connection(int fd)
{
    struct sockaddr_storage name;
    socklen_t length = sizeof name;
    return getsockname(fd, (struct sockaddr *)&name, &length) == 0
        && (name.ss_family == AF_INET || name.ss_family == AF_INET6);
}

static bool starts_with(const struct iovec *line, const char *text)
{
    return line->iov_len > strlen(text) && memcmp(line->iov_base, text, strlen(text)) == 0;
}

ssize_t writev(int fd, const struct iovec *parts, int count)
{
    static ssize_t (*next)(int, const struct iovec *, int);
    if (!next)
        *(void **)&next = dlsym(RTLD_NEXT, "writev");

    bool is_chunk = noted && is_connection(fd);
    // libuv tries twice before it waits.
    if (is_chunk && !withdrawn && (dies_after("withdrawal") || dies_after("late-chunk"))) {
        errno = EAGAIN;
        return -1;
    }
    ssize_t written = next(fd, parts, count);
    if (starts_with(parts, "\n{\"reservation\":")) {
        noted = true;
        die_after("note");
    } else if (starts_with(parts, "\n{\"withdrawn\":")) {
        withdrawn = true;
        die_after("withdrawal");
    } else if (is_chunk) {
        die_after(withdrawn ? "late-chunk" : "chunk");
    }
    return written;
}

ssize_t write(int fd, const void *bytes, size_t size)
{
    struct iovec part = { .iov_base = (void *)bytes, .iov_len = size };
    return writev(fd, &part, 1);
}
