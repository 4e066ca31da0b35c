/*
 * libhyphen builds an automaton from the text of a dictionary: 10 to 20 ms for most languages, more than a second for German.
 * LibreOffice does so in each process that hyphenates, hence in each child. When a child has done so, a loading process builds all
 * automata once, in a memory file. The kit maps the file, and later children inherit the mapping at the same address. Node passes
 * the file on to the next kit, which maps it there as well once it is sealed. It holds no code, and its address reveals nothing
 * about the rest of that kit's memory.
 *
 * The mapping is private, so no child can change what others see. It has no pages of its own, so fork does not copy its page
 * tables.
 */
#define _GNU_SOURCE
#include "hyphenation.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <glob.h>
#include <hyphen.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "child.h"

#define PATHS "/usr/share/hyphen/hyph_*.dic"

enum {
    SHELF_SIZE = 64 << 20, /* of addresses; memory is used only for what is written: 28 MB for Debian's dictionaries */
    MAX_DICTIONARIES = 64,
};

/* Which file it is: several names may lead to it, and another package may replace it. */
struct identity {
    dev_t device;
    ino_t number;
    struct timespec modified;
};

struct dictionary {
    struct identity file;
    HyphenDict *loaded; /* NULL: not yet */
};

/* The start of the memory; the automata follow. */
struct shelf {
    void *address; /* which its pointers are for */
    struct identity library;
    struct dictionary dictionaries[MAX_DICTIONARIES];
};

static struct shelf *shelf;
static struct identity library; /* libhyphen, as this process runs it */
static char *end_of_shelf; /* in the loading process: where the next automaton begins */
static int lacked;         /* see lacked_dictionary */

/* 0, or -1 if there is no such file. */
static int identify(const char *path, struct identity *file)
{
    struct stat about;
    if (stat(path, &about))
        return -1;
    *file = (struct identity){about.st_dev, about.st_ino, about.st_mtim};
    return 0;
}

static int is_same(const struct identity *one, const struct identity *other)
{
    return one->device == other->device && one->number == other->number &&
           one->modified.tv_sec == other->modified.tv_sec && one->modified.tv_nsec == other->modified.tv_nsec;
}

static struct dictionary *find(const struct identity *file)
{
    for (int i = 0; i < MAX_DICTIONARIES; i++)
        if (is_same(&shelf->dictionaries[i].file, file))
            return &shelf->dictionaries[i];
    return NULL;
}

int lacked_dictionary(void) { return lacked; }

static void *function_of_libhyphen(void) { return dlsym(RTLD_NEXT, "hnj_hyphen_load"); }

static HyphenDict *load_with_libhyphen(const char *path)
{
    HyphenDict *(*load)(const char *);
    *(void **)&load = function_of_libhyphen();
    return load ? load(path) : NULL;
}

/* Another version of it may lay out automata in another way. */
static void identify_libhyphen(void)
{
    Dl_info about;
    void *function = function_of_libhyphen();
    if (function && dladdr(function, &about))
        identify(about.dli_fname, &library);
}

/* Replaces libhyphen's function (hence -rdynamic), which LibreOffice calls. */
HyphenDict *hnj_hyphen_load(const char *path)
{
    struct identity file;
    struct dictionary *dictionary = shelf && !identify(path, &file) ? find(&file) : NULL;
    HyphenDict *loaded = dictionary ? __atomic_load_n(&dictionary->loaded, __ATOMIC_ACQUIRE) : NULL;
    if (loaded)
        return loaded;
    lacked = 1;
    return load_with_libhyphen(path);
}

/* Returns NULL if the shelf is full. */
static void *put(const void *bytes, size_t size)
{
    enum { ALIGNMENT = _Alignof(max_align_t) };
    char *place = end_of_shelf;
    if ((size_t)((char *)shelf + SHELF_SIZE - place) < size + ALIGNMENT)
        return NULL;
    memcpy(place, bytes, size);
    end_of_shelf += (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    return place;
}

/* Puts `count` strings that follow one another, of which there may be none; 0, or -1 if the shelf is full. */
static int put_strings(char **strings, int count)
{
    if (!*strings)
        return 0;
    const char *end = *strings;
    for (int i = 0; i < count; i++)
        end += strlen(end) + 1;
    *strings = put(*strings, (size_t)(end - *strings));
    return *strings ? 0 : -1;
}

static int put_state(HyphenState *state)
{
    if (state->num_trans)
        state->trans = put(state->trans, (size_t)state->num_trans * sizeof *state->trans);
    return (state->num_trans && !state->trans) || put_strings(&state->match, 1) || put_strings(&state->repl, 1) ? -1 : 0;
}

/* A copy on the shelf; NULL if it is full. */
static HyphenDict *put_dictionary(const HyphenDict *from)
{
    HyphenDict *to = put(from, sizeof *from);
    if (!to || put_strings(&to->nohyphen, to->nohyphenl + 1))
        return NULL;
    to->states = put(from->states, (size_t)from->num_states * sizeof *from->states);
    for (int i = 0; to->states && i < to->num_states; i++)
        if (put_state(&to->states[i]))
            return NULL;
    if (from->nextlevel && !(to->nextlevel = put_dictionary(from->nextlevel)))
        return NULL;
    return to->states ? to : NULL;
}

/* The smallest first: German, which is ten times as large as all others, must not delay them. */
static int compare_sizes(const void *a, const void *b)
{
    struct stat one = {0}, other = {0};
    stat(*(char *const *)a, &one), stat(*(char *const *)b, &other);
    return one.st_size < other.st_size ? -1 : one.st_size > other.st_size;
}

/* What finds no room stays unloaded, so that children load it. */
static void load(const char *path, struct dictionary *dictionary)
{
    HyphenDict *loaded = load_with_libhyphen(path);
    if (!loaded)
        return;
    __atomic_store_n(&dictionary->loaded, put_dictionary(loaded), __ATOMIC_RELEASE);
    hnj_hyphen_free(loaded);
}

static void load_all(const glob_t *paths)
{
    end_of_shelf = (char *)(shelf + 1);
    shelf->address = shelf;
    shelf->library = library;
    qsort(paths->gl_pathv, paths->gl_pathc, sizeof *paths->gl_pathv, compare_sizes);
    struct dictionary *next = shelf->dictionaries;
    for (size_t i = 0; i < paths->gl_pathc && next < shelf->dictionaries + MAX_DICTIONARIES; i++) {
        struct identity file;
        if (identify(paths->gl_pathv[i], &file) || find(&file))
            continue;
        next->file = file;
        load(paths->gl_pathv[i], next++);
    }
}

/* At the end the file is sealed: nobody can write to it any more. */
static _Noreturn void live(int file, const glob_t *paths)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setpriority(PRIO_PROCESS, 0, NICENESS);
    if (mmap(shelf, SHELF_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, 0) == MAP_FAILED)
        _exit(1);
    load_all(paths);
    munmap(shelf, SHELF_SIZE);
    _exit(fcntl(file, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_SEAL) ? 1 : 0);
}

/* Maps empty memory into the kit; a descriptor of it, or -1. */
static int make_shelf(struct shelf **empty)
{
    int file = memfd_create("hyphenation", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (file < 0)
        return -1;
    void *memory = ftruncate(file, SHELF_SIZE) ? MAP_FAILED : mmap(NULL, SHELF_SIZE, PROT_READ, MAP_PRIVATE, file, 0);
    if (memory == MAP_FAILED) {
        close(file);
        return -1;
    }
    *empty = memory;
    return file;
}

/* Whether the file is another kit's complete shelf, built by the same libhyphen. Nobody can write to a sealed file. */
static int is_ours(int file, struct shelf *header)
{
    int seals = fcntl(file, F_GET_SEALS);
    return library.number && seals >= 0 && seals & F_SEAL_WRITE && pread(file, header, sizeof *header, 0) == sizeof *header &&
           is_same(&library, &header->library);
}

void inherit_dictionaries(void)
{
    struct shelf header;
    if (!library.number)
        identify_libhyphen();
    if (!is_ours(DICTIONARIES, &header))
        return;
    void *memory = mmap(header.address, SHELF_SIZE, PROT_READ, MAP_PRIVATE | MAP_FIXED_NOREPLACE, DICTIONARIES, 0);
    if (memory == header.address)
        shelf = memory;
    else if (memory != MAP_FAILED)
        munmap(memory, SHELF_SIZE);
}

/* Whether each of these files was loaded, or cannot be. */
static int is_complete(const glob_t *paths)
{
    struct identity file;
    for (size_t i = 0; i < paths->gl_pathc; i++)
        if (!shelf || identify(paths->gl_pathv[i], &file) || !find(&file))
            return 0;
    return 1;
}

pid_t start_loading_dictionaries(void (*let_go)(void))
{
    glob_t paths;
    if (glob(PATHS, 0, NULL, &paths))
        return 0;
    /* The former kit may have been loading when this one began. */
    inherit_dictionaries();
    if (is_complete(&paths)) {
        globfree(&paths);
        return 0;
    }
    char name[16]; /* TASK_COMM_LEN */
    prctl(PR_GET_NAME, name);
    prctl(PR_SET_NAME, "hyphenation"); /* before the fork, so that nobody ever takes it for a child with a document */
    struct shelf *empty = NULL;
    int file = make_shelf(&empty);
    pid_t pid = file < 0 ? -1 : fork();
    if (pid == 0) {
        let_go();
        shelf = empty;
        live(file, &paths);
    }
    prctl(PR_SET_NAME, name);
    if (pid > 0) {
        if (shelf)
            munmap(shelf, SHELF_SIZE);
        shelf = empty;
        dup2(file, DICTIONARIES);
    } else if (file >= 0) {
        munmap(empty, SHELF_SIZE);
    }
    if (file >= 0)
        close(file);
    globfree(&paths);
    return pid > 0 ? pid : 0;
}
