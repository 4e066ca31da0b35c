/*
 * LibreOffice compresses the streams of a PDF with zlib: half the CPU time of a document full of pictures. libdeflate takes
 * half as long for streams of the same size, but needs the whole content at once. So the functions below, which replace
 * zlib's (hence -rdynamic), gather the content of LibreOffice's streams. zlib compresses what is too large to gather, and
 * the streams of other libraries, such as libpng.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <libdeflate.h>
#include <link.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum {
    LEVEL = 7,      /* of libdeflate; its streams are as large as those of zlib's default level */
    ZLIB_LEVEL = 6, /* the default, which LibreOffice asks for */
    FIRST_BYTES = 1 << 16,
    MOST_BYTES = 16 << 20, /* of content: a picture of 5 megapixels */
    MOST_STREAMS = 8,      /* at once; LibreOffice writes one after the other */
};

/* A stream of LibreOffice's. Its content is gathered, and then either compressed at once or handed to zlib. */
struct own_stream {
    z_streamp stream; /* NULL: the slot is free */
    enum { GATHERING, COMPRESSED, HANDED_TO_ZLIB } phase;
    unsigned char *bytes; /* the content, or COMPRESSED: the result */
    size_t length, room;
    size_t done; /* of the bytes: delivered to LibreOffice, or taken by zlib */
};

static struct own_stream own_streams[MOST_STREAMS];
static pthread_mutex_t slots = PTHREAD_MUTEX_INITIALIZER;

static struct {
    int (*deflate_init)(z_streamp, int, const char *, int);
    int (*deflate_init2)(z_streamp, int, int, int, int, int, const char *, int);
    int (*deflate)(z_streamp, int);
    int (*deflate_reset)(z_streamp);
    int (*deflate_end)(z_streamp);
} zlib;

/* Before the first thread. */
__attribute__((constructor)) static void find_zlib(void)
{
    *(void **)&zlib.deflate_init = dlsym(RTLD_NEXT, "deflateInit_");
    *(void **)&zlib.deflate_init2 = dlsym(RTLD_NEXT, "deflateInit2_");
    *(void **)&zlib.deflate = dlsym(RTLD_NEXT, "deflate");
    *(void **)&zlib.deflate_reset = dlsym(RTLD_NEXT, "deflateReset");
    *(void **)&zlib.deflate_end = dlsym(RTLD_NEXT, "deflateEnd");
}

/* The slot of a stream, or a free one for NULL; NULL if there is none. */
static struct own_stream *slot_of(z_streamp stream)
{
    for (struct own_stream *own = own_streams; own < own_streams + MOST_STREAMS; own++)
        if (own->stream == stream)
            return own;
    return NULL;
}

static struct own_stream *find(z_streamp stream)
{
    pthread_mutex_lock(&slots);
    struct own_stream *own = slot_of(stream);
    pthread_mutex_unlock(&slots);
    return own;
}

static void adopt(z_streamp stream)
{
    pthread_mutex_lock(&slots);
    struct own_stream *own = slot_of(NULL);
    if (own)
        *own = (struct own_stream){.stream = stream};
    pthread_mutex_unlock(&slots);
}

/* Frees the slot for another stream, or empties it for the same one. */
static void clear(struct own_stream *own, z_streamp stream)
{
    free(own->bytes);
    pthread_mutex_lock(&slots);
    *own = (struct own_stream){.stream = stream};
    pthread_mutex_unlock(&slots);
}

/* Also before a stream begins: one that was never ended may have had the same address. */
static void forget(z_streamp stream)
{
    struct own_stream *own = stream ? find(stream) : NULL;
    if (own)
        clear(own, NULL);
}

static bool is_of_libreoffice(const void *code)
{
    struct dl_find_object found;
    return !_dl_find_object((void *)code, &found) && strstr(found.dlfo_link_map->l_name, "/libmergedlo.so");
}

static bool gather(struct own_stream *own)
{
    z_streamp stream = own->stream;
    size_t length = own->length + stream->avail_in;
    if (length > MOST_BYTES)
        return false;
    if (length > own->room) {
        size_t room = own->room ? own->room : FIRST_BYTES;
        while (room < length)
            room *= 2;
        unsigned char *bytes = realloc(own->bytes, room);
        if (!bytes)
            return false;
        own->bytes = bytes, own->room = room;
    }
    if (stream->avail_in)
        memcpy(own->bytes + own->length, stream->next_in, stream->avail_in);
    own->length = length;
    stream->next_in += stream->avail_in;
    stream->total_in += stream->avail_in;
    stream->avail_in = 0;
    return true;
}

static bool compress_all(struct own_stream *own)
{
    struct libdeflate_compressor *compressor = libdeflate_alloc_compressor(LEVEL);
    size_t room = libdeflate_zlib_compress_bound(compressor, own->length), length = 0;
    unsigned char *result = malloc(room);
    if (compressor && result)
        length = libdeflate_zlib_compress(compressor, own->bytes, own->length, result, room);
    libdeflate_free_compressor(compressor);
    if (!length) {
        free(result);
        return false;
    }
    free(own->bytes);
    own->phase = COMPRESSED, own->bytes = result, own->length = length;
    return true;
}

static int deliver(struct own_stream *own)
{
    z_streamp stream = own->stream;
    size_t left = own->length - own->done, length = left < stream->avail_out ? left : stream->avail_out;
    memcpy(stream->next_out, own->bytes + own->done, length);
    own->done += length;
    stream->next_out += length;
    stream->avail_out -= (uInt)length;
    stream->total_out += length;
    return own->done < own->length ? Z_OK : Z_STREAM_END;
}

/* Gives zlib what was gathered, as far as there is room for its output, and then what has come since. */
static int hand_to_zlib(struct own_stream *own, int flush)
{
    z_streamp stream = own->stream;
    if (own->phase == GATHERING)
        stream->total_in -= own->length; /* zlib counts it again */
    own->phase = HANDED_TO_ZLIB;
    if (own->done < own->length) {
        z_stream since = *stream;
        stream->next_in = own->bytes + own->done;
        stream->avail_in = (uInt)(own->length - own->done);
        int result = zlib.deflate(stream, Z_NO_FLUSH);
        own->done = own->length - stream->avail_in;
        stream->next_in = since.next_in;
        stream->avail_in = since.avail_in;
        if (result != Z_OK || own->done < own->length)
            return result;
    }
    clear(own, NULL);
    /* Without room for output, zlib returns an error, which LibreOffice takes for the end of the stream. */
    return stream->avail_out ? zlib.deflate(stream, flush) : Z_OK;
}

int deflateInit2_(z_streamp stream, int level, int method, int window_bits, int memory_level, int strategy,
                  const char *version, int size)
{
    forget(stream);
    int result = zlib.deflate_init2(stream, level, method, window_bits, memory_level, strategy, version, size);
    bool is_usual = level == ZLIB_LEVEL && window_bits == MAX_WBITS && strategy == Z_DEFAULT_STRATEGY;
    if (result == Z_OK && is_usual && is_of_libreoffice(__builtin_return_address(0)))
        adopt(stream);
    return result;
}

int deflateInit_(z_streamp stream, int level, const char *version, int size)
{
    forget(stream);
    int result = zlib.deflate_init(stream, level, version, size);
    if (result == Z_OK && level == ZLIB_LEVEL && is_of_libreoffice(__builtin_return_address(0)))
        adopt(stream);
    return result;
}

int deflate(z_streamp stream, int flush)
{
    struct own_stream *own = stream ? find(stream) : NULL;
    if (!own)
        return zlib.deflate(stream, flush);
    if (own->phase == COMPRESSED)
        return deliver(own);
    bool has_all = own->phase == GATHERING && (flush == Z_NO_FLUSH || flush == Z_FINISH) && gather(own);
    if (has_all && flush == Z_NO_FLUSH)
        return Z_OK;
    return has_all && compress_all(own) ? deliver(own) : hand_to_zlib(own, flush);
}

int deflateReset(z_streamp stream)
{
    struct own_stream *own = stream ? find(stream) : NULL;
    if (own)
        clear(own, stream);
    return zlib.deflate_reset(stream);
}

int deflateEnd(z_streamp stream)
{
    forget(stream);
    return zlib.deflate_end(stream);
}
