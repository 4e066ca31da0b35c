/* The hyphenation dictionaries that children share. */
#ifndef PLATEN_HYPHENATION_H
#define PLATEN_HYPHENATION_H

#include <sys/types.h>

/* The kit's descriptor of the memory with the dictionaries, or of /dev/null. No child may have it. */
enum { DICTIONARIES = 4 };

/* Maps the dictionaries of an earlier kit, if Node passed them and they are complete. */
void inherit_dictionaries(void);

/* In a child: whether it had to load a dictionary itself. */
int lacked_dictionary(void);

/*
 * Forks a process that loads the dictionaries of this system. It calls `let_go` first, and ends when all are loaded. Children
 * forked from now on use each dictionary as soon as it is loaded.
 *
 * Returns its process id, or 0 if there is nothing to load, or the system is out of processes, descriptors or memory: children
 * then load the dictionaries that they need.
 */
pid_t start_loading_dictionaries(void (*let_go)(void));

#endif
