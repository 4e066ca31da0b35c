/* Landlock (https://docs.kernel.org/userspace-api/landlock.html): which files and peers a child may reach. */
#ifndef PLATEN_LANDLOCK_H
#define PLATEN_LANDLOCK_H

/* Also lets children read fonts or their caches below `path`, from the next `confine` on. 0, or -1 if there are too many. */
int allow_fonts(const char *path);

/*
 * Confines the calling process permanently: it may read LibreOffice, its fonts and its `profile`, write below `folder`, and
 * execute `program`; nothing if that is NULL. `layers` is a set of FILES, NETWORK and SCOPE, see sandbox.h. 0, or -1.
 */
int confine(unsigned layers, const char *profile, const char *folder, const char *program);

#endif
