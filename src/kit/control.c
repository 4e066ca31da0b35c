#define _GNU_SOURCE
#include "control.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    LINE_SIZE = FOLDER_SIZE + 2 * MAX_ID + 56,
    UNSENT_SIZE = 256 * 1024, /* about three times what the protocol allows in flight */
    MAX_DIGITS = 15,          /* of a ping's number, and of seconds */
};

static int control = -1;

/* Input: lines taken, lines not yet taken, and the beginning of the next one. */
static char buffer[LINE_SIZE];
static size_t taken, used;

/* Output that is not sent yet. */
static char unsent[UNSENT_SIZE];
static size_t unsent_length;

void open_control(int socket) { control = socket; }

int has_unsent(void) { return unsent_length > 0; }

void send_unsent(void)
{
    ssize_t n = send(control, unsent, unsent_length, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (n <= 0) /* it is full, or Node is gone, which reading shows */
        return;
    unsent_length -= (size_t)n;
    memmove(unsent, unsent + n, unsent_length);
}

__attribute__((format(printf, 1, 2))) static void say(const char *format, ...)
{
    char line[LINE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(line, sizeof line - 1, format, arguments);
    va_end(arguments);
    if (length < 0 || length >= (int)sizeof line - 1)
        length = (int)sizeof line - 2;
    line[length++] = '\n';
    if (unsent_length + (size_t)length > sizeof unsent) {
        fprintf(stderr, "platen-kit: Node does not read its answers\n");
        _exit(1); /* the children die with it */
    }
    memcpy(unsent + unsent_length, line, (size_t)length);
    unsent_length += (size_t)length;
    send_unsent();
}

/* LibreOffice spreads its description over several lines. */
void say_ready(pid_t kit, int layers, int mends, const char *version)
{
    char text[LINE_SIZE];
    snprintf(text, sizeof text, "%s", version);
    for (char *c = text; *c; c++)
        if (*c == '\n')
            *c = ' ';
    say("ready %d %d %d %d %s", PROTOCOL, (int)kit, layers, mends, text);
}

void say_started(const char *id, pid_t child) { say("started %s %d", id, (int)child); }

void say_finished(const char *id, const struct ending *ending)
{
    say("finished %s %s %d %d %ld %ld", id, ending->outcome, ending->detail, ending->report.pages,
        ending->report.peak_kib, ending->report.cpu_ms);
}

void say_lost(int signal) { say("lost %d", signal); }

void say_refused(const char *id, const char *reason) { say("refused %s %s", id, reason); }

void say_pong(const char *number, int idle_children) { say("pong %s %d", number, idle_children); }

void say_fault(const char *text) { say("fault %s", text); }

int read_control(void)
{
    ssize_t n = recv(control, buffer + used, sizeof buffer - used, 0);
    if (n < 0 && errno == EINTR)
        return 1;
    if (n <= 0)
        return 0;
    used += (size_t)n;
    return 1;
}

static int is_id(const char *text)
{
    size_t length = strlen(text);
    if (length == 0 || length > MAX_ID)
        return 0;
    for (size_t i = 0; i < length; i++)
        if (!isalnum((unsigned char)text[i]) && text[i] != '-' && text[i] != '_')
            return 0;
    return 1;
}

static int is_number(const char *text)
{
    size_t length = strlen(text);
    return length > 0 && length <= MAX_DIGITS && strspn(text, "0123456789") == length;
}

static struct request invalid(const char *reason)
{
    return (struct request){.verb = INVALID, .reason = reason};
}

/* Splits the line into its fields. */
static struct request parse(char *line)
{
    char *rest = line;
    const char *verb = strsep(&rest, " "), *id = strsep(&rest, " ");
    if (id && is_id(id) && !strcmp(verb, "convert") && rest) {
        const char *seconds = strsep(&rest, " ");
        unsigned long cpu_seconds = seconds && is_number(seconds) ? strtoul(seconds, NULL, 10) : 0;
        const char *class = rest ? strsep(&rest, " ") : "", *owner = rest ? strsep(&rest, " ") : "";
        int is_patient = !strcmp(class, "idle"), is_known = is_patient || !strcmp(class, "normal");
        int stays = strcmp(owner, "-") != 0;
        if (cpu_seconds && is_known && is_id(owner) && rest && rest[0] == '/' && strlen(rest) < FOLDER_SIZE)
            return (struct request){.verb = CONVERT,
                                    .id = id,
                                    .cpu_seconds = cpu_seconds,
                                    .is_patient = is_patient,
                                    .owner = stays ? owner : NULL,
                                    .folder = rest};
        return invalid("a job that the kit does not understand");
    }
    if (id && is_id(id) && !strcmp(verb, "cancel") && !rest)
        return (struct request){.verb = CANCEL, .id = id};
    if (id && id[0] == '/' && !strcmp(verb, "release")) {
        if (rest)
            rest[-1] = ' '; /* a folder may have blanks */
        return (struct request){.verb = RELEASE, .folder = id};
    }
    if (id && is_number(id) && !strcmp(verb, "ping") && !rest)
        return (struct request){.verb = PING, .id = id};
    return invalid("a line that the kit does not understand");
}

int next_request(struct request *request)
{
    char *line = buffer + taken, *end = memchr(line, '\n', used - taken);
    if (end) {
        *end = '\0';
        taken = (size_t)(end + 1 - buffer);
        *request = strlen(line) == (size_t)(end - line) ? parse(line) : invalid("a line with a NUL byte");
        return 1;
    }
    used -= taken;
    memmove(buffer, line, used);
    taken = 0;
    if (used < sizeof buffer)
        return 0;
    *request = invalid("a line that is too long");
    return 1;
}
