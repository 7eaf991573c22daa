// What is used of ICU, behind plain types: ICU's own names carry its version (ucol_open_72), and its headers would meet those of the ICU that
// Foundation brings along.
#ifndef NEATLINE_INTERNATIONAL_H
#define NEATLINE_INTERNATIONAL_H

#include <stdint.h>

/// The locale id of a BCP 47 tag; -1 where the tag is malformed or does not fit.
int32_t icu_locale_of_tag(const char *tag, char *out, int32_t capacity);

/// The BCP 47 tag of a locale id; -1 where it does not fit.
int32_t icu_tag_of_locale(const char *locale, char *out, int32_t capacity);

/// The locale above another ("de" of "de_AT"); 0 at the root, -1 where it does not fit.
int32_t icu_parent(const char *locale, char *out, int32_t capacity);

int32_t icu_locale_count(void);

const char *icu_locale_at(int32_t index);

/// A collator; NULL where there is none. strength: 0 letters, 1 and accents, 2 and case; has_case_level: case beside letters alone.
void *icu_collator_open(const char *locale, int32_t strength, int has_case_level);

void icu_collator_close(void *collator);

/// Below 0, 0, above 0. Texts are UTF-8.
int32_t icu_collator_compare(const void *collator, const char *a, int32_t a_size, const char *b, int32_t b_size);

/// The digits after the point that a currency (three letters) is written with.
int32_t icu_currency_digits(const uint16_t *code);

/// A number formatter; NULL where the skeleton is wrong.
void *icu_number_format_open(const uint16_t *skeleton, int32_t size, const char *locale);

void icu_number_format_close(void *formatter);

/// The number as text: its UTF-16 units, of which at most `capacity` are written; -1 where that fails.
int32_t icu_number_format(const void *formatter, double value, uint16_t *out, int32_t capacity);

/// What finds where lines may be broken; NULL where ICU has no rules. One thread at a time.
void *icu_line_breaks_open(void);

void icu_line_breaks_close(void *iterator);

/// The offsets, in UTF-16 units, at which a line of the text may be broken, its ends included: by dictionary in scripts without spaces. At most
/// `capacity` of them are written; their number.
int32_t icu_line_breaks(void *iterator, const uint16_t *text, int32_t size, int32_t *out, int32_t capacity);

#endif
