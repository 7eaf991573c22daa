// Whole numbers out of floating-point ones, for every value: truncated toward zero, the nearest that the type has for what lies beyond, 0 for NaN.
// In C, because Swift's own conversion tests its range once more, and a compiler's built-in that saturates is not there for either.
#ifndef NEATLINE_NUMBER_H
#define NEATLINE_NUMBER_H

#include <stdint.h>

// LEAST and PAST (the first beyond) are powers of two, or 0, which both floating-point types have exactly. What lies between LEAST and the number that C
// would truncate to it is LEAST anyway. NaN fails every comparison.
#define NEAT_SATURATING(NAME, INTEGER, SMALLEST, LARGEST, LEAST, PAST) \
  static inline INTEGER neat_##NAME##_of_double(double value) { \
    return value >= LEAST ? (value < PAST ? (INTEGER)value : LARGEST) : (value < LEAST ? SMALLEST : 0); \
  } \
  static inline INTEGER neat_##NAME##_of_float(float value) { \
    return value >= LEAST##f ? (value < PAST##f ? (INTEGER)value : LARGEST) : (value < LEAST##f ? SMALLEST : 0); \
  }

NEAT_SATURATING(int8, int8_t, INT8_MIN, INT8_MAX, -0x1p7, 0x1p7)
NEAT_SATURATING(int16, int16_t, INT16_MIN, INT16_MAX, -0x1p15, 0x1p15)
NEAT_SATURATING(int32, int32_t, INT32_MIN, INT32_MAX, -0x1p31, 0x1p31)
NEAT_SATURATING(int64, int64_t, INT64_MIN, INT64_MAX, -0x1p63, 0x1p63)
NEAT_SATURATING(uint8, uint8_t, 0, UINT8_MAX, 0x0p0, 0x1p8)
NEAT_SATURATING(uint16, uint16_t, 0, UINT16_MAX, 0x0p0, 0x1p16)
NEAT_SATURATING(uint32, uint32_t, 0, UINT32_MAX, 0x0p0, 0x1p32)
NEAT_SATURATING(uint64, uint64_t, 0, UINT64_MAX, 0x0p0, 0x1p64)

#undef NEAT_SATURATING

// The number of a cell out of those from 0 to `last`, which is below 2^24: outer places belong to the outermost cells, NaN to the last. No jumps.
static inline int32_t neat_cell_of_double(double place, int32_t last) {
  double low = place < (double)last ? place : (double)last;
  return (int32_t)(low > 0 ? low : 0);
}
static inline int32_t neat_cell_of_float(float place, int32_t last) {
  float low = place < (float)last ? place : (float)last;
  return (int32_t)(low > 0 ? low : 0);
}

#endif
