/* The fork server: idle children, running jobs, and the line protocol with Node. */
#ifndef PLATEN_SERVER_H
#define PLATEN_SERVER_H

#include "child.h"

enum { PROTOCOL = 1, MAX_CHILDREN = 512, MAX_ID = 64 };

struct server_options {
    int control;     /* stream socket to Node */
    int idle;        /* children kept ready */
    int concurrency; /* jobs at a time */
    struct budget budget;
};

/*
 * Serves until Node closes the control socket, then ends every child and exits.
 *
 *   Node to kit                          kit to Node
 *   convert ID FOLDER                    ready PROTOCOL PID VERSION-JSON
 *   cancel ID                            started ID PID
 *                                        finished ID OUTCOME DETAIL PAGES PEAK-KIB CPU-MS
 *                                        refused ID REASON
 *                                        fault TEXT       (and the kit exits)
 *
 * OUTCOME is converted, unloadable, unexportable, failed (DETAIL: exit code), crashed (DETAIL: signal),
 * cancelled, memory, cpu or file (of its budget). A line the kit does not understand is a fault.
 */
_Noreturn void serve(LibreOfficeKit *office, const struct server_options *options,
                     const struct temp_names *temp_names);

#endif
