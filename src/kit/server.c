#define _GNU_SOURCE
#include "server.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "control.h"

enum { WATCH_INTERVAL_MS = 50 }; /* interval of checks of resident sizes */

static _Noreturn void end(int status)
{
    end_children();
    _exit(status);
}

static _Noreturn void fault(const char *text)
{
    say_fault(text);
    end(1);
}

static void convert_in_child(const struct request *request)
{
    if (has_job(request->id))
        fault("a job was sent twice");
    struct task task = {.cpu_seconds = request->cpu_seconds, .stays = request->owner != NULL};
    strcpy(task.folder, request->folder); /* it is short enough, see control.c */
    pid_t child;
    const char *refusal = start_job(request->id, &task, request->owner, request->is_patient, &child);
    if (refusal)
        say_refused(request->id, refusal);
    else
        say_started(request->id, child);
}

static void obey(const struct request *request)
{
    switch (request->verb) {
    case CONVERT: convert_in_child(request); break;
    case CANCEL: cancel_job(request->id); break;
    case RELEASE: release_child(request->folder); break;
    case PING: say_pong(request->id, count_idle()); break;
    case INVALID: fault(request->reason);
    }
}

static void listen_to_node(void)
{
    if (!read_control())
        end(0);
    for (struct request request; next_request(&request);)
        obey(&request);
}

/* Sleeps until there is input, or until it is time to check the children's memory. */
static void wait_for_events(int control)
{
    enum { NODE, CHILDREN, SOURCES = CHILDREN + CHILD_SOURCES };
    static struct pollfd sources[SOURCES];
    int children = watch_children(&sources[CHILDREN]);
    sources[NODE] = (struct pollfd){.fd = control, .events = has_unsent() ? POLLIN | POLLOUT : POLLIN};
    if (poll(sources, (nfds_t)(CHILDREN + children), count_used() ? WATCH_INTERVAL_MS : -1) < 0) {
        if (errno != EINTR)
            fault("poll failed");
        return;
    }
    attend_children(&sources[CHILDREN], children);
    if (sources[NODE].revents & POLLOUT)
        send_unsent();
    if (sources[NODE].revents & ~POLLOUT)
        listen_to_node();
}

_Noreturn void serve(LibreOfficeKit *office, const struct server_options *options,
                     const struct temp_names *temp_names)
{
    const struct keeper keeper = {.descriptor = options->control, .finished = say_finished, .lost = say_lost, .fault = fault};
    open_control(options->control);
    start_children(office, temp_names, &options->children, &keeper);
    char *version = office->pClass->getVersionInfo(office);
    say_ready(getpid(), options->layers, options->mends, version);
    free(version);
    for (;;) {
        wait_for_events(options->control);
        watch_memory();
        refill();
    }
}
