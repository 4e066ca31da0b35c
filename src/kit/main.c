/*
 * platen-kit: one warm LibreOffice, one forked child for every document, or for several of one owner.
 *
 * It initialises LibreOffice once, converts a warm-up document so that every library, font and
 * configuration file is mapped, and then forks a child per document. A crash, a leak or a hostile document
 * ends with its child, and the next document starts from the same clean, warm image.
 *
 * Started by Node with a stream socket as descriptor 3 and with an environment that holds only
 * CONFIGURATION_LAYERS (read-only layers: without them LibreOffice keeps a thread that writes its
 * configuration), TMPDIR=/proc/self/cwd (see child.c) and the like.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sandbox.h"
#include "disk.h"
#include "large-pages.h"
#include "font-ids.h"
#include "hyphenation.h"
#include "justified-lines.h"
#include "landlock.h"
#include "main-loop.h"
#include "memory.h"
#include "punctuation.h"
#include "script-gap.h"
#include "server.h"
/* It defines functions, so exactly one file includes it. */
#include <LibreOfficeKit/LibreOfficeKitInit.h>

enum { CONTROL = 3, WARM_UP_ROUNDS = 2 };

static LibreOfficeKit *office;
static struct server_options options = {.control = CONTROL};
static const char *program, *warm_up_document;

static _Noreturn void give_up(const char *text)
{
    fprintf(stderr, "platen-kit: %s\n", text);
    _exit(1);
}

/*
 * A plain document maps what nearly every document needs. A rich one (pictures, charts, tracked changes) makes children
 * slower, as they pay for its larger heap: 15 % of the CPU time of the median document. It also leaks into their output
 * (LibreOffice colours the authors of changes in order of appearance), and from 24.8 on a picture starts a timer thread that
 * never ends.
 */
static void warm_up(const char *output)
{
    for (int i = 0; i < WARM_UP_ROUNDS; i++)
        if (convert_and_close(office, warm_up_document, output) != CONVERTED && !met_full_disk())
            give_up("LibreOffice could not convert the warm-up document; is libreoffice-writer installed completely?");
    if (met_full_disk())
        give_up("the disk is full");
}

/* LibreOffice chooses its temporary names once; the working folder now holds them. */
static void note_temp_names(struct temp_names *names)
{
    DIR *folder = opendir(".");
    if (!folder)
        give_up("the working folder cannot be read");
    for (struct dirent *entry; (entry = readdir(folder));) {
        struct stat about;
        size_t length = strlen(entry->d_name);
        if (entry->d_name[0] == '.' || lstat(entry->d_name, &about))
            continue;
        if (names->count == MAX_TEMP_NAMES || length >= sizeof names->entries->name)
            give_up("LibreOffice left more temporary files than expected");
        memcpy(names->entries[names->count].name, entry->d_name, length + 1);
        names->entries[names->count++].is_folder = S_ISDIR(about.st_mode);
    }
    closedir(folder);
}

/* LibreOffice's main loop calls this when it would otherwise sleep: from here on its only thread is ours, with LibreOffice
 * fully initialised. */
static int on_idle(void *data, int timeout_us)
{
    (void)data, (void)timeout_us;
    static struct temp_names temp_names;
    char folder[PATH_MAX], output[PATH_MAX + 16];
    if (!getcwd(folder, sizeof folder))
        give_up("the working folder is gone");
    snprintf(output, sizeof output, "%s/warmup.pdf", folder);
    int has_font_ids = !find_font_ids(program);
    warm_up(output);
    unlink(output);
    note_temp_names(&temp_names);
#ifdef HAVE_FORKED_CHILD
    if (LIBREOFFICEKIT_HAS(office, joinThreads))
        office->pClass->joinThreads(office);
#endif
    unsigned char *guess;
    options.mends = (widen_script_gap(program) ? 0 : SCRIPT_GAP) |
                    (break_justified_lines_as_word(program, &guess) ? 0 : JUSTIFIED_LINES) |
                    (narrow_punctuation_as_word(guess) ? 0 : PUNCTUATION) | (has_font_ids ? FONT_IDS : 0);
    use_large_pages(program);
    if (learn_touched_pages(office, warm_up_document, output))
        give_up("a child could not convert the warm-up document");
    unlink(output);
    serve(office, &options, &temp_names);
}

static void on_wake(void *data) { (void)data; }

static unsigned long number(const char *text, unsigned long maximum)
{
    char *end;
    errno = 0;
    unsigned long value = strtoul(text, &end, 10);
    if (errno || *end || end == text || value == 0 || value > maximum)
        give_up("an option is not a number in its range");
    return value;
}

int main(int argc, char **argv)
{
    static const struct option known[] = {
        {"program", required_argument, NULL, 'p'}, {"profile", required_argument, NULL, 'u'},
        {"warm-up", required_argument, NULL, 'w'}, {"idle", required_argument, NULL, 'i'},
        {"concurrency", required_argument, NULL, 'c'}, {"memory-mib", required_argument, NULL, 'm'},
        {"file-mib", required_argument, NULL, 'f'}, {"fonts", required_argument, NULL, 'o'},
#ifdef CHOOSE_LAYERS
        {"layers", required_argument, NULL, 'l'},
#endif
        {NULL, 0, NULL, 0}};
    struct children_options *children = &options.children;
    struct budget *budget = &children->budget;
    /* HOME is the kit's own folder, which the profile is in. */
    const char *profile_url = NULL, *profile = getenv("HOME");
    unsigned layers = ALL_LAYERS;
    for (int option; (option = getopt_long(argc, argv, "", known, NULL)) != -1;) {
        switch (option) {
        case 'p': program = optarg; break;
        case 'u': profile_url = optarg; break;
        case 'w': warm_up_document = optarg; break;
        case 'i': children->idle = (int)number(optarg, MAX_CHILDREN / 2); break;
        case 'c': children->concurrency = (int)number(optarg, MAX_CHILDREN / 2); break;
        case 'm': budget->memory_mib = number(optarg, 1 << 20); break;
        case 'f': budget->file_mib = number(optarg, 1 << 20); break;
        case 'o':
            if (allow_fonts(optarg))
                give_up("there are too many folders of fonts");
            break;
#ifdef CHOOSE_LAYERS
        case 'l': layers = (unsigned)strtoul(optarg, NULL, 10); break;
#endif
        default: return 2;
        }
    }
    if (!program || !profile_url || !profile || !warm_up_document || !children->idle || !children->concurrency ||
        !budget->memory_mib || !budget->file_mib || optind < argc)
        return fprintf(stderr, "usage: platen-kit --program DIR --profile URL --warm-up DOCX --idle N "
                               "--concurrency N --memory-mib N --file-mib N [--fonts DIR]...  (socket on fd 3, dictionaries on fd 4)\n"),
               2;

    /* A terminal's Ctrl-C is for Node, which drains first. Not a session of its own: Linux schedules sessions as groups
     * (sched_autogroup), and priorities count within a group only. */
    setpgid(0, 0);
    if (fcntl(DICTIONARIES, F_GETFD) < 0)
        give_up("Node passed no descriptor of dictionaries");
    inherit_dictionaries();
    close_range(DICTIONARIES + 1, ~0U, 0); /* descriptors that Node inherited */
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* die with Node; the children die with us */
    options.layers = prepare_sandbox(layers, profile);
    if (options.layers < 0)
        give_up("the system is out of processes, descriptors or memory: the sandbox cannot be prepared");
    /* "unipoll": LibreOffice has no main-loop thread of its own, so fork copies a process of one thread. */
    setenv("SAL_LOK_OPTIONS", "unipoll", 1);
    office = lok_init_2(program, profile_url);
    if (!office)
        give_up("LibreOffice did not initialise");
    if (mend_main_loop(program))
        give_up("LibreOffice 26.8 needs a jump written into its code, which this system or processor does not allow");
    /* The data pointer must not be NULL: with NULL the callback is never called and the loop spins. */
    office->pClass->runLoop(office, on_idle, on_wake, &options);
    give_up("LibreOffice's main loop ended unexpectedly");
}
