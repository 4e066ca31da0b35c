#define _GNU_SOURCE
#include "large-pages.h"

#include <link.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

#define LARGE_PAGE ((uintptr_t)2 << 20)

static uintptr_t round_up(uintptr_t address) { return (address + LARGE_PAGE - 1) & ~(LARGE_PAGE - 1); }

/* The code between two addresses that large pages begin at. */
static void move(uintptr_t start, uintptr_t end)
{
    size_t length = end - start;
    char *room = mmap(NULL, length + LARGE_PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (room == MAP_FAILED)
        return;
    char *copy = (char *)round_up((uintptr_t)room);
    size_t before = (size_t)(copy - room);
    /* First unmap what precedes the first large page: the rest is one mapping, which can be moved. */
    if (before)
        munmap(room, before);
    munmap(copy + length, LARGE_PAGE - before);
    int failed = madvise(copy, length, MADV_HUGEPAGE);
    if (!failed) {
        memcpy(copy, (const void *)start, length);
        /* On arm64, what was written as data is not yet seen as instructions. */
        __builtin___clear_cache(copy, copy + length);
    }
    failed = failed || mprotect(copy, length, PROT_READ | PROT_EXEC) ||
             mremap(copy, length, length, MREMAP_MAYMOVE | MREMAP_FIXED, (void *)start) == MAP_FAILED;
    if (failed)
        munmap(copy, length);
}

static int move_code(struct dl_phdr_info *library, size_t size, void *folder)
{
    (void)size;
    if (strncmp(library->dlpi_name, folder, strlen(folder)))
        return 0;
    for (int i = 0; i < library->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &library->dlpi_phdr[i];
        if (segment->p_type != PT_LOAD || !(segment->p_flags & PF_X) || (segment->p_flags & PF_W))
            continue;
        uintptr_t begin = library->dlpi_addr + segment->p_vaddr;
        uintptr_t start = round_up(begin), end = (begin + segment->p_memsz) & ~(LARGE_PAGE - 1);
        if (start < end)
            move(start, end);
    }
    return 0;
}

void use_large_pages(const char *folder) { dl_iterate_phdr(move_code, (void *)folder); }
