#define _GNU_SOURCE
#include "picture.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A test has a child become its own program instead. */
#ifndef PICTURE_PROGRAMS
#define PICTURE_PROGRAMS "/usr/bin/pdftoppm", "/usr/bin/pdftocairo"
#endif

static const char *const programs[] = {PICTURE_PROGRAMS};

static const char *path_of(const char *name)
{
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
        if (!strcmp(strrchr(programs[i], '/') + 1, name))
            return programs[i];
    return NULL;
}

int read_command(char *text, struct command *command)
{
    *command = (struct command){.program = NULL};
    size_t count = 0;
    for (char *word; (word = strsep(&text, " "));) {
        if (count == MAX_ARGUMENTS)
            return -1;
        command->arguments[count++] = word;
    }
    command->program = count ? path_of(command->arguments[0]) : NULL;
    return command->program ? 0 : -1;
}

void become(const struct command *command)
{
    char fonts[PATH_MAX];
    const char *settings = getenv("FONTCONFIG_FILE");
    if (snprintf(fonts, sizeof fonts, "FONTCONFIG_FILE=%s", settings ? settings : "") >= PATH_MAX)
        return;
    char language[] = "LANG=C.UTF-8", *environment[] = {language, fonts, NULL};
    execve(command->program, command->arguments, environment);
}
