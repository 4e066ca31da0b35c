/*
 * The control socket: the line protocol with Node, and nothing of what its lines are for.
 *
 *   Node to kit                          kit to Node
 *   convert ID FORMAT CPU-SECONDS FOLDER ready PROTOCOL PID LAYERS VERSION-JSON
 *   cancel ID                            started ID PID
 *   ping NUMBER                          pong NUMBER IDLE-CHILDREN
 *                                        finished ID OUTCOME DETAIL PAGES PEAK-KIB CPU-MS
 *                                        refused ID REASON
 *                                        fault TEXT       (and the kit exits)
 *
 * FORMAT is pdf, pdf-untagged, pdfa-1b, pdfa-2b or pdfa-3b; with +destinations behind it, the PDF has a named destination
 * for each bookmark, and with +compressed, full-width punctuation may be compressed.
 * CPU-SECONDS is the CPU time that the child may use, 1 at least.
 * LAYERS is a number, the set of the layers of the cage (cage.h) that the children put on.
 * OUTCOME is converted, unloadable, unexportable, failed (DETAIL: exit code), crashed (DETAIL: signal), killed (by
 * somebody else than the kit), cancelled, memory, cpu or file (of its budget), or disk (which is full). A line the kit
 * does not understand is a fault.
 *
 * Neither side ever waits for the other to read: Node pings, and ends a kit that does not answer, and a kit
 * whose Node sleeps goes on watching its children. What is not read yet is bounded by what may be under way:
 * two lines for each job, and one ping.
 */
#ifndef PLATEN_CONTROL_H
#define PLATEN_CONTROL_H

#include <sys/types.h>

#include "job.h"

enum { PROTOCOL = 6 };

/* What Node asks for. The texts live until the next line is taken. */
struct request {
    enum { CONVERT, CANCEL, PING, INVALID } verb;
    const char *id;     /* of the job; of PING its number */
    int format;         /* of CONVERT, as the next two are; see struct task */
    unsigned long cpu_seconds;
    const char *folder;
    const char *reason; /* of INVALID: what is wrong with the line */
};

/* The stream socket to speak through; it comes before every other call. */
void open_control(int socket);

void say_ready(pid_t kit, int layers, const char *version);
void say_started(const char *id, pid_t child);
void say_finished(const char *id, const struct ending *ending);
void say_refused(const char *id, const char *reason);
void say_pong(const char *number, int idle_children);
void say_fault(const char *text);

/* Whether Node has not taken all that was said; once the socket is writable, it is to be offered again. */
int has_unsent(void);
void send_unsent(void);

/* Reads once what Node sent; 0 when it has closed the socket. */
int read_control(void);

/* Takes the next whole line of what was read; 0 when there is none. */
int next_request(struct request *request);

#endif
