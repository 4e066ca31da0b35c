/*
 * The cage: what a child puts on before it opens a document, so that whoever takes over LibreOffice with it gets
 * nothing else. It needs no privilege, and keeps none; each layer holds without the others.
 */
#ifndef PLATEN_CAGE_H
#define PLATEN_CAGE_H

/* A set of layers. */
enum layer {
    SYSTEM_CALLS = 1, /* seccomp: no call but those that a conversion needs */
    FILES = 2,        /* Landlock: no file but LibreOffice, the fonts and the job's folder */
    NETWORK = 4,      /* Landlock ABI 4 (Linux 6.7): no TCP */
    SCOPE = 8,        /* Landlock ABI 6 (Linux 6.12): no signal and no abstract socket that leads out */
    ALL_LAYERS = SYSTEM_CALLS | FILES | NETWORK | SCOPE,
};

/*
 * Makes the cage ready for the children of this process, which has one thread. It has those of the `wanted` layers
 * that this kernel has, which is found by putting each on in a process of its own. The children may also read what
 * lies below `profile`, LibreOffice's.
 *
 * Returns the layers, or -1 when the system has no memory, descriptor or process to give.
 */
int prepare_cage(unsigned wanted, const char *profile);

/* Puts the cage on the calling process, for good; below `folder` it may write. 0, or -1: do not go on. */
int enter_cage(const char *folder);

#endif
