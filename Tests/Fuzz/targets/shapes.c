/* Meshes, collisions and geometry on numbers of all kinds. */
#include "../fuzz.h"

#include <math.h>

/* Numbers that follow from the bytes: often equal, often at the limits of what there is. */
static double number(const uint8_t *data, size_t size, size_t index) {
  static const double numbers[] = {0,     1,      -1,     4096,         8192,      0.5,
                                   1e300, -1e300, 1e-300, 2147483648.0, 0.0 / 0.0, 1.0 / 0.0};
  uint8_t byte = size ? data[index % size] : 0;
  return byte < 16 ? numbers[byte % 12] : (double)byte * (index % 3 ? 7 : -5);
}

static void mesh(const uint8_t *data, size_t size) {
  enum { LIMIT = 64 };
  double points[2 * LIMIT];
  float line[2 * LIMIT];
  size_t count = size < LIMIT ? size : LIMIT;
  for (size_t index = 0; index < 2 * count; index++)
    line[index] = (float)(points[index] = number(data, size, index * 3));
  uint32_t rings[4] = {
      0, (uint32_t)(count / 2), (uint32_t)(below(4) ? count / 2 + count / 4 : next()), (uint32_t)count};
  neat_buffer *a = NULL, *b = NULL;
  drop_if(neat_mesh_triangulate(points, count, rings, 1 + below(3), &a), &a);
  neat_line_options options = {
      .struct_size = sizeof options,
      .cap = (neat_line_cap)below(4),
      .join = (neat_line_join)below(4),
      .miter_limit = number(data, size, 5),
      .round_limit = number(data, size, 6),
      .is_closed = below(2) != 0};
  if (neat_mesh_line(line, count, &options, &a, &b) == NEAT_STATUS_OK)
    neat_buffer_destroy(a), neat_buffer_destroy(b);
  neat_collision *collision = NULL;
  if (neat_collision_create(number(data, size, 7), number(data, size, 8), &collision) != NEAT_STATUS_OK)
    return;
  uint32_t placed;
  for (size_t index = 0; index + 4 < 2 * count && index < 16; index += 4) {
    const double *p = points + index;
    either(neat_collision_place_box(collision, p[0], p[1], p[2], p[3], &placed));
    either(neat_collision_place_circle(collision, p[0], p[1], p[2], &placed));
  }
  neat_collision_destroy(collision);
}

/* Lines, rings and polygons of such numbers, mostly finite ones. */
static void shapes(const uint8_t *data, size_t size) {
  enum { LIMIT = 64 };
  double a[2 * LIMIT], out[2 * LIMIT], length;
  size_t count = size < LIMIT ? size : LIMIT, half = count / 2;
  for (size_t index = 0; index < 2 * count; index++) {
    double value = number(data, size, index * 3);
    a[index] = isfinite(value) || below(64) == 0 ? value : 0;
  }
  neat_shape_place found[LIMIT];
  neat_buffer *made = NULL;
  double x = number(data, size, 5), y = number(data, size, 6);
  either(neat_shape_distances(a, half, a + 2 * half, half, out));
  either(neat_shape_destinations(a, half, &x, 1, a, half, out));
  either(neat_shape_length(a, count, &length));
  either(neat_shape_along(a, count, a, half, found));
  either(neat_shape_closest(a, half, a + 2 * half, half, found));
  drop_if(neat_shape_slice(a, count, below(2) ? a + 2 : NULL, below(2) ? a + 4 : NULL, &made), &made);
  drop_if(neat_shape_trim(a, count, x, y, &made), &made);
  drop_if(neat_shape_trim_from(a, count, x, y, x, &made), &made);
  drop_if(neat_shape_intersections(a, half, a + 2 * half, half, below(9), &made), &made);
  drop_if(neat_shape_bezier(a, count, 1 + (uint32_t)below(500), y, &made), &made);
  for (uint32_t kind = 0; kind < 4; kind++) {
    drop_if(neat_shape_simplify(a, count, fabs(x), kind & 1, kind & 2, &made), &made);
  }
  uint32_t rings[4] = {
      0, (uint32_t)half, (uint32_t)(below(4) ? half + count / 4 : next()), (uint32_t)count};
  uint32_t polygons[3] = {0, (uint32_t)below(4), 3};
  uint8_t inside[LIMIT];
  either(neat_shape_area(a, count, rings, 3, below(2) ? polygons : NULL, 2, &length));
  either(neat_shape_contains(
      a, count, rings, 3, below(2) ? polygons : NULL, 2, a, below(2) ? count : half % 8, below(2) != 0,
      inside));
  either(neat_shape_bounds(a, half < 4 ? half : 4, out));
  either(neat_shape_centroid(a, count, below(2) != 0, out));
  either(neat_shape_center_of_mass(a, count, out));
  /* Few times, or more than there may be. */
  uint32_t times = (uint32_t)(below(50) ? below(6) : 40 + below(24));
  drop_if(neat_shape_smooth(a, count, times, &made), &made);
  drop_if(neat_shape_circle(x, y, x, (uint32_t)below(200), &made), &made);
}

const target SHAPE_TARGETS[] = {
    {"mesh", mesh, {".mvt"}, 2, 0},
    {"shapes", shapes, {".mvt"}, 20, 0},
    {0}};
