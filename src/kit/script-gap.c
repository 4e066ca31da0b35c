#define _GNU_SOURCE
#include "script-gap.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "code.h"

enum {
    SEARCHED = 64 << 10, /* before the constructor of SwLinePortion, whose file follows SwTextFormatter's */
    NEAR = 4 << 10,      /* the size of SwTextFormatter::BuildPortions, which has both divisions */
    LONGEST = 48         /* of a division */
};

/* A division by five is a product with 2^65 / 5 of which the upper 64 bits are shifted by one. */
static const uint64_t fifth = 0x6666666666666667, quarter = (uint64_t)1 << 62;
static const unsigned char nothing[] = {0x0f, 0x1f, 0x00};

/* The length of a division from its constant to its shift; 0 if this is none. */
static size_t length_of_division(const unsigned char *constant)
{
    /* MOV r64, imm64 */
    if ((constant[-2] & 0xfe) != 0x48 || (constant[-1] & 0xf8) != 0xb8)
        return 0;
    for (size_t i = sizeof fifth; i < LONGEST; i++) {
        const unsigned char *code = constant + i;
        int is_shift = (code[0] & 0xfe) == 0x48 && (code[2] & 0xf8) == 0xf8;
        /* SAR r64, 1 */
        if (is_shift && code[1] == 0xd1)
            return i + sizeof nothing;
        /* SAR r64, imm8: 63 is for the sign, others are for multiples of five. */
        if (is_shift && code[1] == 0xc1 && code[3] != 63)
            return 0;
    }
    return 0;
}

/* The same with another constant and no shift. */
static int divide_by_four(unsigned char *constant)
{
    unsigned char code[LONGEST + sizeof nothing];
    size_t length = length_of_division(constant);
    memcpy(code, constant, length);
    memcpy(code, &quarter, sizeof quarter);
    memcpy(code + length - sizeof nothing, nothing, sizeof nothing);
    return replace_code(constant, code, length);
}

int widen_script_gap(const char *program)
{
#if defined __x86_64__
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/libswlo.so", program);
    void *library = dlopen(path, RTLD_LAZY | RTLD_NOLOAD);
    unsigned char *end = library ? dlsym(library, "_ZN13SwLinePortionC1Ev") : NULL;
    if (!end)
        return -1;
    unsigned char *found[3];
    int count = 0;
    for (unsigned char *at = end - SEARCHED; count < 3 && (at = memmem(at, (size_t)(end - at), &fifth, sizeof fifth)); at++)
        if (length_of_division(at))
            found[count++] = at;
    if (count != 2 || found[1] - found[0] > NEAR)
        return -1;
    return divide_by_four(found[0]) || divide_by_four(found[1]) ? -1 : 0;
#else
    (void)program, (void)divide_by_four;
    return -1;
#endif
}
