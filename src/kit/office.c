#define _GNU_SOURCE
#include "office.h"

#include <ctype.h>
#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "clock.h"

/*
 * Each load makes liblangtag take a backtrace for a message that nobody sees, which costs 2 to 4 ms. These functions replace
 * the C library's (hence -rdynamic) and return nothing.
 */
int backtrace(void **frames, int size);
int backtrace(void **frames, int size)
{
    (void)frames, (void)size;
    return 0;
}

char **backtrace_symbols(void *const *frames, int size);
char **backtrace_symbols(void *const *frames, int size)
{
    (void)frames, (void)size;
    return NULL;
}

/*
 * Each load asks which file an address of LibreOffice's code is from. The C library also searches the nearest symbol, half a
 * millisecond for the largest library. This returns the file only.
 */
int dladdr(const void *address, Dl_info *about)
{
    struct dl_find_object found;
    if (_dl_find_object((void *)address, &found))
        return 0;
    *about = (Dl_info){.dli_fname = found.dlfo_link_map->l_name, .dli_fbase = found.dlfo_map_start};
    return 1;
}

/*
 * Whether full-width punctuation may be compressed. LibreOffice ignores the document's setting and asks for a profile setting
 * when it creates a document. These functions replace its answer: for 24.8 and later, and for earlier versions. If a version
 * names the function differently, the profile's setting applies (kit.xcu).
 */
static int compresses;

int compression(void) __asm__("_ZN14SvxAsianConfig26GetCharDistanceCompressionEv");
int compression(void)
{
    return compresses;
}

int compression_of(const void *config) __asm__("_ZNK14SvxAsianConfig26GetCharDistanceCompressionEv");
int compression_of(const void *config)
{
    (void)config;
    return compresses;
}

/*
 * Whether there is no gap between East Asian letters and others. LibreOffice does not read the property of a DOCX that turns it off
 * (w:autoSpaceDE), but puts a gap between letters and digits only. This function replaces its answer to what these are, which
 * hardly anything else in the layout asks for.
 */
static int joins;

_Bool is_letter_or_digit(const void *class, const void *text, int at) __asm__(
    "_ZNK9CharClass15isLetterNumericERKN3rtl8OUStringEi");
_Bool is_letter_or_digit(const void *class, const void *text, int at)
{
    static _Bool (*of_library)(const void *, const void *, int);
    struct dl_find_object caller;
    /* What the caller is linked to: dlsym takes the first that has it, and this program is not among them. */
    if (!of_library && !_dl_find_object(__builtin_return_address(0), &caller))
        *(void **)&of_library = dlsym(caller.dlfo_link_map, "_ZNK9CharClass15isLetterNumericERKN3rtl8OUStringEi");
    return !joins && of_library && of_library(class, text, at);
}

enum { URL_SIZE = 3 * PATH_MAX + sizeof "file://" };

/* RFC 8089: a file URL; everything except unreserved characters and "/" is percent-encoded. */
static void file_url(const char *path, char url[URL_SIZE])
{
    char *end = url + sprintf(url, "file://");
    for (size_t i = 0; path[i] && i < PATH_MAX; i++) {
        unsigned char c = (unsigned char)path[i];
        if (isalnum(c) || strchr("/-._~", c))
            *end++ = (char)c;
        else
            end += sprintf(end, "%%%02X", c);
    }
    *end = '\0';
}

static LibreOfficeKitDocument *load(LibreOfficeKit *office, const char *input)
{
    char url[URL_SIZE];
    file_url(input, url);
    /* "Batch=true" refuses every dialog, so a password prompt or repair question is a load error. Macros run only if asked
       for. */
#ifdef ALLOW_MACROS
    const char *options = "Batch=true,EnableMacrosExecution=true,MacroSecurityLevel=0";
#else
    const char *options = "Batch=true";
#endif
    return office->pClass->documentLoadWithOptions(office, url, options);
}

/* Of the warm-up: what most documents ask for (src/engine/export-options.ts). */
const char warm_up_options[] =
    "{\"UseLosslessCompression\":{\"type\":\"boolean\",\"value\":\"true\"},"
    "\"ReduceImageResolution\":{\"type\":\"boolean\",\"value\":\"false\"},"
    "\"UseTaggedPDF\":{\"type\":\"boolean\",\"value\":\"true\"},"
    "\"ExportNotes\":{\"type\":\"boolean\",\"value\":\"false\"}}";

static enum conversion export(LibreOfficeKitDocument *document, const char *options, const char *output)
{
    char url[URL_SIZE];
    file_url(output, url);
    return document->pClass->saveAs(document, url, "pdf", options) ? CONVERTED : EXPORT_FAILED;
}

/* A command of LibreOffice's menus, in this thread. Returns -1 if it was not carried out. */
static int command(LibreOfficeKit *office, LibreOfficeKitDocument *document, const char *name)
{
    /* The second is for .uno:Modified alone. */
    static const char arguments[] = "{\"SynchronMode\":{\"type\":\"boolean\",\"value\":\"true\"},"
                                    "\"Modified\":{\"type\":\"boolean\",\"value\":\"false\"}}";
    document->pClass->postUnoCommand(document, name, arguments, false);
    char *error = office->pClass->getError(office);
    int failed = error && *error;
    if (error)
        office->pClass->freeError(error);
    return failed ? -1 : 0;
}

/*
 * Updates the numbers of captions, indexes that list them, and fields again, which refer to the pages that the indexes leave. An
 * index that grows moves the pages that it names, hence twice. The document then counts as unchanged: the PDF of a changed one has
 * the time of the export in its metadata.
 *
 * Commands go to the active frame. The event that would make it the document's waits for the main loop, which does not run in
 * a child; changing the view does the same.
 */
static int update(LibreOfficeKit *office, LibreOfficeKitDocument *document)
{
    int view = document->pClass->getView(document);
    if (document->pClass->createView(document) < 0)
        return -1;
    document->pClass->setView(document, view);
    static const char indexes[] = ".uno:UpdateAllIndexes";
    static const char fields[] = ".uno:UpdateFields";
    static const char unchanged[] = ".uno:Modified";
    return command(office, document, fields) || command(office, document, indexes) ||
           command(office, document, indexes) || command(office, document, fields) ||
           command(office, document, unchanged);
}

static LibreOfficeKitDocument *open_document;

enum conversion convert(LibreOfficeKit *office, const char *input, const struct instructions *instructions,
                        const char *output, int *pages)
{
    compresses = instructions->compressed;
    joins = instructions->joined;
    stop_clock(0);
    LibreOfficeKitDocument *document = open_document = load(office, input);
    if (!document)
        return LOAD_FAILED;
    if (instructions->update && update(office, document))
        return EXPORT_FAILED;
    stop_clock(instructions->clock);
    enum conversion outcome = export(document, instructions->export, output);
    *pages = document->pClass->getParts(document);
    return outcome;
}

void close_converted(void)
{
    /* Events wait for the main loop, which does not run in a child; those for a closed document would crash the next. */
    static _Bool (*reschedule)(_Bool all);
    if (!reschedule)
        *(void **)&reschedule = dlsym(RTLD_DEFAULT, "_ZN11Application10RescheduleEb");
    if (reschedule)
        reschedule(1);
    open_document->pClass->destroy(open_document);
}

enum conversion convert_and_close(LibreOfficeKit *office, const char *input, const char *output)
{
    LibreOfficeKitDocument *document = load(office, input);
    if (!document)
        return LOAD_FAILED;
    enum conversion outcome = export(document, warm_up_options, output);
    document->pClass->destroy(document);
    return outcome;
}
