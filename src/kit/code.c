#define _GNU_SOURCE
#include "code.h"

#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
    CALL = 5,        /* length of CALL rel32 */
    STEP = 64 << 20, /* between the places that are tried for the page with the jump */
    STEPS = 24       /* a call reaches 2 GiB */
};

int replace_code(unsigned char *place, const unsigned char *code, size_t length)
{
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    unsigned char *start = (unsigned char *)((uintptr_t)place & ~(page - 1));
    size_t size = ((size_t)(place + length - start) + page - 1) & ~(page - 1);
    unsigned char *copy = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (copy == MAP_FAILED)
        return -1;
    memcpy(copy, start, size);
    memcpy(copy + (place - start), code, length);
    __builtin___clear_cache((char *)copy, (char *)copy + size);
    if (!mprotect(copy, size, PROT_READ | PROT_EXEC) &&
        mremap(copy, size, size, MREMAP_MAYMOVE | MREMAP_FIXED, start) != MAP_FAILED)
        return 0;
    munmap(copy, size);
    return -1;
}

/* Where the jump is; NULL if there is none. */
static unsigned char *write_jump_near(const unsigned char *place, const void *function)
{
    unsigned char jump[] = {0x48, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xe0}; /* MOV RAX, imm64; JMP RAX */
    memcpy(jump + 2, &function, sizeof function);
    size_t size = (size_t)sysconf(_SC_PAGESIZE);
    uintptr_t start = (uintptr_t)place & ~(size - 1);
    /* Libraries are mapped from the top of the address space downwards, so below them is room. */
    for (uintptr_t i = 1; i <= STEPS && i * STEP < start; i++) {
        unsigned char *page = mmap((void *)(start - i * STEP), size, PROT_READ | PROT_WRITE,
                                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
        if (page == MAP_FAILED)
            continue;
        memcpy(page, jump, sizeof jump);
        if (!mprotect(page, size, PROT_READ | PROT_EXEC))
            return page;
        munmap(page, size);
        return NULL;
    }
    return NULL;
}

int redirect_calls(unsigned char *const calls[], size_t count, const void *function)
{
    const unsigned char *jump = count ? write_jump_near(calls[0], function) : NULL;
    if (!jump)
        return -1;
    for (size_t i = 0; i < count; i++) {
        unsigned char code[CALL] = {0xe8};
        int32_t distance = (int32_t)(jump - (calls[i] + CALL));
        memcpy(code + 1, &distance, sizeof distance);
        if (replace_code(calls[i], code, sizeof code))
            return -1;
    }
    return 0;
}
