#define _GNU_SOURCE
#include "code.h"

#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

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
