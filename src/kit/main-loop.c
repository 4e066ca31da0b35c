#define _GNU_SOURCE
#include "main-loop.h"

#include <dlfcn.h>
#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "code.h"

enum {
    LONGEST_JUMP = 8,
    FARTHEST = 120 << 20 /* AArch64 reaches 128 MiB, x86-64 farther */
};

/* Writes a jump to `to` into `code`. Returns its length; 0 if there is none. */
static size_t write_jump(unsigned char code[LONGEST_JUMP], const unsigned char *from, const unsigned char *to)
{
    ptrdiff_t distance = to - from;
    if (distance < -FARTHEST || distance > FARTHEST)
        return 0;
#if defined __x86_64__
    /* JMP rel32, counted from the next instruction. */
    int32_t operand = (int32_t)distance - 5;
    code[0] = 0xe9;
    memcpy(code + 1, &operand, sizeof operand);
    return 1 + sizeof operand;
#elif defined __aarch64__
    /* B imm26, counted in instructions. */
    uint32_t instruction = 0x14000000 | ((uint32_t)(distance / 4) & 0x03ffffff);
    memcpy(code, &instruction, sizeof instruction);
    return sizeof instruction;
#else
    (void)code;
    return 0;
#endif
}

/*
 * runLoop calls ImplSVMain, in unipoll mode after lok_init_2 has initialised VCL. Up to 26.2 ImplSVMain then continues with
 * the application's Main. From 26.8 on it returns at once ("vcl: osx: clean up macOS nested ImplSVMain() hacks", February
 * 2026), and only ImplSVMainRun does what it did. LibreOffice exports both, but calls the first without the linker, so a
 * function of ours cannot interpose: its first instruction is replaced by a jump to the other.
 *
 * A fixed version, whose ImplSVMain calls ImplSVMainRun, works with the jump as well.
 */
int mend_main_loop(const char *program)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/libmergedlo.so", program);
    void *library = dlopen(path, RTLD_LAZY | RTLD_NOLOAD);
    unsigned char *to = library ? dlsym(library, "_Z13ImplSVMainRunv") : NULL;
    if (!to)
        return 0;
    unsigned char *from = dlsym(library, "_Z10ImplSVMainv"), code[LONGEST_JUMP];
    size_t length = from ? write_jump(code, from, to) : 0;
    return length ? replace_code(from, code, length) : -1;
}
