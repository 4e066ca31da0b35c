#define _GNU_SOURCE
#include "instructions.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_SIZE = 65536 };

/* A positive number; 0 if it is none. */
static long long positive(const char *text)
{
    char *end;
    long long value = text ? strtoll(text, &end, 10) : 0;
    return value > 0 && *end == '\0' ? value : 0;
}

/* Takes a line apart. Returns -1 if it is not understood. */
static int take(char *line, struct instructions *to)
{
    char *value = line;
    const char *name = strsep(&value, " ");
    if (!strcmp(name, "export"))
        return (to->export = value) ? 0 : -1;
    if (!strcmp(name, "qpdf"))
        return (to->qpdf = value) ? 0 : -1;
    if (!strcmp(name, "draw"))
        return (to->draw = value) ? 0 : -1;
    if (!strcmp(name, "password"))
        return (to->password = value) ? 0 : -1;
    if (!strcmp(name, "clock"))
        return (to->clock = (time_t)positive(value)) ? 0 : -1;
    int *flag = !strcmp(name, "compressed")   ? &to->compressed
                : !strcmp(name, "joined")     ? &to->joined
                : !strcmp(name, "update")     ? &to->update
                : !strcmp(name, "accessible") ? &to->accessible
                                              : NULL;
    if (!flag || value)
        return -1;
    *flag = 1;
    return 0;
}

int read_instructions(const char *folder, struct instructions *instructions)
{
    static char text[MAX_SIZE + 1];
    char path[PATH_MAX];
    if (snprintf(path, sizeof path, "%s/task", folder) >= (int)sizeof path)
        return -1;
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (file < 0)
        return -1;
    ssize_t size = read(file, text, sizeof text);
    close(file);
    if (size < 0 || size > MAX_SIZE)
        return -1;
    text[size] = '\0';
    *instructions = (struct instructions){.password = ""};
    char *rest = text;
    for (char *line; (line = strsep(&rest, "\n"));)
        if (*line && take(line, instructions))
            return -1;
    return instructions->export || instructions->qpdf || instructions->draw ? 0 : -1;
}
