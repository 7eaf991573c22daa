/* Input and output that fail, one call after the other: for each scenario, kind of call and error, the scenario runs in
 * a process of its own once for each call of the kind, and that call fails. The process must end by itself with every
 * call of the library either done or failed with an error; without the fault the next call works; and a second
 * process, without faults, must find all that the library had acknowledged.
 *
 *   io_faults SHIM [--every] [SCENARIO…]      --every: each call; else some 12 of each kind and error */
#define _GNU_SOURCE
#include "world.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern void neatline_fault_arm(const char *, long, long, size_t) __attribute__((weak));
extern long neatline_fault_disarm(void) __attribute__((weak));
extern void neatline_fault_use(const char *) __attribute__((weak));

enum { TILES = 40, CHECKPOINT = 10, SOME = 12, PATIENCE_S = 30 };

/* The scenario's folder, and what the library acknowledged in it: one number a line. */
static char folder[256];
static long acknowledged, calls;

static const char *at(const char *name) {
  static char paths[4][512];
  static int next;
  char *path = paths[next++ % 4];
  snprintf(path, sizeof paths[0], "%s/%s", folder, name);
  return path;
}

/* ---------------------------------------------------------------- the part that runs with a fault */

static const char *fault_kind;
static long fault_at;

static void begin(void) {
  if (neatline_fault_arm != NULL && fault_kind != NULL) neatline_fault_arm(fault_kind, fault_at, 1, 0);
}

static void end(void) {
  if (neatline_fault_disarm != NULL && fault_kind != NULL) calls = neatline_fault_disarm();
}

static neat_resources *cache(const char *name) {
  char options[640];
  snprintf(options, sizeof options, "{\"cachePath\":\"%s\"}", at(name));
  neat_resources *resources = NULL;
  return neat_resources_create(options, strlen(options), &resources) == NEAT_STATUS_OK ? resources : NULL;
}

static neat_status region(neat_resources *resources, const char *metadata, int64_t *out) {
  const char *definition =
      "{\"style_url\":\"https://example.org/style.json\",\"bounds\":[0,0,1,1],\"min_zoom\":0,\"max_zoom\":2,"
      "\"pixel_ratio\":1}";
  return neat_offline_create(
      resources, definition, strlen(definition), (const uint8_t *)metadata, strlen(metadata), out);
}

static int count_regions(neat_resources *resources) {
  neat_buffer *json = NULL;
  OK(neat_offline_list(resources, &json));
  int count = 0;
  for (const char *text = (const char *)neat_buffer_data(json); (text = strstr(text, "\"definition\"")) != NULL; text++)
    count++;
  neat_buffer_destroy(json);
  return count;
}

static void nothing_was_put_aside(void) {
  DIR *names = opendir(folder);
  CHECK(names != NULL);
  for (struct dirent *entry; (entry = readdir(names)) != NULL;) {
    if (strstr(entry->d_name, ".broken") != NULL) {
      fprintf(stderr, "%s was put aside\n", entry->d_name);
      exit(1);
    }
  }
  closedir(names);
}

static void prepare_cache(void) {
  int64_t id = 0;
  neat_resources *resources = cache("cache.db");
  CHECK(resources != NULL);
  OK(region(resources, "first", &id));
  neat_resources_destroy(resources);
}

/* Regions of a cache: those that were there stay, those that were made are there. */
static void run_cache(void) {
  acknowledged = access(at("cache.db"), F_OK) == 0;
  begin();
  neat_resources *resources = cache("cache.db");
  if (resources != NULL) {
    int64_t id = 0;
    neat_buffer *json = NULL;
    if (region(resources, "second", &id) == NEAT_STATUS_OK) acknowledged += 1;
    if (neat_offline_list(resources, &json) == NEAT_STATUS_OK) neat_buffer_destroy(json);
    if (region(resources, "third", &id) == NEAT_STATUS_OK) acknowledged += 1;
    neat_status ignored = neat_resources_keep(resources, NEAT_CACHE_PACK);
    ignored = neat_resources_keep(resources, NEAT_CACHE_CLEAR);
    (void)ignored;
    neat_resources_destroy(resources);
  }
  end();
  /* The next call works. */
  resources = cache("cache.db");
  CHECK(resources != NULL && count_regions(resources) >= acknowledged);
  neat_resources_destroy(resources);
}

static void verify_cache(void) {
  neat_resources *resources = cache("cache.db");
  CHECK(resources != NULL);
  if (count_regions(resources) < acknowledged) fprintf(stderr, "%ld were acknowledged\n", acknowledged);
  CHECK(count_regions(resources) >= acknowledged);
  neat_resources_destroy(resources);
  nothing_was_put_aside();
}

static void prepare_merge(void) {
  prepare_cache();
  int64_t id = 0;
  neat_resources *resources = cache("side.db");
  CHECK(resources != NULL);
  OK(region(resources, "beside", &id));
  neat_resources_destroy(resources);
}

static void run_merge(void) {
  acknowledged = 1;
  begin();
  neat_resources *resources = cache("cache.db");
  if (resources != NULL) {
    neat_buffer *json = NULL;
    const char *side = at("side.db");
    if (neat_offline_merge(resources, side, strlen(side), &json) == NEAT_STATUS_OK) {
      acknowledged += 1;
      neat_buffer_destroy(json);
    }
    neat_resources_destroy(resources);
  }
  end();
}

static void verify_merge(void) {
  verify_cache();
  neat_resources *resources = cache("side.db");
  CHECK(resources != NULL && count_regions(resources) == 1);
  neat_resources_destroy(resources);
  nothing_was_put_aside();
}

static size_t tile_body(int number, uint8_t *body) {
  size_t size = 2000 + (size_t)number * 37;
  body[0] = 0x1f;
  body[1] = 0x8b;
  for (size_t n = 2; n < size; n++) body[n] = (uint8_t)((n * 31 + (size_t)number * 17) >> 2);
  return size;
}

/* Adds tiles from a number on, with checkpoints; how far it came. `stop`: after so many. */
static int fill(neat_archive_writer *writer, int from, int stop) {
  static uint8_t body[1 << 16];
  for (int number = from; number < stop; number++) {
    size_t size = tile_body(number, body);
    if (neat_archive_writer_add(writer, 6, (uint32_t)number, 1, body, size) != NEAT_STATUS_OK) return number;
    if ((number + 1) % CHECKPOINT == 0) {
      if (neat_archive_writer_checkpoint(writer, (uint64_t)number + 1) != NEAT_STATUS_OK) return number;
      acknowledged = number + 1;
    }
  }
  return stop;
}

static neat_archive_writer *writer_at(const char *name) {
  const char *options = "{\"job\":\"faults\"}", *path = at(name);
  neat_archive_writer *writer = NULL;
  neat_status status = neat_archive_writer_create(path, strlen(path), options, strlen(options), &writer);
  return status == NEAT_STATUS_OK ? writer : NULL;
}

static void prepare_archive(const char *name) {
  neat_archive_writer *writer = writer_at(name);
  CHECK(writer != NULL && fill(writer, 0, 2 * CHECKPOINT) == 2 * CHECKPOINT);
  neat_archive_writer_destroy(writer);
}

/* An archive that is written: what a checkpoint acknowledged is continued from, and one that was finished is whole. */
static void run_archive(const char *name, long before) {
  acknowledged = before;
  begin();
  neat_archive_writer *writer = writer_at(name);
  if (writer != NULL) {
    uint64_t cursor = 0;
    if (neat_archive_writer_cursor(writer, &cursor) != NEAT_STATUS_OK) cursor = 0;
    if (fill(writer, (int)cursor, TILES) == TILES && neat_archive_writer_finish(writer, NULL, 0) == NEAT_STATUS_OK)
      acknowledged = TILES + 1;
    neat_archive_writer_destroy(writer);
  }
  end();
}

static void verify_archive(const char *name) {
  static uint8_t body[1 << 16];
  if (acknowledged <= TILES && access(at(name), F_OK) != 0) {
    neat_archive_writer *writer = writer_at(name);
    CHECK(writer != NULL);
    uint64_t cursor = 0;
    if (neat_archive_writer_cursor(writer, &cursor) != NEAT_STATUS_OK) cursor = 0;
    if ((long)cursor < acknowledged) fprintf(stderr, "%ld were acknowledged, %ld are there\n", acknowledged, (long)cursor);
    CHECK((long)cursor >= acknowledged);
    CHECK(fill(writer, (int)cursor, TILES) == TILES);
    OK(neat_archive_writer_finish(writer, NULL, 0));
    neat_archive_writer_destroy(writer);
  }
  neat_archive *archive = NULL;
  const char *path = at(name);
  OK(neat_archive_open(path, strlen(path), &archive));
  for (int number = 0; number < TILES; number++) {
    neat_buffer *tile = NULL;
    OK(neat_archive_tile(archive, 6, (uint32_t)number, 1, &tile));
    size_t size = tile_body(number, body);
    CHECK(tile != NULL && neat_buffer_size(tile) == size && memcmp(neat_buffer_data(tile), body, size) == 0);
    neat_buffer_destroy(tile);
  }
  neat_archive_destroy(archive);
}

static void run_pmtiles(void) { run_archive("a.pmtiles", 0); }
static void verify_pmtiles(void) { verify_archive("a.pmtiles"); }
static void prepare_pmtiles(void) { prepare_archive("a.pmtiles"); }
static void continue_pmtiles(void) { run_archive("a.pmtiles", 2 * CHECKPOINT); }
static void run_mbtiles(void) { run_archive("a.mbtiles", 0); }
static void verify_mbtiles(void) { verify_archive("a.mbtiles"); }
static void prepare_mbtiles(void) { prepare_archive("a.mbtiles"); }
static void continue_mbtiles(void) { run_archive("a.mbtiles", 2 * CHECKPOINT); }

/* An image of a style; 0 where there is none, or it lacks something. */
static unsigned long image_of(const char *style) {
  neat_options options = {.struct_size = sizeof options, .thread_count = 3, .retry_count = NEAT_NO_RETRIES};
  neat_camera camera = {.struct_size = sizeof camera, .zoom = -1};
  neat_size size = {.struct_size = sizeof size, .width_px = 64, .height_px = 64};
  neat_renderer *renderer = NULL;
  neat_image *image = NULL;
  neat_buffer *problems = NULL;
  unsigned long hash = 0;
  if (neat_renderer_create(style, strlen(style), NULL, 0, &options, &renderer) != NEAT_STATUS_OK) return 0;
  if (neat_renderer_draw(renderer, &camera, &size, 3000, &image) == NEAT_STATUS_OK) {
    if (neat_renderer_problems(renderer, &problems) == NEAT_STATUS_OK && neat_buffer_size(problems) == 2)
      hash = world_hash(image);
    neat_buffer_destroy(problems);
    neat_image_destroy(image);
  }
  neat_renderer_destroy(renderer);
  return hash;
}

static void run_image(const char *style) {
  begin();
  unsigned long hash = image_of(style);
  end();
  unsigned long whole = image_of(style);
  CHECK(whole != 0);
  CHECK(hash == 0 || hash == whole);
}
static void run_files(void) { run_image(getenv("FAULTS_FILES")); }
static void run_http(void) { run_image(getenv("FAULTS_SERVED")); }

static void hear(void *context, const neat_event *event) {
  if (event->type == NEAT_EVENT_MAP_LOADED) *(int *)context = 1;
}

/* A loop, and a map that loads on it; whether it says that it is loaded. */
static int load_map(void) {
  const char *style = getenv("FAULTS_FILES");
  neat_loop *loop = NULL;
  neat_map *map = NULL;
  neat_size size = {.struct_size = sizeof size, .width_px = 64, .height_px = 64};
  neat_options options = {.struct_size = sizeof options, .thread_count = 2};
  if (neat_loop_create(&loop) != NEAT_STATUS_OK) return 0;
  int is_loaded = 0;
  if (neat_map_create(loop, &size, &options, hear, &is_loaded, &map) == NEAT_STATUS_OK) {
    if (neat_map_set_style(map, style, strlen(style), "", 0) == NEAT_STATUS_OK)
      for (int n = 0; n < 500 && !is_loaded; n++) {
        neat_loop_poll(loop);
        if (!is_loaded) usleep(2000);
      }
    neat_map_destroy(map);
  }
  neat_loop_destroy(loop);
  return is_loaded;
}

static void run_map(void) {
  begin();
  load_map();
  end();
  CHECK(load_map());
}

/* Tiles that are cut out of a document. */
static int cut_tiles(void) {
  char sources[512];
  snprintf(sources, sizeof sources, "[{\"name\":\"a\",\"url\":\"%s\"}]", getenv("FAULTS_GEOJSON"));
  const char *out = at("cut.pmtiles"), *options = "{\"maxZoom\":3,\"overwrite\":true}";
  neat_buffer *report = NULL;
  neat_status status = neat_archive_tile_geojson(
      sources, strlen(sources), out, strlen(out), options, strlen(options), NULL, NULL, &report);
  neat_buffer_destroy(report);
  if (status != NEAT_STATUS_OK) return 0;
  neat_archive *archive = NULL;
  neat_buffer *tile = NULL;
  CHECK(access(out, F_OK) == 0);
  if (neat_archive_open(out, strlen(out), &archive) != NEAT_STATUS_OK) return 0;
  neat_status found = neat_archive_tile(archive, 0, 0, 0, &tile);
  CHECK(found != NEAT_STATUS_OK || tile != NULL);
  neat_buffer_destroy(tile);
  neat_archive_destroy(archive);
  return found == NEAT_STATUS_OK;
}

static void run_tiler(void) {
  begin();
  cut_tiles();
  end();
  CHECK(cut_tiles());
}

static void nothing(void) {}

static const struct scenario {
  const char *name;
  void (*prepare)(void), (*run)(void), (*verify)(void);
} scenarios[] = {
    {"cache", prepare_cache, run_cache, verify_cache},
    {"new-cache", nothing, run_cache, verify_cache},
    {"merge", prepare_merge, run_merge, verify_merge},
    {"pmtiles", nothing, run_pmtiles, verify_pmtiles},
    {"pmtiles-continued", prepare_pmtiles, continue_pmtiles, verify_pmtiles},
    {"mbtiles", nothing, run_mbtiles, verify_mbtiles},
    {"mbtiles-continued", prepare_mbtiles, continue_mbtiles, verify_mbtiles},
    {"files", nothing, run_files, nothing},
    {"http", nothing, run_http, nothing},
    {"map", nothing, run_map, nothing},
    {"tiler", nothing, run_tiler, nothing},
};
enum { SCENARIOS = sizeof scenarios / sizeof *scenarios };

static const struct {
  const char *kind, *errors[6];
} faults[] = {
    {"open", {"EMFILE", "EIO", "ENOSPC", "EINTR"}}, {"read", {"EIO", "EINTR", "short"}},
    {"write", {"EIO", "ENOSPC", "EINTR", "short"}}, {"sync", {"EIO", "ENOSPC", "EINTR"}},
    {"rename", {"EIO", "ENOSPC"}},                  {"truncate", {"EIO", "ENOSPC", "EINTR"}},
    {"stat", {"EIO"}},                              {"map", {"ENOMEM"}},
    {"socket", {"EMFILE", "EIO"}},                  {"poll", {"EMFILE"}},
    {"thread", {"EAGAIN"}},
};

/* ---------------------------------------------------------------- processes */

static const char *shim, *self = "/proc/self/exe";

/* Runs a part of a scenario in a process of its own; its exit status, or 128 and the signal. */
static int child(const char *part, const char *scenario, const char *kind, const char *error, long number) {
  pid_t pid = fork();
  if (pid == 0) {
    char text[32];
    snprintf(text, sizeof text, "%ld", number);
    if (kind != NULL) setenv("LD_PRELOAD", shim, 1);
    alarm(PATIENCE_S);
    execl(self, "io_faults", part, scenario, folder, kind ? kind : "", error ? error : "", text, (char *)NULL);
    _exit(97);
  }
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {}
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static long number_in(const char *name) {
  FILE *file = fopen(at(name), "r");
  long number = 0;
  if (file == NULL) return 0;
  if (fscanf(file, "%ld", &number) != 1) number = 0;
  fclose(file);
  return number;
}

static void note(const char *name, long number) {
  FILE *file = fopen(at(name), "w");
  CHECK(file != NULL && fprintf(file, "%ld\n", number) > 0 && fclose(file) == 0);
}

static int run_part(char **argv) {
  snprintf(folder, sizeof folder, "%s", argv[3]);
  if (argv[4][0] != 0) {
    fault_kind = argv[4];
    fault_at = atol(argv[6]);
    if (neatline_fault_use == NULL) return 96;
    neatline_fault_use(argv[5]);
  }
  for (int n = 0; n < SCENARIOS; n++) {
    if (strcmp(scenarios[n].name, argv[2]) != 0) continue;
    if (strcmp(argv[1], "--prepare") == 0) scenarios[n].prepare();
    if (strcmp(argv[1], "--verify") == 0) {
      acknowledged = number_in("acknowledged");
      scenarios[n].verify();
    }
    if (strcmp(argv[1], "--run") == 0) {
      scenarios[n].run();
      note("acknowledged", acknowledged);
      note("calls", calls);
    }
    return 0;
  }
  return 95;
}

/* One call that fails; whether all is as it should be. */
static int try_one(const struct scenario *scenario, const char *kind, const char *error, long number) {
  char copy[1024];
  snprintf(copy, sizeof copy, "rm -rf '%s' && cp -r '%s.prepared' '%s'", folder, folder, folder);
  if (system(copy) != 0) exit(1);
  int status = child("--run", scenario->name, kind, error, number);
  if (status == 0) status = child("--verify", scenario->name, NULL, NULL, 0);
  if (status != 0)
    printf("%s: %s %ld with %s: %s %d\n", scenario->name, kind, number, error,
           status >= 128 ? "ended by signal" : "exit status", status >= 128 ? status - 128 : status);
  fflush(stdout);
  return status == 0;
}

static int try_all(const struct scenario *scenario, int is_every) {
  snprintf(folder, sizeof folder, "%s", world_path("faults"));
  char prepared[1024];
  snprintf(prepared, sizeof prepared, "rm -rf '%s'; mkdir '%s'", folder, folder);
  if (system(prepared) != 0) exit(1);
  if (child("--prepare", scenario->name, NULL, NULL, 0) != 0) {
    printf("%s cannot be prepared\n", scenario->name);
    return 1;
  }
  snprintf(prepared, sizeof prepared, "rm -rf '%s.prepared'; mv '%s' '%s.prepared'", folder, folder, folder);
  if (system(prepared) != 0) exit(1);
  long tried = 0, failed = 0;
  for (size_t n = 0; n < sizeof faults / sizeof *faults; n++) {
    /* Number 0: none fails, and the calls are counted. */
    failed += !try_one(scenario, faults[n].kind, faults[n].errors[0], 0);
    long count = number_in("calls");
    long step = is_every || count <= SOME ? 1 : (count + SOME - 1) / SOME;
    for (int error = 0; faults[n].errors[error] != NULL; error++)
      for (long number = 1 + (step > 1 ? error % step : 0); number <= count; number += step) {
        tried++;
        failed += !try_one(scenario, faults[n].kind, faults[n].errors[error], number);
      }
  }
  printf("%-20s %5ld calls failed, %ld wrong\n", scenario->name, tried, failed);
  fflush(stdout);
  return failed != 0;
}

int main(int argc, char **argv) {
  if (argc == 7 && strncmp(argv[1], "--", 2) == 0) return run_part(argv);
  if (argc < 2) return 2;
  shim = realpath(argv[1], NULL);
  int is_every = 0, is_any = 0, failed = 0;
  for (int n = 2; n < argc; n++) {
    if (strcmp(argv[n], "--every") == 0) is_every = 1;
    else is_any = 1;
  }
  world_begin();
  setenv("FAULTS_FILES", world_style_of_files(), 1);
  setenv("FAULTS_SERVED", world_style(), 1);
  setenv("FAULTS_GEOJSON", world_path("world.geojson"), 1);
  for (int n = 0; n < SCENARIOS; n++) {
    int is_wanted = !is_any;
    for (int word = 2; word < argc; word++) is_wanted |= strcmp(argv[word], scenarios[n].name) == 0;
    if (is_wanted) failed += try_all(&scenarios[n], is_every);
  }
  return failed == 0 ? 0 : 1;
}
