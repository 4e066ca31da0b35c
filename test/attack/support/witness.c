/*
 * Preloaded into a kit whose cage is off: tells a listener for packets on loopback, at WITNESS_PORT, what a document
 * makes LibreOffice attempt that no listener and no PDF would show: names that are looked up, programs that are
 * started, canary files that are opened.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <netdb.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static pid_t kit;
__attribute__((constructor)) static void note_kit(void) { kit = getpid(); }

static void tell(const char *what, const char *about)
{
    /* What the kit itself does while it starts is no document's doing; its children lead groups of their own. */
    if (getpgrp() == kit)
        return;
    char message[1024];
    int length = snprintf(message, sizeof message, "%s %s", what, about ? about : "");
    const char *port = getenv("WITNESS_PORT");
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int s = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (s < 0 || !port)
        return;
    to.sin_port = htons((unsigned short)atoi(port));
    sendto(s, message, (size_t)length, 0, (struct sockaddr *)&to, sizeof to);
    close(s);
}

int getaddrinfo(const char *node, const char *service, const struct addrinfo *hints, struct addrinfo **result)
{
    tell("look-up", node);
    int (*real)(const char *, const char *, const struct addrinfo *, struct addrinfo **) =
        dlsym(RTLD_NEXT, "getaddrinfo");
    return real(node, service, hints, result);
}

int execv(const char *path, char *const argv[])
{
    tell("execute", path);
    return ((int (*)(const char *, char *const[]))dlsym(RTLD_NEXT, "execv"))(path, argv);
}

int execvp(const char *path, char *const argv[])
{
    tell("execute", path);
    return ((int (*)(const char *, char *const[]))dlsym(RTLD_NEXT, "execvp"))(path, argv);
}

static void look(const char *path)
{
    if (path && (strstr(path, "canary.") || strstr(path, "/environ")))
        tell("open", path);
}

#define OPENER(name)                                                                         \
    int name(const char *path, int flags, ...)                                               \
    {                                                                                        \
        va_list arguments;                                                                   \
        va_start(arguments, flags);                                                          \
        mode_t mode = va_arg(arguments, mode_t);                                             \
        va_end(arguments);                                                                   \
        look(path);                                                                          \
        return ((int (*)(const char *, int, ...))dlsym(RTLD_NEXT, #name))(path, flags, mode); \
    }
OPENER(open)
OPENER(open64)

FILE *fopen64(const char *path, const char *mode)
{
    look(path);
    return ((FILE * (*)(const char *, const char *)) dlsym(RTLD_NEXT, "fopen64"))(path, mode);
}
