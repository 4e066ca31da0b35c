/*
 * Implements office.h in a kit for tests: instead of converting a document, a child touches what a document would,
 * memory that the kit wrote to, constants of a program file, and new memory, which the trial conversion does not touch.
 * The "PDF" has the page faults of each, as "NAME: NUMBER". Large pages are off, as their few faults
 * could not be told from none. With TRIAL_FAILS in its environment the trial conversion fails.
 */
#define _GNU_SOURCE
#include "../../src/kit/job.h"
#include "../../src/kit/office.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>

enum { PAGE = 4096, PAGES = 1000, SMALL = 448, PIECES = PAGES * PAGE / SMALL };

static volatile char *written;
static const char constants[PAGES * PAGE] = {1};

static void write_to_the_kits(void)
{
    for (int i = 0; i < PAGES; i++)
        written[i * PAGE]++;
}

static void read_constants(void)
{
    for (int i = 0; i < PAGES; i++)
        (void)*(const volatile char *)&constants[i * PAGE];
}

/* Like the warm-up: memory that the kit still uses is scattered over pages. */
static void leave_gaps(void)
{
    static void *pieces[PIECES];
    for (int i = 0; i < PIECES; i++)
        pieces[i] = malloc(SMALL);
    for (int i = 0; i < PIECES; i++)
        if (i % (PAGE / SMALL))
            free(pieces[i]);
}

static void write_to_new_memory(void)
{
    for (int i = 0; i < PIECES; i++) {
        volatile char *memory = malloc(SMALL);
        if (memory)
            *memory = 1;
    }
}

static long page_faults(void (*touch)(void))
{
    struct rusage before, after;
    getrusage(RUSAGE_SELF, &before);
    touch();
    getrusage(RUSAGE_SELF, &after);
    return after.ru_minflt - before.ru_minflt;
}

const char warm_up_options[] = "{}";

enum conversion convert(LibreOfficeKit *office, const char *input, const struct instructions *instructions,
                        const char *output, int *pages)
{
    (void)office, (void)instructions;
    *pages = 1;
    int is_trial = !strstr(input, "/input.docx");
    if (is_trial && getenv("TRIAL_FAILS"))
        return LOAD_FAILED;
    FILE *out = fopen(output, "we");
    if (!out)
        return EXPORT_FAILED;
    fprintf(out, "written: %ld\n", page_faults(write_to_the_kits));
    fprintf(out, "constants: %ld\n", page_faults(read_constants));
    if (!is_trial)
        fprintf(out, "new: %ld\n", page_faults(write_to_new_memory));
    return fclose(out) ? EXPORT_FAILED : CONVERTED;
}

enum conversion convert_and_close(LibreOfficeKit *office, const char *input, const char *output)
{
    (void)office, (void)input, (void)output;
    if (!written) {
        prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
        written = malloc(PAGES * PAGE);
        leave_gaps();
    }
    if (!written)
        return EXPORT_FAILED;
    write_to_the_kits();
    read_constants();
    return CONVERTED;
}

void close_converted(void) {}
