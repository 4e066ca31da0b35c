/*
 * Pages as pictures: drawn by poppler's programs, which a child becomes. They are not linked into the kit: an execution keeps their
 * licence, the GPL, apart from the kit's, and each starts with memory of its own.
 */
#ifndef PLATEN_PICTURE_H
#define PLATEN_PICTURE_H

enum { MAX_ARGUMENTS = 32 };

/* A program and its arguments, with the NULL after them. */
struct command {
    const char *program; /* its path */
    char *arguments[MAX_ARGUMENTS + 1];
};

/* Takes a command apart, in place. Returns -1 if it has too many arguments, or its program is none of poppler's that draw. */
int read_command(char *text, struct command *command);

/* Turns the calling process into the program, which then has its own exit codes. Returns only if it cannot be started. */
void become(const struct command *command);

#endif
