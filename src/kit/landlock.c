#define _GNU_SOURCE
#include "landlock.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sandbox.h"

/* Newer than the headers of Debian 12 (Linux 6.1); values of include/uapi/linux/landlock.h. */
#define FS_TRUNCATE (1ULL << 14)
#define FS_IOCTL_DEV (1ULL << 15)
#define NET_BIND_TCP (1ULL << 0)
#define NET_CONNECT_TCP (1ULL << 1)
#define SCOPE_ABSTRACT_UNIX_SOCKET (1ULL << 0)
#define SCOPE_SIGNAL (1ULL << 1)

/* struct landlock_ruleset_attr of ABI 6. Older kernels accept it if the new fields are zero. */
struct ruleset {
    uint64_t files, network, scope;
};

/* The ABI versions that added rights. */
enum { WITH_REFER = 2, WITH_TRUNCATE = 3, WITH_NETWORK = 4, WITH_IOCTL_DEV = 5, WITH_SCOPE = 6 };

#define READ_FILE LANDLOCK_ACCESS_FS_READ_FILE
#define READ (READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR)
#define WRITE                                                                                                  \
    (LANDLOCK_ACCESS_FS_WRITE_FILE | FS_TRUNCATE | LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_MAKE_DIR | \
     LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR)
/* Granted to a program that a child becomes. */
#define EXECUTE (LANDLOCK_ACCESS_FS_EXECUTE | READ_FILE)
/* Granted nowhere. */
#define REFUSED                                                                                            \
    (LANDLOCK_ACCESS_FS_MAKE_SYM | LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO |            \
     LANDLOCK_ACCESS_FS_MAKE_CHAR | LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_REFER | FS_IOCTL_DEV)

#if defined(__x86_64__)
#define MULTIARCH "x86_64-linux-gnu"
#define LOADER "/lib64/ld-linux-x86-64.so.2"
#elif defined(__aarch64__)
#define MULTIARCH "aarch64-linux-gnu"
#define LOADER "/lib/ld-linux-aarch64.so.1"
#endif

/* What LibreOffice reads during a conversion: itself, its libraries and data, fonts. */
static const char *const readable_paths[] = {
    "/usr/lib/libreoffice",   "/etc/libreoffice",        "/usr/share/libreoffice", "/var/lib/libreoffice",
    "/usr/lib/" MULTIARCH,    "/lib/" MULTIARCH,         "/usr/lib/locale",        "/usr/share/locale",
    "/usr/share/fonts",       "/usr/local/share/fonts",  "/usr/share/fontconfig",  "/etc/fonts",
    "/var/cache/fontconfig",  "/usr/share/liblangtag",   "/usr/share/hunspell",    "/usr/share/hyphen",
    "/usr/share/mythes",      "/usr/share/libnumbertext", "/usr/share/zoneinfo",    "/dev/urandom",
};

/* Fonts of the service's own, and caches of fonts. */
enum { MAX_FONT_PATHS = 5 };
static const char *font_paths[MAX_FONT_PATHS];
static size_t font_path_count;

int allow_fonts(const char *path)
{
    if (font_path_count == MAX_FONT_PATHS)
        return -1;
    font_paths[font_path_count++] = path;
    return 0;
}

/* The kernel's ABI version; 0: none. */
static int landlock_version(void)
{
    long version = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
    return version < 0 ? 0 : (int)version;
}

/* The rights that a ruleset handles; others are unrestricted. */
static struct ruleset decided(unsigned layers, int version)
{
    uint64_t files = READ | WRITE | EXECUTE | REFUSED;
    if (version < WITH_REFER)
        files &= ~LANDLOCK_ACCESS_FS_REFER;
    if (version < WITH_TRUNCATE)
        files &= ~FS_TRUNCATE;
    if (version < WITH_IOCTL_DEV)
        files &= ~FS_IOCTL_DEV;
    return (struct ruleset){
        .files = layers & FILES ? files : 0,
        .network = layers & NETWORK ? NET_BIND_TCP | NET_CONNECT_TCP : 0,
        .scope = layers & SCOPE ? SCOPE_ABSTRACT_UNIX_SOCKET | SCOPE_SIGNAL : 0,
    };
}

/* Allows those rights of `access` that the ruleset handles. A path that does not exist needs no rule. */
static int allow(int ruleset, const char *path, uint64_t access)
{
    int target = open(path, O_PATH | O_CLOEXEC);
    if (target < 0)
        return errno == ENOENT ? 0 : -1;
    struct landlock_path_beneath_attr rule = {.allowed_access = access, .parent_fd = target};
    long result = syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
    close(target);
    return (int)result;
}

/* A file has no rights of folders. */
static int allow_reading(int ruleset, const char *path)
{
    struct stat about;
    if (stat(path, &about))
        return errno == ENOENT ? 0 : -1;
    return allow(ruleset, path, S_ISDIR(about.st_mode) ? READ : READ_FILE);
}

static int allow_files(int ruleset, uint64_t files, const char *profile, const char *folder, const char *program)
{
    for (size_t i = 0; i < sizeof readable_paths / sizeof *readable_paths; i++)
        if (allow_reading(ruleset, readable_paths[i]))
            return -1;
    for (size_t i = 0; i < font_path_count; i++)
        if (allow_reading(ruleset, font_paths[i]))
            return -1;
    if (program && (allow(ruleset, program, EXECUTE) || allow(ruleset, LOADER, EXECUTE)))
        return -1;
    return allow_reading(ruleset, profile) || allow(ruleset, folder, (READ | WRITE) & files);
}

int confine(unsigned layers, const char *profile, const char *folder, const char *program)
{
    struct ruleset wanted = decided(layers, landlock_version());
    int ruleset = (int)syscall(SYS_landlock_create_ruleset, &wanted, sizeof wanted, 0);
    if (ruleset < 0)
        return -1;
    int failed = (layers & FILES && allow_files(ruleset, wanted.files, profile, folder, program)) ||
                 syscall(SYS_landlock_restrict_self, ruleset, 0);
    close(ruleset);
    return failed ? -1 : 0;
}
