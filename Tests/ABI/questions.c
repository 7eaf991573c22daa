/* Questions to a map, data by workers, steps, images: what C hosts get, and what is refused. */
#include <neatline.h>
#include <string.h>

#include "check.h"

#define TEXT(text) (text), sizeof(text) - 1

static const char MAP_STYLE[] =
    "{\"version\":8,\"center\":[0,0],\"zoom\":0,\"sources\":{\"s\":{\"type\":\"geojson\",\"data\":{\"type\":\"Feature\","
    "\"id\":7,\"properties\":{\"name\":\"square\"},\"geometry\":{\"type\":\"Polygon\",\"coordinates\":[[[-10,-10],[10,-10],"
    "[10,10],[-10,10],[-10,-10]]]}}}},\"layers\":[{\"id\":\"f\",\"type\":\"fill\",\"source\":\"s\"}]}";

typedef struct heard {
  int count;
  neat_status status;
  char json[8192];
  neat_map *asked;
} heard;

static void answered(void *context, neat_status status, const char *message, const char *json, size_t size) {
  heard *heard = context;
  CHECK(strlen(json) == size && (status == NEAT_STATUS_OK) == (*message == 0));
  heard->count++;
  heard->status = status;
  strncpy(heard->json, json, sizeof heard->json - 1);
  neat_map *map = heard->asked;
  heard->asked = NULL;
  if (map) neat_map_destroy(map);
}

static char data_told[64];

static void event(void *context, const neat_event *event) {
  (void)context;
  if (event->type == NEAT_EVENT_SOURCE_DATA_LOADED || event->type == NEAT_EVENT_MAP_LOADING_ERROR) {
    strcat(data_told, event->data_id);
  }
}

static int answer(neat_map *map, const char *question, const char *words) {
  neat_buffer *out = NULL;
  CHECK(neat_map_ask(map, question, strlen(question), &out) == NEAT_STATUS_OK);
  int found = strstr((const char *)neat_buffer_data(out), words) != NULL;
  neat_buffer_destroy(out);
  return found;
}

static void questions(neat_loop *loop, neat_map *map) {
  CHECK(answer(map, "{\"ask\":\"rendered-features\",\"point\":[64,64]}", "\"square\""));
  CHECK(answer(map, "{\"ask\":\"rendered-features\",\"polygon\":[[0,0],[50,0],[0,50]]}", "[]"));
  CHECK(answer(map, "{\"ask\":\"source-features\",\"source\":\"s\"}", "\"square\""));
  const char *with_report = "{\"ask\":\"source-features\",\"source\":\"s\",\"report\":true}";
  CHECK(answer(map, with_report, "\"square\"") && answer(map, with_report, "\"complete\":true"));
  CHECK(neat_map_set_feature_state(map, TEXT("{\"source\":\"s\",\"id\":7}"), TEXT("{\"a\":1}")) == NEAT_STATUS_OK);
  CHECK(answer(map, "{\"ask\":\"feature-state\",\"source\":\"s\",\"id\":7}", "{\"a\":1}"));
  neat_buffer *out = (neat_buffer *)&out;
  CHECK(neat_map_ask(map, TEXT("{\"ask\":\"the time\"}"), &out) == NEAT_STATUS_INVALID_ARGUMENT && out == NULL);
  CHECK(neat_map_ask(map, NULL, 3, &out) == NEAT_STATUS_INVALID_ARGUMENT);
  CHECK(neat_map_ask(map, TEXT("{}"), NULL) == NEAT_STATUS_INVALID_ARGUMENT);

  heard first = {0}, second = {0};
  uint64_t number = 0;
  CHECK(neat_map_ask_then(map, TEXT("{\"ask\":\"rendered-features\"}"), answered, &first, NULL) == NEAT_STATUS_OK);
  CHECK(neat_map_ask_then(map, TEXT("{\"ask\":\"rendered-features\"}"), answered, &second, &number) == NEAT_STATUS_OK);
  CHECK(neat_map_ask_then(map, TEXT("{\"ask\":1}"), answered, &second, NULL) == NEAT_STATUS_INVALID_ARGUMENT);
  CHECK(neat_map_ask_then(map, TEXT("{\"ask\":\"rendered-features\"}"), NULL, NULL, NULL) == NEAT_STATUS_INVALID_ARGUMENT);
  CHECK(number != 0 && neat_map_cancel_question(map, number) == NEAT_STATUS_OK);
  CHECK(neat_map_cancel_question(map, 12345) == NEAT_STATUS_OK);
  CHECK(first.count == 0 && neat_loop_run(loop, 30000) == 0);
  CHECK(first.count == 1 && first.status == NEAT_STATUS_OK && strstr(first.json, "square"));
  CHECK(second.count == 0);
}

static void data(neat_loop *loop, neat_map *map) {
  data_told[0] = 0;
  CHECK(neat_map_load_geojson(map, TEXT("s"), NEAT_DATA_CHANGE_REPLACE,
            TEXT("{\"type\":\"FeatureCollection\",\"features\":[]}"), TEXT("one ")) == NEAT_STATUS_OK);
  CHECK(neat_map_load_geojson(map, TEXT("s"), NEAT_DATA_CHANGE_UPDATE, TEXT("{\"remove\":[1]}"), TEXT("two "))
        == NEAT_STATUS_OK);
  CHECK(neat_map_load_geojson(map, TEXT("s"), NEAT_DATA_CHANGE_REPLACE, TEXT("{"), TEXT("three")) == NEAT_STATUS_OK);
  CHECK(neat_map_load_geojson(map, TEXT("s"), (neat_data_change)9, TEXT("{}"), NULL, 0) == NEAT_STATUS_INVALID_ARGUMENT);
  CHECK(neat_map_load_geojson(map, TEXT("x"), NEAT_DATA_CHANGE_REPLACE, TEXT("{}"), NULL, 0) == NEAT_STATUS_NOT_FOUND);
  CHECK(neat_loop_run(loop, 30000) == 0);
  CHECK(strcmp(data_told, "one two three") == 0);
  CHECK(answer(map, "{\"ask\":\"source-features\",\"source\":\"s\"}", "[]"));
}

static void style(neat_map *map) {
  CHECK(neat_map_change_style(map, TEXT("[{\"command\":\"addLayer\",\"args\":[{\"id\":\"b\",\"type\":\"background\"},"
                                        "\"f\"]},{\"command\":\"setPaintProperty\",\"args\":[\"f\",\"fill-color\",\"red\"]}]"))
        == NEAT_STATUS_OK);
  CHECK(neat_map_change_style(map, TEXT("[{\"command\":\"removeLayer\",\"args\":[\"b\"]},{\"command\":\"fly\"}]"))
        == NEAT_STATUS_INVALID_ARGUMENT);
  CHECK(strstr(neat_map_last_error(map), "step 1") != NULL);
  neat_buffer *out = NULL;
  CHECK(neat_map_property(map, TEXT("b"), TEXT("type"), &out) == NEAT_STATUS_OK);
  neat_buffer_destroy(out);
  CHECK(neat_map_source(map, TEXT("s"), &out) == NEAT_STATUS_OK);
  CHECK(strstr((const char *)neat_buffer_data(out), "geojson"));
  neat_buffer_destroy(out);
  CHECK(neat_map_set_source_property(map, TEXT("s"), TEXT("maxzoom"), TEXT("5")) == NEAT_STATUS_OK);
  CHECK(neat_map_set_source_property(map, TEXT("s"), TEXT("maxzoom"), TEXT("\"x\"")) == NEAT_STATUS_STYLE);
  CHECK(neat_map_set_source_property(map, TEXT("s"), TEXT("maxzoom"), NULL, 0) == NEAT_STATUS_OK);

  uint8_t pixels[4 * 4] = {255, 0, 0, 255};
  neat_image *image = NULL, *again = NULL;
  CHECK(neat_image_create(2, 2, pixels, &image) == NEAT_STATUS_OK);
  CHECK(neat_map_add_image_with(map, TEXT("i"), image, TEXT("{\"stretchX\":[[0,1]]}")) == NEAT_STATUS_OK);
  CHECK(neat_map_add_image_with(map, TEXT("i"), image, TEXT("{\"stretchX\":[[0,3]]}")) == NEAT_STATUS_INVALID_ARGUMENT);
  CHECK(neat_map_add_image_with(map, TEXT("j"), image, NULL, 0) == NEAT_STATUS_OK);
  CHECK(neat_map_image(map, TEXT("i"), &again) == NEAT_STATUS_OK && neat_image_width_px(again) == 2);
  CHECK(memcmp(neat_image_pixels(again), pixels, sizeof pixels) == 0);
  neat_image_destroy(again);
  CHECK(neat_map_image(map, TEXT("k"), &again) == NEAT_STATUS_NOT_FOUND && again == NULL);
  CHECK(neat_map_images(map, &out) == NEAT_STATUS_OK && strstr((const char *)neat_buffer_data(out), "[[0,1]]"));
  neat_buffer_destroy(out);
  CHECK(neat_map_update_image_source(map, TEXT("s"), image) == NEAT_STATUS_INVALID_ARGUMENT);
  CHECK(neat_map_update_image_source(map, TEXT("s"), NULL) == NEAT_STATUS_INVALID_ARGUMENT);
  neat_image_destroy(image);

  CHECK(neat_map_localize_labels(map, TEXT("ja"), NULL, 0) == NEAT_STATUS_OK);
  CHECK(neat_map_localize_labels(map, TEXT("ja"), TEXT("[1]")) == NEAT_STATUS_INVALID_ARGUMENT);
  CHECK(neat_map_localize_labels(map, TEXT("1"), NULL, 0) == NEAT_STATUS_INVALID_ARGUMENT);
  CHECK(neat_map_imports(map, &out) == NEAT_STATUS_OK && neat_buffer_size(out) == 2);
  neat_buffer_destroy(out);
  CHECK(neat_map_set_import_config(map, TEXT(""), TEXT("a"), TEXT("1")) == NEAT_STATUS_NOT_FOUND);
}

int main(void) {
  neat_loop *loop = NULL;
  neat_map *map = NULL;
  neat_size size = {.struct_size = sizeof size, .width_px = 128, .height_px = 128, .pixel_ratio = 1};
  CHECK(neat_loop_create(&loop) == NEAT_STATUS_OK);
  CHECK(neat_map_create(loop, &size, NULL, event, NULL, &map) == NEAT_STATUS_OK);
  neat_buffer *out = NULL;
  CHECK(neat_map_ask(map, TEXT("{\"ask\":\"rendered-features\"}"), &out) == NEAT_STATUS_STATE);
  CHECK(neat_map_imports(map, &out) == NEAT_STATUS_STATE);
  CHECK(neat_map_set_style(map, MAP_STYLE, sizeof MAP_STYLE - 1, NULL, 0) == NEAT_STATUS_OK);
  CHECK(neat_loop_run(loop, 30000) == 0);
  questions(loop, map);
  data(loop, map);
  style(map);
  /* Who waits hears that the map ends, within the call and from a handler of another answer. */
  heard waiting = {0}, ending = {.asked = map}, last = {0};
  CHECK(neat_map_ask_then(map, TEXT("{\"ask\":\"rendered-features\"}"), answered, &ending, NULL) == NEAT_STATUS_OK);
  while (!ending.count) {
    if (!last.count && !waiting.count) {
      waiting.count = 1;
      CHECK(neat_map_ask_then(map, TEXT("{\"ask\":\"rendered-features\"}"), answered, &last, NULL) == NEAT_STATUS_OK);
    }
    neat_loop_poll(loop);
  }
  CHECK(ending.status == NEAT_STATUS_OK && last.count == 1);
  CHECK(last.status == NEAT_STATUS_OK || last.status == NEAT_STATUS_CANCELLED);
  neat_loop_destroy(loop);
  return 0;
}
