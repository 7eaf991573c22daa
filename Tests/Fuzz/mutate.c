/* Random numbers, and mutations of an input: SplitMix64, and eleven kinds of changes. */
#include "fuzz.h"

#include <string.h>

uint64_t random_state;

uint64_t next(void) {
  uint64_t z = random_state += 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

size_t below(size_t count) { return count ? next() % count : 0; }

uint64_t state_of(const uint8_t *data, size_t size, uint64_t attempt) {
  uint64_t hash = size * 0xD1B54A32D192ED03u + attempt * 0x8CB92BA72F3D8DD7u, word;
  for (; size >= 8; data += 8, size -= 8) {
    memcpy(&word, data, 8);
    hash = (hash ^ word) * 0xBF58476D1CE4E5B9u;
    hash ^= hash >> 29;
  }
  for (size_t index = 0; index < size; index++) hash = (hash ^ data[index]) * 0x94D049BB133111EBu;
  return hash ^ hash >> 31;
}

/* Words of the languages that are read: numbers at their limits, and pieces of structures. */
static const char *const WORDS[] = {
    "0", "-1", "1e308", "-1e308", "1e-320", "1e999", "9007199254740993", "2147483648", "-2147483649",
    "18446744073709551616", "NaN", "null", "true", "false", "\"\"", "[]", "{}", "[[]]", ",", ":", "\"",
    "\\u0000", "\\ud800", "\xff\xfe", "\xf0\x9f\x98\x80", "[\"get\",\"a\"]", "[\"zoom\"]",
    "[\"literal\",[1,2]]", "[\"interpolate\",[\"linear\"],[\"zoom\"],0,1,22,2]",
    "[\"interpolate\",[\"exponential\",1e308],[\"zoom\"],-1e308,1,1e308,2]", "[\"step\",[\"zoom\"],0,1,1]",
    "[\"match\",[\"get\",\"a\"],1,2,3]", "[\"case\",true,1,2]", "[\"let\",\"x\",1,[\"var\",\"x\"]]",
    "[\"concat\",1,2]", "[\"slice\",\"abc\",-9,9]", "[\"at\",1e9,[\"literal\",[]]]",
    "[\"number-format\",1e300,{\"max-fraction-digits\":400}]", "[\"%\",1,0]", "[\"/\",0,0]",
    "[\"distance\",{\"type\":\"Point\",\"coordinates\":[0,1e9]}]",
    "[\"within\",{\"type\":\"Polygon\",\"coordinates\":[[]]}]", "rgba(1,2,3,NaN)", "hsl(1e9deg,1%,1%)",
    "{\"stops\":[[0,1],[1,2]]}", "{\"base\":0,\"stops\":[]}", "coordinates", "geometry", "features",
    "properties", "type", "Polygon", "MultiLineString", "GeometryCollection", "\"id\":1e300", "layout",
    "paint", "source", "minzoom", "line-dasharray", "symbol-spacing", "%@", "%K", "%d", "$zoomLevel",
    " CONTAINS ", " BETWEEN ", "FUNCTION(1,'x')", "TERNARY(", "\n", "\x1e", "\x80\x80\x80\x80\x08",
    "\x1a\x7f", "[\"concat\",[\"var\",\"x\"],[\"var\",\"x\"]]",
    "[\"join\",[\"split\",[\"get\",\"b\"],\"\"],\"xx\"]",
    "\"annotations\"", "\"cluster\":true", "\"clusterProperties\":{\"a\":[\"concat\",[\"get\",\"a\"]]}"};
enum { WORD_COUNT = sizeof WORDS / sizeof *WORDS };

static size_t insert(uint8_t *data, size_t size, size_t at, const void *piece, size_t length) {
  if (length == 0 || size + length > INPUT_LIMIT) return size;
  memmove(data + at + length, data + at, size - at);
  memmove(data + at, piece, length);
  return size + length;
}

/* The length of a piece from `at`: of any length, most often a short one. */
static size_t piece(size_t size, size_t at, size_t limit) {
  size_t length = below(size - at + 1);
  return length > limit ? below(limit) : length;
}

size_t mutate(uint8_t *data, size_t size, const bytes *other) {
  static const uint8_t edges[] = {0, 1, 0x7f, 0x80, 0xff};
  static const uint32_t numbers[] = {0, 1, 0x7fffffff, 0x80000000, 0xffffffff, 0x10000, 0x40000000};
  size_t at = below(size + 1), length;
  switch (below(11)) {
    case 0: if (size) data[below(size)] = (uint8_t)next(); return size;
    case 1: if (size) data[below(size)] ^= (uint8_t)(1u << below(8)); return size;
    case 2: if (size) data[below(size)] = edges[below(sizeof edges)]; return size;
    case 3: return at; /* cut off */
    case 4: /* a piece removed */
      length = below(4) ? piece(size, at, 16) : below(size - at + 1);
      memmove(data + at, data + at + length, size - at - length);
      return size - length;
    case 5: { /* a piece repeated */
      uint8_t copy[64];
      length = piece(size, at, sizeof copy);
      memcpy(copy, data + at, length);
      return insert(data, size, at, copy, length);
    }
    case 6: { /* a piece of another input */
      size_t from = below(other->size);
      return insert(data, size, at, other->data + from, piece(other->size, from, 256));
    }
    case 7: /* four bytes as a number at its limits */
      if (size >= 4) memcpy(data + below(size - 3), &numbers[below(7)], 4);
      return size;
    default: { /* a word, inserted or written over */
      const char *word = WORDS[below(WORD_COUNT)];
      length = strlen(word);
      if (below(2) == 0 || at + length > size) return insert(data, size, at, word, length);
      memcpy(data + at, word, length);
      return size;
    }
  }
}
