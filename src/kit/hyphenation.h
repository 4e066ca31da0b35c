/* The dictionaries of hyphenation, which all children share. */
#ifndef PLATEN_HYPHENATION_H
#define PLATEN_HYPHENATION_H

#include <sys/types.h>

/* In a child: whether its document needed a dictionary that was not loaded yet, and had to load it. */
int lacked_dictionary(void);

/*
 * Forks a process that loads the dictionaries of this system. It calls `let_go` first, and ends when it has loaded them. Each is
 * of use to children that are forked from now on, as soon as it is loaded.
 *
 * Returns its process id, or 0 if there is nothing to load, or the system is out of processes, descriptors or memory: children
 * then load the dictionaries that they need.
 */
pid_t start_loading_dictionaries(void (*let_go)(void));

#endif
