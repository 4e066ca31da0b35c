/*
 * Compresses standard input with zlib's functions, as LibreOffice calls them if this is linked into a libmergedlo.so:
 *
 *   deflate-probe LEVEL WINDOW-BITS PIECE ROOM STREAMS [flush|reset|end|leave]
 *
 * PIECE: bytes that each call gets. ROOM: bytes for its output. STREAMS: so many at once, of the same content. flush: with
 * Z_SYNC_FLUSH after the first half. reset: the first half is discarded, and then all comes. end: the streams end before
 * their content does. leave: before, LibreOffice leaves a stream at the same address without ending it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { MOST_STREAMS = 16, MOST_INPUT = 64 << 20 };

static unsigned char *input, *out;
static size_t length, piece, room;
static z_stream streams[MOST_STREAMS];

static void fail(const char *what)
{
    fprintf(stderr, "%s\n", what);
    exit(1);
}

static void begin(z_streamp stream, int level, int bits)
{
    memset(stream, 0, sizeof *stream);
    if (deflateInit2(stream, level, Z_DEFLATED, bits, 8, Z_DEFAULT_STRATEGY) != Z_OK)
        fail("deflateInit2 failed");
}

static void empty_room(z_streamp stream)
{
    stream->next_out = out;
    stream->avail_out = (uInt)room;
}

static void write_back(z_streamp stream, FILE *output)
{
    fwrite(out, 1, room - stream->avail_out, output);
    empty_room(stream);
}

static int step(z_streamp stream, int flush)
{
    int result = deflate(stream, flush);
    if (result < 0)
        fail("deflate failed");
    return result;
}

/* As LibreOffice does: it treats each error as the end of a stream, and writes back when the room is full. */
static void put(z_streamp stream, size_t from, size_t to, FILE *output)
{
    for (size_t at = from; at < to; at += piece) {
        stream->next_in = input + at;
        stream->avail_in = (uInt)(to - at < piece ? to - at : piece);
        while (stream->avail_in || !stream->avail_out) {
            if (!stream->avail_out)
                write_back(stream, output);
            step(stream, Z_NO_FLUSH);
        }
    }
}

static void finish(z_streamp stream, int flush, FILE *output)
{
    int result;
    do {
        write_back(stream, output);
        result = step(stream, flush);
    } while (flush == Z_FINISH ? result != Z_STREAM_END : !stream->avail_out);
    write_back(stream, output);
}

static void compress_all(z_streamp stream, const char *way, FILE *nowhere)
{
    size_t half = length / 2, from = 0;
    empty_room(stream);
    if (!strcmp(way, "end")) {
        put(stream, 0, half, nowhere);
        return;
    }
    if (!strcmp(way, "flush")) {
        put(stream, 0, half, stdout);
        finish(stream, Z_SYNC_FLUSH, stdout);
        from = half;
    }
    if (!strcmp(way, "reset")) {
        put(stream, 0, half, nowhere);
        if (deflateReset(stream) != Z_OK)
            fail("deflateReset failed");
        empty_room(stream);
    }
    put(stream, from, length, stdout);
    finish(stream, Z_FINISH, stdout);
    if (stream->total_in != length)
        fail("total_in is wrong");
}

int probe(int argc, char **argv);
int probe(int argc, char **argv)
{
    if (argc < 6)
        return 2;
    int level = atoi(argv[1]), bits = atoi(argv[2]), count = atoi(argv[5]);
    piece = strtoul(argv[3], NULL, 10), room = strtoul(argv[4], NULL, 10);
    const char *way = argc > 6 ? argv[6] : "";
    input = malloc(MOST_INPUT), out = malloc(room);
    length = fread(input, 1, MOST_INPUT, stdin);
    FILE *nowhere = fopen("/dev/null", "w");
    if (!strcmp(way, "leave")) {
        begin(streams, 6, MAX_WBITS);
        empty_room(streams);
        put(streams, 0, length, nowhere);
    }
    for (int i = 0; i < count; i++)
        begin(&streams[i], level, bits);
    for (int i = 0; i < count; i++)
        compress_all(&streams[i], way, nowhere);
    for (int i = 0; i < count; i++)
        deflateEnd(&streams[i]);
    fclose(nowhere);
    free(input), free(out);
    return 0;
}
