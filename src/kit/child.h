/* A child: one forked process that converts exactly one document. */
#ifndef PLATEN_CHILD_H
#define PLATEN_CHILD_H

#include <stddef.h>
#include <sys/resource.h>
#include <sys/types.h>

#include "office.h"

enum {
    JOB_SIZE = 4096,   /* bytes of the longest message between kit and child */
    SETUP_FAILED = 5,  /* exit code: the job's folder or a limit could not be set up */
    MAX_TEMP_NAMES = 16,
};

/* Names LibreOffice chose for its temporary files while it warmed up; every child makes its own. */
struct temp_names {
    size_t count;
    struct { char name[64]; int is_folder; } entries[MAX_TEMP_NAMES];
};

/* What one document may use. */
struct budget {
    unsigned long cpu_seconds;
    unsigned long file_mib;   /* of the largest file it writes */
    unsigned long memory_mib; /* resident; kept by the kit, see server.c */
};

/* What a child says once it has converted its document. */
struct report {
    int pages;
    long peak_kib;
    long cpu_ms;
};

/* User and system time, in milliseconds. */
static inline long cpu_ms(const struct rusage *use)
{
    return (use->ru_utime.tv_sec + use->ru_stime.tv_sec) * 1000 +
           (use->ru_utime.tv_usec + use->ru_stime.tv_usec) / 1000;
}

/*
 * The life of a child, from the fork to _exit: waits on `channel` (a SOCK_SEQPACKET socket) for the path
 * of its job's folder, converts FOLDER/input.docx to FOLDER/output.pdf, sends a `struct report` once it has, and
 * exits with an `enum conversion` or SETUP_FAILED. FOLDER/tmp is its working and temporary folder.
 */
_Noreturn void live_as_child(LibreOfficeKit *office, int channel, pid_t kit, const struct budget *budget,
                             const struct temp_names *temp_names);

#endif
