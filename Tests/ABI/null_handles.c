/* A handle that is NULL: an error where the function has a status; 0, NULL, -1 or "" where it has none. */
#include <neatline.h>
#include <string.h>

#include "check.h"

/* The call fails, names what is NULL, and leaves NULL in its out parameter. */
#define REFUSED(call, out)                                                           \
  do {                                                                               \
    (out) = (void *)&marker;                                                         \
    CHECK((call) == NEAT_STATUS_INVALID_ARGUMENT);                                   \
    CHECK((out) == NULL && strstr(neat_last_error(), "NULL") != NULL);               \
  } while (0)

static int marker;

static void without_status(void) {
  CHECK(neat_buffer_data(NULL) == NULL && neat_buffer_size(NULL) == 0);
  CHECK(neat_image_width_px(NULL) == 0 && neat_image_height_px(NULL) == 0 && neat_image_pixels(NULL) == NULL);
  CHECK(neat_image_missing_count(NULL) == 0 && neat_image_is_complete(NULL) == 0);
  CHECK(neat_loop_run(NULL, 1) == 0 && neat_loop_poll(NULL) == 0);
  CHECK(neat_loop_backend_fd(NULL) == -1 && neat_loop_backend_timeout_ms(NULL) == -1);
  neat_loop_wake(NULL);
  CHECK(neat_http_exchange_set_url(NULL, "http://x/", 9) == NEAT_STATUS_INVALID_ARGUMENT);
  CHECK(neat_http_exchange_set_method(NULL, NEAT_HTTP_GET) == NEAT_STATUS_INVALID_ARGUMENT);
  CHECK(neat_http_exchange_set_status(NULL, 200) == NEAT_STATUS_INVALID_ARGUMENT);
  CHECK(neat_http_exchange_set_header(NULL, "a", 1, "b", 1) == NEAT_STATUS_INVALID_ARGUMENT);
  CHECK(neat_http_exchange_set_body(NULL, NULL, 0) == NEAT_STATUS_INVALID_ARGUMENT);
  CHECK(neat_http_exchange_fail(NULL, NEAT_HTTP_ERROR_OTHER, NULL, 0) == NEAT_STATUS_INVALID_ARGUMENT);
  CHECK(neat_resources_set_transform(NULL, NULL, NULL, NULL) == NEAT_STATUS_INVALID_ARGUMENT);
  CHECK(neat_transform_set_url(NULL, "a", 1) == NEAT_STATUS_INVALID_ARGUMENT);
  CHECK(neat_transform_add_header(NULL, "a", 1, "b", 1) == NEAT_STATUS_INVALID_ARGUMENT);
  CHECK(neat_transform_refuse(NULL, NULL, 0) == NEAT_STATUS_INVALID_ARGUMENT);
  CHECK(neat_map_is_loaded(NULL) == 0 && strcmp(neat_map_last_error(NULL), "") == 0);
  CHECK(neat_frame_missing_count(NULL) == 0);
  CHECK(neat_track_count(NULL) == 0);
  CHECK(neat_expression_set_budget(NULL, NULL) == NEAT_STATUS_INVALID_ARGUMENT);
  CHECK(neat_custom_draw_triangles(NULL, 0, NULL, 0, NULL, 0) == NEAT_STATUS_INVALID_ARGUMENT);
  CHECK(neat_custom_draw_solid(NULL, 0, 0, NULL, 0, NULL, 0) == NEAT_STATUS_INVALID_ARGUMENT);
  CHECK(neat_map_add_custom_layer(NULL, "a", 1, NULL, 0, NULL) == NEAT_STATUS_INVALID_ARGUMENT);
  CHECK(neat_map_add_custom_geometry_source(NULL, "a", 1, NULL, 0, NULL, NULL) == NEAT_STATUS_INVALID_ARGUMENT);
  CHECK(neat_map_custom_geometry_source(NULL, "a", 1, NULL) == NEAT_STATUS_INVALID_ARGUMENT);
  CHECK(neat_set_custom_geometry_tile_data(0, 0, 0, 0, NULL, 0) == NEAT_STATUS_NOT_FOUND);
  CHECK(neat_fail_custom_geometry_tile(0, 0, 0, 0, NEAT_STATUS_IO, NULL, 0) == NEAT_STATUS_NOT_FOUND);
  CHECK(neat_map_trigger_repaint(NULL) == NEAT_STATUS_INVALID_ARGUMENT);
  CHECK(neat_viewport_state_id(NULL) == 0 && neat_viewport_transition_id(NULL) == 0);
  neat_camera_change change = {.struct_size = sizeof change};
  CHECK(neat_viewport_state_set_options(NULL, "{}", 2) == NEAT_STATUS_INVALID_ARGUMENT);
  CHECK(neat_viewport_state_set_camera(NULL, &change) == NEAT_STATUS_INVALID_ARGUMENT);
  CHECK(neat_viewport_state_camera(NULL, &change) == NEAT_STATUS_INVALID_ARGUMENT);
  CHECK(neat_tile_layer_count(NULL) == 0 && neat_geojson_feature_count(NULL) == 0);
}

static void destroyed(void) {
  neat_buffer_destroy(NULL);
  neat_image_destroy(NULL);
  neat_renderer_destroy(NULL);
  neat_map_destroy(NULL);
  neat_loop_destroy(NULL);
  neat_frame_destroy(NULL);
  neat_tile_destroy(NULL);
  neat_archive_destroy(NULL);
  neat_archive_writer_destroy(NULL);
  neat_tiler_destroy(NULL);
  neat_expression_destroy(NULL);
  neat_collision_destroy(NULL);
  neat_geojson_destroy(NULL);
  neat_geojson_reader_destroy(NULL);
  neat_fonts_destroy(NULL);
  neat_track_destroy(NULL);
  neat_viewport_state_destroy(NULL);
  neat_viewport_transition_destroy(NULL);
}

static void with_status(void) {
  neat_size size = {.struct_size = sizeof size, .width_px = 8, .height_px = 8};
  neat_image *image;
  neat_buffer *text;
  neat_frame *frame;
  neat_map *map;
  neat_tile *tile;
  neat_geojson *geojson;
  REFUSED(neat_image_report(NULL, &text), text);
  REFUSED(neat_image_encode_png(NULL, NEAT_PNG_MODE_FAST, &text), text);
  REFUSED(neat_renderer_draw(NULL, NULL, &size, 0, &image), image);
  REFUSED(neat_renderer_draw_tile(NULL, 0, 0, 0, 0, 1, 0, &image), image);
  REFUSED(neat_renderer_draw_tiles(NULL, 0, 0, 0, 1, 0, 1, 0, &image), image);
  REFUSED(neat_renderer_frame(NULL, NULL, &size, 0, &frame), frame);
  REFUSED(neat_renderer_info(NULL, &text), text);
  REFUSED(neat_map_create(NULL, &size, NULL, NULL, NULL, &map), map);
  REFUSED(neat_map_draw(NULL, &image), image);
  REFUSED(neat_map_style_json(NULL, &text), text);
  REFUSED(neat_frame_report(NULL, &text), text);
  REFUSED(neat_tile_to_json(NULL, -1, 0, 0, &text), text);
  neat_text_stream *stream = NULL;
  REFUSED(neat_tile_stream_json(NULL, -1, 0, 0, NEAT_TILE_JSON_FORM_LAYERS, 0, &stream), stream);
  REFUSED(neat_text_stream_next(NULL, &text), text);
  neat_text_stream_destroy(NULL);
  REFUSED(neat_tile_faults(NULL, &text), text);
  REFUSED(neat_archive_tile(NULL, 0, 0, 0, &text), text);
  REFUSED(neat_expression_info(NULL, &text), text);
  REFUSED(neat_geojson_tile(NULL, 0, 0, 0, &tile), tile);
  REFUSED(neat_geojson_reader_finish(NULL, &geojson), geojson);
  REFUSED(neat_fonts_shape(NULL, "{}", 2, &text), text);
  neat_frame_info info = {.struct_size = sizeof info};
  CHECK(neat_frame_describe(NULL, &info) == NEAT_STATUS_INVALID_ARGUMENT);
  CHECK(neat_map_set_size(NULL, &size) == NEAT_STATUS_INVALID_ARGUMENT);
  CHECK(neat_map_set_viewport_mode(NULL, NEAT_VIEWPORT_MODE_DEFAULT) == NEAT_STATUS_INVALID_ARGUMENT);
  CHECK(neat_map_set_orientation(NULL, NEAT_ORIENTATION_UPWARDS) == NEAT_STATUS_INVALID_ARGUMENT);
  REFUSED(neat_map_statistics(NULL, &text), text);
  double metres;
  CHECK(neat_map_elevation(NULL, 0, 0, &metres) == NEAT_STATUS_INVALID_ARGUMENT);
  neat_free_camera eye = {.struct_size = sizeof eye};
  CHECK(neat_camera_to_free(NULL, &size, &eye) == NEAT_STATUS_INVALID_ARGUMENT);
  CHECK(neat_camera_from_free(NULL, &size, &eye) == NEAT_STATUS_INVALID_ARGUMENT);
  CHECK(neat_free_camera_look_at(NULL, 0, 0, 0) == NEAT_STATUS_INVALID_ARGUMENT);
  CHECK(neat_trace_start(NULL, 3) == NEAT_STATUS_INVALID_ARGUMENT);
  CHECK(neat_trace_start("/nowhere/trace.json", 19) == NEAT_STATUS_IO);
  CHECK(neat_trace_stop() == NEAT_STATUS_STATE);
  CHECK(neat_map_set_prefetch_zoom_delta(NULL, 4) == NEAT_STATUS_INVALID_ARGUMENT);
  CHECK(neat_map_set_center_elevation(NULL, 100) == NEAT_STATUS_INVALID_ARGUMENT);
  CHECK(neat_map_set_terrain_skirts(NULL, 1) == NEAT_STATUS_INVALID_ARGUMENT);
  double duration = 7;
  CHECK(neat_map_set_fade_duration(NULL, 300) == NEAT_STATUS_INVALID_ARGUMENT);
  CHECK(neat_map_fade_duration(NULL, &duration) == NEAT_STATUS_INVALID_ARGUMENT && duration == 7);
  neat_pointer pointer = {.struct_size = sizeof pointer};
  CHECK(neat_map_pointer(NULL, &pointer) == NEAT_STATUS_INVALID_ARGUMENT);
  neat_wheel wheel = {.struct_size = sizeof wheel};
  CHECK(neat_map_wheel(NULL, &wheel) == NEAT_STATUS_INVALID_ARGUMENT);
  CHECK(neat_map_key(NULL, NEAT_KEY_PLUS, 0, 0) == NEAT_STATUS_INVALID_ARGUMENT);
  CHECK(neat_map_begin_frame(NULL, 0) == NEAT_STATUS_INVALID_ARGUMENT);
  CHECK(neat_map_frame_due(NULL) == 0);
  CHECK(neat_map_set_debug_options(NULL, NEAT_DEBUG_PADDING) == NEAT_STATUS_INVALID_ARGUMENT);
  CHECK(neat_map_debug_options(NULL) == 0);
  CHECK(neat_map_set_frame_pacing(NULL, NEAT_FRAME_PACING_HOST) == NEAT_STATUS_INVALID_ARGUMENT);
  neat_camera_change change = {.struct_size = sizeof change};
  CHECK(neat_map_change_camera(NULL, &change) == NEAT_STATUS_INVALID_ARGUMENT);
  neat_animator *animator;
  REFUSED(neat_map_ease(NULL, &change, NULL, NULL, NULL, NULL, &animator), animator);
  REFUSED(neat_map_fly(NULL, &change, NULL, NULL, NULL, NULL, &animator), animator);
  REFUSED(neat_map_make_animator(NULL, NULL, &change, NULL, &animator), animator);
  CHECK(neat_map_cancel_animations(NULL) == NEAT_STATUS_INVALID_ARGUMENT);
  REFUSED(neat_map_animators(NULL, &text), text);
  neat_location location = {.struct_size = sizeof location};
  neat_heading heading = {.struct_size = sizeof heading};
  neat_accuracy_authorization accuracy;
  neat_viewport_status status;
  neat_viewport_state *state;
  neat_viewport_transition *transition;
  CHECK(neat_map_set_location_options(NULL, "{}", 2) == NEAT_STATUS_INVALID_ARGUMENT);
  REFUSED(neat_map_location_options(NULL, &text), text);
  CHECK(neat_map_set_puck_image(NULL, NEAT_PUCK_IMAGE_TOP, NULL, 1) == NEAT_STATUS_INVALID_ARGUMENT);
  CHECK(neat_map_push_location(NULL, &location) == NEAT_STATUS_INVALID_ARGUMENT);
  CHECK(neat_map_push_heading(NULL, &heading) == NEAT_STATUS_INVALID_ARGUMENT);
  CHECK(neat_map_fail_location(NULL, NEAT_STATUS_IO, NULL, 0) == NEAT_STATUS_INVALID_ARGUMENT);
  accuracy = NEAT_ACCURACY_AUTHORIZATION_FULL;
  CHECK(neat_map_set_accuracy_authorization(NULL, accuracy) == NEAT_STATUS_INVALID_ARGUMENT);
  CHECK(neat_map_accuracy_authorization(NULL, &accuracy) == NEAT_STATUS_INVALID_ARGUMENT);
  CHECK(neat_map_forget_location(NULL) == NEAT_STATUS_INVALID_ARGUMENT);
  CHECK(neat_map_latest_location(NULL, &location) == NEAT_STATUS_INVALID_ARGUMENT);
  CHECK(neat_map_shown_location(NULL, &location) == NEAT_STATUS_INVALID_ARGUMENT);
  CHECK(neat_map_latest_heading(NULL, &heading) == NEAT_STATUS_INVALID_ARGUMENT);
  CHECK(neat_map_set_location_provider(NULL, NULL) == NEAT_STATUS_INVALID_ARGUMENT);
  CHECK(neat_map_request_full_accuracy(NULL, "k", 1) == NEAT_STATUS_INVALID_ARGUMENT);
  CHECK(neat_map_replay(NULL, NULL, 1, NULL, NULL) == NEAT_STATUS_INVALID_ARGUMENT);
  CHECK(neat_map_stop_replay(NULL) == NEAT_STATUS_INVALID_ARGUMENT);
  CHECK(neat_track_location(NULL, 0, &location, NULL) == NEAT_STATUS_INVALID_ARGUMENT);
  REFUSED(neat_track_info(NULL, &text), text);
  REFUSED(neat_map_make_follow_puck_state(NULL, "{}", 2, &state), state);
  REFUSED(neat_map_make_overview_state(NULL, "{}", 2, &state), state);
  REFUSED(neat_map_make_viewport_state(NULL, 0, NULL, NULL, &state), state);
  REFUSED(neat_map_make_default_transition(NULL, 1, &transition), transition);
  REFUSED(neat_map_make_immediate_transition(NULL, &transition), transition);
  REFUSED(neat_map_make_viewport_transition(NULL, NULL, NULL, NULL, &transition), transition);
  CHECK(neat_map_viewport_go(NULL, NULL, NULL, NULL, NULL) == NEAT_STATUS_INVALID_ARGUMENT);
  CHECK(neat_map_viewport_finish(NULL, 1, 1) == NEAT_STATUS_INVALID_ARGUMENT);
  CHECK(neat_map_viewport_idle(NULL) == NEAT_STATUS_INVALID_ARGUMENT);
  CHECK(neat_map_viewport_status(NULL, &status) == NEAT_STATUS_INVALID_ARGUMENT);
  CHECK(neat_map_set_viewport_idles(NULL, 1) == NEAT_STATUS_INVALID_ARGUMENT);
  neat_projection projection = NEAT_PROJECTION_GLOBE;
  CHECK(neat_map_projection(NULL, 0, &projection) == NEAT_STATUS_INVALID_ARGUMENT);
  CHECK(neat_renderer_projection(NULL, 0, &projection) == NEAT_STATUS_INVALID_ARGUMENT);
  CHECK(projection == NEAT_PROJECTION_GLOBE);
  neat_camera_limits limits = {.struct_size = sizeof limits};
  CHECK(neat_map_set_camera_limits(NULL, NULL) == NEAT_STATUS_INVALID_ARGUMENT);
  CHECK(neat_map_camera_limits(NULL, &limits) == NEAT_STATUS_INVALID_ARGUMENT);
  CHECK(neat_animator_start(NULL, 0) == NEAT_STATUS_INVALID_ARGUMENT);
  CHECK(neat_animator_pause(NULL) == NEAT_STATUS_INVALID_ARGUMENT);
  CHECK(neat_animator_resume(NULL) == NEAT_STATUS_INVALID_ARGUMENT);
  CHECK(neat_animator_reverse(NULL) == NEAT_STATUS_INVALID_ARGUMENT);
  CHECK(neat_animator_stop(NULL) == NEAT_STATUS_INVALID_ARGUMENT);
  CHECK(neat_animator_when_ended(NULL, NULL, NULL) == NEAT_STATUS_INVALID_ARGUMENT);
  neat_animator_info animator_info = {.struct_size = sizeof animator_info};
  CHECK(neat_animator_describe(NULL, &animator_info) == NEAT_STATUS_INVALID_ARGUMENT);
  neat_animator_destroy(NULL);
  CHECK(neat_map_cancel_gestures(NULL) == NEAT_STATUS_INVALID_ARGUMENT);
  CHECK(neat_map_set_gesture_options(NULL, "{}", 2) == NEAT_STATUS_INVALID_ARGUMENT);
  CHECK(neat_map_set_ornaments(NULL, NULL) == NEAT_STATUS_INVALID_ARGUMENT);
  CHECK(neat_map_ornament_at(NULL, 0, 0, NULL) == NEAT_STATUS_INVALID_ARGUMENT);
  CHECK(neat_map_ornaments(NULL, NULL) == NEAT_STATUS_INVALID_ARGUMENT);
  CHECK(neat_map_ornament_places(NULL, NULL) == NEAT_STATUS_INVALID_ARGUMENT);
  size_t count;
  CHECK(neat_map_add_view_annotation(NULL, "a", 1, "{}", 2, NULL) == NEAT_STATUS_INVALID_ARGUMENT);
  CHECK(neat_map_update_view_annotation(NULL, "a", 1, "{}", 2) == NEAT_STATUS_INVALID_ARGUMENT);
  CHECK(neat_map_remove_view_annotation(NULL, "a", 1) == NEAT_STATUS_INVALID_ARGUMENT);
  CHECK(neat_map_remove_view_annotations(NULL) == NEAT_STATUS_INVALID_ARGUMENT);
  CHECK(neat_map_view_annotation(NULL, "a", 1, NULL) == NEAT_STATUS_INVALID_ARGUMENT);
  CHECK(neat_map_view_annotations(NULL, NULL) == NEAT_STATUS_INVALID_ARGUMENT);
  CHECK(neat_map_view_annotation_placements(NULL, NULL, 0, &count, NULL) == NEAT_STATUS_INVALID_ARGUMENT);
  CHECK(neat_map_fit_view_annotations(NULL, NULL, 0, NULL, NULL) == NEAT_STATUS_INVALID_ARGUMENT);
  CHECK(neat_map_attribution_links(NULL, NULL) == NEAT_STATUS_INVALID_ARGUMENT);
  CHECK(neat_renderer_attribution_links(NULL, 0, NULL) == NEAT_STATUS_INVALID_ARGUMENT);
  REFUSED(neat_map_gesture_options(NULL, &text), text);
  CHECK(neat_archive_writer_finish(NULL, NULL, 0) == NEAT_STATUS_INVALID_ARGUMENT);
  REFUSED(neat_tiler_add_arrow(NULL, "a", 1, 0, NULL, NULL, NULL, 0, &text), text);
  REFUSED(neat_tiler_ranges(NULL, 1, &text), text);
  REFUSED(neat_tiler_thresholds(NULL, 0, 1, &text), text);
  REFUSED(neat_tiler_describe(NULL, NULL, 0, &text), text);
  REFUSED(neat_tiler_write(NULL, "a", 1, 0, 1, NULL, 0, NULL, NULL, &text), text);
  CHECK(neat_tiler_add_geojson(NULL, "a", 1, 0, "{}", 2, 1) == NEAT_STATUS_INVALID_ARGUMENT);
  CHECK(neat_tiler_save(NULL, "a", 1) == NEAT_STATUS_INVALID_ARGUMENT);
  CHECK(neat_tiler_load(NULL, "a", 1) == NEAT_STATUS_INVALID_ARGUMENT);

  /* An out parameter that is NULL. */
  neat_renderer *renderer = NULL;
  CHECK(neat_renderer_create(STYLE, strlen(STYLE), NULL, 0, NULL, &renderer) == NEAT_STATUS_OK);
  CHECK(neat_renderer_draw(renderer, NULL, &size, 0, NULL) == NEAT_STATUS_INVALID_ARGUMENT);
  CHECK(strstr(neat_last_error(), "out parameter") != NULL);
  /* Text that is NULL and has a size. */
  CHECK(neat_style_validate(NULL, 3, &text) == NEAT_STATUS_INVALID_ARGUMENT && text == NULL);
  neat_renderer_destroy(renderer);
}

int main(void) {
  without_status();
  destroyed();
  with_status();
  puts("handles that are NULL are refused");
  return 0;
}
