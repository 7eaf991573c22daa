#include "international.h"

#include <string.h>
#include <unicode/ubrk.h>
#include <unicode/ucol.h>
#include <unicode/ucurr.h>
#include <unicode/uloc.h>
#include <unicode/unumberformatter.h>

int32_t icu_locale_of_tag(const char *tag, char *out, int32_t capacity) {
  UErrorCode status = U_ZERO_ERROR;
  int32_t parsed = 0;
  int32_t length = uloc_forLanguageTag(tag, out, capacity, &parsed, &status);
  if (U_FAILURE(status) || status == U_STRING_NOT_TERMINATED_WARNING || parsed != (int32_t)strlen(tag)) return -1;
  return length;
}

int32_t icu_tag_of_locale(const char *locale, char *out, int32_t capacity) {
  UErrorCode status = U_ZERO_ERROR;
  int32_t length = uloc_toLanguageTag(locale, out, capacity, 0, &status);
  return U_FAILURE(status) || status == U_STRING_NOT_TERMINATED_WARNING ? -1 : length;
}

int32_t icu_parent(const char *locale, char *out, int32_t capacity) {
  UErrorCode status = U_ZERO_ERROR;
  int32_t length = uloc_getParent(locale, out, capacity, &status);
  return U_FAILURE(status) || status == U_STRING_NOT_TERMINATED_WARNING ? -1 : length;
}

int32_t icu_locale_count(void) { return uloc_countAvailable(); }
const char *icu_locale_at(int32_t index) { return uloc_getAvailable(index); }

void *icu_collator_open(const char *locale, int32_t strength, int has_case_level) {
  UErrorCode status = U_ZERO_ERROR;
  UCollator *collator = ucol_open(locale, &status);
  if (U_FAILURE(status)) return NULL;
  ucol_setStrength(collator, strength == 0 ? UCOL_PRIMARY : strength == 1 ? UCOL_SECONDARY : UCOL_TERTIARY);
  ucol_setAttribute(collator, UCOL_CASE_LEVEL, has_case_level ? UCOL_ON : UCOL_OFF, &status);
  if (U_SUCCESS(status)) return collator;
  ucol_close(collator);
  return NULL;
}

void icu_collator_close(void *collator) { ucol_close((UCollator *)collator); }

int32_t icu_collator_compare(const void *collator, const char *a, int32_t a_size, const char *b, int32_t b_size) {
  UErrorCode status = U_ZERO_ERROR;
  return (int32_t)ucol_strcollUTF8((const UCollator *)collator, a, a_size, b, b_size, &status);
}

int32_t icu_currency_digits(const uint16_t *code) {
  UErrorCode status = U_ZERO_ERROR;
  int32_t digits = ucurr_getDefaultFractionDigits((const UChar *)code, &status);
  return U_FAILURE(status) ? 2 : digits;
}

void *icu_number_format_open(const uint16_t *skeleton, int32_t size, const char *locale) {
  UErrorCode status = U_ZERO_ERROR;
  UNumberFormatter *formatter = unumf_openForSkeletonAndLocale((const UChar *)skeleton, size, locale, &status);
  if (U_SUCCESS(status)) return formatter;
  unumf_close(formatter);
  return NULL;
}

void icu_number_format_close(void *formatter) { unumf_close((UNumberFormatter *)formatter); }

int32_t icu_number_format(const void *formatter, double value, uint16_t *out, int32_t capacity) {
  UErrorCode status = U_ZERO_ERROR;
  UFormattedNumber *result = unumf_openResult(&status);
  unumf_formatDouble((const UNumberFormatter *)formatter, value, result, &status);
  int32_t length = unumf_resultToString(result, (UChar *)out, capacity, &status);
  unumf_closeResult(result);
  return U_FAILURE(status) && status != U_BUFFER_OVERFLOW_ERROR ? -1 : length;
}

void *icu_line_breaks_open(void) {
  UErrorCode status = U_ZERO_ERROR;
  UBreakIterator *iterator = ubrk_open(UBRK_LINE, "", NULL, 0, &status);
  if (U_SUCCESS(status)) return iterator;
  ubrk_close(iterator);
  return NULL;
}

void icu_line_breaks_close(void *iterator) { ubrk_close((UBreakIterator *)iterator); }

int32_t icu_line_breaks(void *iterator, const uint16_t *text, int32_t size, int32_t *out, int32_t capacity) {
  UErrorCode status = U_ZERO_ERROR;
  UBreakIterator *breaks = (UBreakIterator *)iterator;
  ubrk_setText(breaks, (const UChar *)text, size, &status);
  if (U_FAILURE(status)) return 0;
  int32_t count = 0;
  for (int32_t at = ubrk_first(breaks); at != UBRK_DONE && count < capacity; at = ubrk_next(breaks)) out[count++] = at;
  // The text is the caller's.
  ubrk_setText(breaks, NULL, 0, &status);
  return count;
}
