/* What LibreOffice knows of a line of text while it looks for its end, for the changes in its loaded code. */
#ifndef PLATEN_TEXT_LINE_H
#define PLATEN_TEXT_LINE_H

#include <stddef.h>
#include <stdint.h>

struct string {
    int32_t references, length;
    uint16_t letters[];
};

/*
 * SwTextFormatInfo, in the layout of LibreOffice 25.2 as far as it is needed. Lengths are in twips, indices count UTF-16 units.
 */
struct line {
    char *paragraph; /* SwParaPortion */
    char unused[0x60 - 0x8];
    void *cache;
    char unused_too[0x90 - 0x68];
    struct string **text; /* of the paragraph */
    int32_t index;        /* where the portion begins */
    char unused_as_well[0xa4 - 0x9c];
    char context[12]; /* what the portion is laid out with */
    char further_unused[0xb8 - 0xb0];
    int64_t extra_space; /* that shrinking gives */
    char also_unused[0x128 - 0xc0];
    int64_t x; /* where the portion begins */
    char once_more_unused[0x19c - 0x130];
    int32_t start; /* index of the first letter */
    char last_unused[0x1d0 - 0x1a0];
    int64_t width;
};

_Static_assert(offsetof(struct line, cache) == 0x60 && offsetof(struct line, text) == 0x90 &&
                   offsetof(struct line, index) == 0x98 && offsetof(struct line, context) == 0xa4 &&
                   offsetof(struct line, extra_space) == 0xb8 && offsetof(struct line, x) == 0x128 &&
                   offsetof(struct line, start) == 0x19c && offsetof(struct line, width) == 0x1d0,
               "the layout is LibreOffice's");

#endif
