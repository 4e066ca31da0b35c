#define _GNU_SOURCE
#include "memory.h"

#include <fcntl.h>
#include <jemalloc/jemalloc.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    SMALLEST_PAGE = 4096,
    WINDOW = 65536, /* part of a mapped file that the kernel maps around a page fault (fault_around_bytes) */
    MAX_MAPPINGS = 4096,
    MAX_RANGES = 8192,
    LARGE_PAGE = 2 << 20,
    ROOM = 32 * LARGE_PAGE,      /* where a document's first allocations come from */
    READY_ROOM = 3 * LARGE_PAGE, /* as much as a small document fills with LibreOffice 25.2 */
};

/*
 * Read by jemalloc at start. Large pages: one page fault per 2 MiB. One arena, as there is one thread. The others are for
 * use_own_arena: small allocations may reuse freed memory of any size, and freed extents are kept.
 */
const char *malloc_conf =
    "thp:always,narenas:1,lg_extent_max_active_fit:48,oversize_threshold:0,dirty_decay_ms:-1";

struct range {
    uintptr_t start, end;
    int is_writable;
};

/* Bits of a page in /proc/PID/pagemap (Documentation/admin-guide/mm/pagemap.rst). */
#define PRESENT (UINT64_C(1) << 63)
#define OF_FILE (UINT64_C(1) << 61)
#define MAPPED_ONCE (UINT64_C(1) << 56)

struct touched {
    size_t count;
    struct range ranges[MAX_RANGES];
};

static struct touched touched;

/* Bytes: 4096 on x86-64; arm64 also has kernels with 16384 and 65536. */
static uintptr_t page_size;

/* Private mappings that a conversion may touch first in a child. */
static size_t read_mappings(struct range mappings[MAX_MAPPINGS])
{
    FILE *file = fopen("/proc/self/maps", "r");
    if (!file)
        return 0;
    size_t count = 0;
    char line[512];
    while (count < MAX_MAPPINGS && fgets(line, sizeof line, file)) {
        uintptr_t start, end;
        char access[5];
        if (sscanf(line, "%lx-%lx %4s", &start, &end, access) == 3 && access[0] == 'r' && access[3] == 'p')
            mappings[count++] = (struct range){start, end, access[1] == 'w'};
    }
    fclose(file);
    return count;
}

static void note(struct touched *told, uintptr_t page, int is_writable)
{
    struct range *last = told->count ? &told->ranges[told->count - 1] : NULL;
    int is_alike = last && last->is_writable == is_writable;
    if (is_alike && is_writable && last->end == page)
        last->end += page_size;
    else if (is_alike && !is_writable && last->start / WINDOW == page / WINDOW)
        return;
    else if (told->count < MAX_RANGES)
        told->ranges[told->count++] = (struct range){page, page + page_size, is_writable};
}

/* In a child that has converted: a page that only it maps is one that it has written to. */
static void note_touched(struct touched *told, const struct range *mapping, int pagemap)
{
    uint64_t pages[512], wanted = mapping->is_writable ? PRESENT | MAPPED_ONCE : PRESENT | OF_FILE;
    for (uintptr_t page = mapping->start; page < mapping->end;) {
        size_t left = (mapping->end - page) / page_size * sizeof *pages;
        ssize_t size = pread(pagemap, pages, left < sizeof pages ? left : sizeof pages,
                             (off_t)(page / page_size * sizeof *pages));
        if (size <= 0)
            return;
        for (size_t i = 0; i < (size_t)size / sizeof *pages; i++, page += page_size)
            if ((pages[i] & wanted) == wanted)
                note(told, page, mapping->is_writable);
    }
}

static _Noreturn void convert_and_note(LibreOfficeKit *office, const char *document, const char *output,
                                       const struct range *mappings, size_t count, struct touched *told)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    prepare_memory();
    int pages, pagemap = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
    struct instructions instructions = {.export = warm_up_options};
    enum conversion outcome = convert(office, document, &instructions, output, &pages);
    for (size_t i = 0; pagemap >= 0 && i < count; i++)
        note_touched(told, &mappings[i], pagemap);
    _exit(outcome);
}

int learn_touched_pages(LibreOfficeKit *office, const char *document, const char *output)
{
    static struct range mappings[MAX_MAPPINGS];
    struct touched *told = mmap(NULL, sizeof *told, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (told == MAP_FAILED)
        return -1;
    page_size = (uintptr_t)sysconf(_SC_PAGESIZE);
    size_t count = read_mappings(mappings);
    pid_t pid = fork();
    if (pid == 0)
        convert_and_note(office, document, output, mappings, count, told);
    int status, failed = pid < 0 || waitpid(pid, &status, 0) != pid || status != 0;
    if (!failed)
        memcpy(&touched, told, offsetof(struct touched, ranges) + told->count * sizeof *told->ranges);
    /* No document may get memory shared with the kit and later documents. */
    munmap(told, sizeof *told);
    return failed ? -1 : 0;
}

static extent_hooks_t *default_hooks;
static int has_room;

/*
 * Beyond ROOM a document gets small pages: a large page becomes resident as a whole when one byte is touched, and some
 * documents touch little of what they allocate. One with 58 pages of worksheets took 2.0 GB in large pages, 0.35 in small.
 */
static void *allocate(extent_hooks_t *hooks, void *address, size_t size, size_t alignment, bool *zero, bool *commit,
                      unsigned arena)
{
    (void)hooks;
    void *memory = default_hooks->alloc(default_hooks, address, size, alignment, zero, commit, arena);
    if (memory && has_room)
        madvise(memory, size, MADV_NOHUGEPAGE);
    return memory;
}

static int create_arena(unsigned *arena)
{
    static extent_hooks_t hooks;
    size_t size = sizeof default_hooks;
    if (mallctl("arena.0.extent_hooks", &default_hooks, &size, NULL, 0))
        return -1;
    hooks = *default_hooks;
    hooks.alloc = allocate;
    extent_hooks_t *own = &hooks;
    size = sizeof *arena;
    return mallctl("arenas.create", arena, &size, &own, sizeof own);
}

/* The arena keeps what is allocated, touched and freed here, and reuses it for the document. */
static void use_own_arena(void)
{
    unsigned arena;
    if (create_arena(&arena) || mallctl("thread.tcache.flush", NULL, NULL, NULL, 0) ||
        mallctl("thread.arena", NULL, NULL, &arena, sizeof arena))
        return;
    volatile char *memory = aligned_alloc(LARGE_PAGE, ROOM);
    for (size_t i = 0; memory && i < READY_ROOM; i += SMALLEST_PAGE)
        memory[i] = 0;
    free((void *)memory);
    has_room = 1;
}

void prepare_memory(void)
{
    use_own_arena();
    for (size_t i = 0; i < touched.count; i++) {
        const struct range *pages = &touched.ranges[i];
        madvise((void *)pages->start, pages->end - pages->start,
                pages->is_writable ? MADV_POPULATE_WRITE : MADV_POPULATE_READ);
    }
}
