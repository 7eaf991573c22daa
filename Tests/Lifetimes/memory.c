/* What needs more memory than there is fails with words, and the process goes on: with little address space
 * or data, and with options that say less. */
#define _GNU_SOURCE
#include "world.h"

#include <inttypes.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char many_layers[4096], large_data[4096], packed_data[4096];
static neat_buffer *large_png;
static uint8_t *packed;
static size_t packed_size, unpacked_size;

static const char *const failed = "refused";
static const char *const done = "done";

/* "done" or "refused"; anything else is a fault. */
static const char *outcome(neat_status status) {
  if (status == NEAT_STATUS_OK) return done;
  if (status == NEAT_STATUS_OUT_OF_MEMORY && strpbrk(neat_last_error(), "0123456789") != NULL) return failed;
  fprintf(stderr, "%s: %s\n", neat_status_name(status), neat_last_error());
  exit(1);
}

static const char *draw(const char *style, uint32_t side) {
  neat_options options = {.struct_size = sizeof options, .thread_count = 3};
  neat_camera camera = {.struct_size = sizeof camera, .pitch_deg = 30};
  neat_size size = {.struct_size = sizeof size, .width_px = side, .height_px = side};
  neat_renderer *renderer = NULL;
  neat_image *image = NULL;
  neat_status status = neat_renderer_create(style, strlen(style), NULL, 0, &options, &renderer);
  if (status == NEAT_STATUS_OK) status = neat_renderer_draw(renderer, &camera, &size, 0, &image);
  const char *result = outcome(status);
  neat_image_destroy(image);
  neat_renderer_destroy(renderer);
  return result;
}

static const char *draws_small(void) { return draw(world_style_of_files(), 256); }
static const char *draws_1024(void) { return draw(many_layers, 1024); }
static const char *draws_4096(void) { return draw(many_layers, 4096); }
static const char *draws_16384(void) { return draw(many_layers, 16384); }
static const char *draws_large_data(void) { return draw(large_data, 256); }
static const char *draws_packed_data(void) { return draw(packed_data, 256); }

static const char *decodes_image(void) {
  neat_image *image = NULL;
  const char *result =
      outcome(neat_image_decode(neat_buffer_data(large_png), neat_buffer_size(large_png), &image));
  neat_image_destroy(image);
  return result;
}

static const char *encodes_image(void) {
  const char *result = failed;
  neat_image *image = NULL;
  neat_buffer *png = NULL;
  neat_status status = neat_image_decode(neat_buffer_data(large_png), neat_buffer_size(large_png), &image);
  if (status == NEAT_STATUS_OK) status = neat_image_encode_png(image, NEAT_PNG_MODE_SMALL, &png);
  result = outcome(status);
  neat_buffer_destroy(png);
  neat_image_destroy(image);
  return result;
}

static const char *parses_geojson(void) {
  neat_geojson *geojson = NULL;
  const char *result = outcome(neat_geojson_parse((const char *)packed, packed_size, NULL, 0, &geojson));
  neat_geojson_destroy(geojson);
  return result;
}

static const struct {
  const char *name;
  const char *(*run)(void);
} cases[] = {
    {"a small picture", draws_small},
    {"a picture of 1024 pixels", draws_1024},
    {"a picture of 4096 pixels", draws_4096},
    {"a picture of 16384 pixels", draws_16384},
    {"a source of much GeoJSON", draws_large_data},
    {"a source of packed GeoJSON", draws_packed_data},
    {"an image of 4096x4096 pixels, decoded", decodes_image},
    {"an image of 4096x4096 pixels, encoded", encodes_image},
    {"packed GeoJSON, parsed", parses_geojson},
};

/* Runs a case in a child that may have so much, and then a small picture. Returns what came of it, by its
 * first letter. */
static char in_child(int number, int resource, rlim_t limit) {
  int ends[2];
  char letter = 0;
  CHECK(pipe(ends) == 0);
  fflush(NULL);
  pid_t child = fork();
  CHECK(child >= 0);
  if (child == 0) {
    struct rlimit limits = {.rlim_cur = limit, .rlim_max = limit}, cores = {0, 0};
    setrlimit(RLIMIT_CORE, &cores);
    if (resource >= 0) CHECK(setrlimit((__rlimit_resource_t)resource, &limits) == 0);
    const char *result = cases[number].run();
    draws_small();
    if (write(ends[1], result, 1) != 1) _exit(2);
    _exit(0);
  }
  close(ends[1]);
  int status = 0;
  CHECK(waitpid(child, &status, 0) == child);
  if (status != 0) {
    fprintf(
        stderr, "%s, %" PRIu64 " bytes: ended with %#x\n", cases[number].name, (uint64_t)limit,
        (unsigned)status);
    return '!';
  }
  CHECK(read(ends[0], &letter, 1) == 1);
  close(ends[0]);
  return letter;
}

static int under_limits(const char *name, int resource) {
  static const int megabytes[] = {60, 100, 150, 200, 300, 600};
  enum { COUNT = sizeof megabytes / sizeof *megabytes };
  int faults = 0;
  printf("%s, MB:", name);
  for (int n = 0; n < COUNT; n++) printf(" %d", megabytes[n]);
  printf("  (d: done, r: refused)\n");
  for (size_t number = 0; number < sizeof cases / sizeof *cases; number++) {
    char letters[COUNT + 1] = {0};
    for (int n = 0; n < COUNT; n++) letters[n] = in_child((int)number, resource, (rlim_t)megabytes[n] << 20);
    printf("  %-36s %s\n", cases[number].name, letters);
    fflush(stdout);
    faults += strchr(letters, '!') != NULL;
  }
  return faults;
}

static void write_file(const char *path, const char *text, size_t size) {
  FILE *file = fopen(path, "w");
  CHECK(file != NULL && fwrite(text, 1, size, file) == size && fclose(file) == 0);
}

static void make_inputs(void) {
  /* About 12 MB of points. */
  size_t room = 13 << 20;
  char *text = malloc(room), *end = text;
  CHECK(text != NULL);
  end += sprintf(end, "{\"type\":\"FeatureCollection\",\"features\":[");
  for (int n = 0; end < text + (12 << 20); n++)
    end += sprintf(
        end,
        "%s{\"type\":\"Feature\",\"properties\":{\"n\":%d},\"geometry\":{\"type\":\"Point\",\"coordinates\":["
        "%d,%d]}}",
        n == 0 ? "" : ",", n % 10, n % 360 - 180, n % 160 - 80);
  end += sprintf(end, "]}");
  unpacked_size = (size_t)(end - text);
  write_file(world_path("large.geojson"), text, unpacked_size);
  free(text);
  char command[512];
  snprintf(command, sizeof command, "cd '%s' && gzip -9 -k large.geojson", world_path(""));
  CHECK(system(command) == 0);
  FILE *file = fopen(world_path("large.geojson.gz"), "rb");
  struct stat status;
  CHECK(file != NULL && fstat(fileno(file), &status) == 0);
  packed_size = (size_t)status.st_size;
  packed = malloc(packed_size);
  CHECK(packed != NULL && fread(packed, 1, packed_size, file) == packed_size && fclose(file) == 0);

  /* Mapped, so that the pages of the image do not stay. */
  size_t bytes = (size_t)4096 * 4096 * 4;
  uint8_t *pixels = mmap(NULL, bytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  CHECK(pixels != MAP_FAILED);
  neat_image *image = NULL;
  OK(neat_image_create(4096, 4096, pixels, &image));
  munmap(pixels, bytes);
  OK(neat_image_encode_png(image, NEAT_PNG_MODE_FAST, &large_png));
  neat_image_destroy(image);

  static const char format[] =
      "{\"version\":8,\"sources\":{\"points\":{\"type\":\"geojson\",\"data\":\"%s\"}},\"layers\":["
      "{\"id\":\"sea\",\"type\":\"background\",\"paint\":{\"background-color\":\"#acf\"}},"
      "{\"id\":\"heat\",\"type\":\"heatmap\",\"source\":\"points\"},"
      "{\"id\":\"blocks\",\"type\":\"fill-extrusion\",\"source\":\"points\",\"paint\":{\"fill-extrusion-"
      "height\":100000}},"
      "{\"id\":\"places\",\"type\":\"circle\",\"source\":\"points\"}]}";
  snprintf(many_layers, sizeof many_layers, format, world_path("world.geojson"));
  snprintf(large_data, sizeof large_data, format, world_path("large.geojson"));
  snprintf(packed_data, sizeof packed_data, format, world_path("large.geojson.gz"));
}

static neat_status draw_with(
    const neat_options *options, const char *style, uint32_t side, char *problems, size_t room) {
  neat_camera camera = {.struct_size = sizeof camera};
  neat_size size = {.struct_size = sizeof size, .width_px = side, .height_px = side};
  neat_renderer *renderer = NULL;
  neat_image *image = NULL;
  neat_buffer *json = NULL;
  OK(neat_renderer_create(style, strlen(style), NULL, 0, options, &renderer));
  neat_status status = neat_renderer_draw(renderer, &camera, &size, 0, &image);
  OK(neat_renderer_problems(renderer, &json));
  snprintf(problems, room, "%s", (const char *)neat_buffer_data(json));
  neat_buffer_destroy(json);
  neat_image_destroy(image);
  neat_renderer_destroy(renderer);
  return status;
}

/* The option of memory: at the limit, and a byte below. */
static void limits_of_pictures(void) {
  char problems[4096];
  neat_options options = {.struct_size = sizeof options, .thread_count = 2, .memory_limit_bytes = 1};
  uint64_t needed = 0;
  CHECK(
      draw_with(&options, world_style_of_files(), 700, problems, sizeof problems)
      == NEAT_STATUS_OUT_OF_MEMORY);
  CHECK(
      sscanf(strstr(neat_last_error(), "needs"), "needs %" SCNu64 " bytes", &needed) == 1
      && needed > 700 * 700 * 4);
  CHECK(strstr(neat_last_error(), "700x700") != NULL && strstr(neat_last_error(), "memory limit of 1") != NULL);
  options.memory_limit_bytes = needed;
  OK(draw_with(&options, world_style_of_files(), 700, problems, sizeof problems));
  options.memory_limit_bytes = needed - 1;
  CHECK(
      draw_with(&options, world_style_of_files(), 700, problems, sizeof problems)
      == NEAT_STATUS_OUT_OF_MEMORY);
  /* Above what the machine has. */
  options.memory_limit_bytes = UINT64_MAX;
  OK(draw_with(&options, world_style_of_files(), 700, problems, sizeof problems));
}

/* The option of packed bodies: at the limit, and a byte below. */
static void limits_of_bodies(void) {
  char problems[4096];
  neat_options options = {.struct_size = sizeof options, .unpacked_limit_bytes = unpacked_size};
  OK(draw_with(&options, packed_data, 64, problems, sizeof problems));
  CHECK(strcmp(problems, "[]") == 0);
  options.unpacked_limit_bytes = unpacked_size - 1;
  OK(draw_with(&options, packed_data, 64, problems, sizeof problems));
  CHECK(strstr(problems, "\"code\":3") != NULL && strstr(problems, "large.geojson.gz") != NULL);
  /* What is not packed is not meant. */
  options.unpacked_limit_bytes = 1;
  OK(draw_with(&options, world_style_of_files(), 64, problems, sizeof problems));
  CHECK(strcmp(problems, "[]") == 0);
}

int main(void) {
  world_begin();
  make_inputs();
  limits_of_pictures();
  limits_of_bodies();
  int faults = under_limits("address space", RLIMIT_AS) + under_limits("data", RLIMIT_DATA);
  neat_buffer_destroy(large_png);
  free(packed);
  return faults == 0 ? 0 : 1;
}
