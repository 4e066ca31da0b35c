/* Landlock (https://docs.kernel.org/userspace-api/landlock.html): which files and peers a child may reach. */
#ifndef PLATEN_LANDLOCK_H
#define PLATEN_LANDLOCK_H

/* Lets children read what lies below `path` as well, from the next `confine` on. 0, or -1: there are too many. */
int allow_fonts(const char *path);

/*
 * Confines the calling process, for good: it reads what LibreOffice, its fonts and its `profile` consist of, writes
 * below `folder`, and executes nothing. `layers` is a set of FILES, NETWORK and SCOPE, see cage.h. 0, or -1.
 */
int confine(unsigned layers, const char *profile, const char *folder);

#endif
