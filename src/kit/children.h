/* The children: those kept ready, those that have a job, their budgets and their ends. */
#ifndef PLATEN_CHILDREN_H
#define PLATEN_CHILDREN_H

#include <poll.h>

#include "child.h"

enum {
    MAX_CHILDREN = 512,
    CHILD_SOURCES = 1 + MAX_CHILDREN, /* the deaths of all, and what each has to say */
};

struct children_options {
    int idle;        /* children kept ready */
    int concurrency; /* jobs at a time */
    struct budget budget;
};

/* Whoever keeps the children. */
struct keeper {
    int descriptor; /* that no child may have */
    void (*finished)(const char *id, const struct ending *ending);
    /* The kit itself is broken; does not return. */
    void (*fault)(const char *text) __attribute__((noreturn));
};

/* Forks the first idle children, from a process whose one thread is in LibreOffice's main loop. */
void start_children(LibreOfficeKit *office, const struct temp_names *temp_names,
                    const struct children_options *options, const struct keeper *keeper);

int has_job(const char *id);
int count_jobs(void);
int count_idle(void);

/* Gives a job to a child. Returns NULL and the child's pid, or the word for why there is no child for it. */
const char *start_job(const char *id, const struct task *task, pid_t *pid);

/* Ends a job's child; the job ends once the child is buried. */
void cancel_job(const char *id);

/* Fills `sources` with what to poll for; returns how many that are. */
int watch_children(struct pollfd sources[CHILD_SOURCES]);

/* After a poll of these `count`: hears the children that have something to say, and buries the dead. */
void attend_children(const struct pollfd sources[CHILD_SOURCES], int count);

/* Ends the children that use more memory than they may. */
void watch_memory(void);

/* Forks until there are enough idle children again. */
void refill(void);

/* Ends every child and waits until all are gone. */
void end_children(void);

#endif
