/* A child: a forked process that converts one document, or several of one owner. */
#ifndef PLATEN_CHILD_H
#define PLATEN_CHILD_H

#include <stddef.h>
#include <sys/types.h>

#include "job.h"
#include "office.h"

enum {
    SETUP_FAILED = 5, /* exit code: the job's folder, a limit or the sandbox could not be set up */
    DISK_FULL = 6,    /* exit code: the disk was full, whatever became of the document */
    MAX_TEMP_NAMES = 16,
    NICENESS = 5,          /* of a child, above the kit's: answering clients comes before converting */
    LOWEST_NICENESS = 19,
    PARTING_NICENESS = 10, /* of a child that is done: freeing its memory must not delay others */
};

/* Names of the temporary files that LibreOffice created during warm-up; every child creates its own. */
struct temp_names {
    size_t count;
    struct { char name[64]; int is_folder; } entries[MAX_TEMP_NAMES];
};

/*
 * Forks a child. It calls `let_go`, which closes the kit's own descriptors, waits on its end of `channel` (a
 * SOCK_SEQPACKET socket) for a `struct task`, does what FOLDER/task says (instructions.h), sends a `struct report` on
 * success, waits for another task if it is to stay, and exits with an `enum conversion`, SETUP_FAILED or DISK_FULL. To draw a picture it becomes another program, which
 * sends no report, and whose exit codes are its own. FOLDER/tmp is its working and temporary folder.
 * It leads a process group, dies with the kit, and enters the sandbox (see prepare_sandbox) before it opens the document.
 * A patient child runs only when no other process needs the processor.
 *
 * Returns its pid and the kit's end of `channel`, or -1 if the system is out of processes, descriptors or memory. The
 * caller must have one thread.
 */
pid_t fork_child(LibreOfficeKit *office, const struct budget *budget, const struct temp_names *temp_names,
                 void (*let_go)(void), int is_patient, int *channel);

#endif
