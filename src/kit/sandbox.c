#define _GNU_SOURCE
#include "sandbox.h"

#include <errno.h>
#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "landlock.h"
#include "system-calls.h"

enum { LANDLOCK_LAYERS = FILES | NETWORK | SCOPE };

static unsigned layers;
static const char *profile;

/* Root's capabilities. A service that runs as another user has none. */
static int drop_capabilities(void)
{
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = {0};
    return (int)syscall(SYS_capset, &header, none);
}

static int enter(unsigned wanted, const char *folder, const char *program)
{
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || drop_capabilities())
        return -1;
    if (wanted & LANDLOCK_LAYERS && confine(wanted, profile, folder, program))
        return -1;
    /* Last: it forbids the calls above. */
    return wanted & SYSTEM_CALLS ? enter_filter(program != NULL) : 0;
}

int enter_sandbox(const char *folder, const char *program) { return enter(layers, folder, program); }

/* Tries the layer in a process of its own; -1 if no process can be created. */
static int is_available(enum layer layer)
{
    pid_t pid = fork();
    if (pid == 0)
        _exit(enter(layer, "/", NULL) ? 1 : 0);
    int status;
    if (pid < 0)
        return -1;
    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR)
            return -1;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

int prepare_sandbox(unsigned wanted, const char *the_profile)
{
    profile = the_profile;
    if (prepare_filters())
        return -1;
    for (unsigned layer = 1; layer < ALL_LAYERS; layer <<= 1) {
        int available = wanted & layer ? is_available(layer) : 0;
        if (available < 0)
            return -1;
        if (available)
            layers |= layer;
    }
    return (int)layers;
}
