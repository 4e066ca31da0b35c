/* Marks what a page draws outside its structure. */
#ifndef PLATEN_ARTIFACTS_H
#define PLATEN_ARTIFACTS_H

#include <stddef.h>

/* The content stream with marks as artifacts around shapes and pictures that are in no marked content, as PDF/UA demands
 * (ISO 14289-1, 7.1); text stays as it is. LibreOffice leaves the lines of paragraph borders without marks.
 * Returns memory to be freed and its length; NULL if nothing is to be marked, the content is broken, or memory is short. */
char *mark_artifacts(const char *content, size_t length, size_t *marked_length);

#endif
