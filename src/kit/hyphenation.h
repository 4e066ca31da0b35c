/* The dictionaries of hyphenation, which all children share. */
#ifndef PLATEN_HYPHENATION_H
#define PLATEN_HYPHENATION_H

#include <sys/types.h>

/*
 * Forks a process that loads the dictionaries of this system. It calls `let_go` first, and ends when it has loaded them. Each is
 * of use as soon as it is loaded, also for children that were forked before.
 *
 * Returns its process id, or 0 if there is nothing to load, or the system is out of processes, descriptors or memory: a child
 * then loads the dictionaries that it needs.
 */
pid_t start_loading_dictionaries(void (*let_go)(void));

#endif
