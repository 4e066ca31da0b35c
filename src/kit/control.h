/*
 * The control socket: the line protocol with Node. It does not act on what the lines say.
 *
 *   Node to kit                          kit to Node
 *   convert ID CPU-SECONDS CLASS OWNER FOLDER
 *                                        ready PROTOCOL PID LAYERS MENDS VERSION-JSON
 *   cancel ID                            started ID PID
 *   release FOLDER                       pong NUMBER IDLE-CHILDREN
 *   ping NUMBER                          finished ID OUTCOME DETAIL PAGES PEAK-KIB CPU-MS
 *                                        lost SIGNAL      (a child that waited for another document crashed)
 *                                        refused ID REASON
 *                                        fault TEXT       (and the kit exits)
 *
 * FOLDER is the job's; what to do there is in a file of it (instructions.h).
 * CPU-SECONDS is the child's CPU time budget, at least 1.
 * CLASS is idle for a child that runs only when no other process needs the processor (SCHED_IDLE, sched(7)), else normal.
 * OWNER is - for a child that ends with its document. Else it stands for the document's owner, and the child waits in the same folder
 * afterwards, for another document of that owner: one of that folder goes to it, and is refused (owner) if it is of another.
 * `release` ends that child.
 * LAYERS is a number: the set of sandbox layers (sandbox.h) that the children apply.
 * MENDS is a number: the set of changes in LibreOffice's code (server.h) that this build of it took.
 * OUTCOME is converted, unloadable, unexportable, failed (DETAIL: exit code), crashed (DETAIL: signal), killed (not
 * by the kit), cancelled, memory, cpu or file (budget exceeded), or disk (full). A line that the kit does not understand
 * is a fault.
 *
 * Neither side waits for the other to read: Node pings the kit and kills one that does not answer; a kit whose Node is
 * suspended keeps watching its children. Unread data is bounded: three lines for each job, and one ping.
 */
#ifndef PLATEN_CONTROL_H
#define PLATEN_CONTROL_H

#include <sys/types.h>

#include "job.h"

enum { PROTOCOL = 11 };

/* A request of Node. Its texts are valid until the next call of next_request. */
struct request {
    enum { CONVERT, CANCEL, RELEASE, PING, INVALID } verb;
    const char *id;     /* of the job; of PING its number */
    unsigned long cpu_seconds; /* of CONVERT, as the next two are; see struct task */
    int is_patient;            /* its class is idle */
    const char *owner;         /* NULL: the child ends with its document */
    const char *folder;        /* of RELEASE, too */
    const char *reason; /* of INVALID: what is wrong with the line */
};

/* Sets the stream socket. To be called before all others. */
void open_control(int socket);

void say_ready(pid_t kit, int layers, int mends, const char *version);
void say_started(const char *id, pid_t child);
void say_finished(const char *id, const struct ending *ending);
void say_lost(int signal);
void say_refused(const char *id, const char *reason);
void say_pong(const char *number, int idle_children);
void say_fault(const char *text);

/* Whether some output is unsent; call send_unsent once the socket is writable. */
int has_unsent(void);
void send_unsent(void);

/* Reads once from Node; 0 when it has closed the socket. */
int read_control(void);

/* Takes the next complete line; 0 when there is none. */
int next_request(struct request *request);

#endif
