/* Input that a host passes to a map on behalf of its users: options, models, annotations, gestures. */
#include "../fuzz.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

neat_map *make_map(neat_loop **out_loop) {
  static const char style[] = "{\"version\":8,\"sources\":{},\"layers\":[]}";
  neat_size view = {.struct_size = sizeof view, .width_px = 64, .height_px = 64};
  neat_options options = {
      .struct_size = sizeof options,
      .thread_count = 1,
      .no_system_fonts = 1,
      .local_files = NEAT_LOCAL_FILES_DENY};
  neat_loop *loop;
  neat_map *map;
  if (neat_loop_create(&loop) || neat_map_create(loop, &view, &options, NULL, NULL, &map)
      || neat_map_set_style(map, style, sizeof style - 1, NULL, 0))
    abort();
  if (out_loop) *out_loop = loop;
  return map;
}

/* glTF, in a map that shows it. */
static void model(const uint8_t *data, size_t size) {
  static neat_map *map;
  if (!map) {
    static const char puck[] = "{\"puck\":{}}";
    neat_location place = {.struct_size = sizeof place};
    map = make_map(NULL);
    if (neat_map_set_location_options(map, puck, sizeof puck - 1)
        || neat_map_push_location(map, &place))
      abort();
  }
  neat_image *drawn;
  if (neat_map_set_puck_model(map, data, size) || neat_map_draw(map, &drawn)) return;
  neat_image_destroy(drawn);
}

/* Options of pucks and of views, as a host may hand on from its users. */
static void location(const uint8_t *data, size_t size) {
  static neat_map *map;
  if (!map) map = make_map(NULL);
  neat_viewport_state *state;
  either(neat_map_set_location_options(map, (const char *)data, size));
  if (!neat_map_make_follow_puck_state(map, (const char *)data, size, &state)) {
    neat_viewport_state_destroy(state);
  }
  if (neat_map_make_overview_state(map, (const char *)data, size, &state)) return;
  neat_camera_change change = {.struct_size = sizeof change};
  either(neat_viewport_state_camera(state, &change));
  neat_viewport_state_destroy(state);
}

/* Options and ids of view annotations, and where they then stand. */
static void views(const uint8_t *data, size_t size) {
  static neat_map *map;
  const char *text = (const char *)data;
  neat_view_annotation_placement placed[4];
  neat_image *drawn;
  neat_buffer *json;
  size_t count;
  if (!map) map = make_map(NULL);
  either(neat_map_add_view_annotation(map, "a", 1, text, size, NULL));
  either(neat_map_update_view_annotation(map, "a", 1, text, size));
  either(neat_map_add_view_annotation(map, text, below(size + 1), text, size, NULL));
  neat_camera camera = {.struct_size = sizeof camera};
  either(neat_map_fit_view_annotations(map, text, size, NULL, &camera));
  if (neat_map_draw(map, &drawn)) return;
  neat_image_destroy(drawn);
  if (neat_map_view_annotation_placements(map, placed, 4, &count, NULL)
      || neat_map_view_annotations(map, &json))
    abort();
  neat_buffer_destroy(json);
  either(neat_map_remove_view_annotations(map));
}

/* Annotations of each kind: the input is the options of a manager, or changes. */
static void annotations(const uint8_t *data, size_t size) {
  static neat_map *map;
  static const char *const managers[] = {"point", "line", "area", "circle"};
  static const char cluster[] = "{\"cluster\":{\"radius\":50},\"selection\":\"multiple\"}";
  const char *text = (const char *)data;
  neat_buffer *out = NULL;
  if (!map) map = make_map(NULL);
  size_t kind = below(4);
  const char *manager = managers[kind];
  size_t length = strlen(manager);
  int takes_options = size && *text == '{';
  if (takes_options) {
    either(neat_map_make_annotations(map, manager, length, (neat_annotation_kind)kind, text, size));
    either(neat_map_set_annotation_options(map, manager, length, text, size));
  } else {
    int clusters = (kind == 0 || kind == 3) && below(2);
    if (neat_map_make_annotations(
            map, manager, length, (neat_annotation_kind)kind, cluster, clusters ? sizeof cluster - 1 : 0))
      abort();
    for (int change = 0; change < 4; change++)
      either(neat_map_change_annotations(map, manager, length, (neat_annotation_change)change, text, size));
    either(neat_map_change_annotations(map, manager, length, NEAT_ANNOTATION_CHANGE_SET, text, size));
    either(neat_map_select_annotation(map, manager, length, "a", 1, below(2) != 0));
    drop_if(neat_map_annotation(map, manager, length, text, size < 9 ? size : 9, &out), &out);
  }
  neat_image *drawn;
  if (below(8) == 0 && neat_map_draw(map, &drawn) == NEAT_STATUS_OK) {
    neat_image_destroy(drawn);
    drop_if(neat_map_annotations_at(map, 32, 32, 32, &out), &out);
    drop_if(neat_map_annotation_cluster(map, manager, length, below(64), 10, 0, &out), &out);
  }
  drop_if(neat_map_annotations(map, manager, length, &out), &out);
  if (neat_map_annotation_managers(map, &out)) abort();
  neat_buffer_destroy(out);
  either(neat_map_remove_annotations(map, manager, length));
}

/* A position or a time: most often ordinary, sometimes at the limits and past them. */
static double place(uint8_t byte) {
  static const double edges[] = {-100000, 100000, 100001, 1e300, -1e300, 0.0 / 0.0, 1.0 / 0.0, -0.0};
  return byte < 8 ? edges[byte] : (byte - 8) * 0.5 - 20;
}

/* Pointers, wheel and keys, eight bytes an event; JSON is options of gestures. */
static void gestures(const uint8_t *data, size_t size) {
  static neat_map *map;
  static double now;
  if (!map) {
    map = make_map(NULL);
    now = 1000;
  }
  if (size && *data == '{') either(neat_map_set_gesture_options(map, (const char *)data, size));
  for (; size >= 8; data += 8, size -= 8) {
    now += data[1] < 250 ? data[1] : data[1] == 250 ? -500 : data[1] == 251 ? -5000 : 2000;
    double time = data[1] == 255 ? place(data[2]) : now;
    switch (data[0] % 8) {
      case 0:
      case 1:
      case 2:
      case 3: {
        neat_pointer pointer = {
            .struct_size = sizeof pointer,
            .phase = (neat_pointer_phase)(data[0] % 8),
            .id = data[2] % 13,
            .x_px = place(data[3]),
            .y_px = place(data[4]),
            .time_ms = time,
            .kind = (neat_pointer_kind)(data[5] % 3),
            .button = (neat_pointer_button)(data[6] % 4),
            .modifiers = data[7]};
        either(neat_map_pointer(map, &pointer));
        break;
      }
      case 4: {
        neat_wheel wheel = {
            .struct_size = sizeof wheel,
            .is_trackpad = data[5] & 1,
            .x_px = place(data[3]),
            .y_px = place(data[4]),
            .delta_px = place(data[6]) * 10,
            .time_ms = time};
        either(neat_map_wheel(map, &wheel));
        break;
      }
      case 5: either(neat_map_key(map, (neat_key)(data[2] % 8), data[7] % 3, time)); break;
      case 6: either(neat_map_begin_frame(map, time)); break;
      default: either(neat_map_cancel_gestures(map));
    }
    neat_camera camera = {.struct_size = sizeof camera};
    if (neat_map_camera(map, &camera) || !isfinite(camera.lon_deg) || !isfinite(camera.lat_deg)
        || !isfinite(camera.zoom) || !isfinite(camera.bearing_deg) || !isfinite(camera.pitch_deg))
      abort();
  }
  neat_image *drawn;
  if (below(64) == 0 && neat_map_draw(map, &drawn) == NEAT_STATUS_OK) neat_image_destroy(drawn);
}

const target MAP_TARGETS[] = {
    {"model", model, {".gltf", ".glb"}, 2, 0},
    {"location", location, {NULL}, 4, 0},
    {"views", views, {NULL}, 4, 0},
    {"annotations", annotations, {NULL}, 8, 0},
    {"gestures", gestures, {NULL}, 4, 0},
    {0}};
