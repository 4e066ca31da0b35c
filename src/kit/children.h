/* The children: idle ones, those with a job, their budgets and how they end. */
#ifndef PLATEN_CHILDREN_H
#define PLATEN_CHILDREN_H

#include <poll.h>

#include "child.h"

enum {
    MAX_CHILDREN = 512,
    CHILD_SOURCES = 1 + MAX_CHILDREN, /* a signalfd for deaths, and one channel each */
};

struct children_options {
    int idle;        /* children kept ready */
    int concurrency; /* jobs at a time */
    struct budget budget;
};

/* The owner of the children. */
struct keeper {
    int descriptor; /* no child may inherit it */
    void (*finished)(const char *id, const struct ending *ending);
    void (*lost)(int signal); /* ended a child that waited for another job */
    /* The kit itself is broken; does not return. */
    void (*fault)(const char *text) __attribute__((noreturn));
};

/* Forks the first idle children, from a process whose one thread is in LibreOffice's main loop. */
void start_children(LibreOfficeKit *office, const struct temp_names *temp_names,
                    const struct children_options *options, const struct keeper *keeper);

int has_job(const char *id);
int count_jobs(void);
int count_idle(void);
/* Children with a job, or that wait for another. */
int count_used(void);

/*
 * Gives a job to a child; for `is_patient` see fork_child. `owner` is whose document it is if the child stays, else NULL: a child
 * that stays for one owner gets no document of another. Returns NULL and sets `pid`, or returns the reason (a word of control.h)
 * why there is no child.
 */
const char *start_job(const char *id, const struct task *task, const char *owner, int is_patient, pid_t *pid);

/* Ends the child that waits for another job in this folder, if there is one. */
void release_child(const char *folder);

/* Kills a job's child; the job ends once the child is reaped. */
void cancel_job(const char *id);

/* Fills `sources` with what to poll; returns their number. */
int watch_children(struct pollfd sources[CHILD_SOURCES]);

/* After polling these `count` sources: reads the children's reports and reaps the dead. */
void attend_children(const struct pollfd sources[CHILD_SOURCES], int count);

/* Kills children over their memory budget. */
void watch_memory(void);

/* Forks until there are enough idle children again. */
void refill(void);

/* Kills every child and waits until all are gone. */
void end_children(void);

#endif
