#define _GNU_SOURCE
#include "punctuation.h"

#if defined __x86_64__
#include <stdbool.h>
#include <string.h>

#include "code.h"
#include "text-line.h"

/*
 * Where a document asks for narrow punctuation (characterSpacingControl), LibreOffice 25.2 asks what fits into the line if all of it
 * is as narrow as possible, and takes that. Word compares, as for blanks: it narrows punctuation for one more letter if it becomes
 * narrower by no more than the line would otherwise have to grow by. For a letter with punctuation behind it that cannot begin a line
 * it narrows as much as it can. Measured in PDFs of Word, see docs/text.md.
 *
 * SwTextGuess::Guess first asks how wide a portion is (SwTextSizeInfo::GetTextSize), and if it is too wide, how much of it fits
 * (SwTextSizeInfo::GetTextBreak). Both calls lead to functions of this file instead.
 */

/* The 12 bytes of a line's context, as they are passed. */
struct context {
    int64_t first;
    int32_t second;
};

typedef void size_function(struct line *line, const void *scripts, int32_t index, int32_t length, struct context context,
                           uint16_t narrowing, int64_t *width, int64_t *narrowed_by, int64_t *above, int64_t *below,
                           void *cache);
typedef int32_t break_function(struct line *line, int64_t width, int32_t length, uint16_t narrowing, void *cache);

static size_function *size_of_libreoffice;
static break_function *break_of_libreoffice;

enum {
    SCRIPTS = 0xf8,   /* of the scripts of a paragraph, in SwParaPortion */
    MOST_EARLIER = 64 /* portions of a line that are remembered */
};

/* What portions of the line that fit as a whole are narrower by. LibreOffice counts them as narrow when it looks at the next one. */
static struct {
    const struct line *line;
    const struct string *text;
    int32_t start;
    int count;
    struct {
        int32_t index;
        int64_t narrowed_by;
    } portions[MOST_EARLIER];
} earlier;

/* The portion that was looked at last, if it may be narrower. */
static const struct line *narrowed_line;
static int32_t narrowed_index;

/* By how much the portions before this one are narrower. */
static int64_t narrowed_before(const struct line *line)
{
    if (earlier.line != line || earlier.text != *line->text || earlier.start != line->start)
        earlier.count = 0;
    earlier.line = line;
    earlier.text = *line->text;
    earlier.start = line->start;
    while (earlier.count && earlier.portions[earlier.count - 1].index >= line->index)
        earlier.count--;
    int64_t sum = 0;
    for (int i = 0; i < earlier.count; i++)
        sum += earlier.portions[i].narrowed_by;
    return sum;
}

static void note_portion(const struct line *line, uint16_t narrowing)
{
    narrowed_line = narrowing ? line : NULL;
    narrowed_index = line->index;
}

static void remember(const struct line *line, int64_t narrowed_by)
{
    if (!narrowed_by || earlier.count == MOST_EARLIER)
        return;
    earlier.portions[earlier.count].index = line->index;
    earlier.portions[earlier.count++].narrowed_by = narrowed_by;
}

static bool is_among(uint16_t letter, const uint16_t *letters)
{
    for (; *letters; letters++)
        if (*letters == letter)
            return true;
    return false;
}

/*
 * Whether the line has kana. Japanese lines are left to LibreOffice: more of them are Word's with the comparison, but two documents have
 * a page more, as other lines are too long already.
 */
static bool is_japanese(const struct line *line)
{
    /* The dot between parts of a foreign name is in the block of kana, and in Chinese text as well. */
    enum { NEAR_START = 64, FIRST_KANA = 0x3040, LAST_KANA = 0x30ff, DOT = 0x30fb };
    const struct string *text = *line->text;
    for (int32_t i = line->start < 0 ? 0 : line->start, n = 0; i < text->length && n < NEAR_START; i++, n++)
        if (text->letters[i] >= FIRST_KANA && text->letters[i] <= LAST_KANA && text->letters[i] != DOT)
            return true;
    return false;
}

bool has_narrow_punctuation(const struct line *line)
{
    return !is_japanese(line) && (narrowed_before(line) > 0 || (narrowed_line == line && narrowed_index == line->index));
}

static bool ends_line(uint16_t letter)
{
    static const uint16_t openings[] = u"（〔［｛〈《「『【〖“‘([{";
    return !is_among(letter, openings);
}

static bool begins_line(uint16_t letter)
{
    static const uint16_t others[] = u"、。，．：；？！）〕］｝〉》」』】〗”’·・ー々,.:;?!)]}"
                                     u"ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮヵヶ";
    return !is_among(letter, others);
}

/* Words break at blanks only, as far as is needed here. */
static bool may_break(uint16_t before, uint16_t after)
{
    enum { EAST_ASIAN = 0x2e80 };
    if (before == ' ' || after == ' ')
        return before == ' ' && after != ' ';
    if (before < EAST_ASIAN && after < EAST_ASIAN)
        return false;
    return ends_line(before) && begins_line(after);
}

/* Of letters that are not narrowed, without blanks at the end. */
static int64_t width_of(struct line *line, int32_t end)
{
    while (end > line->index && (*line->text)->letters[end - 1] == ' ')
        end--;
    struct context context;
    memcpy(&context, line->context, sizeof line->context);
    int64_t width = 0, narrowed_by, above, below;
    size_of_libreoffice(line, line->paragraph + SCRIPTS, line->index, end - line->index, context, 0, &width, &narrowed_by,
                        &above, &below, NULL);
    return width;
}

/*
 * Index of the first letter of a portion that does not fit in Word: `wide` if nothing is narrow, `narrow` if all is, or something
 * between. `limit` is where the portion ends.
 */
static int32_t end_as_word(struct line *line, int64_t room, int32_t limit, int32_t wide, int32_t narrow)
{
    const uint16_t *letters = (*line->text)->letters;
    if (limit > (*line->text)->length)
        limit = (*line->text)->length;
    if (narrow <= wide || wide < line->index || wide >= limit)
        return narrow;
    /* Where the line ends with one more letter or word, and where without. */
    int32_t end = wide, without = wide;
    while (end < limit && letters[end] == ' ')
        end++;
    bool is_bound = end < limit && !begins_line(letters[end]);
    for (end++; end < limit && !may_break(letters[end - 1], letters[end]); end++)
        is_bound |= !begins_line(letters[end]);
    if (end > narrow || end > limit)
        return narrow;
    while (without > line->index && letters[without] != ' ' && !may_break(letters[without - 1], letters[without]))
        without--;
    if (!is_bound) {
        int64_t narrowing = width_of(line, end) - room, growth = room - width_of(line, without);
        if (narrowing > growth)
            return wide;
    }
    return end < limit ? end : narrow;
}

static int32_t break_as_word(struct line *line, int64_t width, int32_t length, uint16_t narrowing, void *cache)
{
    int32_t narrow = break_of_libreoffice(line, width, length, narrowing, cache);
    if (is_japanese(line))
        return narrow;
    int64_t before = narrowed_before(line);
    note_portion(line, narrowing);
    if (!narrowing && !before)
        return narrow;
    int64_t room = width - before;
    int32_t wide = break_of_libreoffice(line, room, length, 0, cache);
    return end_as_word(line, room, line->index + length, wide, narrow);
}

static void size_as_word(struct line *line, const void *scripts, int32_t index, int32_t length, struct context context,
                         uint16_t narrowing, int64_t *width, int64_t *narrowed_by, int64_t *above, int64_t *below, void *cache)
{
    size_of_libreoffice(line, scripts, index, length, context, narrowing, width, narrowed_by, above, below, cache);
    if (is_japanese(line))
        return;
    int64_t before = narrowed_before(line), room = line->width - line->x;
    if (!narrowing && !before)
        return;
    int64_t wide = *width + *narrowed_by;
    if (*width <= room && wide > room - before) {
        int32_t fits = break_of_libreoffice(line, room - before, length, 0, line->cache);
        if (end_as_word(line, room - before, index + length, fits, index + length) < index + length) {
            *width = wide > room ? wide : room + 1;
            return;
        }
    }
    remember(line, *narrowed_by);
}

enum {
    LENGTH = 12 << 10, /* of the part of SwTextGuess::Guess that has both calls */
    NEAR = 192,        /* before the first call, what passes its arguments */
    CALL = 5,          /* length of CALL rel32 */
    CALL_CODE = 0xe8
};

/* Behind the calls: the width is compared with the room; the answer is stored. */
static const unsigned char after_size[] = {0x48, 0x83, 0xc4, 0x30, 0x4d, 0x39, 0x66, 0x20, 0x48, 0x8b, 0x85};
static const unsigned char after_break[] = {0x41, 0x8b, 0x95, 0x98, 0x00, 0x00, 0x00, 0x41, 0x89, 0x46, 0x10};
/* Before them: the scripts of the paragraph are an argument, and the line's cache is. */
static const unsigned char scripts_argument[] = {0x48, 0x05, 0xf8, 0x00, 0x00, 0x00};
static const unsigned char cache_argument[] = {0x4d, 0x8b, 0x45, 0x60};
/* The line's context is one of the first call. */
static const int32_t context_parts[] = {offsetof(struct line, context), offsetof(struct line, context) + 8};

/* The call before these bytes, at a distance; NULL if it is not there exactly once. */
static unsigned char *find_call(unsigned char *guess, const unsigned char *after, size_t size, size_t distance)
{
    unsigned char *found = memmem(guess, LENGTH, after, size);
    if (!found || memmem(found + 1, (size_t)(guess + LENGTH - found - 1), after, size))
        return NULL;
    unsigned char *call = found - distance - CALL;
    return *call == CALL_CODE ? call : NULL;
}

static void *target_of(const unsigned char *call)
{
    int32_t distance;
    memcpy(&distance, call + 1, sizeof distance);
    return (unsigned char *)call + CALL + distance;
}

int narrow_punctuation_as_word(unsigned char *guess)
{
    enum { STORING = 7 }; /* length of MOVB $0 between the second call and what stores its answer */
    unsigned char *size = guess ? find_call(guess, after_size, sizeof after_size, 0) : NULL;
    unsigned char *fitting = guess ? find_call(guess, after_break, sizeof after_break, STORING) : NULL;
    if (!size || !fitting || !memmem(guess, LENGTH, scripts_argument, sizeof scripts_argument) ||
        memcmp(fitting - sizeof cache_argument, cache_argument, sizeof cache_argument))
        return -1;
    for (int i = 0; i < 2; i++)
        if (!memmem(size - NEAR, NEAR, &context_parts[i], sizeof context_parts[i]))
            return -1;
    size_of_libreoffice = (size_function *)target_of(size);
    break_of_libreoffice = (break_function *)target_of(fitting);
    return redirect_calls(&size, 1, size_as_word) || redirect_calls(&fitting, 1, break_as_word) ? -1 : 0;
}

#else

int narrow_punctuation_as_word(unsigned char *guess)
{
    (void)guess;
    return -1;
}

#endif
