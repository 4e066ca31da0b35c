#define _GNU_SOURCE
#include "child.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sandbox.h"
#include "descriptors.h"
#include "disk.h"
#include "font-ids.h"
#include "hyphenation.h"
#include "memory.h"
#include "picture.h"
#include "process.h"
#include "qpdf.h"

#ifdef HAVE_FORKED_CHILD
#include <LibreOfficeKit/LibreOfficeKitInit.h>
#endif

enum {
    MAX_OPEN_FILES = 256,
    /* With a tight address space LibreOffice silently drops images, and crashes: each formula maps 3 MiB that it does not use, and
     * some 6,000 fit into a minute. So this is only a backstop far above the limit of resident memory. */
    MIN_ADDRESS_SPACE_MIB = 32768,
    MAX_TASKS = 100, /* of a child: the kit limits the CPU time of each, and this is only a backstop */
};

/* Lowers a limit; a lower one set by the operator stays. */
static int set_limit(int resource, rlim_t limit)
{
    struct rlimit now;
    if (getrlimit(resource, &now))
        return -1;
    /* The hard limit is above the soft one: with equal limits the kernel sends SIGKILL, and the kit could not tell why the
     * child died. */
    if (limit && limit < now.rlim_max)
        now.rlim_max = limit + 1;
    now.rlim_cur = limit < now.rlim_max ? limit : now.rlim_max;
    return setrlimit(resource, &now);
}

static int apply_limits(const struct budget *budget, unsigned long cpu_seconds)
{
    rlim_t mib = 1024 * 1024;
    rlim_t address_space = 4 * budget->memory_mib;
    if (address_space < MIN_ADDRESS_SPACE_MIB)
        address_space = MIN_ADDRESS_SPACE_MIB;
    /* 1 is for no core dump at all; 0 is for no file, and a program that the kernel pipes dumps to would get one. */
    return set_limit(RLIMIT_CORE, 1) || set_limit(RLIMIT_CPU, cpu_seconds) ||
           set_limit(RLIMIT_FSIZE, budget->file_mib * mib) || set_limit(RLIMIT_NOFILE, MAX_OPEN_FILES) ||
           set_limit(RLIMIT_AS, address_space * mib);
}

/* When memory runs out, the kernel kills a document first, not the kit, Node or Redis. */
static int volunteer_for_oom(void)
{
    int file = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    if (file < 0)
        return -1;
    int failed = write(file, "1000", 4) != 4;
    close(file);
    return failed ? -1 : 0;
}

/* LibreOffice's handlers would run in a broken process; the default action ends it with a signal to report. */
static void restore_signals(void)
{
    for (int number = 1; number < NSIG; number++)
        signal(number, SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

/*
 * TMPDIR is /proc/self/cwd, so from here on LibreOffice's temporary files are in this job's folder. The document is there, too: its
 * path, against which LibreOffice resolves relative links, is in the PDF. Of a child that stays, one that died may have been there.
 */
static int enter_temp_folder(const char *folder, const struct temp_names *temp_names)
{
    if (chdir(folder) || chdir("tmp"))
        return -1;
    for (size_t i = 0; i < temp_names->count; i++) {
        const char *name = temp_names->entries[i].name;
        if (temp_names->entries[i].is_folder) {
            if (mkdir(name, 0700) && errno != EEXIST)
                return -1;
        } else {
            int file = open(name, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
            if (file < 0 || close(file))
                return -1;
        }
    }
    return 0;
}

/* Waits for a task; its end means that none is to come. */
static void receive_task(int channel, struct task *task)
{
    ssize_t length = read(channel, task, sizeof *task - 1); /* not recv: the sandbox allows no socket calls */
    if (length <= (ssize_t)offsetof(struct task, folder))
        _exit(SETUP_FAILED);
    ((char *)task)[length] = '\0';
}

static void prepare_job(const struct task *task, const struct temp_names *temp_names, struct instructions *instructions,
                        const struct budget *budget)
{
    const char *folder = task->folder;
    /* Not dumpable, until it becomes another program: no sibling can inspect this process through ptrace or /proc, and no
     * core-dump handler gets the document. */
    if (enter_temp_folder(folder, temp_names) ||
        apply_limits(budget, task->stays ? MAX_TASKS * task->cpu_seconds : task->cpu_seconds) || prctl(PR_SET_DUMPABLE, 0))
        _exit(SETUP_FAILED);

    struct command command = {.program = NULL};
    if (instructions->draw &&
        (read_command(instructions->draw, &command) || close_range(STDERR_FILENO + 1, ~0U, CLOSE_RANGE_CLOEXEC)))
        _exit(SETUP_FAILED);

    /* Nothing above has touched the document; everything below may be controlled by it. */
    if (enter_sandbox(folder, command.program))
        _exit(SETUP_FAILED);
    if (command.program) {
        become(&command);
        _exit(SETUP_FAILED);
    }
}

static enum conversion carry_out(LibreOfficeKit *office, const char *folder, const struct instructions *instructions,
                                 int *pages)
{
    char output[PATH_MAX], unfinished[PATH_MAX], accessible[PATH_MAX];
    if (snprintf(output, sizeof output, "%s/output.pdf", folder) >= PATH_MAX ||
        snprintf(unfinished, sizeof unfinished, "%s/unfinished.pdf", folder) >= PATH_MAX ||
        snprintf(accessible, sizeof accessible, "%s/accessible.pdf", folder) >= PATH_MAX)
        _exit(SETUP_FAILED);
    if (instructions->export)
        return convert(office, "/proc/self/cwd/input.docx", instructions, output, pages);
    int failed = instructions->accessible && mend_accessible(unfinished, accessible);
    *pages = failed ? 0 : run_qpdf(instructions->qpdf, output, instructions->password);
    return *pages ? CONVERTED : EXPORT_FAILED;
}

/* From the fork to _exit. */
static _Noreturn void live(LibreOfficeKit *office, int channel, pid_t kit, const struct budget *budget,
                           const struct temp_names *temp_names, int is_patient)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != kit) /* it died before the line above took effect */
        _exit(SETUP_FAILED);
    setpgid(0, 0);
    setpriority(PRIO_PROCESS, 0, getpriority(PRIO_PROCESS, 0) + NICENESS);
    /* Where the system has no idle class, the lowest niceness is the next best. */
    if (is_patient && sched_setscheduler(0, SCHED_IDLE, &(struct sched_param){0}))
        setpriority(PRIO_PROCESS, 0, LOWEST_NICENESS);
    if (disown_descriptors(channel, kit) || volunteer_for_oom())
        _exit(SETUP_FAILED);
    restore_signals();
    prepare_memory();

    note_font_ids();
    long cpu_before = 0;
    for (int count = 0;; count++) {
        struct task task;
        struct instructions instructions;
        receive_task(channel, &task);
#ifdef HAVE_FORKED_CHILD
        /* LibreOffice refuses a second document afterwards. */
        if (!task.stays && LIBREOFFICEKIT_HAS(office, setForkedChild))
            office->pClass->setForkedChild(office, true);
#endif
        if (read_instructions(task.folder, &instructions))
            _exit(SETUP_FAILED);
        if (count == 0)
            prepare_job(&task, temp_names, &instructions, budget);
        struct report report = {.pages = 0};
        enum conversion outcome = carry_out(office, task.folder, &instructions, &report.pages);
        if (met_full_disk())
            _exit(DISK_FULL);
        if (outcome != CONVERTED)
            _exit((int)outcome); /* never exit(): LibreOffice's own teardown is slow and can crash */
        struct rusage use;
        getrusage(RUSAGE_SELF, &use);
        report.peak_kib = use.ru_maxrss;
        report.cpu_ms = cpu_ms(&use) - cpu_before;
        report.lacked_dictionary = lacked_dictionary();
        if (!task.stays)
            setpriority(PRIO_PROCESS, 0, PARTING_NICENESS);
        if (write(channel, &report, sizeof report) < 0) /* not send: the sandbox allows no socket calls */
            _exit(SETUP_FAILED);
        if (!task.stays)
            _exit(CONVERTED);
        cpu_before = cpu_ms(&use);
        close_converted();
        restart_font_ids();
    }
}

pid_t fork_child(LibreOfficeKit *office, const struct budget *budget, const struct temp_names *temp_names,
                 void (*let_go)(void), int is_patient, int *channel)
{
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair))
        return -1;
    /* Signals are blocked until the child has reset LibreOffice's handlers, which can hang in it. */
    sigset_t all, before;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &before);
    pid_t kit = getpid(), pid = fork();
    if (pid == 0) {
        close(pair[0]);
        let_go();
        live(office, pair[1], kit, budget, temp_names, is_patient);
    }
    sigprocmask(SIG_SETMASK, &before, NULL);
    close(pair[1]);
    if (pid < 0) {
        close(pair[0]);
        return -1;
    }
    setpgid(pid, pid); /* the child does the same, so the group exists before any signal to it */
    *channel = pair[0];
    return pid;
}
