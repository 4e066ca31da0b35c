/* A child: one forked process that converts exactly one document. */
#ifndef PLATEN_CHILD_H
#define PLATEN_CHILD_H

#include <stddef.h>
#include <sys/types.h>

#include "job.h"
#include "office.h"

enum {
    SETUP_FAILED = 5, /* exit code: the job's folder, a limit or the cage could not be set up */
    DISK_FULL = 6,    /* exit code: whatever became of the document, there was no room for all of it */
    MAX_TEMP_NAMES = 16,
    NICENESS = 5,          /* of a child, above the kit's: whoever answers clients goes before who converts */
    PARTING_NICENESS = 10, /* of a child that has converted: giving its memory back must be in nobody's way */
};

/* Names LibreOffice chose for its temporary files while it warmed up; every child makes its own. */
struct temp_names {
    size_t count;
    struct { char name[64]; int is_folder; } entries[MAX_TEMP_NAMES];
};

/*
 * Forks a child. It calls `let_go`, which closes what is the kit's alone, then waits on its end of `channel`
 * (a SOCK_SEQPACKET socket) for its `struct task`, converts FOLDER/input.docx to FOLDER/output.pdf,
 * sends a `struct report` once it has, and exits with an `enum conversion`, SETUP_FAILED or DISK_FULL.
 * FOLDER/tmp is its working and temporary folder. It leads a process group, dies with the kit, and is in the cage,
 * which prepare_cage has made ready, before it opens the document.
 *
 * Returns its pid and the kit's end of `channel`, or -1 when the system has no process, descriptor or memory
 * to give. The caller has one thread.
 */
pid_t fork_child(LibreOfficeKit *office, const struct budget *budget, const struct temp_names *temp_names,
                 void (*let_go)(void), int *channel);

#endif
