/* What a call needs of the stack: every reader at the deepest input that it accepts, on threads with little of it.
 *
 *   stacks              runs each case on threads of several sizes
 *   stacks --measure    prints how much of a large stack each case takes
 *
 * With little stack a deep input is refused with NEAT_STATUS_LIMIT_EXCEEDED; a process never ends of it, and an
 * ordinary input is accepted on a thread of the size that docs/concepts/threads.md names. */
#define _GNU_SOURCE
#include "world.h"

#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

enum { documented_kib = 128, large_kib = 8192, json_depth = 510, expression_depth = 200, ordinary_depth = 8, guard = 4096 };

/* `before` as often as `depth` says, then `core`, then `after` as often. */
static char *nested(const char *head, const char *before, const char *core, const char *after, const char *tail, int depth) {
  size_t size = strlen(head) + strlen(core) + strlen(tail) + (strlen(before) + strlen(after)) * (size_t)depth + 1;
  char *text = malloc(size), *end = text;
  CHECK(text != NULL);
  end = stpcpy(end, head);
  for (int level = 0; level < depth; level++) end = stpcpy(end, before);
  end = stpcpy(end, core);
  for (int level = 0; level < depth; level++) end = stpcpy(end, after);
  stpcpy(end, tail);
  return text;
}

/* How a case ended. */
static neat_status last_status;
static void ended(neat_status status) { last_status = status; }

static void validate(const char *text) {
  neat_buffer *out = NULL;
  ended(neat_style_validate(text, strlen(text), &out));
  neat_buffer_destroy(out);
}

static void migrate(const char *text) {
  neat_buffer *out = NULL;
  ended(neat_style_migrate(text, strlen(text), &out));
  neat_buffer_destroy(out);
}

static void localize(const char *text) {
  neat_buffer *out = NULL;
  ended(neat_style_localize_labels(text, strlen(text), "de", 2, NULL, 0, &out));
  neat_buffer_destroy(out);
}

static void diff(const char *text) {
  static const char empty[] = "{\"version\":8,\"sources\":{},\"layers\":[]}";
  neat_buffer *out = NULL;
  ended(neat_style_diff(empty, strlen(empty), text, strlen(text), &out));
  neat_buffer_destroy(out);
}

static void draw(const char *text) {
  neat_options options = {.struct_size = sizeof options, .thread_count = 1};
  neat_size size = {.struct_size = sizeof size, .width_px = 64, .height_px = 64};
  neat_renderer *renderer = NULL;
  neat_image *image = NULL;
  neat_buffer *found = NULL;
  neat_status status = neat_renderer_create(text, strlen(text), NULL, 0, &options, &renderer);
  if (status == NEAT_STATUS_OK) status = neat_renderer_draw(renderer, NULL, &size, 0, &image);
  if (status == NEAT_STATUS_OK) status = neat_image_encode_png(image, NEAT_PNG_MODE_SMALL, &found);
  ended(status);
  neat_buffer_destroy(found);
  neat_image_destroy(image);
  neat_renderer_destroy(renderer);
}

static void live(const char *text) {
  neat_loop *loop = NULL;
  neat_map *map = NULL;
  neat_size size = {.struct_size = sizeof size, .width_px = 64, .height_px = 64};
  neat_status status = neat_loop_create(&loop);
  if (status == NEAT_STATUS_OK) status = neat_map_create(loop, &size, NULL, NULL, NULL, &map);
  if (status == NEAT_STATUS_OK) status = neat_map_set_style(map, text, strlen(text), NULL, 0);
  if (status == NEAT_STATUS_OK) (void)neat_loop_run(loop, 100);
  ended(status);
  neat_map_destroy(map);
  neat_loop_destroy(loop);
}

static void expression(const char *text) {
  static const char feature[] = "{\"type\":\"Feature\",\"properties\":{\"a\":1},\"geometry\":{\"type\":\"Point\",\"coordinates\":[0,0]}}";
  static const char globals[] = "{\"zoom\":3}";
  neat_expression *compiled = NULL;
  neat_buffer *value = NULL, *listing = NULL;
  neat_status status = neat_expression_compile(text, strlen(text), NULL, 0, &compiled);
  if (status == NEAT_STATUS_OK) {
    status = neat_expression_evaluate(compiled, globals, strlen(globals), feature, strlen(feature), &value);
    if (status != NEAT_STATUS_LIMIT_EXCEEDED) status = neat_expression_disassemble(compiled, &listing);
  }
  ended(status);
  neat_buffer_destroy(value);
  neat_buffer_destroy(listing);
  neat_expression_destroy(compiled);
}

static void filter(const char *text) {
  neat_expression *compiled = NULL;
  neat_buffer *json = NULL;
  neat_status status = neat_filter_compile(text, strlen(text), &compiled);
  if (status == NEAT_STATUS_OK) status = neat_filter_from_legacy(text, strlen(text), &json);
  ended(status);
  neat_buffer_destroy(json);
  neat_expression_destroy(compiled);
}

static void legacy_function(const char *text) {
  neat_buffer *json = NULL;
  ended(neat_expression_from_legacy(text, strlen(text), NULL, 0, &json));
  neat_buffer_destroy(json);
}

static void format(const char *text) {
  neat_buffer *json = NULL;
  ended(neat_expression_from_format(text, strlen(text), NULL, 0, NEAT_FORMAT_KIND_PREDICATE, &json));
  neat_buffer_destroy(json);
}

static void geojson(const char *text) {
  neat_geojson *parsed = NULL;
  neat_tile *tile = NULL;
  neat_buffer *json = NULL, *mvt = NULL;
  neat_status status = neat_geojson_parse(text, strlen(text), NULL, 0, &parsed);
  if (status == NEAT_STATUS_OK) status = neat_geojson_tile(parsed, 0, 0, 0, &tile);
  if (status == NEAT_STATUS_OK) status = neat_tile_to_json(tile, 0, 0, 0, &json);
  if (status == NEAT_STATUS_OK) status = neat_tile_encode_mvt(tile, &mvt);
  ended(status);
  neat_buffer_destroy(json);
  neat_buffer_destroy(mvt);
  neat_tile_destroy(tile);
  neat_geojson_destroy(parsed);
}

static void geojson_in_pieces(const char *text) {
  neat_geojson_reader *reader = NULL;
  neat_geojson *parsed = NULL;
  neat_status status = neat_geojson_reader_create(NULL, 0, &reader);
  for (size_t at = 0, size = strlen(text); at < size && status == NEAT_STATUS_OK; at += 1000)
    status = neat_geojson_reader_append(reader, text + at, size - at < 1000 ? size - at : 1000);
  if (status == NEAT_STATUS_OK) status = neat_geojson_reader_finish(reader, &parsed);
  ended(status);
  neat_geojson_destroy(parsed);
  neat_geojson_reader_destroy(reader);
}

static void overlay(const char *text) {
  neat_overlay *made = NULL;
  ended(neat_overlay_create(text, strlen(text), &made));
  neat_overlay_destroy(made);
}

static void triangulate(const char *text) {
  /* A comb with many teeth: the triangulation goes back and forth over its ring. */
  enum { teeth = 4000 };
  static double points[teeth * 4 + 4];
  static const uint32_t starts[2] = {0, teeth * 2 + 1};
  size_t count = 0;
  (void)text;
  for (int tooth = 0; tooth < teeth; tooth++) {
    points[count++] = tooth;
    points[count++] = 0;
    points[count++] = tooth + 0.5;
    points[count++] = 1000 + tooth % 7;
  }
  points[count++] = teeth;
  points[count++] = -1;
  CHECK(count / 2 == starts[1]);
  neat_buffer *indices = NULL;
  ended(neat_mesh_triangulate(points, count / 2, starts, 1, &indices));
  neat_buffer_destroy(indices);
}

#define LAYERS(kind, member) \
  "{\"version\":8,\"sources\":{\"s\":{\"type\":\"geojson\",\"data\":{\"type\":\"Point\",\"coordinates\":[0,0]}}},\"layers\":[{\"id\":\"l\",\"type\":\"" kind "\",\"source\":\"s\"," member

typedef struct {
  const char *name;
  void (*run)(const char *text);
  const char *head, *before, *core, *after, *tail;
  int depth;
  neat_status expected;
} stack_case;

static const stack_case cases[] = {
    {"nested JSON, validated", validate, "{\"version\":8,\"sources\":{},\"layers\":[],\"metadata\":", "[", "1", "]", "}", json_depth, NEAT_STATUS_OK},
    {"nested members, validated", validate, "{\"version\":8,\"sources\":{},\"layers\":[],\"metadata\":", "{\"a\":", "1", "}", "}", json_depth, NEAT_STATUS_OK},
    {"nested JSON, migrated", migrate, "{\"version\":8,\"sources\":{},\"layers\":[],\"metadata\":", "{\"a\":", "1", "}", "}", json_depth, NEAT_STATUS_OK},
    {"nested JSON, compared", diff, "{\"version\":8,\"sources\":{},\"layers\":[],\"metadata\":", "{\"a\":", "1", "}", "}", json_depth, NEAT_STATUS_OK},
    {"nested JSON, localized", localize, "{\"version\":8,\"sources\":{},\"layers\":[],\"metadata\":", "{\"a\":", "1", "}", "}", json_depth, NEAT_STATUS_OK},
    {"nested JSON, drawn", draw, "{\"version\":8,\"sources\":{},\"layers\":[],\"metadata\":", "{\"a\":", "1", "}", "}", json_depth, NEAT_STATUS_OK},
    {"nested JSON, in a map", live, "{\"version\":8,\"sources\":{},\"layers\":[],\"metadata\":", "{\"a\":", "1", "}", "}", json_depth, NEAT_STATUS_OK},
    {"an overlay", overlay, "{\"layers\":[{\"id\":\"l\",\"type\":\"circle\",\"source\":\"s\",\"paint\":{\"circle-radius\":", "[\"+\",1,", "[\"get\",\"a\"]", "]", "}}]}", expression_depth, NEAT_STATUS_OK},
    {"sums", expression, "", "[\"+\",1,", "[\"get\",\"a\"]", "]", "", expression_depth, NEAT_STATUS_OK},
    {"choices", expression, "", "[\"case\",[\"has\",\"a\"],", "1", ",2]", "", expression_depth, NEAT_STATUS_OK},
    {"conditions", expression, "", "[\"case\",", "[\"has\",\"a\"]", ",true,false]", "", expression_depth, NEAT_STATUS_OK},
    {"bindings", expression, "", "[\"let\",\"v\",[\"get\",\"a\"],", "[\"var\",\"v\"]", "]", "", expression_depth, NEAT_STATUS_OK},
    {"values of bindings", expression, "", "[\"let\",\"v\",", "[\"get\",\"a\"]", ",[\"var\",\"v\"]]", "", expression_depth, NEAT_STATUS_OK},
    {"matches", expression, "", "[\"match\",[\"get\",\"a\"],1,", "2", ",3]", "", expression_depth, NEAT_STATUS_OK},
    {"steps", expression, "", "[\"step\",[\"get\",\"a\"],", "1", ",5,7]", "", expression_depth, NEAT_STATUS_OK},
    {"curves", expression, "", "[\"interpolate\",[\"linear\"],[\"get\",\"a\"],0,", "1", ",9,5]", "", expression_depth, NEAT_STATUS_OK},
    {"fallbacks", expression, "", "[\"coalesce\",[\"get\",\"b\"],", "1", "]", "", expression_depth, NEAT_STATUS_OK},
    {"texts", expression, "", "[\"concat\",\"a\",", "[\"get\",\"a\"]", "]", "", expression_depth, NEAT_STATUS_OK},
    {"formats", expression, "", "[\"format\",[\"to-string\",", "\"a\"", "],{}]", "", expression_depth / 2, NEAT_STATUS_OK},
    {"literals", expression, "[\"literal\",", "[", "1", "]", "]", json_depth - 2, NEAT_STATUS_OK},
    {"literals of members", expression, "[\"to-string\",[\"literal\",", "{\"a\":", "1", "}", "]]", json_depth - 3, NEAT_STATUS_OK},
    {"arrays", expression, "", "[\"array\",", "[\"get\",\"a\"]", "]", "", expression_depth, NEAT_STATUS_OK},
    {"negations", filter, "", "[\"!\",", "[\"has\",\"a\"]", "]", "", expression_depth, NEAT_STATUS_OK},
    {"all", filter, "", "[\"all\",[\"==\",\"a\",1],", "[\"==\",\"a\",1]", "]", "", expression_depth, NEAT_STATUS_OK},
    {"any of expressions", filter, "", "[\"any\",[\"==\",[\"get\",\"a\"],1],", "[\"has\",\"a\"]", "]", "", expression_depth, NEAT_STATUS_OK},
    {"none", filter, "", "[\"none\",", "[\"in\",\"a\",1,2]", "]", "", expression_depth, NEAT_STATUS_OK},
    {"a function", legacy_function, "{\"stops\":[[0,", "[", "1", "]", "]]}", json_depth - 4, NEAT_STATUS_EXPRESSION},
    {"a predicate", format, "", "(", "a == 1", ")", "", expression_depth, NEAT_STATUS_OK},
    {"a negated predicate", format, "", "NOT (", "a == 1", ")", "", expression_depth, NEAT_STATUS_OK},
    {"a sum of a predicate", format, "", "(1 + ", "a", ")", " == 1", expression_depth, NEAT_STATUS_OK},
    {"filters of a style, validated", validate, LAYERS("circle", "\"filter\":"), "[\"all\",", "[\"has\",\"a\"]", "]", "}]}", expression_depth, NEAT_STATUS_OK},
    {"filters of a style, drawn", draw, LAYERS("circle", "\"filter\":"), "[\"all\",", "[\"has\",\"a\"]", "]", "}]}", expression_depth, NEAT_STATUS_OK},
    {"paint of a style, validated", validate, LAYERS("circle", "\"paint\":{\"circle-radius\":"), "[\"+\",1,", "[\"get\",\"a\"]", "]", "}}]}", expression_depth, NEAT_STATUS_OK},
    {"paint of a style, drawn", draw, LAYERS("circle", "\"paint\":{\"circle-radius\":"), "[\"+\",1,", "[\"get\",\"a\"]", "]", "}}]}", expression_depth, NEAT_STATUS_OK},
    {"labels of a style, drawn", draw, LAYERS("symbol", "\"layout\":{\"text-font\":[\"x\"],\"text-field\":"), "[\"concat\",\"a\",", "[\"get\",\"a\"]", "]", "}}]}", expression_depth, NEAT_STATUS_OK},
    {"labels of a style, in a map", live, LAYERS("symbol", "\"layout\":{\"text-font\":[\"x\"],\"text-field\":"), "[\"concat\",\"a\",", "[\"get\",\"a\"]", "]", "}}]}", expression_depth, NEAT_STATUS_OK},
    {"labels of a style, migrated", migrate, LAYERS("symbol", "\"layout\":{\"text-field\":"), "[\"concat\",\"a\",", "[\"get\",\"a\"]", "]", "}}]}", expression_depth, NEAT_STATUS_OK},
    {"labels of a style, localized", localize, LAYERS("symbol", "\"layout\":{\"text-field\":"), "[\"concat\",\"a\",", "[\"get\",\"a\"]", "]", "}}]}", expression_depth, NEAT_STATUS_OK},
    {"collections", geojson, "", "{\"type\":\"GeometryCollection\",\"geometries\":[", "{\"type\":\"Point\",\"coordinates\":[0,0]}", "]}", "", json_depth / 2 - 2, NEAT_STATUS_OK},
    {"collections in pieces", geojson_in_pieces, "{\"type\":\"Feature\",\"properties\":{},\"geometry\":", "{\"type\":\"GeometryCollection\",\"geometries\":[", "{\"type\":\"Point\",\"coordinates\":[0,0]}", "]}", "}", json_depth / 2 - 4, NEAT_STATUS_OK},
    {"a nested property", geojson, "{\"type\":\"Feature\",\"geometry\":{\"type\":\"Point\",\"coordinates\":[0,0]},\"properties\":{\"a\":", "{\"a\":", "1", "}", "}}", json_depth - 3, NEAT_STATUS_OK},
    {"a comb", triangulate, "", "", "", "", "", 0, NEAT_STATUS_OK},
};
enum { case_count = sizeof cases / sizeof cases[0] };

/* What a thread does. */
typedef struct {
  void (*run)(const char *text);
  char *text;
} job;

static void *worker(void *argument) {
  const job *task = argument;
  task->run(task->text);
  return NULL;
}

/* Runs a job on a thread of that stack; returns the bytes of it that were written to. */
static size_t on_stack(size_t kib, job task) {
  size_t size = kib << 10;
  unsigned char *stack =
      mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  CHECK(stack != MAP_FAILED);
  pthread_attr_t attributes;
  pthread_t thread;
  CHECK(pthread_attr_init(&attributes) == 0);
  CHECK(pthread_attr_setstack(&attributes, stack, size) == 0);
  /* A page that may not be touched at the end of the stack: overflowing it ends the process. */
  CHECK(mprotect(stack, guard, PROT_NONE) == 0);
  CHECK(pthread_create(&thread, &attributes, worker, &task) == 0);
  CHECK(pthread_join(thread, NULL) == 0);
  pthread_attr_destroy(&attributes);
  size_t unused = guard;
  while (unused < size && stack[unused] == 0) unused++;
  munmap(stack, size);
  return size - unused;
}

static size_t run(const stack_case *of, int depth, size_t kib) {
  char *text = nested(of->head, of->before, of->core, of->after, of->tail, depth);
  size_t used = on_stack(kib, (job){of->run, text});
  free(text);
  return used;
}

/* The deepest input that is accepted where stack does not matter. */
static int deepest(const stack_case *of) {
  int accepted = 0, refused = of->depth + 1;
  while (refused - accepted > 1) {
    int middle = (accepted + refused) / 2;
    (void)run(of, middle, large_kib);
    if (last_status == of->expected) accepted = middle;
    else refused = middle;
  }
  return accepted;
}

/* A handle made where there is much stack, used and destroyed where there is little. */
static neat_expression *handed_over;

static void use_expression(const char *text) {
  static const char feature[] =
      "{\"type\":\"Feature\",\"properties\":{\"a\":1},\"geometry\":{\"type\":\"Point\",\"coordinates\":[0,0]}}";
  static const char globals[] = "{\"zoom\":3}";
  neat_buffer *value = NULL, *listing = NULL;
  (void)text;
  ended(neat_expression_evaluate(handed_over, globals, strlen(globals), feature, strlen(feature), &value));
  (void)!neat_expression_disassemble(handed_over, &listing);
  neat_buffer_destroy(value);
  neat_buffer_destroy(listing);
  neat_expression_destroy(handed_over);
}

static neat_renderer *handed_renderer;

static void use_renderer(const char *text) {
  neat_size size = {.struct_size = sizeof size, .width_px = 64, .height_px = 64};
  neat_image *image = NULL;
  (void)text;
  ended(neat_renderer_draw(handed_renderer, NULL, &size, 0, &image));
  neat_image_destroy(image);
  neat_renderer_destroy(handed_renderer);
}

static void hand_over(const stack_case *of, int depth, size_t kib) {
  char *text = nested(of->head, of->before, of->core, of->after, of->tail, depth);
  neat_options options = {.struct_size = sizeof options, .thread_count = 1};
  if (of->run == expression) {
    OK(neat_expression_compile(text, strlen(text), NULL, 0, &handed_over));
    (void)on_stack(kib, (job){use_expression, NULL});
  } else if (of->run == draw) {
    OK(neat_renderer_create(text, strlen(text), NULL, 0, &options, &handed_renderer));
    (void)on_stack(kib, (job){use_renderer, NULL});
  }
  free(text);
}

/* A host's fiber: a stack that the thread library does not know. Nothing is refused there. */
static ucontext_t caller, fiber;

static void on_fiber(void) {
  const stack_case *of = &cases[0];
  char *text = nested(of->head, of->before, of->core, of->after, of->tail, of->depth);
  of->run(text);
  free(text);
}

static void run_on_fiber(void) {
  size_t size = (size_t)large_kib << 10;
  void *stack = malloc(size);
  CHECK(stack != NULL && getcontext(&fiber) == 0);
  fiber.uc_stack.ss_sp = stack;
  fiber.uc_stack.ss_size = size;
  fiber.uc_link = &caller;
  makecontext(&fiber, on_fiber, 0);
  CHECK(swapcontext(&caller, &fiber) == 0);
  free(stack);
  CHECK(last_status == NEAT_STATUS_OK);
}

int main(int count, char **arguments) {
  static const size_t sizes[] = {56, 64, 96, 128, 192, 256, 512};
  int measures = count > 1 && strcmp(arguments[1], "--measure") == 0;
  for (int number = 0; number < case_count; number++) {
    const stack_case *of = &cases[number];
    int depth = deepest(of);
    if (of->depth > 0 && depth <= ordinary_depth) {
      fprintf(stderr, "%s: accepted %d deep only, then %s\n", of->name, depth, neat_status_name(last_status));
      return 1;
    }
    if (measures) {
      size_t used = run(of, depth, large_kib);
      printf("%6zu KiB  %3d deep  %s\n", used >> 10, depth, of->name);
      continue;
    }
    for (size_t index = 0; index < sizeof sizes / sizeof sizes[0]; index++) {
      (void)run(of, depth, sizes[index]);
      if (last_status != of->expected && last_status != NEAT_STATUS_LIMIT_EXCEEDED) {
        fprintf(stderr, "%s, %d deep, %zu KiB: %s\n", of->name, depth, sizes[index], neat_status_name(last_status));
        return 1;
      }
      hand_over(of, depth, sizes[index]);
    }
    (void)run(of, of->depth == 0 ? 0 : ordinary_depth, documented_kib);
    if (last_status != of->expected) {
      fprintf(stderr, "%s, %d deep, %d KiB: %s\n", of->name, ordinary_depth, documented_kib, neat_status_name(last_status));
      return 1;
    }
  }
  run_on_fiber();
  if (!measures) printf("%d cases on threads of 56 to 512 KiB\n", (int)case_count);
  return 0;
}
