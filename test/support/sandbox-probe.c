/*
 * Implements office.h in a kit for tests: instead of converting a document, a child tries what a compromised
 * child would try. The "document" has lines "ATTEMPT ARGUMENT"; the "PDF" has the result of each, as
 * "ATTEMPT ARGUMENT: OUTCOME", where OUTCOME is "done" or the name of the error.
 */
#define _GNU_SOURCE
#include "../../src/kit/job.h"
#include "../../src/kit/office.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/keyctl.h>
#include <linux/perf_event.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/fsuid.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <unistd.h>

/* Until the kit ends it. */
static int pause_for_ever(void)
{
    for (;;)
        poll(NULL, 0, -1);
}

/* 0, or -1 and errno. */
static int closing(int descriptor) { return descriptor < 0 ? -1 : close(descriptor); }

static int connect_to(int type, const struct sockaddr *address, socklen_t length)
{
    int client = socket(address->sa_family, type, 0);
    if (client < 0)
        return -1;
    int result = connect(client, address, length);
    if (!result && type == SOCK_DGRAM)
        result = send(client, "hello", 5, 0) == 5 ? 0 : -1;
    int cause = errno;
    close(client);
    errno = cause;
    return result;
}

static int bind_to(const struct sockaddr *address, socklen_t length)
{
    int server = socket(address->sa_family, SOCK_STREAM, 0);
    if (server < 0)
        return -1;
    int result = bind(server, address, length), cause = errno;
    close(server);
    errno = cause;
    return result;
}

static int to_loopback(int type, const char *port)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(port)),
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    return connect_to(type, (struct sockaddr *)&address, sizeof address);
}
static int tcp_connect(const char *port) { return to_loopback(SOCK_STREAM, port); }
static int udp_send(const char *port) { return to_loopback(SOCK_DGRAM, port); }

static int tcp_bind(const char *argument)
{
    (void)argument;
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    return bind_to((struct sockaddr *)&address, sizeof address);
}

static int abstract_connect(const char *name)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    /* Of full length, like the name that Node listens on: only some versions of Node pad shorter names. */
    memcpy(address.sun_path + 1, name, strnlen(name, sizeof address.sun_path - 1));
    return connect_to(SOCK_STREAM, (struct sockaddr *)&address, sizeof address);
}

static int path_connect(const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    strncpy(address.sun_path, path, sizeof address.sun_path - 1);
    return connect_to(SOCK_STREAM, (struct sockaddr *)&address, sizeof address);
}

static int path_bind(const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    strncpy(address.sun_path, path, sizeof address.sun_path - 1);
    return bind_to((struct sockaddr *)&address, sizeof address);
}

static int netlink(const char *argument) { return (void)argument, closing(socket(AF_NETLINK, SOCK_RAW, 0)); }
static int socket_pair(const char *argument)
{
    int pair[2];
    (void)argument;
    return socketpair(AF_UNIX, SOCK_STREAM, 0, pair) ? -1 : close(pair[0]) + close(pair[1]);
}

/* The kernel cannot execute the file: the result is ENOEXEC if execution is allowed. */
static int execute(const char *path)
{
    char *arguments[] = {(char *)path, NULL}, *environment[] = {NULL};
    execve(path, arguments, environment);
    return errno == ENOEXEC ? 0 : -1;
}

static int fork_process(const char *argument)
{
    (void)argument;
    pid_t pid = fork();
    if (pid == 0)
        _exit(0);
    return pid < 0 ? -1 : 0;
}

static void *nothing(void *data) { return data; }
static int end_thread(void *data) { return (void)data, (int)syscall(SYS_exit, 0); }

static int thread(const char *argument)
{
    (void)argument;
    pthread_t thread;
    errno = pthread_create(&thread, NULL, nothing, NULL);
    return errno ? -1 : (errno = pthread_join(thread, NULL)) ? -1 : 0;
}

static int read_file(const char *path)
{
    char byte;
    int file = open(path, O_RDONLY);
    if (file < 0)
        return -1;
    int result = read(file, &byte, 1) < 0 ? -1 : 0, cause = errno;
    close(file);
    errno = cause;
    return result;
}

static int list_folder(const char *path)
{
    DIR *folder = opendir(path);
    if (!folder)
        return -1;
    int result = readdir(folder) ? 0 : -1;
    closedir(folder);
    return result;
}

static int write_file(const char *path) { return closing(open(path, O_WRONLY | O_APPEND)); }
static int truncate_file(const char *path) { return truncate(path, 0); }
/* Truncated although opened for reading. */
static int empty_file(const char *path) { return closing(open(path, O_RDONLY | O_TRUNC)); }
static int create_file(const char *path) { return closing(open(path, O_WRONLY | O_CREAT | O_EXCL, 0600)); }
static int create_folder(const char *path) { return mkdir(path, 0700); }
static int remove_file(const char *path) { return unlink(path); }
static int move_out(const char *path) { return closing(open("moved", O_WRONLY | O_CREAT, 0600)) ?: rename("moved", path); }
static int symbolic_link(const char *path) { return symlink("/etc/passwd", path); }
static int hard_link(const char *path) { return closing(open("linked", O_WRONLY | O_CREAT, 0600)) ?: link("linked", path); }
static int fifo(const char *path) { return mkfifo(path, 0600); }
static int device(const char *path) { return mknod(path, S_IFCHR | 0600, 0x103); }
static int set_user_id(const char *path) { return chmod(path, 04700); }
static int change_mode(const char *path) { return chmod(path, 0777); }
static int lock_file(const char *path)
{
    int file = open(path, O_RDONLY);
    return file < 0 || flock(file, LOCK_EX | LOCK_NB) ? -1 : close(file);
}
/* Locks of fcntl(2) by command, on a file that every child may read: who holds one is seen by the others. */
static int record_lock(const char *command)
{
    static const struct { const char *name; int command; } commands[] = {
        {"F_GETLK", F_GETLK},         {"F_SETLK", F_SETLK},         {"F_SETLKW", F_SETLKW},
        {"F_OFD_GETLK", F_OFD_GETLK}, {"F_OFD_SETLK", F_OFD_SETLK}, {"F_OFD_SETLKW", F_OFD_SETLKW},
    };
    struct flock lock = {.l_type = F_RDLCK, .l_whence = SEEK_SET, .l_len = 1};
    int file = open("/dev/urandom", O_RDONLY), result = -1;
    for (size_t i = 0; file >= 0 && i < sizeof commands / sizeof *commands; i++)
        if (!strcmp(commands[i].name, command))
            result = fcntl(file, commands[i].command, &lock);
    int cause = errno;
    close(file);
    errno = cause;
    return result;
}
/* Makes the kernel send a chosen signal on the next input of a pipe. */
static int signal_by_input(const char *pid)
{
    int pair[2];
    if (pipe(pair))
        return -1;
    int result = fcntl(pair[0], F_SETSIG, SIGCONT) || fcntl(pair[0], F_SETOWN, atoi(pid)), cause = errno;
    close(pair[0]);
    close(pair[1]);
    errno = cause;
    return result ? -1 : 0;
}
static int change_owner(const char *path) { return chown(path, getuid(), getgid()); }
static int change_root(const char *path) { return chroot(path); }
static int mount_here(const char *path) { return mount("none", path, "tmpfs", 0, NULL) ?: umount(path); }

static int signal_process(const char *pid) { return kill(atoi(pid), SIGCONT); }
static int trace(const char *pid) { return (int)ptrace(PTRACE_SEIZE, atoi(pid), NULL, NULL); }
static int read_memory(const char *pid)
{
    /* Where this program lies in the other, which was forked with it. */
    static char there = 1;
    char here;
    struct iovec local = {&here, 1}, remote = {&there, 1};
    return process_vm_readv(atoi(pid), &local, 1, &remote, 1, 0) == 1 ? 0 : -1;
}
static int pid_descriptor(const char *pid) { return closing((int)syscall(SYS_pidfd_open, atoi(pid), 0)); }
static int limit_of(const char *pid)
{
    struct rlimit limit;
    return prlimit(atoi(pid), RLIMIT_NOFILE, NULL, &limit);
}

static int dumpable(const char *argument) { return (void)argument, prctl(PR_SET_DUMPABLE, 1); }
static int other_user(const char *argument) { return (void)argument, setuid(getuid()); }
static int set_limit(const char *argument)
{
    struct rlimit limit;
    (void)argument;
    return getrlimit(RLIMIT_CPU, &limit) ?: setrlimit(RLIMIT_CPU, &limit);
}
static int new_namespace(const char *argument) { return (void)argument, unshare(CLONE_NEWUSER); }
static int new_group(const char *argument) { return (void)argument, setsid() < 0 && errno != EPERM ? -1 : setpgid(0, 0); }
static int shared_memory(const char *argument)
{
    (void)argument;
    int id = shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600);
    return id < 0 ? -1 : shmctl(id, IPC_RMID, NULL);
}
static int thread_in_namespace(const char *argument)
{
    static char stack[16384] __attribute__((aligned(16)));
    (void)argument;
    int flags = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_NEWUTS;
    return clone(end_thread, stack + sizeof stack, flags, NULL) < 0 ? -1 : 0;
}
static int memory_file(const char *argument) { return (void)argument, closing(memfd_create("probe", 0)); }
static int key_ring(const char *argument)
{
    (void)argument;
    return syscall(SYS_keyctl, KEYCTL_GET_KEYRING_ID, KEY_SPEC_PROCESS_KEYRING, 1) < 0 ? -1 : 0;
}
static int io_ring(const char *argument)
{
    char parameters[256] = {0};
    (void)argument;
    return closing((int)syscall(SYS_io_uring_setup, 1, parameters));
}
static int performance(const char *argument)
{
    struct perf_event_attr event = {.type = PERF_TYPE_SOFTWARE, .size = sizeof event, .exclude_kernel = 1};
    (void)argument;
    return closing((int)syscall(SYS_perf_event_open, &event, 0, -1, -1, 0));
}
static int user_faults(const char *argument) { return (void)argument, closing((int)syscall(SYS_userfaultfd, 1)); }
static int watch_files(const char *argument) { return (void)argument, closing((int)syscall(SYS_inotify_init1, 0)); }
static int clone_by_struct(const char *argument)
{
    (void)argument;
    errno = 0;
    /* Too short a structure: EINVAL is what comes of it where the call is allowed. */
    syscall(SYS_clone3, NULL, 1);
    return errno == EINVAL ? 0 : -1;
}

/* Reports larger figures than the kit can pass on. */
static int boast(const char *argument)
{
    struct report report = {.pages = 1, .peak_kib = LONG_MAX, .cpu_ms = LONG_MAX};
    (void)argument;
    for (int descriptor = 0; descriptor < 1024; descriptor++) {
        struct stat about;
        if (!fstat(descriptor, &about) && S_ISSOCK(about.st_mode))
            return write(descriptor, &report, sizeof report) < 0 ? -1 : 0;
    }
    return -1;
}

static void *wait_for_end(void *data) { return (void)pause_for_ever(), data; }

static int threads(const char *count)
{
    pthread_attr_t small;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 65536);
    for (int i = 0; i < atoi(count); i++) {
        pthread_t thread;
        if ((errno = pthread_create(&thread, &small, wait_for_end, NULL)))
            return -1;
    }
    return pause_for_ever();
}

static void *spin(void *data)
{
    for (volatile int i = 0;; i++)
        ;
    return data;
}

static int busy_threads(const char *count)
{
    for (int i = 0; i < atoi(count); i++) {
        pthread_t thread;
        if ((errno = pthread_create(&thread, NULL, spin, NULL)))
            return -1;
    }
    return pause_for_ever();
}

static void *use_memory(void *size)
{
    memset(malloc((size_t)size), 1, (size_t)size);
    return (void)pause_for_ever(), NULL;
}

/* Of a process whose first thread has ended, /proc tells no size. */
static int hide_memory(const char *mebibytes)
{
    pthread_t thread;
    errno = pthread_create(&thread, NULL, use_memory, (void *)((size_t)atol(mebibytes) << 20));
    return errno ? -1 : (int)syscall(SYS_exit, 0);
}

/* Continues past the soft limit of its CPU time. */
static int use_time(const char *argument)
{
    (void)argument;
    signal(SIGXCPU, SIG_IGN);
    for (volatile int i = 0;; i++)
        ;
}

/* To the kit. A program that a child becomes has none. */
#ifdef PROGRAM
enum { OWN_SOCKETS = 0 };
#else
enum { OWN_SOCKETS = 1 };
#endif

/* Counts descriptors shared with others: all except /dev/null, read-only ones, pipes (which have their own test), and
 * the one socket to the kit. */
static int inherited;

static int count_inherited(void)
{
    int others = 0, sockets = 0;
    for (int descriptor = 0; descriptor < 1024; descriptor++) {
        struct stat about;
        int mode = fcntl(descriptor, F_GETFL);
        if (mode < 0 || fstat(descriptor, &about))
            continue;
        int is_null = S_ISCHR(about.st_mode) && about.st_rdev == 0x103;
        int is_read_only = S_ISREG(about.st_mode) && (mode & O_ACCMODE) == O_RDONLY;
        sockets += S_ISSOCK(about.st_mode);
        others += !is_null && !is_read_only && !S_ISSOCK(about.st_mode) && !S_ISFIFO(about.st_mode);
    }
    return others + sockets - OWN_SOCKETS;
}

static int shared_descriptors(const char *argument)
{
    (void)argument;
    errno = ENOENT;
    return inherited ? 0 : -1;
}

static const struct attempt {
    const char *name;
    int (*try)(const char *argument);
} attempts[] = {
    {"tcp-connect", tcp_connect},       {"udp-send", udp_send},
    {"tcp-bind", tcp_bind},             {"abstract-connect", abstract_connect},
    {"path-connect", path_connect},     {"path-bind", path_bind},
    {"netlink", netlink},               {"socket-pair", socket_pair},
    {"execute", execute},               {"fork", fork_process},
    {"thread", thread},                 {"read", read_file},
    {"list", list_folder},              {"write", write_file},
    {"truncate", truncate_file},        {"create", create_file},
    {"create-folder", create_folder},   {"remove", remove_file},
    {"move-out", move_out},             {"symbolic-link", symbolic_link},
    {"hard-link", hard_link},           {"fifo", fifo},
    {"device", device},                 {"set-user-id", set_user_id},
    {"change-mode", change_mode},       {"lock", lock_file},
    {"signal-by-input", signal_by_input}, {"record-lock", record_lock},
    {"change-owner", change_owner},     {"change-root", change_root},
    {"mount", mount_here},              {"signal", signal_process},
    {"trace", trace},                   {"read-memory", read_memory},
    {"pid-descriptor", pid_descriptor}, {"limit-of", limit_of},
    {"dumpable", dumpable},             {"other-user", other_user},
    {"set-limit", set_limit},           {"new-namespace", new_namespace},
    {"new-group", new_group},           {"shared-memory", shared_memory},
    {"memory-file", memory_file},       {"key-ring", key_ring},
    {"io-ring", io_ring},               {"performance", performance},
    {"user-faults", user_faults},       {"watch-files", watch_files},
    {"thread-in-namespace", thread_in_namespace}, {"empty", empty_file},
    {"boast", boast},                   {"threads", threads},
    {"busy-threads", busy_threads},
    {"hide-memory", hide_memory},       {"use-time", use_time},
    {"clone-by-struct", clone_by_struct}, {"shared-descriptors", shared_descriptors},
};

static const char *outcome_of(const char *name, const char *argument)
{
    for (size_t i = 0; i < sizeof attempts / sizeof *attempts; i++) {
        if (strcmp(attempts[i].name, name))
            continue;
        errno = 0;
        return attempts[i].try(argument) ? strerrorname_np(errno) : "done";
    }
    return "unknown";
}

const char warm_up_options[] = "{}";

enum conversion convert(LibreOfficeKit *office, const char *input, const struct instructions *instructions,
                        const char *output, int *pages)
{
    char line[4096];
    (void)office, (void)instructions, (void)pages;
    inherited = count_inherited();
    FILE *in = fopen(input, "re"), *out = fopen(output, "we");
    if (!in || !out)
        return LOAD_FAILED;
    while (fgets(line, sizeof line, in)) {
        line[strcspn(line, "\n")] = '\0';
        char *argument = strchr(line, ' ');
        if (argument)
            *argument++ = '\0';
        const char *outcome = outcome_of(line, argument ? argument : "");
        fprintf(out, "%s %s: %s\n", line, argument ? argument : "", outcome ? outcome : "?");
        fflush(out); /* an attempt may be the last */
    }
    fclose(out);
    return CONVERTED;
}

/* The warm-up: nothing to warm. */
enum conversion convert_and_close(LibreOfficeKit *office, const char *input, const char *output)
{
    (void)office, (void)input;
    return closing(open(output, O_WRONLY | O_CREAT, 0600)) ? EXPORT_FAILED : CONVERTED;
}

#ifdef PROGRAM
/* In place of a program that draws: the last arguments are the document, and the picture without its extension. */
int main(int argc, char **argv)
{
    char output[PATH_MAX];
    int pages;
    if (argc < 3 || snprintf(output, sizeof output, "%s.ppm", argv[argc - 1]) >= PATH_MAX)
        return EXPORT_FAILED;
    return convert(NULL, argv[argc - 2], NULL, output, &pages);
}
#endif

void close_converted(void) {}
