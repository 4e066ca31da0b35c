#define _GNU_SOURCE
#include "justified-lines.h"

#if defined __x86_64__
#include <dlfcn.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "code.h"
#include "punctuation.h"
#include "text-line.h"

/*
 * LibreOffice 25.2 asks SwTextGuess::Guess twice where a portion of a justified paragraph exceeds the line: what fits, and what
 * fits if every blank is a quarter narrower. It takes the second answer whenever that has more text (SwTextPortion::Format_,
 * tdf#119908, tdf#158776). Word compares: it adds a word if blanks shrink by at most half of what they would grow by without it.
 * Both calls lead to guess_as_word instead.
 *
 * The structure has LibreOffice's layout, as far as it is needed.
 */
struct guess {
    void *hyphenated_word, *hanging_portion; /* owned */
    int32_t cut;  /* index of the first letter that does not fit */
    int32_t next; /* where the next line begins */
    int32_t end;  /* where this line ends, without blanks */
    int32_t field_excess;
    int64_t width; /* of the portion's text on this line */
    int64_t blanks_width;
};

static const int32_t fields[] = {
    offsetof(struct line, text), offsetof(struct line, index), offsetof(struct line, extra_space),
    offsetof(struct line, x),    offsetof(struct line, start), offsetof(struct line, width),
};
_Static_assert(offsetof(struct guess, width) == 0x20 && sizeof(struct guess) == 0x30, "the layout is LibreOffice's");

typedef bool guess_function(struct guess *guess, const void *portion, struct line *line, uint16_t height, int32_t blanks);

static guess_function *guess_of_libreoffice;

/* The most that a blank shrinks by, of its width; LibreOffice's, and Word's. */
static const double MOST_SHRINKING = 0.25;
/* Measured in PDFs of Word, see docs/text.md. */
static const double SHRINKING_PER_GROWTH = 0.5;

/* The answer to the last question without shrinking. */
static struct {
    const void *portion;
    int64_t width;
    int32_t end;
    bool is_hyphenated;
} unshrunk;

static int blanks_between(const struct line *line, int32_t begin, int32_t end)
{
    int count = 0;
    for (int32_t i = begin; i < end; i++)
        count += (*line->text)->letters[i] == ' ';
    return count;
}

static int blanks_at_end(const struct line *line, int32_t end)
{
    int count = 0;
    while (end - count > line->start && (*line->text)->letters[end - count - 1] == ' ')
        count++;
    return count;
}

/* Whether something stands there that is not in the text, such as a field. */
static bool has_placeholder(const struct line *line, int32_t begin, int32_t end)
{
    for (int32_t i = begin; i < end; i++)
        if ((*line->text)->letters[i] < ' ' || (*line->text)->letters[i] == 0xfff9)
            return true;
    return false;
}

/* SwTextGuess::Guess. `blanks` is 0 in the first call, and the number of blanks that may shrink in the second. */
static bool guess_as_word(struct guess *guess, const void *portion, struct line *line, uint16_t height, int32_t blanks)
{
    /* Punctuation is narrowed instead. */
    if (blanks && has_narrow_punctuation(line))
        blanks = 0;
    bool fits = guess_of_libreoffice(guess, portion, line, height, blanks);
    if (!blanks) {
        unshrunk.portion = portion;
        unshrunk.width = guess->width;
        unshrunk.end = guess->end;
        unshrunk.is_hyphenated = guess->hyphenated_word;
        return fits;
    }
    if (unshrunk.portion != portion || guess->width <= unshrunk.width)
        return fits;
    int32_t end = fits ? guess->cut : guess->end, length = (*line->text)->length;
    if (line->start < 0 || unshrunk.end < line->start || unshrunk.end > length || line->index > length || end > length)
        return fits;
    /* Left to LibreOffice: hyphens, whose part in Word's comparison is not known, and fields, whose width is not. */
    if (unshrunk.is_hyphenated || guess->hyphenated_word || guess->hanging_portion ||
        has_placeholder(line, unshrunk.end, line->index))
        return fits;
    double blank = (double)line->extra_space / MOST_SHRINKING / blanks;
    double room = (double)(line->width - line->x);
    /* Without the word the line may end in an earlier portion. What stands there has the line's mean width of a letter. */
    double gap = room - (double)unshrunk.width;
    if (unshrunk.end < line->index) {
        int between = blanks_between(line, unshrunk.end, line->index);
        double letter = (double)line->x / (line->index - line->start);
        gap += between * blank + (line->index - unshrunk.end - between) * letter;
    }
    /* Where the blanks shrink already, no further word is added. */
    if (gap < 0)
        gap = 0;
    int grown = blanks_between(line, line->start, unshrunk.end);
    double shrinking = MOST_SHRINKING * blank;
    if (grown && shrinking > SHRINKING_PER_GROWTH * gap / grown)
        shrinking = SHRINKING_PER_GROWTH * gap / grown;
    /* With one more word there is one more blank. Blanks at the end of a line take no room, but LibreOffice counts those of portions
     * that it takes whole. */
    double extra = shrinking * (grown + 1), after = fits ? blanks_at_end(line, end) * blank : 0;
    if ((double)guess->width - after <= room + extra)
        return fits;
    /* Of two short words there may be room for one. */
    memset(guess, 0, sizeof *guess);
    int64_t width = line->width;
    line->width += (int64_t)extra;
    fits = guess_of_libreoffice(guess, portion, line, height, 0);
    line->width = width;
    line->extra_space = guess->width > unshrunk.width ? (int64_t)extra : 0;
    return fits;
}

enum {
    SEARCHED = 256 << 10, /* after the constructor of SwLinePortion, whose file precedes SwTextPortion's */
    NEAR = 2 << 10,       /* of the second call, what belongs to SwTextPortion::Format_ */
    CALL = 5,             /* length of CALL rel32 */
    CALL_CODE = 0xe8
};

/* After the second call: its width is compared with the first one's, and stored in the portion if it is larger. */
static const unsigned char after_second_call[] = {0x49, 0x8b, 0x56, 0x20, 0x49, 0x39, 0xd7, 0x7d, 0x04,
                                                  0x48, 0x89, 0x53, 0x48, 0x83, 0xf0, 0x01};

static unsigned char *target_of(unsigned char *call)
{
    int32_t distance;
    memcpy(&distance, call + 1, sizeof distance);
    return call + CALL + distance;
}

/* NULL if it is not there exactly once. */
static unsigned char *find_second_call(unsigned char *begin)
{
    size_t length = sizeof after_second_call;
    unsigned char *after = memmem(begin, SEARCHED, after_second_call, length);
    if (!after || memmem(after + 1, (size_t)(begin + SEARCHED - after - 1), after_second_call, length))
        return NULL;
    return after[-CALL] == CALL_CODE ? after - CALL : NULL;
}

/* The one call before `second` that leads to the same function; NULL if there is none, or are several. */
static unsigned char *find_first_call(unsigned char *second)
{
    unsigned char *found = NULL;
    for (unsigned char *at = second - NEAR; at < second; at++) {
        if (*at != CALL_CODE || target_of(at) != target_of(second))
            continue;
        if (found)
            return NULL;
        found = at;
    }
    return found;
}

/* Whether instructions near the call use every field at its distance. */
static bool has_fields(const unsigned char *call)
{
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        if (!memmem(call - NEAR, 2 * NEAR, &fields[i], sizeof *fields))
            return false;
    return true;
}

int break_justified_lines_as_word(const char *program, unsigned char **guess)
{
    *guess = NULL;
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/libswlo.so", program);
    void *library = dlopen(path, RTLD_LAZY | RTLD_NOLOAD);
    unsigned char *begin = library ? dlsym(library, "_ZN13SwLinePortionC1Ev") : NULL;
    unsigned char *second = begin ? find_second_call(begin) : NULL;
    unsigned char *first = second ? find_first_call(second) : NULL;
    if (!first || !has_fields(second))
        return -1;
    *guess = target_of(second);
    guess_of_libreoffice = (guess_function *)*guess;
    unsigned char *const calls[] = {first, second};
    return redirect_calls(calls, 2, guess_as_word);
}

#else

int break_justified_lines_as_word(const char *program, unsigned char **guess)
{
    (void)program;
    *guess = NULL;
    return -1;
}

#endif
