#define _GNU_SOURCE
#include "server.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    LINE_SIZE = JOB_SIZE + MAX_ID + 16,
    WATCH_INTERVAL_MS = 50, /* between two looks at the children's resident sizes */
    MAX_IDLE_DEATHS = 10,   /* children in a row that died before they got a job: the image is broken */
};

struct child {
    pid_t pid; /* 0: the slot is free */
    int channel;
    char id[MAX_ID + 1]; /* of its job; empty: idle */
    const char *killed;  /* why the kit ended it; NULL: it did not */
    int heard;           /* it has sent its one message, or closed its channel */
    int done;            /* its job is finished; all that is left to do is to die */
};

static LibreOfficeKit *office;
static const struct server_options *options;
static const struct temp_names *temp_names;
static struct child children[MAX_CHILDREN];
static int signals = -1;
static int idle_deaths;

static int is_idle(const struct child *child)
{
    return child->pid && !child->id[0] && !child->killed && !child->done;
}
static int is_running(const struct child *child) { return child->pid && child->id[0]; }

static int count(int (*matches)(const struct child *))
{
    int n = 0;
    for (int i = 0; i < MAX_CHILDREN; i++)
        n += matches(&children[i]);
    return n;
}

/* The control socket is blocking: a Node that does not read is not worth running for. */
static void say(const char *format, ...)
{
    char line[LINE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(line, sizeof line - 1, format, arguments);
    va_end(arguments);
    if (length < 0 || length >= (int)sizeof line - 1)
        length = (int)sizeof line - 2;
    line[length++] = '\n';
    for (int sent = 0; sent < length;) {
        ssize_t n = send(options->control, line + sent, (size_t)(length - sent), MSG_NOSIGNAL);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            break;
        sent += (int)n;
    }
}

static _Noreturn void end_all(int status)
{
    for (int i = 0; i < MAX_CHILDREN; i++)
        if (children[i].pid)
            kill(-children[i].pid, SIGKILL);
    while (wait(NULL) > 0 || errno == EINTR)
        ;
    _exit(status);
}

static _Noreturn void fault(const char *text)
{
    say("fault %s", text);
    end_all(1);
}

static int thread_count(void)
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

static void close_what_is_the_kits(void)
{
    close(options->control);
    close(signals);
    for (int i = 0; i < MAX_CHILDREN; i++)
        if (children[i].pid)
            close(children[i].channel);
    dup2(STDIN_FILENO, STDOUT_FILENO); /* /dev/null: what a document makes LibreOffice print is not our log */
    dup2(STDIN_FILENO, STDERR_FILENO);
}

/* 0, or -1 when there is no slot, or the system has no process, descriptor or memory to give. */
static int fork_child(void)
{
    struct child *slot = children;
    while (slot < children + MAX_CHILDREN && slot->pid)
        slot++;
    int pair[2], threads = thread_count();
    if (slot == children + MAX_CHILDREN || threads < 0)
        return -1;
    /* fork copies only the calling thread: with a second one, its locks would stay locked for ever. */
    if (threads != 1)
        fault("LibreOffice has more than one thread before a fork");
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair))
        return -1;
    /* No signal reaches a child before it has let go of LibreOffice's handlers, which can hang in it. */
    sigset_t all, before;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &before);
    pid_t kit = getpid(), pid = fork();
    if (pid == 0) {
        close(pair[0]);
        close_what_is_the_kits();
        live_as_child(office, pair[1], kit, &options->budget, temp_names);
    }
    sigprocmask(SIG_SETMASK, &before, NULL);
    close(pair[1]);
    if (pid < 0) {
        close(pair[0]);
        return -1;
    }
    setpgid(pid, pid); /* the child does the same: whoever is first, no signal to the group comes too early */
    *slot = (struct child){.pid = pid, .channel = pair[0]};
    return 0;
}

static void refill(void)
{
    while (count(is_idle) < options->idle && count(is_idle) + count(is_running) < MAX_CHILDREN)
        if (fork_child())
            return; /* the next job tries again, and is refused if it is still so */
}

static struct child *find(const char *id)
{
    for (int i = 0; i < MAX_CHILDREN; i++)
        if (is_running(&children[i]) && !strcmp(children[i].id, id))
            return &children[i];
    return NULL;
}

static struct child *first_idle(void)
{
    for (int i = 0; i < MAX_CHILDREN; i++)
        if (is_idle(&children[i]))
            return &children[i];
    return NULL;
}

/* An idle child, forked now if there is none; NULL when the system gives none. */
static struct child *ready_child(void)
{
    struct child *child = first_idle();
    return child || fork_child() ? child : first_idle();
}

static void end_child(struct child *child, const char *reason)
{
    if (!child->killed)
        child->killed = reason; /* the first cause wins */
    kill(-child->pid, SIGKILL);
}

static void start_job(const char *id, const char *folder)
{
    if (find(id))
        fault("a job was sent twice");
    if (count(is_running) >= options->concurrency) {
        say("refused %s busy", id);
        return;
    }
    struct child *child;
    while ((child = ready_child()) && send(child->channel, folder, strlen(folder), MSG_NOSIGNAL) < 0)
        end_child(child, "idle"); /* it died while it was idle and is not reaped yet */
    if (!child) {
        say("refused %s fork", id);
        return;
    }
    strcpy(child->id, id);
    say("started %s %d", id, (int)child->pid);
}

static const char *outcome_of(const struct child *child, int status, int *detail)
{
    *detail = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
    if (WIFSIGNALED(status)) {
        if (child->killed && *detail == SIGKILL)
            return child->killed;
        return *detail == SIGXCPU ? "cpu" : *detail == SIGXFSZ ? "file" : "crashed";
    }
    switch (*detail) {
    case CONVERTED: return "converted";
    case LOAD_FAILED: return "unloadable";
    case EXPORT_FAILED: return "unexportable";
    default: return "failed";
    }
}

/*
 * A child that says it has converted its document need not be waited for: giving back its memory takes the
 * kernel some 4 ms. It is killed before Node is told, so that nothing of it touches the job's folder after.
 * What it says is its own word, which nothing but figures depends on: Node verifies the PDF.
 */
static void hear(struct child *child, int alive)
{
    struct report report;
    child->heard = 1;
    if (recv(child->channel, &report, sizeof report, MSG_DONTWAIT) != sizeof report || child->killed)
        return;
    if (report.pages < 0 || report.peak_kib < 0 || report.cpu_ms < 0)
        return;
    if (alive)
        kill(-child->pid, SIGKILL);
    say("finished %s converted 0 %d %ld %ld", child->id, report.pages, report.peak_kib, report.cpu_ms);
    idle_deaths = 0;
    child->id[0] = '\0';
    child->done = 1;
}

static void bury(struct child *child, int status, const struct rusage *use)
{
    /* It may have died before its message was looked at. */
    if (is_running(child) && !child->heard && WIFEXITED(status))
        hear(child, 0);
    if (is_running(child)) {
        int detail;
        const char *outcome = outcome_of(child, status, &detail);
        say("finished %s %s %d 0 %ld %ld", child->id, outcome, detail, use->ru_maxrss, cpu_ms(use));
        idle_deaths = 0;
    } else if (!child->done && ++idle_deaths >= MAX_IDLE_DEATHS) {
        fault("children die before they get a job");
    }
    close(child->channel);
    *child = (struct child){.pid = 0};
}

static void reap(void)
{
    struct signalfd_siginfo info;
    while (read(signals, &info, sizeof info) > 0)
        ;
    int status;
    struct rusage use;
    for (pid_t pid; (pid = wait4(-1, &status, WNOHANG, &use)) > 0;)
        for (int i = 0; i < MAX_CHILDREN; i++)
            if (children[i].pid == pid)
                bury(&children[i], status, &use);
}

/* Resident MiB of a process; 0 when it is gone. */
static unsigned long resident_mib(pid_t pid)
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

static void watch_memory(void)
{
    for (int i = 0; i < MAX_CHILDREN; i++)
        if (is_running(&children[i]) && resident_mib(children[i].pid) > options->budget.memory_mib)
            end_child(&children[i], "memory");
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

static void obey(char *line)
{
    char *rest = line;
    const char *verb = strsep(&rest, " "), *id = strsep(&rest, " ");
    if (id && is_id(id) && !strcmp(verb, "convert") && rest && rest[0] == '/' && strlen(rest) < JOB_SIZE) {
        start_job(id, rest);
    } else if (id && is_id(id) && !strcmp(verb, "cancel") && !rest) {
        struct child *child = find(id);
        if (child) /* else it has just finished, and its line is on the way */
            end_child(child, "cancelled");
    } else {
        fault("a line that the kit does not understand");
    }
}

/* Reads what Node sent and obeys each whole line. */
static void listen_to_node(void)
{
    static char buffer[LINE_SIZE];
    static size_t used;
    ssize_t n = recv(options->control, buffer + used, sizeof buffer - used, 0);
    if (n < 0 && errno == EINTR)
        return;
    if (n <= 0)
        end_all(0);
    used += (size_t)n;
    char *line = buffer, *end;
    while ((end = memchr(line, '\n', used - (size_t)(line - buffer)))) {
        *end = '\0';
        if (strlen(line) != (size_t)(end - line))
            fault("a line with a NUL byte");
        obey(line);
        line = end + 1;
    }
    used -= (size_t)(line - buffer);
    if (used == sizeof buffer)
        fault("a line that is too long");
    memmove(buffer, line, used);
}

/* Sleeps until somebody has something to say, or until it is time to look at the children's memory. */
static void wait_for_events(void)
{
    enum { NODE, SIGNALS, CHILDREN };
    static struct pollfd sources[CHILDREN + MAX_CHILDREN];
    sources[NODE] = (struct pollfd){.fd = options->control, .events = POLLIN};
    sources[SIGNALS] = (struct pollfd){.fd = signals, .events = POLLIN};
    for (int i = 0; i < MAX_CHILDREN; i++) {
        /* A channel is looked at once, so that a child that closes it early cannot keep us busy. */
        int listens = is_running(&children[i]) && !children[i].heard;
        sources[CHILDREN + i] = (struct pollfd){.fd = listens ? children[i].channel : -1, .events = POLLIN};
    }
    poll(sources, CHILDREN + MAX_CHILDREN, count(is_running) ? WATCH_INTERVAL_MS : -1);
    for (int i = 0; i < MAX_CHILDREN; i++)
        if (sources[CHILDREN + i].revents)
            hear(&children[i], 1);
    if (sources[SIGNALS].revents)
        reap();
    if (sources[NODE].revents)
        listen_to_node();
}

_Noreturn void serve(LibreOfficeKit *the_office, const struct server_options *the_options,
                     const struct temp_names *the_temp_names)
{
    office = the_office, options = the_options, temp_names = the_temp_names;
    sigset_t mask;
    sigemptyset(&mask);
    sigaddset(&mask, SIGCHLD);
    sigprocmask(SIG_BLOCK, &mask, NULL);
    signals = signalfd(-1, &mask, SFD_CLOEXEC | SFD_NONBLOCK);
    if (signals < 0)
        fault("signalfd failed");

    refill();
    if (!count(is_idle))
        fault("the first child could not be forked");
    char *version = office->pClass->getVersionInfo(office);
    for (char *c = version; *c; c++)
        if (*c == '\n')
            *c = ' ';
    say("ready %d %d %s", PROTOCOL, (int)getpid(), version);
    free(version);

    for (;;) {
        wait_for_events();
        watch_memory();
        refill();
    }
}
