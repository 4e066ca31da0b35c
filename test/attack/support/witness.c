/*
 * Preloaded into a kit without a sandbox: reports to a UDP listener on loopback, at WITNESS_PORT, what a document
 * makes LibreOffice attempt and no other listener or PDF would show: names that are looked up, programs that are
 * started, canary files that are opened.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dlfcn.h>
#include <netdb.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

static pid_t kit;
__attribute__((constructor)) static void note_kit(void) { kit = getpid(); }

static void tell(const char *what, const char *about)
{
    /* Ignores what the kit itself does at its start; its children lead groups of their own. */
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

/* The kit wraps open(2) and makes the call with this function; see src/kit/disk.c. */
long syscall(long number, ...)
{
    long a[6];
    va_list arguments;
    va_start(arguments, number);
    for (int i = 0; i < 6; i++)
        a[i] = va_arg(arguments, long);
    va_end(arguments);
    if (number == SYS_openat)
        look((const char *)a[1]);
    return ((long (*)(long, ...))dlsym(RTLD_NEXT, "syscall"))(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

FILE *fopen64(const char *path, const char *mode)
{
    look(path);
    return ((FILE * (*)(const char *, const char *)) dlsym(RTLD_NEXT, "fopen64"))(path, mode);
}
