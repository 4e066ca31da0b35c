/*
 * LibreOffice writes outlines of CFF fonts as Type 1 fonts, and counts them in a variable of the process: each has the next number as
 * its /UniqueID, which is in the PDF. The variable has no symbol, but no other has its first value.
 */
#define _GNU_SOURCE
#include "font-ids.h"

#include <limits.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static const int32_t first = 4100000; /* vcl/source/fontsubset/cff.cxx */

struct search {
    const char *library;
    int32_t *found;
    size_t count;
};

static int search_library(struct dl_phdr_info *about, size_t size, void *data)
{
    (void)size;
    struct search *search = data;
    if (strcmp(about->dlpi_name, search->library))
        return 0;
    for (size_t i = 0; i < about->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &about->dlpi_phdr[i];
        if (segment->p_type != PT_LOAD || !(segment->p_flags & PF_W))
            continue;
        /* What is behind the file's part is zero at first, and the rest of the segment may change: it has other values. */
        int32_t *values = (int32_t *)(about->dlpi_addr + segment->p_vaddr);
        for (size_t at = 0; at < segment->p_filesz / sizeof *values; at++)
            if (values[at] == first) {
                search->found = &values[at];
                search->count++;
            }
    }
    return 1;
}

static int32_t *counter, noted;

int find_font_ids(const char *program)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/libmergedlo.so", program);
    struct search search = {.library = path};
    dl_iterate_phdr(search_library, &search);
    if (search.count != 1)
        return -1;
    counter = search.found;
    return 0;
}

void note_font_ids(void)
{
    if (counter)
        noted = *counter;
}

void restart_font_ids(void)
{
    if (counter)
        *counter = noted;
}
