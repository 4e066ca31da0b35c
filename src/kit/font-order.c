/*
 * LibreOffice numbers the fonts of a PDF in the order of their objects' addresses, so a document would have other bytes in a
 * kit whose memory happens to lie otherwise. These functions replace those of libuno_salhelpergcc3 (hence -rdynamic) that
 * allocate fonts, and other small objects with a count of references: here, an object made later has a higher address.
 *
 * For this, nothing is reused. What no longer fits is allocated like everything else.
 */
#include <stddef.h>
#include <stdlib.h>

enum {
    SIZE = 16 << 20, /* of addresses; a kit fills 5.5 MB before its first document */
    ALIGNMENT = 16,
};

static _Alignas(ALIGNMENT) char objects[SIZE];
static size_t used;

void *new_object(size_t size) __asm__("_ZN9salhelper21SimpleReferenceObjectnwEm");
void *new_object(size_t size)
{
    size_t room = (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    size_t start = __atomic_fetch_add(&used, room, __ATOMIC_RELAXED);
    if (start + room <= SIZE)
        return objects + start;
    void *object = malloc(size);
    /* Callers do not expect NULL. */
    if (!object)
        abort();
    return object;
}

void delete_object(void *object) __asm__("_ZN9salhelper21SimpleReferenceObjectdlEPv");
void delete_object(void *object)
{
    if ((char *)object < objects || (char *)object >= objects + SIZE)
        free(object);
}
