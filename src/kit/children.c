#define _GNU_SOURCE
#include "children.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "hyphenation.h"
#include "process.h"

/* Upper bounds of a child's report. */
#define MAX_FIGURE 1000000000000L

enum {
    OWN_THREADS = 64,     /* allowed besides one per processor */
    MAX_IDLE_DEATHS = 10, /* children in a row that died before they got a job: the image is broken */
    DYING_MS = 40,        /* time for the threads of an exiting child to end */
    DEATHS = 0,           /* index of their source, before the channels' */
};

struct child {
    pid_t pid; /* 0: the slot is free */
    int channel;
    int statistics; /* see process.h */
    char id[MAX_ID + 1]; /* of its job; empty: idle */
    const char *killed;  /* why the kit ended it; NULL: it did not */
    int heard;           /* it has sent its one message, or closed its channel */
    int done;            /* its job is finished; only its death is pending */
    long sizeless_since; /* since when the kernel reports no size, in milliseconds; 0: it does */
    unsigned long cpu_seconds; /* its job's budget */
    unsigned long cpu_before;  /* CPU time that it had used when it got its job, in milliseconds */
    char *stays_in;            /* the folder of its jobs, between which it waits; NULL: it has one job, or none yet */
    char owner[MAX_ID + 1];    /* of the documents of a child that stays */
};

static LibreOfficeKit *office;
static const struct temp_names *temp_names;
static const struct children_options *options;
static const struct keeper *keeper;
static struct child children[MAX_CHILDREN];
static struct child *watched[CHILD_SOURCES]; /* whose channel each source is */
static unsigned long max_threads;
static int deaths = -1; /* a signalfd */
static int idle_deaths;
static pid_t loading_dictionaries; /* the process that does it; 0: it has ended */

static int is_idle(const struct child *child)
{
    return child->pid && !child->id[0] && !child->killed && !child->done && !child->stays_in;
}
static int is_waiting(const struct child *child)
{
    return child->pid && !child->id[0] && !child->killed && !child->done && child->stays_in;
}
static int is_running(const struct child *child) { return child->pid && child->id[0]; }

static int count(int (*matches)(const struct child *))
{
    int n = 0;
    for (int i = 0; i < MAX_CHILDREN; i++)
        n += matches(&children[i]);
    return n;
}

int count_jobs(void) { return count(is_running); }
int count_idle(void) { return count(is_idle); }
int count_used(void) { return count(is_running) + count(is_waiting); }

/* The first thing a child does: closes the kit's descriptors. */
static void let_go(void)
{
    close(keeper->descriptor);
    close(DICTIONARIES);
    close(deaths);
    for (int i = 0; i < MAX_CHILDREN; i++)
        if (children[i].pid) {
            close(children[i].channel);
            close(children[i].statistics);
        }
}

static void end_child(struct child *child, const char *reason)
{
    if (!child->killed)
        child->killed = reason; /* the first cause wins */
    kill(-child->pid, SIGKILL);
}

/* NULL if there is no slot, or the system is out of processes, descriptors or memory. */
static struct child *add_child(int is_patient)
{
    struct child *slot = children;
    while (slot < children + MAX_CHILDREN && slot->pid)
        slot++;
    int channel, threads = thread_count();
    if (slot == children + MAX_CHILDREN || threads < 0)
        return NULL;
    /* fork copies only the calling thread: locks held by another would stay locked forever. */
    if (threads != 1)
        keeper->fault("LibreOffice has more than one thread before a fork");
    pid_t pid = fork_child(office, &options->budget, temp_names, let_go, is_patient, &channel);
    if (pid < 0)
        return NULL;
    /* Now, because a child with a document is not dumpable, and then invisible if /proc is mounted with hidepid. */
    int statistics = open_statistics(pid);
    *slot = (struct child){.pid = pid, .channel = channel, .statistics = statistics};
    if (statistics < 0)
        end_child(slot, "idle");
    return statistics < 0 ? NULL : slot;
}

void refill(void)
{
    while (count(is_idle) < options->idle && count(is_idle) + count_used() < MAX_CHILDREN)
        if (!add_child(0))
            return; /* the next job tries again, and is refused if this persists */
}

static struct child *find(const char *id)
{
    for (int i = 0; i < MAX_CHILDREN; i++)
        if (is_running(&children[i]) && !strcmp(children[i].id, id))
            return &children[i];
    return NULL;
}

int has_job(const char *id) { return find(id) != NULL; }

static struct child *first_idle(void)
{
    for (int i = 0; i < MAX_CHILDREN; i++)
        if (is_idle(&children[i]))
            return &children[i];
    return NULL;
}

/*
 * A child for a job; NULL if there is none. A patient one is forked now: it prepares its memory in the idle class of the
 * scheduler, and the idle children stay for other jobs. If it cannot be forked, an idle child is better than a refusal.
 */
static struct child *ready_child(int is_patient)
{
    struct child *child = is_patient ? add_child(1) : first_idle();
    if (child)
        return child;
    return is_patient ? first_idle() : add_child(0);
}

/* The child that waits for another job in this folder; NULL if there is none. */
static struct child *waiting_in(const char *folder)
{
    for (int i = 0; i < MAX_CHILDREN; i++)
        if (is_waiting(&children[i]) && !strcmp(children[i].stays_in, folder))
            return &children[i];
    return NULL;
}

const char *start_job(const char *id, const struct task *task, const char *owner, int is_patient, pid_t *pid)
{
    if (count_jobs() >= options->concurrency)
        return "busy";
    size_t length = offsetof(struct task, folder) + strlen(task->folder);
    struct child *child = waiting_in(task->folder);
    if (child && (!owner || strcmp(child->owner, owner))) {
        end_child(child, "owner");
        return "owner";
    }
    struct statistics now;
    while ((child = child ? child : ready_child(is_patient)) && send(child->channel, task, length, MSG_NOSIGNAL) < 0) {
        end_child(child, "idle"); /* it died while it was idle and is not reaped yet */
        child = NULL;
    }
    if (!child)
        return "fork";
    strcpy(child->id, id);
    child->heard = 0;
    child->cpu_seconds = task->cpu_seconds;
    child->cpu_before = read_statistics(child->statistics, &now) ? 0 : now.cpu_ms;
    if (task->stays && !child->stays_in) {
        child->stays_in = strdup(task->folder);
        strcpy(child->owner, owner);
    }
    *pid = child->pid;
    return NULL;
}

void release_child(const char *folder)
{
    struct child *child = waiting_in(folder);
    if (child)
        end_child(child, "released");
}

void cancel_job(const char *id)
{
    struct child *child = find(id);
    if (child) /* else it has just finished, and the keeper knows */
        end_child(child, "cancelled");
}

/* Whether a child exceeds its memory, or its threads, whose kernel memory is counted nowhere. */
static int exceeds_budget(const struct statistics *now)
{
    return now->resident_mib > options->budget.memory_mib || now->threads > max_threads;
}

/* CLOCK_MONOTONIC. */
static long now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/*
 * The kernel reports no size for a process whose main thread has ended. After a signal this lasts until its other threads
 * have had a processor to end; after an exit, a moment. A process for which it lasts longer hides what it uses.
 */
static int hides_its_size(struct child *child, const struct statistics *now)
{
    if (now->resident_mib > 0 || now->threads < 2 || now->signalled) {
        child->sizeless_since = 0;
        return 0;
    }
    if (!child->sizeless_since)
        child->sizeless_since = now_ms();
    return now_ms() - child->sizeless_since >= DYING_MS;
}

void watch_memory(void)
{
    for (int i = 0; i < MAX_CHILDREN; i++) {
        struct child *child = &children[i];
        struct statistics now;
        if ((!is_running(child) && !is_waiting(child)) || read_statistics(child->statistics, &now))
            continue; /* or it has just died */
        if (hides_its_size(child, &now))
            end_child(child, "crashed");
        else if (exceeds_budget(&now))
            end_child(child, "memory");
        else if (child->stays_in && now.cpu_ms - child->cpu_before > child->cpu_seconds * 1000)
            end_child(child, "cpu");
    }
}

/*
 * Who sent a SIGKILL: the kit; the kernel, at the hard limit of CPU time; or somebody else, such as the OOM killer or an
 * operator, for which the document is not to blame.
 */
static const char *killer_of(const struct child *child, const struct rusage *use)
{
    if (child->killed)
        return child->killed;
    return (unsigned long)cpu_ms(use) >= child->cpu_seconds * 1000 ? "cpu" : "killed";
}

static const char *outcome_of(const struct child *child, int status, const struct rusage *use, int *detail)
{
    *detail = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
    if (WIFSIGNALED(status))
        switch (*detail) {
        case SIGKILL: return killer_of(child, use);
        case SIGXCPU: return "cpu";
        case SIGXFSZ: return "file";
        default: return "crashed";
        }
    switch (*detail) {
    case CONVERTED: return "converted";
    case LOAD_FAILED: return "unloadable";
    case EXPORT_FAILED: return "unexportable";
    case DISK_FULL: return "disk";
    default: return "failed";
    }
}

static void finish(struct child *child, const struct ending *ending)
{
    keeper->finished(child->id, ending);
    idle_deaths = 0;
    child->id[0] = '\0';
    child->done = 1;
}

/* Once per kit, after a document needed one: most kits never need any. */
static void load_dictionaries(void)
{
    static int has_begun;
    if (!has_begun)
        loading_dictionaries = start_loading_dictionaries(let_go);
    has_begun = 1;
}

/* A figure that Node cannot parse would count as a fault of the kit and end every child. */
static int is_plausible(const struct report *report)
{
    return report->pages >= 0 && report->peak_kib >= 0 && report->peak_kib <= MAX_FIGURE && report->cpu_ms >= 0 &&
           report->cpu_ms <= MAX_FIGURE;
}

/*
 * A child that reports success is not waited for, as freeing its memory takes the kernel about 4 ms. It is killed before
 * the keeper is told, so that it no longer touches the job's folder. Its report is untrusted and only supplies figures:
 * Node verifies the PDF.
 */
static void hear(struct child *child, int alive)
{
    struct ending ending = {.outcome = "converted"};
    struct report *report = &ending.report;
    child->heard = 1;
    if (recv(child->channel, report, sizeof *report, MSG_DONTWAIT) != sizeof *report || child->killed)
        return;
    if (!is_plausible(report))
        return;
    int stays = alive && child->stays_in;
    if (alive && !stays)
        kill(-child->pid, SIGKILL);
    if (report->lacked_dictionary)
        load_dictionaries();
    finish(child, &ending);
    child->done = !stays;
}

static void bury(struct child *child, int status, const struct rusage *use)
{
    /* It may have died before its message was read. */
    if (is_running(child) && !child->heard && WIFEXITED(status))
        hear(child, 0);
    if (is_running(child)) {
        struct ending ending = {.report = {.peak_kib = use->ru_maxrss, .cpu_ms = cpu_ms(use)}};
        ending.outcome = outcome_of(child, status, use, &ending.detail);
        finish(child, &ending);
    } else if (is_waiting(child) && WIFSIGNALED(status)) {
        keeper->lost(WTERMSIG(status));
    } else if (!child->done && !child->stays_in && ++idle_deaths >= MAX_IDLE_DEATHS) {
        keeper->fault("children die before they get a job");
    }
    close(child->channel);
    close(child->statistics);
    free(child->stays_in);
    *child = (struct child){.pid = 0};
}

/* A stopped idle child would block the next job; one with a job is ended by its deadline. */
static void replace_if_idle(struct child *child)
{
    if (is_idle(child))
        end_child(child, "idle");
}

static struct child *with_pid(pid_t pid)
{
    for (int i = 0; i < MAX_CHILDREN; i++)
        if (children[i].pid == pid)
            return &children[i];
    return NULL;
}

static void reap(void)
{
    struct signalfd_siginfo info;
    while (read(deaths, &info, sizeof info) > 0)
        ;
    int status;
    struct rusage use;
    for (pid_t pid; (pid = wait4(-1, &status, WNOHANG | WUNTRACED, &use)) > 0;) {
        struct child *child = with_pid(pid);
        if (child && WIFSTOPPED(status))
            replace_if_idle(child);
        else if (child)
            bury(child, status, &use);
        else if (pid == loading_dictionaries && !WIFSTOPPED(status))
            loading_dictionaries = 0;
    }
}

int watch_children(struct pollfd sources[CHILD_SOURCES])
{
    int n = 0;
    sources[n++] = (struct pollfd){.fd = deaths, .events = POLLIN};
    for (int i = 0; i < MAX_CHILDREN; i++) {
        /* Each channel is read once, so that a child that closes it early cannot keep us busy. */
        if (!is_running(&children[i]) || children[i].heard)
            continue;
        watched[n] = &children[i];
        sources[n++] = (struct pollfd){.fd = children[i].channel, .events = POLLIN};
    }
    return n;
}

void attend_children(const struct pollfd sources[CHILD_SOURCES], int count)
{
    for (int i = DEATHS + 1; i < count; i++)
        if (sources[i].revents)
            hear(watched[i], 1);
    if (sources[DEATHS].revents)
        reap();
}

void start_children(LibreOfficeKit *the_office, const struct temp_names *the_temp_names,
                    const struct children_options *the_options, const struct keeper *the_keeper)
{
    office = the_office, temp_names = the_temp_names, options = the_options, keeper = the_keeper;
    max_threads = OWN_THREADS + 2 * (unsigned long)sysconf(_SC_NPROCESSORS_CONF);
    sigset_t mask;
    sigemptyset(&mask);
    sigaddset(&mask, SIGCHLD);
    sigprocmask(SIG_BLOCK, &mask, NULL);
    deaths = signalfd(-1, &mask, SFD_CLOEXEC | SFD_NONBLOCK);
    if (deaths < 0)
        keeper->fault("signalfd failed");
    refill();
    if (!count(is_idle))
        keeper->fault("the first child could not be forked");
}

void end_children(void)
{
    for (int i = 0; i < MAX_CHILDREN; i++)
        if (children[i].pid)
            kill(-children[i].pid, SIGKILL);
    if (loading_dictionaries)
        kill(loading_dictionaries, SIGKILL);
    while (wait(NULL) > 0 || errno == EINTR)
        ;
}
