/**
 * Neatline: an embeddable vector-map engine.
 *
 * Conventions
 *  - Every fallible function returns neat_status; 0 (NEAT_STATUS_OK) is success. Results go through out parameters, last; on failure they are
 *    set to NULL or 0. The words of the last failure on the calling thread are had from neat_last_error().
 *  - Handles come from a _create, _open, _parse or _load function and go to the _destroy of their type, which accepts NULL.
 *  - Data is a pointer and a length in bytes; text is UTF-8 and need not end in NUL. What is handed in is copied, unless a function's name ends
 *    in _borrow. Pointers that a getter returns live as long as the handle that it was called on, unless it says otherwise.
 *  - Structures that start with struct_size are to be zeroed and struct_size set to their sizeof; members left 0 take their defaults. They grow
 *    at their end within an ABI version: a library reads and fills as much as struct_size says, zero standing for members that its caller's header
 *    lacks. One that is given members it does not know yet, and not zero, fails with NEAT_STATUS_UNSUPPORTED.
 *  - After fork() a child may use the renderers and archives of its parent: they begin anew there when they are first used, with caches, threads and
 *    connections of their own. Loops, maps and archive writers of the parent fail in the child with NEAT_STATUS_STATE at once (neat_loop_run and its
 *    like return 0, descriptors and times are -1), and destroying them there leaves what the parent needs alone. All other handles are memory: a
 *    child may use those on which no other thread was within a call at the moment of the fork.
 *  - Memory that is not there fails with NEAT_STATUS_OUT_OF_MEMORY: pictures, images, GeoJSON, tiles and unpacked data say how much they need before
 *    they take it, and what is left.
 *  - A handle may be used by one thread at a time unless its functions say "any thread, also at the same time".
 *  - Nothing aborts on bad input, whatever the bytes.
 */
#ifndef NEATLINE_H
#define NEATLINE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Grows with every incompatible change of this header. */
#define NEAT_ABI_VERSION 2

/** The ABI version that the library was built with; compare with NEAT_ABI_VERSION. Any thread. */
uint32_t neat_abi_version(void);

/** The library's version, such as "0.1.0". Static. Any thread. */
const char *neat_version(void);

/* ---------------------------------------------------------------- status */

typedef enum neat_status {
  NEAT_STATUS_OK = 0,
  NEAT_STATUS_INVALID_ARGUMENT = 1,
  NEAT_STATUS_OUT_OF_MEMORY = 2,
  NEAT_STATUS_LIMIT_EXCEEDED = 3,
  NEAT_STATUS_NOT_FOUND = 4,
  NEAT_STATUS_UNSUPPORTED = 5,
  NEAT_STATUS_JSON = 6,
  NEAT_STATUS_STYLE = 7,
  NEAT_STATUS_EXPRESSION = 8,
  NEAT_STATUS_TILE = 9,
  NEAT_STATUS_ARCHIVE = 10,
  NEAT_STATUS_FONT = 11,
  NEAT_STATUS_IMAGE = 12,
  NEAT_STATUS_GEOJSON = 13,
  NEAT_STATUS_IO = 14,
  NEAT_STATUS_NETWORK = 15,
  NEAT_STATUS_TIMEOUT = 16,
  NEAT_STATUS_CANCELLED = 17,
  NEAT_STATUS_STATE = 18
} neat_status;

/** The status as a word, such as "invalid argument". Static; "unknown" for other numbers. Any thread. */
const char *neat_status_name(neat_status status);

/** What went wrong in the last failed call on this thread, naming the resource, layer, property or byte at fault; "" before any failure.
 *  Valid until the next failing call on this thread. */
const char *neat_last_error(void);

/* ---------------------------------------------------------------- buffers */

/** Bytes that a function made: a picture file, JSON text, a tile. Text is followed by a NUL that its size does not count. */
typedef struct neat_buffer neat_buffer;

const uint8_t *neat_buffer_data(const neat_buffer *buffer);
size_t neat_buffer_size(const neat_buffer *buffer);
void neat_buffer_destroy(neat_buffer *buffer);

/* ---------------------------------------------------------------- images */

/** A picture: 8-bit premultiplied RGBA, rows from the top without padding. */
typedef struct neat_image neat_image;

uint32_t neat_image_width_px(const neat_image *image);
uint32_t neat_image_height_px(const neat_image *image);
/** width * height * 4 bytes. */
const uint8_t *neat_image_pixels(const neat_image *image);
void neat_image_destroy(neat_image *image);

/** What a drawn picture had to do without, found out now or for an earlier picture: a JSON object of
 *    "complete"  whether nothing failed
 *    "missing"   an array, each thing once, at most 1000, of {"kind", "resource", "code", "message", "failure"} and, where they apply, "source",
 *                "tile" ([z, x, y]), "layer", "script" (ISO 15924) and "sample" (characters)
 *    "omitted"   how many there are beyond these.
 *  Kinds: "sprite", "source", "tile", "source-layer", "glyphs", "characters", "image", "style", "archive"; codes are those of neat_status; docs/reports.md
 *  has what each means. "failure" is false for what the data does not have (a tile that its server answers with 404, an image that no sprite has, a
 *  character that no font has) and for what is not supported. Pictures that were not drawn lack nothing. Any thread. */
neat_status neat_image_report(const neat_image *image, neat_buffer **out_json);
/** The number of things in neat_image_report, with those that it omits. */
size_t neat_image_missing_count(const neat_image *image);
/** Not 0 where nothing failed: neat_image_report's "complete". */
int32_t neat_image_is_complete(const neat_image *image);

/** An image of width_px * height_px * 4 bytes of premultiplied RGBA. */
neat_status neat_image_create(uint32_t width_px, uint32_t height_px, const uint8_t *pixels, neat_image **out_image);

/** Reads PNG, JPEG or WebP, told apart by content. At most 16384 pixels an edge. Any thread. */
neat_status neat_image_decode(const uint8_t *data, size_t size, neat_image **out_image);

typedef enum neat_png_mode {
  /** Quick: about 2 ms for 512x512. */
  NEAT_PNG_MODE_FAST = 0,
  /** As small as deflate makes it. */
  NEAT_PNG_MODE_SMALL = 1
} neat_png_mode;

neat_status neat_image_encode_png(const neat_image *image, neat_png_mode mode, neat_buffer **out_png);

typedef enum neat_image_format {
  /** As neat_image_encode_png with NEAT_PNG_MODE_FAST; takes no quality. */
  NEAT_IMAGE_FORMAT_PNG = 1,
  /** Has no alpha: what lets something through is laid over white. At most 65500 pixels an edge. */
  NEAT_IMAGE_FORMAT_JPEG = 2,
  /** With alpha. At most 16383 pixels an edge. */
  NEAT_IMAGE_FORMAT_WEBP = 3
} neat_image_format;

/** Writes a picture as a file. quality: 1 to 100, 0 for the usual (JPEG 85, WebP 80); WebP of quality 100 keeps every pixel as it is. For PNG it must be 0.
 *  Fails with NEAT_STATUS_INVALID_ARGUMENT for other formats and qualities, with NEAT_STATUS_LIMIT_EXCEEDED past the format's edge. Any thread. */
neat_status neat_image_encode(const neat_image *image, neat_image_format format, uint32_t quality, neat_buffer **out_file);

/* ---------------------------------------------------------------- styles */

/** Validates a style against the specification. out_json is an array of {"line": number, "message": text}, empty for a valid style.
 *  Text that is not JSON fails with NEAT_STATUS_JSON. Any thread. */
neat_status neat_style_validate(const char *json, size_t size, neat_buffer **out_json);
/** Brings a style up to date: legacy filters, legacy functions ({"stops": …}) and texts with {name} tokens become the expressions that mean the same.
 *  All else is kept as it stands, unknown members and the order of members too; so is what is too faulty to convert, for neat_style_validate to name.
 *  Fails with NEAT_STATUS_JSON, and with NEAT_STATUS_STYLE where the JSON is no object. Any thread. */
neat_status neat_style_migrate(const char *json, size_t size, neat_buffer **out_json);
/** The steps that turn one style into another, in an order in which each can be carried out: a JSON array of {"command", "args"} with the names of style tools
 *  (addLayer, removeLayer, setPaintProperty, setLayoutProperty, setFilter, setLayerZoomRange, addSource, removeSource, setGeoJSONSourceData, setLight …).
 *  The camera is left alone. Fails with NEAT_STATUS_JSON or NEAT_STATUS_STYLE where one is no style. Any thread. */
neat_status neat_style_diff(const char *from, size_t from_size, const char *to, size_t to_size, neat_buffer **out_json);

/* ---------------------------------------------------------------- drawing on servers */

/** One point of view. Zeroed: the whole world. A member past its range is NEAT_STATUS_INVALID_ARGUMENT with its name. */
typedef struct neat_camera {
  uint32_t struct_size;
  /** Not 0: use the style's own centre, zoom, bearing and pitch, and ignore the rest. What the style gives past a range is held at the nearest. */
  uint32_t use_style;
  /** -36000 to 36000, as bearing and roll. */
  double lon_deg;
  /** -90 to 90. */
  double lat_deg;
  /** -2 to 25.5; the world is 512 * 2^zoom logical pixels wide. */
  double zoom;
  /** Clockwise from north. */
  double bearing_deg;
  /** From straight down, 0 to 85. */
  double pitch_deg;
  double roll_deg;
  /** Logical pixels kept free along the edges, 0 to 65536. */
  double padding_top_px, padding_left_px, padding_bottom_px, padding_right_px;
  /** Vertical angle of view, 0.1 to 150; 0 means 36.87. */
  double fov_deg;
} neat_camera;

/** How large a picture is. */
typedef struct neat_size {
  uint32_t struct_size;
  /** Logical pixels. */
  uint32_t width_px, height_px;
  /** Device pixels a logical pixel, 0.1 to 16; 0 means 1. At most 16384 device pixels an edge. */
  double pixel_ratio;
} neat_size;

/** Moves a camera so that it shows a box of degrees as large as it fits into a picture, between the camera's paddings and at its bearing; centre and zoom
 *  (at most 22) are set, use_style becomes 0. west_deg > east_deg crosses the 180th meridian; latitudes past those of the Mercator map are held at them.
 *  Fails with NEAT_STATUS_INVALID_ARGUMENT, and leaves the camera alone, for longitudes past 360, latitudes out of order or past 90, a pitch that is not
 *  0 and paddings that leave no room. Any thread. */
neat_status neat_camera_fit_bounds(
    neat_camera *camera, const neat_size *size, double west_deg, double south_deg, double east_deg, double north_deg);

/** neat_options.retry_count: every request is tried once. */
#define NEAT_NO_RETRIES 0xFFFFFFFFu

/** What a style may read of this machine: file paths, file:// addresses, and archives (mbtiles://, pmtiles://) by path. */
typedef enum neat_local_files {
  /** Styles from files and from text may, styles from servers (their address or base_url is http, https) may not, nor what another document from a server
   *  (a TileJSON) names. */
  NEAT_LOCAL_FILES_DEFAULT = 0,
  NEAT_LOCAL_FILES_ALLOW = 1,
  NEAT_LOCAL_FILES_DENY = 2
} neat_local_files;

typedef struct neat_options {
  uint32_t struct_size;
  /** Threads that one picture may use; 0: as many as there are processors. */
  uint32_t thread_count;
  /** Bytes of decoded tiles and layouts kept; 0 means 64 MiB. */
  uint64_t cache_bytes;
  /** Milliseconds that one request for a resource, the style among them, may take in all; 0 means 30000. */
  uint32_t timeout_ms;
  /** Attempts after a failure that may pass (network, 429, 5xx), at most 100 (more is refused); 0 means 3, NEAT_NO_RETRIES none. */
  uint32_t retry_count;
  /** Font files (TTF, OTF) for text that no glyph server draws: paths, one a line. They come before the system's. One without outlines (of bitmaps) is told
   *  by neat_renderer_problems; one that cannot be read, or is no font, fails. docs/fonts.md. */
  const char *font_paths;
  size_t font_paths_size;
  /** Bytes that the pictures of this renderer or map under way may take together, by an estimate of bitmap, bands, heatmaps, extrusions and tiles; one
   *  that needs more fails with NEAT_STATUS_OUT_OF_MEMORY before it begins. 0 means three quarters of what the process may have: the least of
   *  RLIMIT_AS, RLIMIT_DATA, its control groups and the machine's memory, which pictures of all renderers have together then. */
  uint64_t memory_limit_bytes;
  /** Bytes that the packed body of one response may unpack to: GeoJSON packed by gzip or zlib, from files too, and whatever a server packs for the way
   *  (Content-Encoding); tiles have a limit of their own besides. 0 means 256 MiB. */
  uint64_t unpacked_limit_bytes;
  /** What the style may read of this machine; what it may not is NEAT_STATUS_UNSUPPORTED in reports, with the address. */
  neat_local_files local_files;
  /** Not 0: text is drawn with font_paths alone; else, where the style has no glyph server, with them and, for what they lack, the fonts of the system. */
  uint32_t no_system_fonts;
} neat_options;

/** Draws pictures of one style: for servers. All functions on a loaded renderer: any thread, also at the same time. */
typedef struct neat_renderer neat_renderer;

/** Loads a style: a file path, file:// or http(s):// address. options may be NULL. Fails where the style cannot be had or is none; what is wrong
 *  inside is told by neat_renderer_problems. */
neat_status neat_renderer_load(const char *url, size_t url_size, const neat_options *options, neat_renderer **out_renderer);

/** A renderer from style JSON; relative addresses in it start at base_url (a file path or address; may be empty). */
neat_status neat_renderer_create(
    const char *json, size_t json_size, const char *base_url, size_t base_url_size, const neat_options *options, neat_renderer **out_renderer);

void neat_renderer_destroy(neat_renderer *renderer);

/** Draws. Waits for the resources that the picture needs, deadline_ms at most (0: without end). A tile or glyph that cannot be had is left out and
 *  told by neat_image_report and neat_renderer_problems; it does not fail the picture. What a server did not give for reasons that pass (no connection, no
 *  answer in time) is asked for again by pictures 10 seconds later, what the deadline cut off by the next one. Same style, data and camera: same pixels, on every machine and thread count. */
neat_status neat_renderer_draw(
    neat_renderer *renderer, const neat_camera *camera, const neat_size *size, uint32_t deadline_ms, neat_image **out_image);

/** Draws the XYZ tile z/x/y of 512 (or `edge_px`) logical pixels an edge. Labels at its edges are placed as in its neighbours. */
neat_status neat_renderer_draw_tile(
    neat_renderer *renderer, uint32_t z, uint32_t x, uint32_t y, uint32_t edge_px, double pixel_ratio, uint32_t deadline_ms, neat_image **out_image);

/** What went wrong so far without failing a picture: a JSON array of {"resource", "message", "code"}, at most 1000. */
neat_status neat_renderer_problems(neat_renderer *renderer, neat_buffer **out_json);

/** The style as JSON: {"name", "center", "zoom", "bearing", "pitch", "attribution", "layers", "sources"}. "attribution" is an array of texts as
 *  neat_renderer_attribution gives it, as far as it is known: nothing is loaded for it. */
neat_status neat_renderer_info(neat_renderer *renderer, neat_buffer **out_json);

/** Whom the data is owed to: a JSON array of texts (often HTML) of the style's sources, and of the TileJSON and archives that they name; what of those is
 *  not loaded yet is, deadline_ms at most (0: without end). In the order of the style's sources, of those that a layer draws from; none twice, and none that
 *  is part of another. What cannot be had is left out and told by neat_renderer_problems, what did not come in time is asked for again. */
neat_status neat_renderer_attribution(neat_renderer *renderer, uint32_t deadline_ms, neat_buffer **out_json);

/** Features drawn within a box of device pixels of a view, topmost first: a GeoJSON feature array with "layer", "source", "sourceLayer", "state".
 *  options_json: NULL or {"layers": [ids], "filter": expression, "report": true}; with report the answer is {"features", "report"}, the second as
 *  neat_image_report gives it. Other members fail with NEAT_STATUS_INVALID_ARGUMENT. */
neat_status neat_renderer_query(
    neat_renderer *renderer, const neat_camera *camera, const neat_size *size, double x0_px, double y0_px, double x1_px, double y1_px,
    const char *options_json, size_t options_size, neat_buffer **out_json);

/* ---------------------------------------------------------------- the run loop */

/** A libuv loop with its worker threads, timers and network. Its functions belong to one thread, but for neat_loop_wake. */
typedef struct neat_loop neat_loop;

neat_status neat_loop_create(neat_loop **out_loop);
/** Ends what is under way on the loop (requests settle as cancelled), then frees it. Maps on it must be destroyed before. */
void neat_loop_destroy(neat_loop *loop);
/** Runs until nothing is under way, or until timeout_ms have passed (0: no limit). Returns whether work is left. */
int32_t neat_loop_run(neat_loop *loop, uint32_t timeout_ms);
/** Handles what is ready without waiting. Returns whether work is left. */
int32_t neat_loop_run_once(neat_loop *loop);
/** For hosts with their own loop: the descriptor that becomes readable when there is work. */
int32_t neat_loop_backend_fd(const neat_loop *loop);
/** Milliseconds until the next timer, 0 for at once, -1 for none: how long the host may wait on the descriptor. */
int32_t neat_loop_backend_timeout_ms(const neat_loop *loop);
/** Makes a waiting loop return. Any thread. */
void neat_loop_wake(neat_loop *loop);

/* ---------------------------------------------------------------- maps for applications */

typedef enum neat_event_type {
  NEAT_EVENT_STYLE_DATA_LOADED = 1,
  NEAT_EVENT_STYLE_LOADED = 2,
  NEAT_EVENT_SOURCE_DATA_LOADED = 3,
  NEAT_EVENT_SOURCE_ADDED = 4,
  NEAT_EVENT_SOURCE_REMOVED = 5,
  NEAT_EVENT_STYLE_IMAGE_MISSING = 6,
  NEAT_EVENT_STYLE_IMAGE_REMOVE_UNUSED = 7,
  NEAT_EVENT_RENDER_FRAME_STARTED = 8,
  NEAT_EVENT_RENDER_FRAME_FINISHED = 9,
  NEAT_EVENT_CAMERA_CHANGED = 10,
  NEAT_EVENT_MAP_LOADED = 11,
  NEAT_EVENT_MAP_IDLE = 12,
  NEAT_EVENT_MAP_LOADING_ERROR = 13,
  NEAT_EVENT_RESOURCE_REQUEST = 14
} neat_event_type;

typedef struct neat_event {
  uint32_t struct_size;
  neat_event_type type;
  /** What the event is about: a source's id, an image's name, an address; "" for none. Valid during the call. */
  const char *subject;
  /** For errors: the words. Valid during the call. */
  const char *message;
  neat_status status;
  /** RENDER_FRAME_FINISHED: not 0 when nothing the frame needs is still to come. */
  uint32_t is_complete;
  /** STYLE_DATA_LOADED: "style", "sprite", then "sources" when the metadata of all sources in use is there; SOURCE_DATA_LOADED: "metadata" (for GeoJSON and
   *  images: the data) or "tile"; RESOURCE_REQUEST: "tile" for one of an archive; "" else. Valid during the call. */
  const char *kind;
  /** The tile, where kind is "tile". */
  uint32_t tile_z, tile_x, tile_y;
} neat_event;

typedef void (*neat_event_callback)(void *context, const neat_event *event);

/** A map that loads, changes and animates over time. Belongs to its loop's thread. */
typedef struct neat_map neat_map;

/** callback may be NULL; it is called on the loop's thread, from within neat_loop_run or a function of this map. */
neat_status neat_map_create(
    neat_loop *loop, const neat_size *size, const neat_options *options, neat_event_callback callback, void *context, neat_map **out_map);
void neat_map_destroy(neat_map *map);

/** Starts to load a style; events tell how it goes. */
neat_status neat_map_load_style(neat_map *map, const char *url, size_t url_size);
neat_status neat_map_set_style(neat_map *map, const char *json, size_t json_size, const char *base_url, size_t base_url_size);

neat_status neat_map_set_size(neat_map *map, const neat_size *size);
neat_status neat_map_set_camera(neat_map *map, const neat_camera *camera);
/** Moves the camera in duration_ms; frames follow the loop's clock. 0: at once. */
neat_status neat_map_ease_to(neat_map *map, const neat_camera *camera, uint32_t duration_ms);
neat_status neat_map_camera(neat_map *map, neat_camera *out_camera);

/** Changes to the style. Values are JSON; NULL with size 0 removes the value.
 *
 *  A paint property of numbers or colours (one of the light too) goes to its new value within the duration of its transition (its own, NAME-transition; else
 *  the style's, 300 ms where it gives none), after its delay: until then there are frames, and NEAT_EVENT_MAP_IDLE comes after the last. What changes
 *  before the first frame of a style, values that depend on features, and types without values between (texts, images, enums, dashes) change at once. */
neat_status neat_map_set_paint_property(
    neat_map *map, const char *layer, size_t layer_size, const char *name, size_t name_size, const char *value, size_t value_size);
neat_status neat_map_set_layout_property(
    neat_map *map, const char *layer, size_t layer_size, const char *name, size_t name_size, const char *value, size_t value_size);
neat_status neat_map_set_filter(neat_map *map, const char *layer, size_t layer_size, const char *filter, size_t filter_size);
neat_status neat_map_set_layer_zoom_range(neat_map *map, const char *layer, size_t layer_size, double min_zoom, double max_zoom);
/** before: the id of the layer that the new one goes below; empty: on top. */
neat_status neat_map_add_layer(neat_map *map, const char *json, size_t json_size, const char *before, size_t before_size);
neat_status neat_map_move_layer(neat_map *map, const char *layer, size_t layer_size, const char *before, size_t before_size);
neat_status neat_map_remove_layer(neat_map *map, const char *layer, size_t layer_size);
neat_status neat_map_add_source(neat_map *map, const char *id, size_t id_size, const char *json, size_t json_size);
neat_status neat_map_remove_source(neat_map *map, const char *id, size_t id_size);
/** Replaces the data of a GeoJSON source: a document, or several on lines of their own, also packed by gzip. */
neat_status neat_map_set_geojson(neat_map *map, const char *source, size_t source_size, const char *geojson, size_t geojson_size);
/** Changes the data of a GeoJSON source by the ids of its features, as GeoJSONSourceDiff of MapLibre GL JS: a JSON object with any of "removeAll": true,
 *  "remove": [id], "add": [feature] (in place of those of the same id), "update": [{"id", "newGeometry", "removeAllProperties": true, "removeProperties":
 *  [name], "addOrUpdateProperties": [{"key", "value"}]}], applied in this order; what names an id that is not there does nothing. Only tiles that the old or
 *  new geometry touches are cut and laid out again; clusters are made anew. Fails with NEAT_STATUS_INVALID_ARGUMENT where a feature has no id (or not
 *  the property promoteId) or two have one, naming it, and with NEAT_STATUS_STATE before the source's data is there; the data then stays as it is. */
neat_status neat_map_update_geojson(neat_map *map, const char *source, size_t source_size, const char *diff, size_t diff_size);
/** Root members of the style by name: light, sky, terrain, projection, glyphs, sprite, state (of global-state), transition ({"duration", "delay"} in ms). */
neat_status neat_map_set_style_property(neat_map *map, const char *name, size_t name_size, const char *value, size_t value_size);
/** Whether changed paint properties take the time of their transitions; they do unless is_enabled was set to 0. Those on their way are then there at once. */
neat_status neat_map_set_transitions(neat_map *map, uint32_t is_enabled);
neat_status neat_map_add_image(
    neat_map *map, const char *name, size_t name_size, const neat_image *image, double pixel_ratio, uint32_t is_sdf);
neat_status neat_map_remove_image(neat_map *map, const char *name, size_t name_size);
/** state: a JSON object merged into the feature's state. target: {"source", "sourceLayer", "id"}; other members
 *  fail with NEAT_STATUS_INVALID_ARGUMENT. */
neat_status neat_map_set_feature_state(neat_map *map, const char *target, size_t target_size, const char *state, size_t state_size);
/** key: one member of the state; empty: all. A target without id: all features of the source layer. */
neat_status neat_map_remove_feature_state(neat_map *map, const char *target, size_t target_size, const char *key, size_t key_size);

/** Goes over to another style by the steps of neat_style_diff: what does not change keeps its tiles and layouts. Fails where it is no style, or where the
 *  map has none yet; the map then keeps what it has. */
neat_status neat_map_update_style(neat_map *map, const char *json, size_t json_size);
/** The value of a layer's property as it was set, as JSON; null where it is not set. name: a layout or paint property, the transition of one, or "filter",
 *  "minzoom", "maxzoom", "type", "source", "source-layer", "metadata". Fails with NEAT_STATUS_NOT_FOUND for layers and properties that there are not. */
neat_status neat_map_property(
    neat_map *map, const char *layer, size_t layer_size, const char *name, size_t name_size, neat_buffer **out_json);
/** The style as it stands, as JSON. */
neat_status neat_map_style_json(neat_map *map, neat_buffer **out_json);

/** The style in short, as neat_renderer_info, with "url" (what neat_map_load_style was given; null for a style that was set) and "isLoaded" (whether
 *  NEAT_EVENT_STYLE_LOADED was sent). Fails with NEAT_STATUS_STATE where the map has no style yet. */
neat_status neat_map_info(neat_map *map, neat_buffer **out_json);

/** Not 0 when style, sources, tiles, glyphs and images of the view are there. */
int32_t neat_map_is_loaded(const neat_map *map);

/** As neat_renderer_attribution, of what is loaded: complete with the event STYLE_DATA_LOADED of kind "sources". */
neat_status neat_map_attribution(neat_map *map, neat_buffer **out_json);

/** Draws the view with what is there now. */
neat_status neat_map_draw(neat_map *map, neat_image **out_image);

/** As neat_renderer_query, over the map's view. */
neat_status neat_map_query(
    neat_map *map, double x0_px, double y0_px, double x1_px, double y1_px, const char *options_json, size_t options_size, neat_buffer **out_json);

/** What went wrong in the last failed call on this map; "" for none. */
const char *neat_map_last_error(const neat_map *map);

/* ---------------------------------------------------------------- frames for a host's own GPU
 *
 * A frame is a view as draw commands in their order, over vertex and index buffers and textures. It needs no GPU itself; a host uploads and draws what it
 * says. docs/frames.md has how each kind is drawn; Examples/c/gles does it with OpenGL ES 3.
 *
 * A frame is immutable and owns what its getters point to: any thread, also at the same time, until neat_frame_destroy, whatever becomes of its renderer or
 * map. Buffers and textures have numbers (id): an equal number means equal bytes, for as long as the program runs, so that a host uploads each once and
 * keeps it from frame to frame.
 *
 * Where a property differs from feature to feature, vertices have it in a second buffer, the paint. For each property one of the two is 0, that of the
 * command or that of the vertex: the value is always their sum. Without a paint buffer, all of its fields count as 0.
 *
 * Lengths in "pixels" are logical pixels. Colours are premultiplied by their own alpha; `opacity` is still to be multiplied. The blend is
 * source + destination * (1 - source alpha). Tile units are 8192 along a tile's edge, y down; clip space has y up, as in OpenGL. */

typedef struct neat_frame neat_frame;

typedef enum neat_frame_kind {
  /** The colour, or a pattern, over the whole view. Vertices FILL. */
  NEAT_FRAME_KIND_BACKGROUND = 1,
  /** Polygons. Vertices FILL, paint FILL_PAINT. Hard edges: the outlines smooth them. */
  NEAT_FRAME_KIND_FILL = 2,
  /** Edges of polygons as lines of one device pixel. Vertices FILL, paint FILL_PAINT. */
  NEAT_FRAME_KIND_FILL_OUTLINE = 3,
  /** Vertices LINE, paint LINE_PAINT. */
  NEAT_FRAME_KIND_LINE = 4,
  /** Vertices CIRCLE, paint CIRCLE_PAINT. */
  NEAT_FRAME_KIND_CIRCLE = 5,
  /** Icons and texts of labels that were placed. Vertices SYMBOL. */
  NEAT_FRAME_KIND_ICON = 6,
  NEAT_FRAME_KIND_TEXT = 7,
  /** A tile of a raster source, or an image source. Vertices PICTURE. */
  NEAT_FRAME_KIND_RASTER = 8,
  /** Prisms. Vertices EXTRUSION, paint EXTRUSION_PAINT. The only kind that needs a depth buffer. */
  NEAT_FRAME_KIND_EXTRUSION = 9,
  /** A heatmap layer, summed and coloured by the CPU to a picture of the whole view. Vertices PICTURE. */
  NEAT_FRAME_KIND_HEATMAP = 10,
  /** A tile's shaded relief or elevation colours, made by the CPU. Vertices PICTURE. */
  NEAT_FRAME_KIND_HILLSHADE = 11,
  NEAT_FRAME_KIND_COLOR_RELIEF = 12,
  /** What a frame has nothing for; `reason` says what. Draws nothing. */
  NEAT_FRAME_KIND_UNSUPPORTED = 13
} neat_frame_kind;

/** What the elements of a buffer are: unsigned integers, or the structure of the same name. */
typedef enum neat_frame_layout {
  NEAT_FRAME_LAYOUT_INDEX16 = 1,
  NEAT_FRAME_LAYOUT_INDEX32 = 2,
  NEAT_FRAME_LAYOUT_FILL = 3,
  NEAT_FRAME_LAYOUT_FILL_PAINT = 4,
  NEAT_FRAME_LAYOUT_LINE = 5,
  NEAT_FRAME_LAYOUT_LINE_PAINT = 6,
  NEAT_FRAME_LAYOUT_CIRCLE = 7,
  NEAT_FRAME_LAYOUT_CIRCLE_PAINT = 8,
  NEAT_FRAME_LAYOUT_EXTRUSION = 9,
  NEAT_FRAME_LAYOUT_EXTRUSION_PAINT = 10,
  NEAT_FRAME_LAYOUT_PICTURE = 11,
  NEAT_FRAME_LAYOUT_SYMBOL = 12
} neat_frame_layout;

/** 8 bytes. Tile units; for backgrounds of one colour clip space. */
typedef struct neat_frame_fill_vertex {
  float x, y;
} neat_frame_fill_vertex;

/** 8 bytes. */
typedef struct neat_frame_fill_paint {
  /** Red, green, blue, alpha; 255 is 1. Of outlines: fill-outline-color. */
  uint8_t color[4];
  /** 0 to 1. */
  float opacity;
} neat_frame_fill_paint;

/** 24 bytes. */
typedef struct neat_frame_line_vertex {
  /** Tile units: a point of the line's middle. */
  float x, y;
  /** From the middle to the edge for a half width of 1, in the directions of the tile; longer than 1 in miters. */
  float extrude_x, extrude_y;
  /** Tile units along the line, from 0. Without line-gradient it starts again at 0 after 16384. */
  float distance;
  /** Bit 0: the far end of a round cap or join. Bit 1: on the right side of the line, else on the left. */
  uint8_t flags;
  /** -1, 0 or 1: which way the extrusion leans along the line; line-offset takes it back. */
  int8_t direction;
  /** Of no meaning. */
  uint16_t reserved;
} neat_frame_line_vertex;

/** 32 bytes. */
typedef struct neat_frame_line_paint {
  uint8_t color[4];
  /** 0 to 1. */
  float opacity;
  /** Pixels. */
  float width_px, gap_width_px, offset_px, blur_px;
  /** The width at the whole zoom below the camera's, in pixels: dashes and patterns are measured in it. */
  float floor_width_px;
  /** Place along the whole line, 0 to 1, for gradients. The command has none. */
  float progress;
} neat_frame_line_paint;

/** 12 bytes. Four a circle. */
typedef struct neat_frame_circle_vertex {
  /** The centre in tile units. */
  float x, y;
  /** -1 or 1: which corner of the circle's square, y down. */
  int8_t corner_x, corner_y;
  uint16_t reserved;
} neat_frame_circle_vertex;

/** 28 bytes. */
typedef struct neat_frame_circle_paint {
  uint8_t color[4];
  uint8_t stroke_color[4];
  /** 0 to 1. */
  float opacity, stroke_opacity;
  /** Pixels. */
  float radius_px, stroke_width_px;
  /** 1 blurs the whole circle. */
  float blur;
} neat_frame_circle_paint;

/** 32 bytes. */
typedef struct neat_frame_extrusion_vertex {
  /** Tile units. */
  float x, y;
  /** 0: at the base; 1: at the height. */
  float level;
  /** Tile units along the wall from its first corner; 0 on roofs. */
  float distance;
  /** Unit length, outwards: x and y as the tile's, z up. */
  float normal[3];
  float reserved;
} neat_frame_extrusion_vertex;

/** 12 bytes. */
typedef struct neat_frame_extrusion_paint {
  /** Its alpha is not looked at. */
  uint8_t color[4];
  /** Metres, at least 0. */
  float base_m, height_m;
} neat_frame_extrusion_paint;

/** 16 bytes. */
typedef struct neat_frame_picture_vertex {
  float x, y;
  /** Of the texture, 0 to 1 from its top left corner. */
  float u, v;
} neat_frame_picture_vertex;

/** 32 bytes. Four a glyph or icon; with a halo four more, which come before all letters. */
typedef struct neat_frame_symbol_vertex {
  /** Device pixels from the top left of the view, y down. */
  float x, y;
  /** Of the texture, 0 to 1 from its top left corner. */
  float u, v;
  /** Opacity included. Of pictures: the opacity in all four, to multiply the texel by. */
  uint8_t color[4];
  /** Of distance fields, in their scale of 0 to 1: the middle of the soft edge, and half its width. */
  float edge, gamma;
  /** 1: a halo, which is left out inside the letter; else 0. */
  float halo;
} neat_frame_symbol_vertex;

typedef enum neat_frame_primitive {
  NEAT_FRAME_PRIMITIVE_TRIANGLES = 0,
  NEAT_FRAME_PRIMITIVE_LINES = 1
} neat_frame_primitive;

typedef enum neat_frame_texture_use {
  NEAT_FRAME_TEXTURE_USE_NONE = 0,
  /** Premultiplied texels, drawn as they are. */
  NEAT_FRAME_TEXTURE_USE_PICTURE = 1,
  /** A signed distance field in one channel: 0.75 on the outline, more inside. */
  NEAT_FRAME_TEXTURE_USE_FIELD = 2,
  /** Premultiplied texels that repeat in both directions, in place of the colour. */
  NEAT_FRAME_TEXTURE_USE_PATTERN = 3,
  /** One row of 256 premultiplied colours from the start of a line to its end, in place of the colour. */
  NEAT_FRAME_TEXTURE_USE_GRADIENT = 4
} neat_frame_texture_use;

typedef enum neat_frame_format {
  /** Premultiplied RGBA, 4 bytes a texel. */
  NEAT_FRAME_FORMAT_RGBA8 = 1,
  /** One channel, 1 byte a texel. */
  NEAT_FRAME_FORMAT_R8 = 2
} neat_frame_format;

/** What a line is drawn with besides colour and opacity. */
typedef struct neat_frame_line {
  /** Pixels. A line whose width is not above 0 is not drawn. */
  float width_px, gap_width_px, offset_px, blur_px, floor_width_px;
  /** Tile units that a pixel is long. */
  float units_per_px;
  /** line-dasharray in line widths: dash_count lengths, dash and gap in turn; with an odd number the last is a dash too. None: a solid line. */
  const float *dash;
  size_t dash_count;
  /** The dashes as a distance field (R8, repeats along x, 0.5 on a dash's edge): 256 texels a period; one row, or 15 across the line for round caps.
   *  -1: a solid line. */
  int32_t dash_texture;
  /** Periods for a tile unit, and half the width of a dash's soft end in the field's scale, both over the floor width. */
  float dash_scale, dash_softness;
  uint32_t reserved;
} neat_frame_line;

typedef struct neat_frame_circle {
  float radius_px, blur, stroke_width_px, stroke_opacity;
  float stroke_color[4];
  /** By what the circle's own x and y are shortened on the screen. */
  float squeeze[2];
  /** Not 0: radius and stroke are multiplied by this over the centre's clip-space w. */
  float perspective;
  uint32_t reserved;
} neat_frame_circle;

typedef struct neat_frame_extrusion {
  /** Metres. */
  float base_m, height_m;
  /** The light: dot with the normal for how much a face is lit; colour, red, green and blue in 0 to 1; intensity 0 to 1. */
  float light[3], light_color[3], light_intensity;
  /** Not 0: walls darken towards the ground. */
  uint32_t has_gradient;
} neat_frame_extrusion;

/** A draw command. */
typedef struct neat_frame_command {
  uint32_t struct_size;
  neat_frame_kind kind;
  /** The layer: its place in the style, and its id. */
  uint32_t layer_index;
  /** Not 0: it belongs to the tile below; else to the view. */
  uint32_t has_tile;
  const char *layer;
  size_t layer_size;
  uint32_t tile_z, tile_x, tile_y;
  /** The copy of the world: 0 the middle one, -1 the one to the west. */
  int32_t tile_wrap;
  /** Vertices (x, y, 0, 1) to clip space, column by column; of extrusions (x, y, metres, 1). Translations are in it. */
  float matrix[16];
  neat_frame_primitive primitive;
  /** Not 0: pixels whose place in the units of the vertices lies outside `clip` are not drawn. */
  uint32_t has_clip;
  /** x0, y0, x1, y1: x0 <= x < x1 and y0 <= y < y1 is drawn. The tile's square, or the part of it that this command stands in for. */
  float clip[4];
  /** Numbers of buffers; -1 for none. */
  int32_t vertex_buffer, paint_buffer, index_buffer;
  /** The first vertex (and paint). Indices count from it, and are below vertex_count. */
  uint32_t vertex_offset, vertex_count;
  /** The first index, and how many: three a triangle, two a line. */
  uint32_t index_offset, index_count;
  neat_frame_texture_use texture_use;
  /** Number of the texture; -1 for none. */
  int32_t texture;
  /** Not 0: take the nearest texel; else mix four. */
  uint32_t is_nearest;
  /** 0 to 1. */
  float opacity;
  float color[4];
  /** PATTERN: of fills and backgrounds, the texture's place is position * scale + offset. Of lines, scale[0] over the floor width is repetitions for a
   *  tile unit. */
  float pattern_scale[2], pattern_offset[2];
  neat_frame_line line;
  neat_frame_circle circle;
  neat_frame_extrusion extrusion;
  /** RASTER: what red, green and blue of the texel become (three columns of three) and, times alpha, what is added (three). */
  float color_matrix[12];
  /** UNSUPPORTED: what is not drawn, and why; else NULL. */
  const char *reason;
} neat_frame_command;

typedef struct neat_frame_buffer {
  uint32_t struct_size;
  neat_frame_layout layout;
  uint64_t id;
  const void *data;
  /** Elements, and bytes from one to the next. */
  size_t count;
  uint32_t stride;
  uint32_t reserved;
} neat_frame_buffer;

typedef struct neat_frame_texture {
  uint32_t struct_size;
  neat_frame_format format;
  uint64_t id;
  uint32_t width_px, height_px;
  /** Rows from the top, without padding. */
  const void *pixels;
} neat_frame_texture;

typedef struct neat_frame_info {
  uint32_t struct_size;
  /** Not 0: nothing that the view needs is still to come. */
  uint32_t is_complete;
  /** Device pixels. */
  uint32_t width_px, height_px;
  double pixel_ratio;
  size_t command_count, buffer_count, texture_count;
} neat_frame_info;

/** The frame of a view; waits as neat_renderer_draw does, and draws the same. Any thread, also at the same time. */
neat_status neat_renderer_frame(
    neat_renderer *renderer, const neat_camera *camera, const neat_size *size, uint32_t deadline_ms, neat_frame **out_frame);
/** The frame of the map's view, of what is there now: see is_complete. A host that would rather show nothing half loaded keeps the last complete one. */
neat_status neat_map_frame(neat_map *map, neat_frame **out_frame);
void neat_frame_destroy(neat_frame *frame);
neat_status neat_frame_get_info(const neat_frame *frame, neat_frame_info *out_info);
/** What the frame has to do without, as neat_image_report. Any thread. */
neat_status neat_frame_report(const neat_frame *frame, neat_buffer **out_json);
/** The number of things in neat_frame_report, with those that it omits. */
size_t neat_frame_missing_count(const neat_frame *frame);
/** Commands are numbered in drawing order. */
neat_status neat_frame_get_command(const neat_frame *frame, size_t index, neat_frame_command *out_command);
neat_status neat_frame_get_buffer(const neat_frame *frame, size_t index, neat_frame_buffer *out_buffer);
neat_status neat_frame_get_texture(const neat_frame *frame, size_t index, neat_frame_texture *out_texture);

/* ---------------------------------------------------------------- tiles */

/** A vector tile, decoded or opened. Getters: any thread, also at the same time. */
typedef struct neat_tile neat_tile;

typedef enum neat_tile_format {
  /** By content and by what decodes. */
  NEAT_TILE_FORMAT_AUTO = 0,
  NEAT_TILE_FORMAT_MVT = 1,
  NEAT_TILE_FORMAT_MLT = 2
} neat_tile_format;

typedef enum neat_geometry_type {
  NEAT_GEOMETRY_TYPE_UNKNOWN = 0,
  NEAT_GEOMETRY_TYPE_POINT = 1,
  NEAT_GEOMETRY_TYPE_LINE = 2,
  NEAT_GEOMETRY_TYPE_POLYGON = 3
} neat_geometry_type;

typedef enum neat_value_type {
  NEAT_VALUE_TYPE_NULL = 0,
  NEAT_VALUE_TYPE_BOOL = 1,
  NEAT_VALUE_TYPE_INT = 2,
  NEAT_VALUE_TYPE_UINT = 3,
  NEAT_VALUE_TYPE_DOUBLE = 4,
  NEAT_VALUE_TYPE_STRING = 5,
  /** An array or object of a GeoJSON property, as its text. */
  NEAT_VALUE_TYPE_JSON = 6
} neat_value_type;

/** A property value. Text lives as long as its tile. */
typedef struct neat_value {
  neat_value_type type;
  uint32_t text_size;
  union {
    int64_t int_value;
    uint64_t uint_value;
    double double_value;
    const char *text;
  } as;
} neat_value;

/** One layer as columns; all pointers live as long as the tile.
 *  Feature f owns the parts part_starts[f] to part_starts[f + 1]; part p the points point_starts[p] to point_starts[p + 1]; a point is two int32
 *  in tile units, y downwards. A part is the points of a multi-point, a line, or a ring without its closing point; outer rings have positive area.
 *  Feature f owns the tags tag_starts[f] to tag_starts[f + 1], each a key's and a value's index. */
typedef struct neat_tile_layer {
  uint32_t struct_size;
  uint32_t version;
  /** Tile units along an edge. */
  uint32_t extent;
  const char *name;
  size_t name_size;
  size_t feature_count, part_count, point_count, key_count, value_count, tag_count;
  /** neat_geometry_type of each feature. */
  const uint8_t *types;
  const uint32_t *part_starts;
  const uint32_t *point_starts;
  const int32_t *points;
  /** NULL where no feature has an id. */
  const uint64_t *ids;
  /** Not 0 where the feature has an id; NULL where none has. */
  const uint8_t *has_ids;
  const uint32_t *tag_starts;
  const uint32_t *tags;
} neat_tile_layer;

/** What is known of a layer without decoding it. */
typedef struct neat_tile_layer_info {
  uint32_t struct_size;
  uint32_t version;
  /** Tile units along an edge. */
  uint32_t extent;
  const char *name;
  size_t name_size;
  size_t feature_count, key_count, value_count;
} neat_tile_layer_info;

/** Decodes a tile, compressed by gzip or zlib or not. strict not 0: what the specification forbids fails; 0: what a map can recover is recovered. */
neat_status neat_tile_decode(const uint8_t *data, size_t size, neat_tile_format format, uint32_t strict, neat_tile **out_tile);
/** Opens a Mapbox Vector Tile, compressed by gzip or zlib or not, without decoding it: at once there are the layers with their names and counts
 *  (neat_tile_get_layer_info). Keys, values and neat_tile_get_property read what they need of the layer; neat_tile_get_layer, and expressions over it,
 *  decode the layer when it is first asked for; JSON and encoding decode all. Layers are those of the tile that have a name. What is wrong with a layer
 *  shows where it is read: functions that are asked for one whose fields do not fit into it fail with NEAT_STATUS_TILE, the others serve. Features that
 *  cannot be read are counted, and have a property if their tags can be read; neat_tile_get_layer leaves them out. A MapLibre tile is decoded, as by neat_tile_decode. */
neat_status neat_tile_open(const uint8_t *data, size_t size, neat_tile_format format, neat_tile **out_tile);
/** As neat_tile_open without a copy: data must stay as they are until the tile is destroyed, unless they are compressed. */
neat_status neat_tile_open_borrow(const uint8_t *data, size_t size, neat_tile_format format, neat_tile **out_tile);
void neat_tile_destroy(neat_tile *tile);
size_t neat_tile_layer_count(const neat_tile *tile);
neat_status neat_tile_get_layer(const neat_tile *tile, size_t index, neat_tile_layer *out_layer);
neat_status neat_tile_get_layer_info(const neat_tile *tile, size_t index, neat_tile_layer_info *out_info);
neat_status neat_tile_get_key(const neat_tile *tile, size_t layer, size_t key, const char **out_text, size_t *out_size);
neat_status neat_tile_get_value(const neat_tile *tile, size_t layer, size_t value, neat_value *out_value);
/** One property of all features: out_values[f] is that of feature f, NEAT_VALUE_TYPE_NULL where it has none. value_count: room, at least the layer's
 *  feature_count. Of a tile that is opened no geometry is decoded, and what its specification forbids is not looked for: a value that cannot be read is
 *  null, where neat_tile_get_layer fails; of two lists of tags in one feature the first counts, where the last does there. */
neat_status neat_tile_get_property(
    const neat_tile *tile, size_t layer, const char *key, size_t key_size, neat_value *out_values, size_t value_count);
/** The tile as GeoJSON: an object of feature collections by layer; coordinates in tile units, or in degrees where z, x, y are given (z >= 0). */
neat_status neat_tile_to_json(const neat_tile *tile, int32_t z, uint32_t x, uint32_t y, neat_buffer **out_json);
/** The tile as Mapbox Vector Tile 2.1, not compressed. */
neat_status neat_tile_encode_mvt(const neat_tile *tile, neat_buffer **out_mvt);

/* ---------------------------------------------------------------- archives */

/** An MBTiles or PMTiles file, or a PMTiles archive on a server. Any thread, also at the same time. */
typedef struct neat_archive neat_archive;

/** path: a file (told apart by content), mbtiles://PATH, pmtiles://PATH-OR-URL, or the http(s) address of a PMTiles archive, of which only the parts that are
 *  needed are fetched. Fails with NEAT_STATUS_ARCHIVE, naming file and byte, for what is damaged or cut short. */
neat_status neat_archive_open(const char *path, size_t path_size, neat_archive **out_archive);
/** A PMTiles archive in memory. */
neat_status neat_archive_parse(const uint8_t *data, size_t size, neat_archive **out_archive);
void neat_archive_destroy(neat_archive *archive);
/** TileJSON 3 made from the archive's header and metadata; "header" has what only the archive knows. */
neat_status neat_archive_info(neat_archive *archive, neat_buffer **out_json);
/** The tile's bytes as stored, but for brotli and zstd, and for pictures packed by gzip, which are unpacked. At most 64 MiB.
 *  NEAT_STATUS_NOT_FOUND where the archive has none. */
neat_status neat_archive_tile(neat_archive *archive, uint32_t z, uint32_t x, uint32_t y, neat_buffer **out_tile);

/* ---------------------------------------------------------------- writing archives
 *
 * Whatever writes an archive PATH works in PATH.partial, in the same folder (PMTiles with PATH.partial.journal beside it), and gives it the name PATH when
 * it is whole. What ends before leaves PATH as it was, and a partial file that no reader takes for an archive; the same job continues it. */

/** How far a job is. */
typedef struct neat_archive_progress {
  uint32_t struct_size;
  uint32_t reserved;
  /** Tiles done, of how many; the latter is 0 where nobody knows. */
  uint64_t done_tiles, total_tiles;
  /** Bytes of contents written so far. */
  uint64_t bytes;
} neat_archive_progress;

/** Called on the thread of the job, every few hundred tiles. Not 0: the job ends with NEAT_STATUS_CANCELLED, and can be continued. */
typedef int32_t (*neat_archive_progress_callback)(void *context, const neat_archive_progress *progress);

/** Copies an archive (as neat_archive_open takes it), or a region of one, into a file. Blocks.
 *  options: NULL or JSON with any of "bbox" [west, south, east, north] in degrees (west > east crosses the 180th meridian), "minzoom", "maxzoom",
 *  "archive" ("pmtiles" or "mbtiles"; else by the name's end), "plain" (MBTiles without a view: one row a tile), "resume" (false: never continue a partial
 *  file), "maxTiles" (rows of MBTiles, or entries of PMTiles; else 134217728), "overwrite" (true: a target that is there already is replaced; else it fails
 *  with NEAT_STATUS_STATE, naming it), "verify" (true: every tile is unpacked and decoded as what the archive says it is, and the first that cannot be fails the copy
 *  with NEAT_STATUS_TILE or NEAT_STATUS_IMAGE, naming it; else false). Other members fail with NEAT_STATUS_INVALID_ARGUMENT, naming them, here and in all
 *  options below. A symbolic link is followed: what it names is written. A pipe, device or folder as target fails with
 *  NEAT_STATUS_INVALID_ARGUMENT. callback may be NULL. out_json: {"tiles", "contents", "bytes",
 *  "resumedTiles", "skippedTiles", "largestTileBytes", "minzoom", "maxzoom"}. Any thread. */
neat_status neat_archive_copy(
    const char *source, size_t source_size, const char *target, size_t target_size, const char *options, size_t options_size,
    neat_archive_progress_callback callback, void *context, neat_buffer **out_json);

/** Cuts GeoJSON into an archive of vector tiles (MVT 2.1, gzip). sources: a JSON array of {"name", "url"}, one layer each; url is a path or an address.
 *  options: as for neat_archive_copy without "bbox" and "verify" ("minzoom" 0, "maxzoom" 14, at most 24; "maxTiles" 16777216), and "buffer", "tolerance",
 *  "extent", "lineMetrics", "generateId", "promoteId" as for neat_geojson_parse, and "metadata", an object with "name", "attribution" and the like. */
neat_status neat_archive_tile_geojson(
    const char *sources, size_t sources_size, const char *target, size_t target_size, const char *options, size_t options_size,
    neat_archive_progress_callback callback, void *context, neat_buffer **out_json);

/** An archive that a caller fills. One thread at a time. */
typedef struct neat_archive_writer neat_archive_writer;

/** options: NULL or JSON with any of "archive", "plain", "maxTiles", "overwrite", "resume" as for neat_archive_copy, "format" ("pbf", "mlt", "png", "jpg", "webp", "avif"; else "pbf"),
 *  and "job", a text that names the job: a partial file of the same job is continued. Fails with NEAT_STATUS_STATE while another writer has the path. */
neat_status neat_archive_writer_create(
    const char *path, size_t path_size, const char *options, size_t options_size, neat_archive_writer **out_writer);
/** Without a finish before, what came up to the last checkpoint stays in the partial file. */
void neat_archive_writer_destroy(neat_archive_writer *writer);
/** Adds a tile, in any order; equal contents are stored once. Vector tiles that are not packed by gzip are. Fails with NEAT_STATUS_INVALID_ARGUMENT for an
 *  empty tile, and here or in finish for one that is there already. */
neat_status neat_archive_writer_add(neat_archive_writer *writer, uint32_t z, uint32_t x, uint32_t y, const uint8_t *data, size_t size);
/** Brings what was added to the disk. cursor: a number of the caller's that says how far it is. Does nothing where no job was named. */
neat_status neat_archive_writer_checkpoint(neat_archive_writer *writer, uint64_t cursor);
/** The number of the last checkpoint that is continued from; NEAT_STATUS_NOT_FOUND where the archive begins anew. */
neat_status neat_archive_writer_cursor(const neat_archive_writer *writer, uint64_t *out_cursor);
/** Completes the archive. tilejson: NULL or a JSON object: "name", "attribution", "bounds", "center", "vector_layers" and others. */
neat_status neat_archive_writer_finish(neat_archive_writer *writer, const char *tilejson, size_t tilejson_size);

/* ---------------------------------------------------------------- expressions */

/** A compiled expression, legacy function or filter. Immutable: any thread, also at the same time. */
typedef struct neat_expression neat_expression;

/** Compiles. spec: NULL (any type), a property's name as JSON text ("\"line-width\""), or a property specification as in the style reference.
 *  Fails with NEAT_STATUS_EXPRESSION; neat_last_error then is the JSON array of {"key", "error"}. */
neat_status neat_expression_compile(const char *json, size_t size, const char *spec, size_t spec_size, neat_expression **out_expression);
neat_status neat_filter_compile(const char *json, size_t size, neat_expression **out_filter);
void neat_expression_destroy(neat_expression *expression);
/** {"isFeatureConstant", "isZoomConstant", "type"}. */
neat_status neat_expression_info(const neat_expression *expression, neat_buffer **out_json);
/** Evaluates for one feature. globals: NULL or {"zoom", "heatmapDensity", "lineProgress", "elevation", "skyRadialProgress", "accumulated", "availableImages",
 *  "canonicalID", "globalState"}, other members fail with NEAT_STATUS_INVALID_ARGUMENT; feature: NULL or a GeoJSON-like {"id", "properties", "geometry", "type", "state"}. The result is JSON. */
neat_status neat_expression_evaluate(
    const neat_expression *expression, const char *globals, size_t globals_size, const char *feature, size_t feature_size, neat_buffer **out_json);
/** Compiles and evaluates in one go, as tools and tests want it: {"expression", "propertySpec", "inputs": [[globals, feature], …], "globalState"} gives
 *  {"compiled", "outputs"}. */
neat_status neat_expression_run_case(const char *json, size_t size, neat_buffer **out_json);
/** Evaluates to numbers for a whole layer; NaN where the expression fails. out_values has room for the layer's features. */
neat_status neat_expression_evaluate_layer(
    const neat_expression *expression, const neat_tile *tile, size_t layer, double zoom, double *out_values, size_t value_count);
/** The same to colours: red, green, blue (not premultiplied) and alpha in 0 to 1 for each feature, all NaN where the expression fails or is no colour.
 *  out_rgba has room for rgba_count floats, four for each of the layer's features. */
neat_status neat_expression_evaluate_layer_colors(
    const neat_expression *expression, const neat_tile *tile, size_t layer, double zoom, float *out_rgba, size_t rgba_count);
/** The same to booleans, of an expression or a filter: 0, 1, or 255 where the expression fails or is no boolean. */
neat_status neat_expression_evaluate_layer_booleans(
    const neat_expression *expression, const neat_tile *tile, size_t layer, double zoom, uint8_t *out_values, size_t value_count);
/** The same to strings, formatted text and names of images: their UTF-8 one after the other. out_starts has room for the layer's features + 1: feature f
 *  has the bytes out_starts[f] to out_starts[f + 1], none where the expression fails or is no text. At most 4 GiB. */
neat_status neat_expression_evaluate_layer_strings(
    const neat_expression *expression, const neat_tile *tile, size_t layer, double zoom, uint32_t *out_starts, size_t start_count,
    neat_buffer **out_text);
/** Evaluates to numbers at `count` zooms, without a feature; NaN where the expression fails or is no number. out_values has room for count values. */
neat_status neat_expression_evaluate_zooms(const neat_expression *expression, const double *zooms, size_t count, double *out_values);
/** Why the expression fails for features of a layer: a JSON array of {"feature", "key", "error"} in their order, at most `limit` of them (0: 1000). */
neat_status neat_expression_layer_errors(
    const neat_expression *expression, const neat_tile *tile, size_t layer, double zoom, size_t limit, neat_buffer **out_json);
/** What an expression or filter was compiled to, as text for people; its form is not stable. */
neat_status neat_expression_disassemble(const neat_expression *expression, neat_buffer **out_text);
/** The features of a layer that a filter lets through: their indices in order. out_indices has room for the layer's features. */
neat_status neat_filter_layer(
    const neat_expression *filter, const neat_tile *tile, size_t layer, double zoom, uint32_t *out_indices, size_t index_count, size_t *out_count);

/** Turns a legacy function ({"type", "property", "base", "stops", "default"}) into the expression that means the same, for a property given by spec as in
 *  neat_expression_compile: its type and default decide what the function does. For properties that take them, texts with {name} tokens are converted
 *  too. What is an expression or a constant already comes back as it is.
 *  Fails with NEAT_STATUS_EXPRESSION and an array of {"key", "error"}, as neat_expression_compile does. Any thread. */
neat_status neat_expression_from_legacy(const char *json, size_t size, const char *spec, size_t spec_size, neat_buffer **out_json);
/** Turns a legacy filter (["in", "class", "a", "b"], ["none", …]) into an expression that lets the same features through; null into one that lets all
 *  through. An expression comes back as it is. Fails as neat_expression_from_legacy does. Any thread. */
neat_status neat_filter_from_legacy(const char *json, size_t size, neat_buffer **out_json);

typedef enum neat_format_kind {
  /** What NSExpression's format strings are: the value of a property. A predicate is taken as well, for a boolean. */
  NEAT_FORMAT_KIND_EXPRESSION = 0,
  /** What NSPredicate's format strings are: a layer's filter. */
  NEAT_FORMAT_KIND_PREDICATE = 1
} neat_format_kind;

/** Turns a predicate or expression format string of the older iOS SDKs ("name CONTAINS 'x' AND rank < %d") into a style expression: JSON for
 *  neat_expression_compile, neat_filter_compile or a layer. docs/format-strings.md has every form.
 *  arguments: NULL, or a JSON array of the values for the placeholders (%@, %K, %d, %f, …). A value is data as it stands, null, arrays and objects
 *  included; {"$expression": …} is a style expression, {"$color": …} a colour: CSS text, or red, green, blue and alpha in 0 to 1.
 *  Limits: 1 MiB of text, 100 levels, 100000 operands and operators, 10000 in one place, 16 MiB of arguments and of result.
 *  Errors, with the byte of the format string in neat_last_error: NEAT_STATUS_EXPRESSION (not readable, or operands of the wrong type or number),
 *  NEAT_STATUS_UNSUPPORTED (a form that style expressions have nothing for; the message names it and says why), NEAT_STATUS_INVALID_ARGUMENT
 *  (a placeholder and its argument do not fit), NEAT_STATUS_LIMIT_EXCEEDED, NEAT_STATUS_JSON (arguments that are not JSON). Any thread. */
neat_status neat_expression_from_format(
    const char *format, size_t format_size, const char *arguments, size_t arguments_size, neat_format_kind kind, neat_buffer **out_json);

/* ---------------------------------------------------------------- meshes */

/** Triangles of a polygon: points are x, y pairs; ring_starts has ring_count + 1 point numbers, the outer ring first. out_indices: an array of
 *  uint32 triples, counter to neat_buffer_size / 4. Any thread. */
neat_status neat_mesh_triangulate(
    const double *points, size_t point_count, const uint32_t *ring_starts, size_t ring_count, neat_buffer **out_indices);

/** Triangles of all polygons of a layer of a tile, in one call: three uint32 a triangle, numbers of the layer's points (neat_tile_layer). Feature f has the
 *  entries feature_starts[f] to feature_starts[f + 1] (uint32, one more than features), none where it is no polygon. Any thread. */
neat_status neat_mesh_triangulate_layer(const neat_tile *tile, size_t layer, neat_buffer **out_indices, neat_buffer **out_feature_starts);

typedef enum neat_line_cap { NEAT_LINE_CAP_BUTT = 0, NEAT_LINE_CAP_ROUND = 1, NEAT_LINE_CAP_SQUARE = 2 } neat_line_cap;
typedef enum neat_line_join { NEAT_LINE_JOIN_MITER = 0, NEAT_LINE_JOIN_BEVEL = 1, NEAT_LINE_JOIN_ROUND = 2 } neat_line_join;

typedef struct neat_line_options {
  uint32_t struct_size;
  neat_line_cap cap;
  neat_line_join join;
  /** 0 means 2. */
  double miter_limit;
  /** 0 means 1.05. */
  double round_limit;
  /** Not 0: the line is a ring. */
  uint32_t is_closed;
} neat_line_options;

/** 24 bytes: where the vertex is, which way and how far (in half widths) it is pushed, and how far along the line it lies. */
typedef struct neat_line_vertex {
  /** Tile units. */
  float x, y;
  /** Half widths. */
  float extrude_x, extrude_y;
  /** Tile units from the start of the line. */
  float distance;
  /** 1 left, -1 right of the line; 2 and -2 where the vertex ends a round join or cap. */
  float side;
} neat_line_vertex;

/** Tessellates a line of x, y pairs in tile units. out_vertices: neat_line_vertex; out_indices: uint32 triples. Any thread. */
neat_status neat_mesh_line(
    const float *points, size_t point_count, const neat_line_options *options, neat_buffer **out_vertices, neat_buffer **out_indices);

/* ---------------------------------------------------------------- collision */

/** A grid index of boxes and circles in pixels: what stands may keep others away. */
typedef struct neat_collision neat_collision;

neat_status neat_collision_create(double width_px, double height_px, neat_collision **out_collision);
void neat_collision_destroy(neat_collision *collision);
/** Inserts a box unless it hits one that stands. out_placed: whether it was inserted. */
neat_status neat_collision_place_box(neat_collision *collision, double x0_px, double y0_px, double x1_px, double y1_px, uint32_t *out_placed);
neat_status neat_collision_place_circle(neat_collision *collision, double x_px, double y_px, double radius_px, uint32_t *out_placed);

/* ---------------------------------------------------------------- GeoJSON and clusters */

/** GeoJSON cut into tiles on demand. Any thread, also at the same time. */
typedef struct neat_geojson neat_geojson;

/** json: GeoJSON, or several documents on lines of their own or behind record separators (RFC 8142); also packed by gzip or zlib. It is not copied.
 *  At most 2^31 bytes, 2^28 features, points or properties, 128 levels of nesting. Errors tell line and column.
 *  options: NULL or JSON with any of "maxzoom" (14), "buffer" (64), "tolerance" (3), "extent" (4096, with clusters 512), "lineMetrics", "generateId",
 *  "promoteId", "indexMaxZoom" (5), "indexMaxPoints" (100000), and for clusters "cluster", "minzoom" (0), "clusterRadius" (40), "clusterMinPoints" (2),
 *  "clusterMaxZoom" (16), "clusterProperties". Other members fail with NEAT_STATUS_INVALID_ARGUMENT, naming them. */
neat_status neat_geojson_parse(const char *json, size_t size, const char *options, size_t options_size, neat_geojson **out_geojson);
void neat_geojson_destroy(neat_geojson *geojson);
size_t neat_geojson_feature_count(const neat_geojson *geojson);
/** Changes the data by the ids of its features; diff as for neat_map_update_geojson. Tiles got before stay as they are. */
neat_status neat_geojson_update(neat_geojson *geojson, const char *diff, size_t diff_size);
/** NEAT_STATUS_NOT_FOUND where the tile is empty. */
neat_status neat_geojson_tile(neat_geojson *geojson, uint32_t z, uint32_t x, uint32_t y, neat_tile **out_tile);
/** Every tile that indexing made, as JSON: an object by "z-x-y" of arrays of {"geometry", "type", "tags", "id"}. */
neat_status neat_geojson_index_json(neat_geojson *geojson, neat_buffer **out_json);
/** Clusters and points in a box of degrees, as a GeoJSON feature array. Fails with NEAT_STATUS_STATE where the data is not clustered. */
neat_status neat_geojson_clusters(
    neat_geojson *geojson, double west_deg, double south_deg, double east_deg, double north_deg, uint32_t zoom, neat_buffer **out_json);
/** Children (what a cluster is made of at the next zoom) and leaves (its points) are feature arrays as those of neat_geojson_clusters: points with id and
 *  properties. limit: features at most, 1 or more, after the first offset. Fail with NEAT_STATUS_NOT_FOUND where there is no such cluster. */
neat_status neat_geojson_cluster_children(neat_geojson *geojson, uint64_t cluster, neat_buffer **out_json);
neat_status neat_geojson_cluster_leaves(neat_geojson *geojson, uint64_t cluster, uint32_t limit, uint32_t offset, neat_buffer **out_json);
neat_status neat_geojson_cluster_expansion_zoom(neat_geojson *geojson, uint64_t cluster, uint32_t *out_zoom);

/** GeoJSON that comes in pieces, of a file or a server, without ever being in memory as a whole: plain text, limits as for neat_geojson_parse. In a
 *  FeatureCollection "type" stands best before "features". One thread at a time. */
typedef struct neat_geojson_reader neat_geojson_reader;

/** options: as for neat_geojson_parse. */
neat_status neat_geojson_reader_create(const char *options, size_t options_size, neat_geojson_reader **out_reader);
void neat_geojson_reader_destroy(neat_geojson_reader *reader);
/** The next bytes, cut anywhere; they are not kept. An error, with line and column in the whole text, comes from every later call too. */
neat_status neat_geojson_reader_append(neat_geojson_reader *reader, const char *bytes, size_t size);
/** The document, when all of it came. The reader is of no use afterwards, but still to be destroyed. */
neat_status neat_geojson_reader_finish(neat_geojson_reader *reader, neat_geojson **out_geojson);

/* ---------------------------------------------------------------- text */

/** Glyphs by font stack: glyph ranges (PBF) and font files. */
typedef struct neat_fonts neat_fonts;

neat_status neat_fonts_create(neat_fonts **out_fonts);
void neat_fonts_destroy(neat_fonts *fonts);
/** Adds a glyph range of a font stack. */
neat_status neat_fonts_add_range(neat_fonts *fonts, const char *stack, size_t stack_size, const uint8_t *pbf, size_t size);
/** Adds a font file (TTF, OTF, TTC); it answers to every stack that has no glyph of its own. */
neat_status neat_fonts_add_file(neat_fonts *fonts, const uint8_t *data, size_t size);
/** Shapes text. request: {"sections": [{"text", "fontStack", "scale", "image"}], "maxWidth", "lineHeight", "anchor", "justify", "letterSpacing",
 *  "translate", "writingMode" ("horizontal" or "vertical"), "allowVerticalPlacement", "images": {name: {"width", "height", "pixelRatio"}}}, lengths in
 *  ems of 24 units. Other members fail with NEAT_STATUS_INVALID_ARGUMENT. The result is JSON: lines of positioned glyphs and the box. */
neat_status neat_fonts_shape(neat_fonts *fonts, const char *request, size_t request_size, neat_buffer **out_json);

#ifdef __cplusplus
}
#endif
#endif
