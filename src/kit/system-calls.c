#define _GNU_SOURCE
#include "system-calls.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <seccomp.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "child.h"

/* The list was measured on these architectures only. */
#if !defined(__x86_64__) && !defined(__aarch64__)
#error "the sandbox knows the system calls of x86-64 and arm64 only"
#endif

/*
 * The calls of a conversion, and those that the C library may use instead. Calls that an architecture lacks are left out.
 * None creates a socket, process, link or device, changes an owner, mode or limit, or reaches another process. Calls that
 * Landlock does not control, such as chmod, or truncate before Linux 6.2, are excluded too: each layer holds without the
 * other.
 */
static const int allowed[] = {
    /* memory */
    SCMP_SYS(brk), SCMP_SYS(mmap), SCMP_SYS(munmap), SCMP_SYS(mprotect), SCMP_SYS(mremap), SCMP_SYS(madvise),
    /* open files */
    SCMP_SYS(read), SCMP_SYS(readv), SCMP_SYS(pread64), SCMP_SYS(preadv), SCMP_SYS(write), SCMP_SYS(writev),
    SCMP_SYS(pwrite64), SCMP_SYS(pwritev), SCMP_SYS(lseek), SCMP_SYS(close), SCMP_SYS(fstat),
    SCMP_SYS(fstatfs), SCMP_SYS(ftruncate), SCMP_SYS(fallocate),
    SCMP_SYS(fadvise64), SCMP_SYS(fsync), SCMP_SYS(fdatasync), SCMP_SYS(dup), SCMP_SYS(dup2), SCMP_SYS(dup3),
    SCMP_SYS(getdents64),
    /* paths: Landlock decides which */
    SCMP_SYS(stat), SCMP_SYS(lstat), SCMP_SYS(newfstatat), SCMP_SYS(statx),
    SCMP_SYS(access), SCMP_SYS(faccessat), SCMP_SYS(faccessat2), SCMP_SYS(readlink), SCMP_SYS(readlinkat),
    SCMP_SYS(getcwd), SCMP_SYS(mkdir), SCMP_SYS(mkdirat), SCMP_SYS(rmdir), SCMP_SYS(unlink),
    SCMP_SYS(unlinkat), SCMP_SYS(rename), SCMP_SYS(renameat), SCMP_SYS(renameat2), SCMP_SYS(statfs), SCMP_SYS(umask),
    /* threads and waiting */
    SCMP_SYS(futex), SCMP_SYS(set_robust_list), SCMP_SYS(rseq), SCMP_SYS(gettid), SCMP_SYS(sched_yield),
    SCMP_SYS(sched_getaffinity), SCMP_SYS(poll), SCMP_SYS(ppoll), SCMP_SYS(select), SCMP_SYS(pselect6),
    SCMP_SYS(pipe), SCMP_SYS(pipe2), SCMP_SYS(eventfd2), SCMP_SYS(restart_syscall), SCMP_SYS(exit),
    SCMP_SYS(exit_group),
    /* receiving signals */
    SCMP_SYS(rt_sigaction), SCMP_SYS(rt_sigprocmask), SCMP_SYS(rt_sigreturn), SCMP_SYS(sigaltstack),
    /* time, random numbers, identity */
    SCMP_SYS(clock_gettime), SCMP_SYS(clock_getres), SCMP_SYS(clock_nanosleep), SCMP_SYS(nanosleep),
    SCMP_SYS(gettimeofday), SCMP_SYS(time), SCMP_SYS(times), SCMP_SYS(getrandom), SCMP_SYS(getpid),
    SCMP_SYS(getppid), SCMP_SYS(getuid), SCMP_SYS(geteuid), SCMP_SYS(getgid), SCMP_SYS(getegid),
    SCMP_SYS(getrusage), SCMP_SYS(uname), SCMP_SYS(sysinfo), SCMP_SYS(getpriority),
};

/* Privileges that a thread of root could pass on. */
#define NAMESPACES                                                                                              \
    (CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET)

/* Without and with the calls of a child that becomes another program. */
static struct sock_fprog filters[2];

/* Threads, never processes. glibc tries clone3 first, whose flags are in memory, out of a filter's reach. */
static int allow_threads(scmp_filter_ctx context)
{
    return seccomp_rule_add(context, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0) ||
           seccomp_rule_add(context, SCMP_ACT_ALLOW, SCMP_SYS(clone), 1,
                            SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_THREAD | NAMESPACES, CLONE_THREAD));
}

/* Calls that are allowed for some arguments only. */
static int allow_by_argument(scmp_filter_ctx context)
{
    return seccomp_rule_add(context, SCMP_ACT_ALLOW, SCMP_SYS(prctl), 1, SCMP_A0(SCMP_CMP_EQ, PR_SET_NAME)) ||
           /* limits are read, not set */
           seccomp_rule_add(context, SCMP_ACT_ALLOW, SCMP_SYS(prlimit64), 2, SCMP_A0(SCMP_CMP_EQ, 0),
                            SCMP_A2(SCMP_CMP_EQ, 0)) ||
           seccomp_rule_add(context, SCMP_ACT_ALLOW, SCMP_SYS(getrlimit), 0) ||
           /* it lowers its priority after the conversion, see child.c */
           seccomp_rule_add(context, SCMP_ACT_ALLOW, SCMP_SYS(setpriority), 3,
                            SCMP_A0(SCMP_CMP_EQ, PRIO_PROCESS), SCMP_A1(SCMP_CMP_EQ, 0),
                            SCMP_A2(SCMP_CMP_EQ, PARTING_NICENESS));
}

/*
 * Not F_SETOWN and F_SETSIG, which can send any signal to any process of the user, nor F_NOTIFY. No locks: siblings could
 * communicate through locks on a file that both can read. LibreOffice uses none unless SAL_ENABLE_FILE_LOCKING is set.
 */
static int allow_file_control(scmp_filter_ctx context)
{
    static const int commands[] = {F_DUPFD, F_DUPFD_CLOEXEC, F_GETFD, F_SETFD, F_GETFL, F_SETFL};
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        if (seccomp_rule_add(context, SCMP_ACT_ALLOW, SCMP_SYS(fcntl), 1,
                             SCMP_A1(SCMP_CMP_EQ, (scmp_datum_t)commands[i])))
            return -1;
    return 0;
}

/* Not O_TRUNC with O_RDONLY: before Linux 6.2, Landlock treats that as reading. */
static int allow_opening(scmp_filter_ctx context, int call, unsigned argument)
{
    static const struct { scmp_datum_t mask, value; } flags[] = {
        {O_TRUNC, 0}, {O_ACCMODE, O_WRONLY}, {O_ACCMODE, O_RDWR},
    };
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        if (seccomp_rule_add(context, SCMP_ACT_ALLOW, call, 1,
                             SCMP_CMP(argument, SCMP_CMP_MASKED_EQ, flags[i].mask, flags[i].value)))
            return -1;
    return 0;
}

/* To execute a program, and what its loader and its C library do before its first own call. */
static const int starting[] = {SCMP_SYS(execve), SCMP_SYS(arch_prctl), SCMP_SYS(set_tid_address)};

static int allow_all(scmp_filter_ctx context, const int *calls, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (seccomp_rule_add(context, SCMP_ACT_ALLOW, calls[i], 0))
            return -1;
    return 0;
}

static int add_rules(scmp_filter_ctx context, int may_execute)
{
    if (allow_all(context, allowed, sizeof allowed / sizeof *allowed) ||
        (may_execute && allow_all(context, starting, sizeof starting / sizeof *starting)))
        return -1;
    return allow_threads(context) || allow_by_argument(context) || allow_file_control(context) ||
           allow_opening(context, SCMP_SYS(open), 1) || allow_opening(context, SCMP_SYS(openat), 2);
}

/* libseccomp can only export its filter to a file. */
static int keep_filter(scmp_filter_ctx context, struct sock_fprog *filter)
{
    int file = memfd_create("filter", MFD_CLOEXEC);
    if (file < 0)
        return -1;
    struct stat about;
    int failed = seccomp_export_bpf(context, file) || fstat(file, &about);
    void *code = failed ? NULL : malloc((size_t)about.st_size);
    failed = failed || !code || pread(file, code, (size_t)about.st_size, 0) != about.st_size;
    close(file);
    if (failed) {
        free(code);
        return -1;
    }
    *filter = (struct sock_fprog){.len = (unsigned short)((size_t)about.st_size / sizeof *filter->filter),
                                  .filter = code};
    return 0;
}

static int prepare_filter(int may_execute)
{
    /* EPERM instead of killing: of 175 real documents, 2 died under kill and none under EPERM. */
    scmp_filter_ctx context = seccomp_init(SCMP_ACT_ERRNO(EPERM));
    if (!context)
        return -1;
    /* A binary tree instead of a list: about six comparisons per call. */
    int failed = seccomp_attr_set(context, SCMP_FLTATR_CTL_OPTIMIZE, 2) || add_rules(context, may_execute) ||
                 keep_filter(context, &filters[may_execute]);
    seccomp_release(context);
    return failed ? -1 : 0;
}

int prepare_filters(void) { return prepare_filter(0) || prepare_filter(1) ? -1 : 0; }

int enter_filter(int may_execute)
{
    return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &filters[may_execute]);
}
