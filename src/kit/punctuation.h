/* Which lines have full-width punctuation narrower than it is. */
#ifndef PLATEN_PUNCTUATION_H
#define PLATEN_PUNCTUATION_H

#include <stdbool.h>

/*
 * Makes LibreOffice narrow the full-width punctuation of a line only where Word does. To be called once Writer is loaded, while the
 * process has one thread; processes that it forks inherit the change.
 *
 * `guess` is LibreOffice's function that looks for the end of a line (justified-lines.h); NULL if it was not found.
 *
 * Returns 0, or -1 if lines stay LibreOffice's, as in justified-lines.h.
 */
int narrow_punctuation_as_word(unsigned char *guess);

struct line;
/* Whether punctuation of the line may be narrow, up to the portion that was looked at last. */
bool has_narrow_punctuation(const struct line *line);

#endif
