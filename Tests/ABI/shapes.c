/* Shapes: lists in and out, and what is refused. */
#include <math.h>
#include <neatline.h>
#include <string.h>

#include "check.h"

#define INVALID(call, words)                                                                        \
  do {                                                                                              \
    CHECK((call) == NEAT_STATUS_INVALID_ARGUMENT);                                                  \
    CHECK(strstr(neat_last_error(), (words)) != NULL);                                              \
  } while (0)
/* The same, of a call that gives a buffer: none is there afterwards. */
#define REFUSED(call, words)                                                                        \
  do {                                                                                              \
    out = (neat_buffer *)&out;                                                                      \
    INVALID(call, words);                                                                           \
    CHECK(out == NULL);                                                                             \
  } while (0)

static const double DEGREE = 6373000.0 * 3.14159265358979323846 / 180;
static const double BENT[] = {0, 0, 1, 0, 1, 1};
static const double SQUARE[] = {0, 0, 10, 0, 10, 10, 0, 10, 0, 0};
static const double BROKEN[] = {0, 0, 1, NAN, 2, 2, 0, 0};

static int near(double a, double b, double tolerance) { return fabs(a - b) <= tolerance; }

/* The doubles of a buffer, which is released. */
static size_t places(neat_buffer *buffer, double *out, size_t room) {
  size_t count = neat_buffer_size(buffer) / sizeof(double);
  CHECK(count <= room && neat_buffer_size(buffer) % (2 * sizeof(double)) == 0);
  memcpy(out, neat_buffer_data(buffer), neat_buffer_size(buffer));
  neat_buffer_destroy(buffer);
  return count / 2;
}

static void single_places(void) {
  CHECK(near(neat_shape_distance(0, 0, 1, 0), DEGREE, 1e-6));
  CHECK(near(neat_shape_direction(0, 0, 1, 0), 90, 1e-9));
  CHECK(isnan(neat_shape_distance(NAN, 0, 1, 0)) && isnan(neat_shape_direction(0, INFINITY, 1, 0)));
  CHECK(neat_shape_wrap(380, 0, 360) == 20 && isnan(neat_shape_wrap(1, 2, 2)));
  CHECK(neat_shape_difference(350, 10) == 20);
}

static void lists_of_places(void) {
  double from[] = {0, 0}, to[] = {1, 0, 0, 1, 0, 0, NAN, 0}, out[8];
  CHECK(neat_shape_distances(from, 1, to, 4, out) == NEAT_STATUS_OK);
  CHECK(near(out[0], DEGREE, 1e-6) && near(out[1], DEGREE, 1e-6) && out[2] == 0 && isnan(out[3]));
  CHECK(neat_shape_distances(to, 4, to, 4, out) == NEAT_STATUS_OK && out[0] == 0);
  CHECK(neat_shape_directions(from, 1, to, 2, out) == NEAT_STATUS_OK && near(out[0], 90, 1e-9) && out[1] == 0);
  CHECK(neat_shape_midpoints(from, 1, to, 2, out) == NEAT_STATUS_OK && near(out[0], 0.5, 1e-9));
  double way = DEGREE, ways[] = {90, 0};
  CHECK(neat_shape_destinations(from, 1, &way, 1, ways, 2, out) == NEAT_STATUS_OK);
  CHECK(near(out[0], 1, 1e-9) && near(out[3], 1, 1e-9));
  CHECK(neat_shape_distances(NULL, 0, NULL, 0, out) == NEAT_STATUS_OK);
  CHECK(neat_shape_distances(NULL, 0, from, 1, out) == NEAT_STATUS_OK);
  INVALID(neat_shape_distances(to, 2, to, 3, out), "elements");
  INVALID(neat_shape_distances(NULL, 2, to, 2, out), "from is NULL");
  INVALID(neat_shape_distances(to, 2, to, 2, NULL), "out_m");
  INVALID(neat_shape_destinations(to, 3, ways, 2, ways, 2, out), "elements");
  CHECK(neat_shape_distances(to, SIZE_MAX, to, 1, out) == NEAT_STATUS_LIMIT_EXCEEDED);
  CHECK(neat_shape_distances(to, (size_t)1 << 31, to, 1, out) == NEAT_STATUS_LIMIT_EXCEEDED);
}

static void lines(void) {
  double length, out[64];
  neat_shape_place found[3];
  neat_buffer *part;
  CHECK(neat_shape_length(BENT, 3, &length) == NEAT_STATUS_OK && near(length, 2 * DEGREE, 1e-3));
  CHECK(neat_shape_length(NULL, 0, &length) == NEAT_STATUS_OK && length == 0);
  double distances[] = {DEGREE * 1.5, -5, INFINITY};
  CHECK(neat_shape_along(BENT, 3, distances, 3, found) == NEAT_STATUS_OK);
  CHECK(near(found[0].lat_deg, 0.5, 1e-9) && found[0].index == 1 && found[0].distance_m == 0);
  CHECK(found[1].along_m == 0 && found[2].lat_deg == 1 && found[2].index == 2);
  double beside[] = {2, 0.5};
  CHECK(neat_shape_closest(BENT, 3, beside, 1, found) == NEAT_STATUS_OK);
  CHECK(near(found[0].lon_deg, 1, 1e-3) && near(found[0].distance_m, DEGREE, 100));
  CHECK(neat_shape_slice(BENT, 3, NULL, beside, &part) == NEAT_STATUS_OK && places(part, out, 64) == 3);
  CHECK(neat_shape_trim(BENT, 3, 0, DEGREE / 2, &part) == NEAT_STATUS_OK && places(part, out, 64) == 2);
  CHECK(near(out[2], 0.5, 1e-9));
  CHECK(neat_shape_trim_from(BENT, 3, 1, 1, -DEGREE / 2, &part) == NEAT_STATUS_OK);
  CHECK(places(part, out, 64) == 2 && near(out[3], 0.5, 1e-6));
  double across[] = {0.5, -1, 0.5, 0.5, 2, 0.5};
  CHECK(neat_shape_intersections(BENT, 3, across, 3, 0, &part) == NEAT_STATUS_OK);
  CHECK(places(part, out, 64) == 2 && near(out[0], 0.5, 1e-12) && near(out[3], 0.5, 1e-12));
  CHECK(neat_shape_intersections(BENT, 3, across, 3, 1, &part) == NEAT_STATUS_LIMIT_EXCEEDED && !part);
  CHECK(neat_shape_bezier(BENT, 3, 100, 0.85, &part) == NEAT_STATUS_OK && places(part, out, 64) == 10);
}

static void refused_lines(void) {
  double length, nan = NAN, one = 1, huge[] = {0, 0};
  neat_shape_place found;
  neat_buffer *out;
  INVALID(neat_shape_length(BROKEN, 4, &length), "place 1");
  INVALID(neat_shape_length(BENT, 3, NULL), "out_m");
  INVALID(neat_shape_along(NULL, 0, &one, 1, &found), "no places");
  INVALID(neat_shape_along(BENT, 3, &nan, 1, &found), "distance 0");
  INVALID(neat_shape_closest(BENT, 3, BROKEN, 4, &found), "places: place 1");
  REFUSED(neat_shape_slice(BROKEN, 4, NULL, NULL, &out), "line: place 1");
  REFUSED(neat_shape_slice(BENT, 3, BROKEN + 2, NULL, &out), "from: place 0");
  REFUSED(neat_shape_slice(NULL, 0, NULL, NULL, &out), "no places");
  REFUSED(neat_shape_trim(BENT, 3, 5, 4, &out), "order");
  REFUSED(neat_shape_trim(BENT, 3, NAN, 4, &out), "order");
  CHECK(neat_shape_trim(BENT, 3, DEGREE * 3, DEGREE * 4, &out) == NEAT_STATUS_NOT_FOUND && !out);
  REFUSED(neat_shape_trim_from(BENT, 3, 0, 0, 0, &out), "distance_m");
  REFUSED(neat_shape_trim_from(BENT, 3, NAN, 0, 1, &out), "lon_deg");
  REFUSED(neat_shape_intersections(BENT, 3, BROKEN, 4, 0, &out), "b: place 1");
  REFUSED(neat_shape_bezier(BENT, 1, 100, 0.85, &out), "two");
  REFUSED(neat_shape_bezier(BENT, 3, 0, 0.85, &out), "resolution");
  REFUSED(neat_shape_bezier(BENT, 3, 100000001, 0.85, &out), "resolution");
  REFUSED(neat_shape_bezier(BENT, 3, 100, NAN, &out), "sharpness");
  REFUSED(neat_shape_simplify(BENT, 3, -1, 0, 0, &out), "tolerance");
  REFUSED(neat_shape_simplify(BENT, 3, NAN, 0, 0, &out), "tolerance");
  REFUSED(neat_shape_simplify(BROKEN, 4, 1, 0, 1, &out), "place 1");
  REFUSED(neat_shape_slice(NULL, INT32_MAX, NULL, NULL, &out), "line is NULL");
  CHECK(neat_shape_slice(huge, SIZE_MAX / 2, NULL, NULL, &out) == NEAT_STATUS_LIMIT_EXCEEDED && !out);
  CHECK(neat_shape_simplify(huge, SIZE_MAX, 1, 0, 0, &out) == NEAT_STATUS_LIMIT_EXCEEDED && !out);
  INVALID(neat_shape_simplify(BENT, 3, 1, 0, 0, NULL), "NULL");
}

static void simplified(void) {
  double line[] = {0, 0, 1, 0.01, 2, 0};
  neat_buffer *out;
  CHECK(neat_shape_simplify(line, 3, 0.1, 0, 0, &out) == NEAT_STATUS_OK);
  const uint32_t *kept = (const uint32_t *)neat_buffer_data(out);
  CHECK(neat_buffer_size(out) == 8 && kept[0] == 0 && kept[1] == 2);
  neat_buffer_destroy(out);
  CHECK(neat_shape_simplify(SQUARE, 5, 1e9, 0, 1, &out) == NEAT_STATUS_OK);
  CHECK(neat_buffer_size(out) >= 16);
  neat_buffer_destroy(out);
  CHECK(neat_shape_simplify(NULL, 0, 1, 0, 1, &out) == NEAT_STATUS_OK && neat_buffer_size(out) == 0);
  neat_buffer_destroy(out);
}

static void polygons(void) {
  double with_hole[] = {0, 0, 10, 0, 10, 10, 0, 10, 0, 0, 3, 3, 3, 7, 7, 7, 7, 3, 3, 3};
  uint32_t rings[] = {0, 5, 10}, both[] = {0, 1, 2}, falling[] = {0, 7, 5}, past[] = {0, 5, 11};
  double whole, less, sum, ring, box[4], middle[2], asked[] = {1, 1, 5, 5, 0, 5, 3, 5, NAN, 1};
  uint8_t inside[20];
  neat_buffer *out;
  CHECK(neat_shape_area(SQUARE, 5, NULL, 0, NULL, 0, &whole) == NEAT_STATUS_OK && whole > 0);
  CHECK(neat_shape_area(with_hole, 10, rings, 2, NULL, 0, &less) == NEAT_STATUS_OK && less < whole);
  CHECK(neat_shape_area(with_hole, 10, rings, 2, both, 2, &sum) == NEAT_STATUS_OK);
  CHECK(near(sum - whole, whole - less, 1));
  CHECK(neat_shape_ring_area(SQUARE, 5, &ring) == NEAT_STATUS_OK && near(ring, -whole, 1e-3));
  CHECK(neat_shape_contains(with_hole, 10, rings, 2, NULL, 0, asked, 5, 0, inside) == NEAT_STATUS_OK);
  CHECK(inside[0] == 1 && inside[1] == 0 && inside[2] == 1 && inside[3] == 1 && inside[4] == 0);
  CHECK(neat_shape_contains(with_hole, 10, rings, 2, NULL, 0, asked, 5, 1, inside) == NEAT_STATUS_OK);
  CHECK(inside[0] == 1 && inside[1] == 0 && inside[2] == 0 && inside[3] == 0 && inside[4] == 0);
  /* Many places, by sorted edges. */
  double many[40];
  for (int n = 0; n < 20; n++) many[2 * n] = many[2 * n + 1] = n;
  CHECK(neat_shape_contains(with_hole, 10, rings, 2, NULL, 0, many, 20, 0, inside) == NEAT_STATUS_OK);
  for (int n = 0; n < 20; n++) CHECK(inside[n] == (n <= 10 && !(n > 3 && n < 7)));
  CHECK(neat_shape_contains(NULL, 0, NULL, 0, NULL, 0, many, 20, 0, inside) == NEAT_STATUS_OK && !inside[0]);
  INVALID(neat_shape_area(with_hole, 10, falling, 2, NULL, 0, &sum), "ring_starts");
  INVALID(neat_shape_area(with_hole, 10, past, 2, NULL, 0, &sum), "ring_starts");
  INVALID(neat_shape_area(with_hole, 10, rings, 2, falling, 2, &sum), "polygon_starts");
  INVALID(neat_shape_area(BROKEN, 4, NULL, 0, NULL, 0, &sum), "place 1");
  CHECK(neat_shape_area(SQUARE, 5, rings, SIZE_MAX, NULL, 0, &sum) == NEAT_STATUS_LIMIT_EXCEEDED);
  CHECK(neat_shape_bounds(SQUARE, 5, box) == NEAT_STATUS_OK && box[0] == 0 && box[3] == 10);
  CHECK(neat_shape_center(SQUARE, 5, middle) == NEAT_STATUS_OK && middle[0] == 5);
  CHECK(neat_shape_centroid(SQUARE, 5, 1, middle) == NEAT_STATUS_OK && middle[0] == 5);
  CHECK(neat_shape_centroid(SQUARE, 5, 0, middle) == NEAT_STATUS_OK && middle[0] == 4);
  CHECK(neat_shape_center_of_mass(SQUARE, 5, middle) == NEAT_STATUS_OK && near(middle[1], 5, 1e-9));
  INVALID(neat_shape_bounds(NULL, 0, box), "empty");
  INVALID(neat_shape_center(NULL, 0, middle), "empty");
  INVALID(neat_shape_centroid(NULL, 0, 1, middle), "empty");
  INVALID(neat_shape_center_of_mass(NULL, 0, middle), "empty");
  double list[200];
  CHECK(neat_shape_smooth(SQUARE, 5, 1, &out) == NEAT_STATUS_OK && places(out, list, 200) == 9);
  CHECK(neat_shape_smooth(SQUARE, 5, 40, &out) == NEAT_STATUS_LIMIT_EXCEEDED && !out);
  CHECK(neat_shape_circle(11, 47, 500, 64, &out) == NEAT_STATUS_OK && places(out, list, 200) == 65);
  REFUSED(neat_shape_circle(11, 47, 500, 2, &out), "vertices");
  REFUSED(neat_shape_circle(11, 47, 500, UINT32_MAX, &out), "vertices");
  REFUSED(neat_shape_circle(11, 47, NAN, 64, &out), "radius_m");
}

int main(void) {
  single_places();
  lists_of_places();
  lines();
  refused_lines();
  simplified();
  polygons();
  return 0;
}
