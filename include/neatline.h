/**
 * Neatline: an embeddable vector-map engine.
 *
 * Rules for all functions (docs/abi.md has them at length)
 *
 *  - Errors. A function that can fail returns neat_status; 0 (NEAT_STATUS_OK) is success. Results go through
 *    out parameters, which come last; on failure handles are set to NULL. neat_last_error returns the message
 *    of the last failure on the calling thread.
 *  - NULL. A handle that is NULL fails with NEAT_STATUS_INVALID_ARGUMENT; functions without a status return
 *    0, NULL, -1 or "" for it. A _destroy function does nothing for NULL. An out parameter must not be NULL.
 *  - Ownership. Handles come from functions with an out parameter of their type and are released by the
 *    _destroy function of the type, once. A neat_buffer that a function returns is the caller's. Input is
 *    copied, unless the function's comment says otherwise. A pointer that a function returns is valid as long
 *    as the handle it was called on.
 *  - Text and data are a pointer and a size in bytes. Text is UTF-8 and need not end in NUL. NULL with size 0
 *    is empty.
 *  - Structures that begin with struct_size must be zeroed, and struct_size set to their sizeof; members left
 *    0 take their defaults. They grow at their end within an ABI version: the library reads and fills as much
 *    as struct_size says. Members that it does not know must be 0, or the call fails with
 *    NEAT_STATUS_UNSUPPORTED; a struct_size that no header had fails with NEAT_STATUS_INVALID_ARGUMENT.
 *  - Options in JSON that no function reads fail with NEAT_STATUS_INVALID_ARGUMENT, which names them.
 *  - Threads. A handle may be used by one thread at a time. "Any thread" in a comment means: by any number of
 *    threads at the same time.
 *  - Stack. A call needs 64 KiB of its thread's stack, a call that draws or queries a map 128 KiB, and a call
 *    that reads documents as deep as the limits allow 512 KiB. Where the thread has less, deep documents and
 *    calls that draw fail with NEAT_STATUS_LIMIT_EXCEEDED (docs/concepts/threads.md).
 *  - Memory. What needs more memory than the process has left fails with NEAT_STATUS_OUT_OF_MEMORY before it
 *    is taken.
 *  - fork(). A child may use the renderers and archives of its parent: they start again there when they are
 *    first used. Loops, maps and archive writers of the parent fail in the child with NEAT_STATUS_STATE
 *    (functions without a status return 0, descriptors and times are -1), and destroying them there leaves
 *    what the parent needs alone. All other handles are memory: a child may use those on which no other
 *    thread was inside a call at the moment of the fork.
 *  - Bad input never aborts the program, whatever the bytes.
 *  - "Since" gives the ABI version that a function first appeared in.
 */
#ifndef NEATLINE_H
#define NEATLINE_H

#include <stddef.h>
#include <stdint.h>

/* ---------------------------------------------------------------- declarations */

/** Marks what the library exports. On Windows, define NEAT_STATIC before this header to link the archive;
 *  NEAT_BUILDING is for the library itself. Elsewhere neither is needed. */
#ifndef NEAT_API
#if defined(_WIN32) && defined(NEAT_BUILDING)
#define NEAT_API __declspec(dllexport)
#elif defined(_WIN32) && !defined(NEAT_STATIC)
#define NEAT_API __declspec(dllimport)
#elif defined(__GNUC__)
#define NEAT_API __attribute__((visibility("default")))
#else
#define NEAT_API
#endif
#endif

/** Marks functions whose status must be looked at: a call that drops it is a warning. Define it as nothing
 *  before this header to have no such warnings. */
#ifndef NEAT_MUST_USE
#if defined(__cplusplus) && __cplusplus >= 201703L
#define NEAT_MUST_USE [[nodiscard]]
#elif defined(__STDC_VERSION__) && __STDC_VERSION__ > 201710L
#define NEAT_MUST_USE [[nodiscard]]
#elif defined(__GNUC__)
#define NEAT_MUST_USE __attribute__((warn_unused_result))
#else
#define NEAT_MUST_USE
#endif
#endif

/** Marks functions that a later ABI version will not have; the message names what to use instead. Define it
 *  as nothing (NEAT_DEPRECATED(message)) before this header to have no such warnings. */
#ifndef NEAT_DEPRECATED
#if defined(__GNUC__)
#define NEAT_DEPRECATED(message) __attribute__((deprecated(message)))
#elif defined(_MSC_VER)
#define NEAT_DEPRECATED(message) __declspec(deprecated(message))
#else
#define NEAT_DEPRECATED(message)
#endif
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---------------------------------------------------------------- versions */

/** The version of this header's interface. Grows with every incompatible change. */
#define NEAT_ABI_VERSION 2

/** The version of the library that this header belongs to: for #if. */
#define NEAT_VERSION_MAJOR 0
/** The second number of the version: grows with new functions. */
#define NEAT_VERSION_MINOR 1
/** The third number of the version: grows with corrections. */
#define NEAT_VERSION_PATCH 0
/** The three numbers as text. */
#define NEAT_VERSION_STRING "0.1.0"

/** The ABI version that the library was built with. A program that finds another than its NEAT_ABI_VERSION
 *  must not call anything else. Any thread. Since 1. */
NEAT_API uint32_t neat_abi_version(void);

/** The version of the library that is linked, such as "0.1.0": NEAT_VERSION_STRING of its own header. Static
 *  text. Any thread. Since 1. */
NEAT_API const char *neat_version(void);

/* ---------------------------------------------------------------- status */

/** What came of a call. Later versions may add numbers; none is ever given to something else. */
typedef enum neat_status {
  /** The call succeeded. */
  NEAT_STATUS_OK = 0,
  /** An argument is NULL, out of its range, or names something that it must not. */
  NEAT_STATUS_INVALID_ARGUMENT = 1,
  /** More memory is needed than the process, or an option, allows. */
  NEAT_STATUS_OUT_OF_MEMORY = 2,
  /** The input is past a documented limit. */
  NEAT_STATUS_LIMIT_EXCEEDED = 3,
  /** A layer, source, tile, file or resource that does not exist. */
  NEAT_STATUS_NOT_FOUND = 4,
  /** Understood, but not implemented or not allowed. */
  NEAT_STATUS_UNSUPPORTED = 5,
  /** Text that is not JSON. */
  NEAT_STATUS_JSON = 6,
  /** JSON that is not a style, or a value that the style specification forbids. */
  NEAT_STATUS_STYLE = 7,
  /** An expression that does not compile, or that fails when it is evaluated. */
  NEAT_STATUS_EXPRESSION = 8,
  /** Bytes that are not a tile. */
  NEAT_STATUS_TILE = 9,
  /** An archive that is damaged, or a file that is not an archive. */
  NEAT_STATUS_ARCHIVE = 10,
  /** Bytes that are not a font or a glyph range. */
  NEAT_STATUS_FONT = 11,
  /** Bytes that are not a picture. */
  NEAT_STATUS_IMAGE = 12,
  /** Text that is not GeoJSON, or a geometry in binary that is damaged. */
  NEAT_STATUS_GEOJSON = 13,
  /** A file that cannot be read or written. */
  NEAT_STATUS_IO = 14,
  /** A server that cannot be reached, or answers with an error. */
  NEAT_STATUS_NETWORK = 15,
  /** A deadline or timeout passed. */
  NEAT_STATUS_TIMEOUT = 16,
  /** The caller ended the work. */
  NEAT_STATUS_CANCELLED = 17,
  /** The handle is not in a state for the call: no style yet, another process's, already there. */
  NEAT_STATUS_STATE = 18
} neat_status;

/** The name of a status, such as "invalid argument"; "unknown" for other numbers. Static text. Any thread.
 *  Since 1. */
NEAT_API const char *neat_status_name(neat_status status);

/** The message of the last failed call on the calling thread. It names the resource, layer, property or byte
 *  at fault; "" before any failure. Valid until the next failing call on this thread. Since 1. */
NEAT_API const char *neat_last_error(void);

/* ---------------------------------------------------------------- the log */

/** How much a message matters. */
typedef enum neat_log_level {
  /** What goes as it should: each request with its answer. */
  NEAT_LOG_DEBUG = 1,
  /** What may pass: requests that failed, tries that follow. */
  NEAT_LOG_INFO = 2,
  /** What a map or picture lacks; a cache that was begun anew. */
  NEAT_LOG_WARNING = 3,
  /** What cannot be had at all: a style. */
  NEAT_LOG_ERROR = 4
} neat_log_level;

/** A message of the log. Its texts end in NUL, are never NULL, and are valid during the call. They are
 *  without credentials, as neat_event is. */
typedef struct neat_log_message {
  /** The bytes of this structure that the library filled. */
  uint32_t struct_size;
  /** How much it matters. */
  neat_log_level level;
  /** What it is about: "style", "sprite", "source", "tile", "glyphs", "request", "network", "cache" or "map";
   *  later versions may have others. */
  const char *category;
  /** What there is to say: one line. */
  const char *text;
  /** When: microseconds since 1970, by the machine's clock. */
  int64_t time_us;
} neat_log_message;

/** Called with each message, one after the other, on a thread of the library's own on which no call is under
 *  way: it may take its time and call any function, neat_set_log_callback too. Of 4096 messages that wait for
 *  it, later ones are lost; it hears how many. */
typedef void (*neat_log_callback)(void *context, const neat_log_message *message);

/** Has the messages of all maps, renderers and caches of the process, of a level and above, told to a
 *  callback, in place of the one before; NULL: to nobody, as at the start. The library itself writes to no
 *  stream. When this returns, the one before has heard what was written until now and is not called any more,
 *  unless it is itself what calls this. The child of a fork keeps its parent's callback. A program calls it
 *  with NULL before it ends, or what was written last may not be told. Fails with
 *  NEAT_STATUS_INVALID_ARGUMENT for a level that is none, unless the callback is NULL. Any thread. Since 2.
 *  */
NEAT_MUST_USE NEAT_API neat_status neat_set_log_callback(
    neat_log_level lowest, neat_log_callback callback, void *context);

/** Begins to write where time goes to a file, of the whole process, in Chrome's trace format, which
 *  ui.perfetto.dev and chrome://tracing show: turns and frames of maps, reading, cutting and laying out
 *  tiles, drawing, requests, encoding pictures. The file is emptied first; it takes 1 GiB at most, and says
 *  where more is left out. It can be read too where the process ended before neat_trace_stop, but for its
 *  last second. Addresses are without credentials. Fails with NEAT_STATUS_IO, and with NEAT_STATUS_STATE
 *  where a trace is under way. Any thread. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_trace_start(const char *path, size_t path_size);

/** Ends the trace. Fails with NEAT_STATUS_STATE where there is none, and with NEAT_STATUS_IO where not all of
 *  it could be written. Any thread. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_trace_stop(void);

/* ---------------------------------------------------------------- buffers */

/** Bytes that a function made: a picture file, JSON text, a tile. Text is followed by a NUL that the size
 *  does not count. Immutable: any thread. */
typedef struct neat_buffer neat_buffer;

/** The first byte; NULL for NULL. Valid until the buffer is destroyed. Any thread. Since 1. */
NEAT_API const uint8_t *neat_buffer_data(const neat_buffer *buffer);

/** The number of bytes; 0 for NULL. Any thread. Since 1. */
NEAT_API size_t neat_buffer_size(const neat_buffer *buffer);

/** Releases a buffer, and the bytes with it. NULL is allowed. Since 1. */
NEAT_API void neat_buffer_destroy(neat_buffer *buffer);

/** Text that the library writes in pieces, so that neither side holds all of it. One thread at a time. */
typedef struct neat_text_stream neat_text_stream;

/** Writes the next piece of a text: 64 KiB, longer where a single value is longer. out_piece: NULL at the end
 *  of the text; else a buffer of the caller's. Fails with NEAT_STATUS_LIMIT_EXCEEDED where the text is past
 *  the limit that the stream was made with, and then again whenever it is called. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_text_stream_next(neat_text_stream *stream, neat_buffer **out_piece);

/** Releases a stream, at its end or before. NULL is allowed. Since 2. */
NEAT_API void neat_text_stream_destroy(neat_text_stream *stream);

/* ---------------------------------------------------------------- images */

/** A picture: 8-bit premultiplied RGBA, rows from the top without padding. Immutable: any thread. */
typedef struct neat_image neat_image;

/** The width in pixels; 0 for NULL. Any thread. Since 1. */
NEAT_API uint32_t neat_image_width_px(const neat_image *image);

/** The height in pixels; 0 for NULL. Any thread. Since 1. */
NEAT_API uint32_t neat_image_height_px(const neat_image *image);

/** The pixels, width * height * 4 bytes; NULL for NULL. Valid until the image is destroyed. Any thread.
 *  Since 1. */
NEAT_API const uint8_t *neat_image_pixels(const neat_image *image);

/** Releases an image, and its pixels with it. NULL is allowed. Since 1. */
NEAT_API void neat_image_destroy(neat_image *image);

/** Reports what a drawn picture lacks, found out now or for an earlier picture: a JSON object of
 *    "complete"  whether nothing failed
 *    "missing"   an array, each thing once, at most 1000, of {"kind", "resource", "code", "message",
 *                "failure"} and, where they apply, "source", "tile" ([z, x, y]), "layer", "script" (ISO
 *                15924) and "sample" (characters)
 *    "omitted"   how many more there are.
 *  Kinds are "sprite", "source", "tile", "source-layer", "glyphs", "characters", "image", "style" and
 *  "archive"; codes are those of neat_status; docs/reports.md explains each. "failure" is false for what the
 *  data does not have (a tile that its server answers with 404, an image that no sprite has, a character that
 *  no font has), for what cannot be read within a tile, and for what is not supported. Pictures that were not
 *  drawn lack nothing. Any thread. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_image_report(const neat_image *image, neat_buffer **out_json);

/** The number of things in neat_image_report, including the omitted ones; 0 for NULL. Any thread. Since 2. */
NEAT_API size_t neat_image_missing_count(const neat_image *image);

/** Whether nothing failed (neat_image_report's "complete"): 1 or 0; 0 for NULL. Any thread. Since 2. */
NEAT_API int32_t neat_image_is_complete(const neat_image *image);

/** Makes an image of width_px * height_px * 4 bytes of premultiplied RGBA, which are copied. Edges are 1 to
 *  16384 pixels; others fail with NEAT_STATUS_INVALID_ARGUMENT. Any thread. Since 1. */
NEAT_MUST_USE NEAT_API neat_status neat_image_create(
    uint32_t width_px, uint32_t height_px, const uint8_t *pixels, neat_image **out_image);

/** Reads a PNG, JPEG or WebP file, told apart by content, of at most 16384 pixels per edge and 67,108,864 in
 *  all; a larger one fails with NEAT_STATUS_LIMIT_EXCEEDED. Fails with NEAT_STATUS_IMAGE for other bytes. Any
 *  thread. Since 1. */
NEAT_MUST_USE NEAT_API neat_status neat_image_decode(
    const uint8_t *data, size_t size, neat_image **out_image);

/** Reads a picture as neat_image_decode does, of at most pixel_limit pixels (width times height). Fails with
 *  NEAT_STATUS_LIMIT_EXCEEDED for a larger one, by the size that the decoder reads from the header and before
 *  memory for pixels is taken. 0 means 67,108,864 pixels, which is the limit of neat_image_decode too. Any
 *  thread. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_image_decode_limited(
    const uint8_t *data, size_t size, uint64_t pixel_limit, neat_image **out_image);

/** How much time a PNG may take. */
typedef enum neat_png_mode {
  /** Quick: about 2 ms for 512x512. */
  NEAT_PNG_MODE_FAST = 0,
  /** As small as deflate makes it. */
  NEAT_PNG_MODE_SMALL = 1
} neat_png_mode;

/** Writes a picture as a PNG file. Fails with NEAT_STATUS_INVALID_ARGUMENT for other modes. Where the last
 *  two pictures of a renderer became files of NEAT_PNG_MODE_FAST, it compresses the next one as it draws
 *  it: that takes longer, and this next to nothing for opaque pictures of more than 256 colours. Until it
 *  is such a file or destroyed the picture then holds about 6 bytes a pixel more, at most; as many pictures
 *  as the renderer has threads do at a time. The bytes are the same. Any thread. Since 1. */
NEAT_MUST_USE NEAT_API neat_status neat_image_encode_png(
    const neat_image *image, neat_png_mode mode, neat_buffer **out_png);

/** A file format of pictures. */
typedef enum neat_image_format {
  /** As neat_image_encode_png with NEAT_PNG_MODE_FAST; has no quality. */
  NEAT_IMAGE_FORMAT_PNG = 1,
  /** Has no alpha: the picture is laid over white. At most 65500 pixels per edge. */
  NEAT_IMAGE_FORMAT_JPEG = 2,
  /** Has alpha. At most 16383 pixels per edge. */
  NEAT_IMAGE_FORMAT_WEBP = 3
} neat_image_format;

/** Writes a picture as a file. quality is 1 to 100, or 0 for the default (JPEG 85, WebP 80); WebP of quality
 *  100 keeps every pixel as it is. For PNG it must be 0. Fails with NEAT_STATUS_INVALID_ARGUMENT for other
 *  formats and qualities, and with NEAT_STATUS_LIMIT_EXCEEDED past the format's edge. Any thread. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_image_encode(
    const neat_image *image, neat_image_format format, uint32_t quality, neat_buffer **out_file);

/* ---------------------------------------------------------------- styles */

/** Validates a style against the specification. out_json is an array of {"message", "key"} and, where they
 *  are known, "line" (from 1), "identifier" and "severity" ("warning"; else it is an error). It is empty for
 *  a valid style. Fails with NEAT_STATUS_JSON for text that is not JSON. Cost: n log n in the text. Any
 *  thread. Since 1. */
NEAT_MUST_USE NEAT_API neat_status neat_style_validate(const char *json, size_t size, neat_buffer **out_json);

/** Updates a style: legacy filters, legacy functions ({"stops": …}) and texts with {name} tokens become the
 *  expressions that mean the same. Everything else is kept, including unknown members and the order of
 *  members; so is what is too faulty to convert, which neat_style_validate reports. Fails with
 *  NEAT_STATUS_JSON, and with NEAT_STATUS_STYLE where the JSON is not an object. Cost: linear in the text.
 *  Any thread. Since 1. */
NEAT_MUST_USE NEAT_API neat_status neat_style_migrate(const char *json, size_t size, neat_buffer **out_json);

/** Lists the steps that turn one style into another, in an order in which each can be carried out: a JSON
 *  array of {"command", "args"} with the names of style tools (addLayer, removeLayer, setPaintProperty,
 *  setLayoutProperty, setFilter, setLayerZoomRange, addSource, removeSource, setGeoJSONSourceData, setLight
 *  …). The camera is left alone. Fails with NEAT_STATUS_JSON or NEAT_STATUS_STYLE where one of them is not a
 *  style. Cost: n log n in the two texts. Any thread. Since 1. */
NEAT_MUST_USE NEAT_API neat_status neat_style_diff(
    const char *from, size_t from_size, const char *to, size_t to_size, neat_buffer **out_json);

/** The same as neat_map_localize_labels for the text of a style, which is given back. Fails with
 *  NEAT_STATUS_JSON, with NEAT_STATUS_STYLE for what has no layers. Cost: linear in the text. Any thread.
 *  Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_style_localize_labels(
    const char *json, size_t size, const char *language, size_t language_size, const char *layers,
    size_t layers_size, neat_buffer **out_json);

/* ---------------------------------------------------------------- drawing on servers */

/** A point of view. Zeroed: the whole world. A member past its range, or not a number, fails with
 *  NEAT_STATUS_INVALID_ARGUMENT, which names it. */
typedef struct neat_camera {
  /** sizeof(neat_camera). */
  uint32_t struct_size;
  /** Not 0: use the style's own centre, zoom, bearing, pitch and roll, and ignore the other members. What the
   *  style gives past a range is clamped. */
  uint32_t use_style;
  /** Longitude of the centre in degrees, -36000 to 36000. */
  double lon_deg;
  /** Latitude of the centre in degrees, -90 to 90. */
  double lat_deg;
  /** Zoom, -2 to 25.5; the world is 512 * 2^zoom logical pixels wide. */
  double zoom;
  /** Degrees clockwise from north, -36000 to 36000. */
  double bearing_deg;
  /** Degrees from straight down, 0 to 180; a renderer takes 0 to 85, and a map holds it to its limits. Past
   *  90 the camera looks up from below its centre, which should then be above the ground. */
  double pitch_deg;
  /** Degrees about the line of sight, -36000 to 36000. */
  double roll_deg;
  /** Logical pixels kept free along the edges, 0 to 65536. */
  double padding_top_px, padding_left_px, padding_bottom_px, padding_right_px;
  /** Vertical field of view in degrees, 0.1 to 150; 0 means 36.87. */
  double fov_deg;
  /** Where north is at a bearing of 0: degrees clockwise from the top, -36000 to 36000. A map has its own
   *  (neat_map_set_orientation) and does not look at this. Since 2. */
  double north_deg;
} neat_camera;

/** The size of a picture. */
typedef struct neat_size {
  /** sizeof(neat_size). */
  uint32_t struct_size;
  /** Logical pixels, 1 or more. */
  uint32_t width_px, height_px;
  /** Device pixels per logical pixel, 0.1 to 16; 0 means 1. At most 16384 device pixels per edge. */
  double pixel_ratio;
} neat_size;

/** Moves a camera so that a box of degrees is as large as fits into a picture, within the camera's paddings
 *  and at its bearing, pitch and roll. Sets centre and zoom (at most 22), and use_style to 0. west_deg >
 *  east_deg crosses the 180th meridian; latitudes past those of the Mercator map are clamped. Fails with
 *  NEAT_STATUS_INVALID_ARGUMENT, and leaves the camera alone, for longitudes past 360, latitudes out of order
 *  or past 90, and paddings that leave no room. Any thread. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_camera_fit_bounds(
    neat_camera *camera, const neat_size *size, double west_deg, double south_deg, double east_deg,
    double north_deg);

/** neat_options.retry_count: every request is tried once. */
#define NEAT_NO_RETRIES 0xFFFFFFFFu

/** What renderers and maps load by together that are given the same one (neat_options.resources):
 *  connections, headers, archives that stay open, the cache of what servers answered, and whether servers are
 *  asked at all. Any thread; in the child of a fork, with connections of its own. */
typedef struct neat_resources neat_resources;

/** Makes one.
 *  options: NULL or JSON with any of
 *    "cachePath"  a file for what servers answer; made where it is not there. Several processes may use it
 *                 at once. A damaged one is put aside under another name, and told of in the report. Else
 *                 nothing is kept
 *    "cacheBytes" of it at most, the least recently used go first; else 52428800
 *    "headers"    an object: sent with each request
 *    "userAgent"  else "Neatline"
 *    "connectionsPerHost", "connections"  requests at once to one host and to all; else 20 and 64. What is in
 *                 view goes first, downloads for maps without a network last
 *    "proxy"      an address; else what the environment says (https_proxy, no_proxy)
 *    "caFile"     certificates that are trusted, PEM; else the system's
 *    "credentials"  an array of {"url", "headers", "query"}: addresses that begin with "url" are asked with
 *                 these headers and members of the query
 *    "providers"  an object: how addresses of other schemes become those of servers. By scheme {"base",
 *                 "token", "tokenName" (else "key"), "source", "style", "sprite", "glyphs", "tile"};
 *                 templates are put behind "base", with {domain}, {path}, {directory}, {filename},
 *                 {extension} of the address. "mapbox" needs its "token" alone: mapbox:// styles, sources,
 *                 sprites, glyphs and tiles are asked of api.mapbox.com, or of "base"
 *    "assetPath"  a folder for addresses of the scheme asset: asset://icons/pin.png is icons/pin.png in it.
 *                 None leads out of it. Else they fail
 *    "timeoutMs", "retryCount", "unpackedLimitBytes"  as in neat_options, whose own are not read then.
 *  The file is SQLite with the tables of MapLibre Native's cache.db, schema 6. Answers are kept as
 *  Cache-Control and Expires say; expired ones are asked about (If-None-Match, If-Modified-Since), and used
 *  where no server answers, but for those with must-revalidate. Parts of archives on servers are not kept.
 *  Equal requests under way are one. Credentials, and members of a query that name who asks (access_token,
 *  key, token …), are in no key of the cache, event, error or log.
 *  Fails with NEAT_STATUS_IO, NEAT_STATUS_ARCHIVE for another application's database, NEAT_STATUS_STATE for
 *  one of a newer version. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_resources_create(
    const char *options, size_t options_size, neat_resources **out_resources);

/** Releases it; what was given it goes on with it. NULL is allowed. Since 2. */
NEAT_API void neat_resources_destroy(neat_resources *resources);

/** Sets what renderers and maps of this process load by that are made from now on and name none
 *  (neat_options.resources); held until another one is set. NULL, as at the start: each loads by itself. Any
 *  thread. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_resources_set_default(neat_resources *resources);

/** Says whether servers are asked. Where not, requests that the cache cannot answer fail with
 *  NEAT_STATUS_NETWORK, those under way too, and no socket is opened. Where they are, also when they were
 *  before (the network is back), what live maps wait for is asked for at once. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_resources_set_online(neat_resources *resources, int32_t is_online);

/** What of the cache neat_resources_keep changes. */
typedef enum neat_cache_action {
  /** Forgets all of it. */
  NEAT_CACHE_CLEAR = 0,
  /** Has all of it asked about when it is used next. */
  NEAT_CACHE_INVALIDATE = 1,
  /** Gives free room back to the disk. */
  NEAT_CACHE_PACK = 2,
  /** Writes what waits to be written. */
  NEAT_CACHE_FLUSH = 3
} neat_cache_action;

/** Does something to the cache. Fails with NEAT_STATUS_STATE where there is none, with NEAT_STATUS_IO and
 *  NEAT_STATUS_OUT_OF_MEMORY where it cannot be done. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_resources_keep(neat_resources *resources, neat_cache_action action);

/** Changes how many bytes the cache has at most; 0: nothing is kept. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_resources_set_cache_bytes(neat_resources *resources, uint64_t bytes);

/** Tells how it goes. out_json: {"online", "cache": null or {"bytes", "hits", "misses", "stored",
 *  "revalidated", "evicted", "damaged", "skipped", "bytesRead", "bytesWritten", "notices"}}; skipped: answers
 *  that were not stored since 64 MiB of others waited for the disk; notices: what went wrong
 *  without failing a picture (a full disk, a file put aside), each told once. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_resources_report(neat_resources *resources, neat_buffer **out_json);

/** What a style may read of this machine: file paths, file:// addresses, and archives (mbtiles://,
 *  pmtiles://) by path. */
typedef enum neat_local_files {
  /** Styles from files and from text may. Styles from servers (their address or base_url is http or https)
   *  may not, nor may what another document from a server (a TileJSON) names. */
  NEAT_LOCAL_FILES_DEFAULT = 0,
  /** Every style may. */
  NEAT_LOCAL_FILES_ALLOW = 1,
  /** No style may. */
  NEAT_LOCAL_FILES_DENY = 2
} neat_local_files;

/** Which text is drawn from font files (font_paths, and the system's). */
typedef enum neat_glyphs_rasterization {
  /** What no glyph server draws. */
  NEAT_GLYPHS_RASTERIZATION_WHERE_NEEDED = 0,
  /** None: what no glyph server draws is not drawn. */
  NEAT_GLYPHS_RASTERIZATION_NONE = 1,
  /** Ideographs and hangul (U+3400 to U+4CFF, U+4E00 to U+9FFF, U+AC00 to U+D6FF), whose ranges no glyph
   *  server is asked for, and what none draws. */
  NEAT_GLYPHS_RASTERIZATION_IDEOGRAPHS = 2,
  /** All: no glyph server is asked. */
  NEAT_GLYPHS_RASTERIZATION_ALL = 3
} neat_glyphs_rasterization;

/** Options of renderers and maps. Zeroed but for struct_size: all defaults. */
typedef struct neat_options {
  /** sizeof(neat_options). */
  uint32_t struct_size;
  /** Threads that one picture may use, at most 256; 0 means one per processor, which the pictures drawn at
   *  the same time share. */
  uint32_t thread_count;
  /** Bytes of decoded tiles and layouts that are kept; 0 means 64 MiB. */
  uint64_t cache_bytes;
  /** Milliseconds that one request for a resource, including the style, may take in all; 0 means 30000. */
  uint32_t timeout_ms;
  /** Attempts after a failure that may pass (network, 429, 5xx), at most 100; 0 means 3, NEAT_NO_RETRIES
   *  none. */
  uint32_t retry_count;
  /** Paths of font files (TTF, OTF), one per line, for text that no glyph server draws. They are asked before
   *  the system's fonts. One without outlines (of bitmaps) is reported by neat_renderer_problems; one that
   *  cannot be read, or is not a font, fails. docs/fonts.md. */
  const char *font_paths;
  /** Bytes of font_paths. */
  size_t font_paths_size;
  /** Bytes that this renderer or map may hold: pictures under way (bitmaps, bands, heatmaps, extrusions, and
   *  compressing them) and all that it keeps (decoded tiles, layouts, images, sprites, glyphs, elevations,
   *  pictures of terrain). docs/concepts/limits.md lists what counts. Where there is no room, what no view
   *  uses is dropped first. A picture that does not fit fails with NEAT_STATUS_OUT_OF_MEMORY; one that can
   *  do without a tile, an image or a layer is drawn without it, and its report has an entry with that code.
   *  0 means three quarters of what the process may have: the least of RLIMIT_AS, RLIMIT_DATA, its control
   *  groups and the machine's memory, shared by all renderers and maps then. */
  uint64_t memory_limit_bytes;
  /** Bytes that the compressed body of one response may unpack to: GeoJSON compressed by gzip or zlib, from
   *  files too, and whatever a server compresses for transfer (Content-Encoding). Tiles have a limit of their
   *  own as well. 0 means 256 MiB. */
  uint64_t unpacked_limit_bytes;
  /** What the style may read of this machine. What it may not is reported as NEAT_STATUS_UNSUPPORTED, with
   *  the address. */
  neat_local_files local_files;
  /** Not 0: text is drawn with font_paths alone. Else, where the style has no glyph server, with them and,
   *  for what they lack, the fonts of the system. */
  uint32_t no_system_fonts;
  /** What is shared with others, or NULL: connections and archives of its own, and no cache. It is held as
   *  long as it is needed. */
  neat_resources *resources;
  /** A language that the labels of each style are put in, as by neat_style_localize_labels ("ja", "pt_BR"),
   *  UTF-8; empty: as the style has them. What is no language is refused. Since 2. */
  const char *language;
  /** Bytes of language. Since 2. */
  size_t language_size;
  /** Which text is drawn from font files. With IDEOGRAPHS and ALL the system's fonts are among them where the
   *  style has a glyph server too, unless no_system_fonts is set. Since 2. */
  neat_glyphs_rasterization glyphs_rasterization;
  /** Not 0: labels of one source do not keep clear of those of other sources. Since 2. */
  uint32_t no_cross_source_collisions;
  /** Not 0: the edges of extrusions and models are not smoothed: a pixel belongs to what is in its middle.
   *  For pictures that are compared, or counted. Since 2. */
  uint32_t no_smooth_edges;
  /** Not 0: letters of labels along lines that a sharp bend lays on each other are not moved apart. For
   *  pictures that are compared with MapLibre's. Since 2. */
  uint32_t no_spread_letters;
  /** Bytes of the values that one evaluation of an expression may make; 0 means 16 MiB. Past it the
   *  evaluation fails, its property has its default, and the image's report names layer and property.
   *  docs/concepts/limits.md says what counts. Since 2. */
  uint64_t evaluation_bytes;
  /** Steps of one evaluation: about one for 16 bytes of text or one item that an operator looks at; 0 means
   *  4,000,000. Since 2. */
  uint64_t evaluation_steps;
  /** Bytes that the layouts of one image may keep of the values of expressions, and the clusters of one
   *  source; 0 means 256 MiB. No more than memory_limit_bytes, where that is set. Layers past it are missing
   *  from the image, and in its report. Since 2. */
  uint64_t expression_bytes;
  /** Steps that the expressions of one image, one query or one source may take together; 0 means
   *  500,000,000. Since 2. */
  uint64_t expression_steps;
} neat_options;

/** Draws pictures of one style: for servers. All functions on a renderer but neat_renderer_destroy: any
 *  thread. */
typedef struct neat_renderer neat_renderer;

/** Makes a renderer of the style at a file path, file:// or http(s):// address. Waits until the style is
 *  loaded. options may be NULL. Fails where the style cannot be loaded or is not a style; what is wrong
 *  inside it is reported by neat_renderer_problems. Archives that its sources name may be opened meanwhile,
 *  with the metadata that they have then. Any thread. Since 1. */
NEAT_MUST_USE NEAT_API neat_status neat_renderer_load(
    const char *url, size_t url_size, const neat_options *options, neat_renderer **out_renderer);

/** Makes a renderer of style JSON. Relative addresses in it start at base_url, a file path or address that
 *  may be empty. options may be NULL. Archives are opened as by neat_renderer_load. Fails with
 *  NEAT_STATUS_JSON or NEAT_STATUS_STYLE. Any thread. Since 1. */
NEAT_MUST_USE NEAT_API neat_status neat_renderer_create(
    const char *json, size_t json_size, const char *base_url, size_t base_url_size,
    const neat_options *options, neat_renderer **out_renderer);

/** Releases a renderer and ends its threads. No other thread may be inside a call on it. Images and frames
 *  that it made stay. NULL is allowed. Since 1. */
NEAT_API void neat_renderer_destroy(neat_renderer *renderer);

/** Draws a view. camera may be NULL for the style's own. Waits for the resources that the picture needs, for
 *  at most deadline_ms milliseconds (0: no limit). A tile or glyph that cannot be loaded is left out and
 *  reported by neat_image_report and neat_renderer_problems; it does not fail the picture. What a server did
 *  not give for reasons that may pass (no connection, no answer in time) is requested again by pictures 10
 *  seconds later, what the deadline cut off by the next one. Same style, data and camera: same pixels, on
 *  every machine and thread count. Any thread. Since 1. */
NEAT_MUST_USE NEAT_API neat_status neat_renderer_draw(
    neat_renderer *renderer, const neat_camera *camera, const neat_size *size, uint32_t deadline_ms,
    neat_image **out_image);

/** Draws the XYZ tile z/x/y of edge_px logical pixels per edge (0 means 512). Labels at its edges are placed
 *  as in its neighbours. pixel_ratio as in neat_size, deadline_ms and errors as in neat_renderer_draw; fails
 *  with NEAT_STATUS_INVALID_ARGUMENT where z/x/y is not a tile. Any thread. Since 1. */
NEAT_MUST_USE NEAT_API neat_status neat_renderer_draw_tile(
    neat_renderer *renderer, uint32_t z, uint32_t x, uint32_t y, uint32_t edge_px, double pixel_ratio,
    uint32_t deadline_ms, neat_image **out_image);

/** Draws a square of tiles, count per edge, as one picture and cuts it: cheaper than each alone, as all share
 *  one margin for labels; the pixels are those of each alone but for roundings. z/x/y is the north-western
 *  one; edge_px, pixel_ratio, deadline_ms and errors as in neat_renderer_draw_tile. out_images has room for
 *  count * count images, which come row by row from the north-west, each with the report of all; on failure
 *  all are NULL. They are parts of that picture and keep it; neat_image_pixels copies a part out of it and is
 *  NULL where there is no memory for that. Fails with NEAT_STATUS_INVALID_ARGUMENT where count is not within
 *  1 to 64, where there are no such tiles, and where edge_px * pixel_ratio is not whole, and as
 *  neat_renderer_draw for a picture of all. Any thread. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_renderer_draw_tiles(
    neat_renderer *renderer, uint32_t z, uint32_t x, uint32_t y, uint32_t count, uint32_t edge_px,
    double pixel_ratio, uint32_t deadline_ms, neat_image **out_images);

/** What one picture shows over its map: sources, layers and images that its style does not have. */
typedef struct neat_overlay neat_overlay;

/** Makes an overlay of JSON: {"sources": {…}, "layers": […], "before": id} as in a style, all optional,
 *  its layers on top or below the style's layer `before`, and "annotations": [{"kind", "id", "options",
 *  "annotations": […]}], managers as of neat_map_make_annotations with what they hold, 64 at most, id and
 *  options optional and the annotations' ids too; or GeoJSON, which is drawn as simplestyle-spec
 *  says (stroke, stroke-width, stroke-opacity, fill, fill-opacity, marker-color, marker-size). A layer of the
 *  type simplestyle, with id and source and no more, stands for those that draw a source so: ID-fill,
 *  ID-stroke and ID-marker. At most 64 MiB and 256 layers. Fails with NEAT_STATUS_JSON, with
 *  NEAT_STATUS_INVALID_ARGUMENT for other members and with NEAT_STATUS_LIMIT_EXCEEDED; sources and layers are
 *  checked when they are drawn. Any thread. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_overlay_create(
    const char *json, size_t json_size, neat_overlay **out_overlay);

/** Releases an overlay. NULL is allowed. Since 2. */
NEAT_API void neat_overlay_destroy(neat_overlay *overlay);

/** Adds an image that the overlay's layers can name, or replaces the one of this name; its pixels are copied.
 *  pixel_ratio and is_sdf as in neat_map_add_image. At most 1024. No other thread may be inside a call on the
 *  overlay. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_overlay_add_image(
    neat_overlay *overlay, const char *name, size_t name_size, const neat_image *image, double pixel_ratio,
    uint32_t is_sdf);

/** The smallest box of degrees around the GeoJSON that the overlay holds itself, not by address:
 *  neat_camera_fit_bounds takes it. *out_west > *out_east where it crosses the 180th meridian. Fails with
 *  NEAT_STATUS_NOT_FOUND where there is no place in it, and for GeoJSON that is wrong. Any thread.
 *  Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_overlay_bounds(
    const neat_overlay *overlay, double *out_west_deg, double *out_south_deg, double *out_east_deg,
    double *out_north_deg);

/** Units of a scale bar. */
typedef enum neat_scale_bar {
  /** No scale bar. */
  NEAT_SCALE_BAR_NONE = 0,
  /** Metres and kilometres. */
  NEAT_SCALE_BAR_METRIC = 1,
  /** Feet and miles. */
  NEAT_SCALE_BAR_IMPERIAL = 2,
  /** Nautical miles. */
  NEAT_SCALE_BAR_NAUTICAL = 3,
} neat_scale_bar;

/** What a map says about itself in its corners, over all else: docs/ornaments.md has pictures. json: an
 *  object with any of
 *    "scaleBar"     how long a part of its width is, at the centre's latitude: half of the width at most.
 *                   "units": "metric" (before it is said), "imperial" or "nautical"
 *    "compass"      where north is; in a map, a tap on it turns it to the north
 *    "attribution"  whom the data is owed to, as plain text. "text": one's own in the place of the sources';
 *                   "compact": true: a button with an i in its place, whose tap the host answers
 *    "logo"         the image below
 *  each an object that may have
 *    "position"     "topLeft", "topRight", "bottomLeft", "bottomRight"; "topLeading" and the like mean the
 *                   same, leading being left. Before it is said in turn top left, top right, bottom
 *                   right, bottom left
 *    "margins"      [x, y], logical pixels from the edges, 0 to 4096; [8, 8] before it is said
 *    "visibility"   "adaptive": the compass where the map is turned, which fades within 300 ms, the scale bar
 *                   unless half of the width is longer than its longest row, others always; "visible":
 *                   always; "hidden". "adaptive" before it is said
 *  What is not named, or null, is not there. Of several in a corner the attribution has it, then logo, scale
 *  bar and compass; whatever would lie over another moves past it, away from the top or the bottom, and is
 *  not drawn where no room is left for it. */
typedef struct neat_ornaments {
  /** sizeof(neat_ornaments). */
  uint32_t struct_size;
  /** 0. */
  uint32_t reserved;
  /** The object. NULL: none. */
  const char *json;
  /** Bytes of it. */
  size_t json_size;
  /** What "logo" shows; NULL: nothing. 2048 pixels an edge at most. Copied. */
  const neat_image *logo;
  /** What "compass" shows, its top to the north, as large as the logo may be; NULL: the engine's own. */
  const neat_image *compass;
  /** Pixels of the logo that make a logical pixel, above 0 to 16; 0: 1. */
  double logo_pixel_ratio;
  /** The same of the compass. */
  double compass_pixel_ratio;
} neat_ornaments;

/** Kinds of ornaments. */
typedef enum neat_ornament {
  /** No ornament. */
  NEAT_ORNAMENT_NONE = 0,
  /** The scale bar. */
  NEAT_ORNAMENT_SCALE_BAR = 1,
  /** The compass. */
  NEAT_ORNAMENT_COMPASS = 2,
  /** The attribution. */
  NEAT_ORNAMENT_ATTRIBUTION = 3,
  /** The logo. */
  NEAT_ORNAMENT_LOGO = 4
} neat_ornament;

/** What a picture shows of how it is made: bits, to be added. */
typedef enum neat_debug {
  /** The edges of tiles, in red: of one source that layers draw from, vector sources before others, deep ones
   *  before less deep ones. */
  NEAT_DEBUG_TILE_BORDERS = 1,
  /** In the corner of each of these tiles its name, z/x/y, where it is laid out for a deeper zoom that too,
   *  and how many kB it came in. */
  NEAT_DEBUG_PARSE_STATUS = 2,
  /** When the data of these tiles came, in UTC. */
  NEAT_DEBUG_TIMESTAMPS = 4,
  /** What labels are placed by, boxes and circles: blue where they stand, red where they had no room, faint
   *  where another version of the label counts. */
  NEAT_DEBUG_COLLISION = 8,
  /** In the place of the map, on black: an eighth of white for each step of drawing that touches a pixel. */
  NEAT_DEBUG_OVERDRAW = 16,
  /** The camera's padding: lines at the top (red), bottom (green), left (blue) and right (magenta), and a
   *  cross in the middle of what it leaves. */
  NEAT_DEBUG_PADDING = 32
} neat_debug;

/** What a picture shows besides its map. Zeroed: nothing. */
typedef struct neat_picture_options {
  /** sizeof(neat_picture_options). */
  uint32_t struct_size;
  /** Milliseconds as in neat_renderer_draw. */
  uint32_t deadline_ms;
  /** NULL: none. Borrowed for the call. */
  const neat_overlay *overlay;
  /** Not 0: the attribution of the sources, as plain text, at the bottom right: in short for ornaments. */
  uint32_t has_attribution;
  /** Length of the middle of the view, at the bottom left: one of neat_scale_bar. */
  uint32_t scale_bar;
  /** In the place of the sources' attribution; NULL: none. */
  const char *attribution;
  /** Bytes of it. */
  size_t attribution_size;
  /** Logical pixels around the picture whose labels are placed with its own, 0 to 4096: pictures that are cut
   *  into tiles, or stand beside others. */
  uint32_t label_margin_px;
  /** What it shows of how it is made: the sum of any of neat_debug. */
  uint32_t debug;
  /** All that stands in the corners, in the place of has_attribution and scale_bar, which are 0 then. NULL:
   *  those. */
  const neat_ornaments *ornaments;
} neat_picture_options;

/** Draws a view as neat_renderer_draw does, with what the options ask for; NULL: nothing. The map's tiles,
 *  layouts and glyphs are those that the renderer has; what the overlay alone needs is loaded for this
 *  picture. Labels of map and overlay give way to each other. Fails also for what is wrong with the
 *  overlay, naming it; with NEAT_STATUS_INVALID_ARGUMENT for an id of a source or layer that the style
 *  has. Any thread. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_renderer_draw_with(
    neat_renderer *renderer, const neat_camera *camera, const neat_size *size,
    const neat_picture_options *options, neat_image **out_image);

/** Reports what has gone wrong so far without failing a picture: a JSON array of {"resource", "message",
 *  "code"}, at most 1000. Any thread. Since 1. */
NEAT_MUST_USE NEAT_API neat_status neat_renderer_problems(neat_renderer *renderer, neat_buffer **out_json);

/** Describes the style as JSON: {"name", "center", "zoom", "bearing", "pitch", "roll", "attribution",
 *  "layers", "sources"}. "attribution" is an array of texts as from neat_renderer_attribution, as far as
 *  it is known: nothing is loaded for it. Any thread. Since 1. */
NEAT_MUST_USE NEAT_API neat_status neat_renderer_info(neat_renderer *renderer, neat_buffer **out_json);

/** The attribution of the data: a JSON array of texts (often HTML) of the style's sources, and of the
 *  TileJSON and archives that they name. What of those is not loaded yet is loaded, for at most deadline_ms
 *  milliseconds (0: no limit). In the order of the style's sources, of those that a layer draws from; none
 *  twice, and none that is part of another. What cannot be loaded is left out and reported by
 *  neat_renderer_problems; what did not come in time is requested again. Any thread. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_renderer_attribution(
    neat_renderer *renderer, uint32_t deadline_ms, neat_buffer **out_json);

/** The same as a JSON array of {"text", "href"}: what an attribution's HTML says, without its tags, and where
 *  its links lead, each once. "href" is an address of http, https or mailto; it is left out for text that is
 *  no link, and for links of other kinds. At most 256 attributions, 65536 bytes of each and 1024 links are
 *  read. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_renderer_attribution_links(
    neat_renderer *renderer, uint32_t deadline_ms, neat_buffer **out_json);

/** Lists the features drawn within a box of device pixels of a view, topmost first: a GeoJSON feature array
 *  with "layer", "source", "sourceLayer" and "state". A box of one point asks for that point. options: NULL
 *  or {"layers": [ids], "filter": expression, "report": true}; with report the answer is {"features",
 *  "report"}, the second as from neat_image_report. Fails with NEAT_STATUS_INVALID_ARGUMENT for other
 *  members, and for a box that is not ordered and finite; with NEAT_STATUS_LIMIT_EXCEEDED where the result is
 *  longer than 256 MiB. Any thread. Since 1. */
NEAT_MUST_USE NEAT_API neat_status neat_renderer_query(
    neat_renderer *renderer, const neat_camera *camera, const neat_size *size, double x0_px, double y0_px,
    double x1_px, double y1_px, const char *options, size_t options_size, neat_buffer **out_json);

/* ---------------------------------------------------------------- cameras */

/** What a map is laid onto, for the functions of this section. Pictures are drawn on what their style says:
 *  neat_renderer_projection, neat_map_projection. */
typedef enum neat_projection {
  /** The Mercator plane. */
  NEAT_PROJECTION_MERCATOR = 0,
  /** The globe, seen from above the camera's centre; there, the ground is as large as on the plane. */
  NEAT_PROJECTION_GLOBE = 1
} neat_projection;

/** Says what the pictures of a zoom are laid onto, as the style's projection says: out_projection gets it.
 *  Where a style goes over from the globe to the plane ("globe" between zoom 11 and 12, expressions), it is
 *  what is nearer, and its points are those of the picture only at both ends. Fails with
 *  NEAT_STATUS_INVALID_ARGUMENT for a zoom that is not within -2 to 25.5. Any thread. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_renderer_projection(
    neat_renderer *renderer, double zoom, neat_projection *out_projection);

/** Says where places are seen: lon_lat has count pairs of longitude and latitude in degrees, out_points_px
 *  gets as many pairs of logical pixels right of and below the view's top left corner, also of places beside
 *  the view; both are NaN behind the eye. out_visible, which may be NULL, gets 1 for each place that is
 *  within the view and not on the far side of the globe, else 0. use_style of the camera is ignored, here and
 *  in all functions of this section. Fails with NEAT_STATUS_INVALID_ARGUMENT for a camera, size or place past
 *  its range. Any thread. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_camera_project(
    const neat_camera *camera, const neat_size *size, neat_projection projection, const double *lon_lat,
    size_t count, double *out_points_px, uint8_t *out_visible);

/** Says which places are seen where: points_px has count pairs of logical pixels, also beside the view,
 *  out_lon_lat gets as many pairs of degrees. At the plane's horizon and above both are NaN; beside the globe
 *  the place is the nearest of its edge. Longitudes of the plane go on past 180. out_on_surface, which may be
 *  NULL, gets 1 for each point where the map is drawn, else 0 (the plane ends a little below its horizon).
 *  Fails with NEAT_STATUS_INVALID_ARGUMENT for a camera or size past its range and for points farther away
 *  than 1000000 pixels. Any thread. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_camera_unproject(
    const neat_camera *camera, const neat_size *size, neat_projection projection, const double *points_px,
    size_t count, double *out_lon_lat, uint8_t *out_on_surface);

/** Says which box of degrees a view shows: out_bounds gets west, south, east, north. wrap 0: longitudes go on
 *  past 180, so that west is less than east; not 0: they are within -180 to 180, west is greater than east
 *  where the box crosses the 180th meridian, and a view that shows the world gives -180 and 180. Latitudes of
 *  the plane may be past the Mercator map's. Fails with NEAT_STATUS_INVALID_ARGUMENT for a camera or size
 *  past its range, and where a corner looks along the ground. Any thread. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_camera_view_bounds(
    const neat_camera *camera, const neat_size *size, neat_projection projection, int32_t wrap,
    double *out_bounds);

/** How a fit leaves room. Zeroed, or NULL: all of what the camera's paddings leave, and zoom 22 at most. */
typedef struct neat_fit_options {
  /** sizeof(neat_fit_options). */
  uint32_t struct_size;
  /** Not 0: max_zoom counts. */
  uint32_t has_max_zoom;
  /** The deepest zoom, -2 to 25.5. */
  double max_zoom;
  /** Logical pixels kept free beside the camera's own paddings, 0 to 65536. */
  double padding_top_px, padding_left_px, padding_bottom_px, padding_right_px;
  /** Where the middle of what is shown goes, in logical pixels from the middle of the room: east and south
   *  along the ground. */
  double offset_x_px, offset_y_px;
  /** What the map is laid onto; on the globe what is hidden counts as if it lay at its edge. For a map or a
   *  renderer: fit on the plane, and where neat_map_projection or neat_renderer_projection say GLOBE at the
   *  zoom found, once more with that. neat_map_fit_view_annotations goes by the style, whatever stands
   *  here. */
  neat_projection projection;
} neat_fit_options;

/** neat_camera_fit_bounds with options. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_camera_fit_bounds_with(
    neat_camera *camera, const neat_size *size, const neat_fit_options *options, double west_deg,
    double south_deg, double east_deg, double north_deg);

/** Moves a camera so that places are as large as they fit into a picture, at its bearing, pitch and roll: all
 *  lie within the paddings, and some at their edge, unless the zoom would be past -2 or the deepest. lon_lat
 *  has count pairs of degrees; longitudes are taken as they come, so that what crosses the 180th meridian
 *  goes on past it. Fails with NEAT_STATUS_INVALID_ARGUMENT, and leaves the camera alone, for no places, for
 *  a place past its range and for paddings that leave no room, or room in the sky only. Any thread.
 *  Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_camera_fit_points(
    neat_camera *camera, const neat_size *size, const neat_fit_options *options, const double *lon_lat,
    size_t count);

/** What of a view the limits hold. */
typedef enum neat_constrain_mode {
  /** The view does not go past the northern and southern edge of the world; bounds hold the centre. */
  NEAT_CONSTRAIN_MODE_HEIGHT = 0,
  /** Nor past its eastern and western edge. */
  NEAT_CONSTRAIN_MODE_WIDTH_AND_HEIGHT = 1,
  /** The whole view stays within the bounds, or within the world: maxBounds of MapLibre GL JS. */
  NEAT_CONSTRAIN_MODE_SCREEN = 2,
  /** Bounds hold the centre, and nothing else is held. */
  NEAT_CONSTRAIN_MODE_NONE = 3
} neat_constrain_mode;

/** Where a camera may be. Zeroed: zoom 0 to 22, pitch 0 to 85, within the height of the world. */
typedef struct neat_camera_limits {
  /** sizeof(neat_camera_limits). */
  uint32_t struct_size;
  /** What is held. */
  neat_constrain_mode mode;
  /** Not 0: the bounds count; else the world. */
  uint32_t has_bounds;
  /** Not 0: max_zoom counts, else 22. */
  uint32_t has_max_zoom;
  /** Not 0: max_pitch_deg counts, else 85. */
  uint32_t has_max_pitch;
  /** Not 0: there is one world, and not one beside the other. */
  uint32_t is_one_world;
  /** The bounds in degrees. west_deg > east_deg crosses the 180th meridian. */
  double west_deg, south_deg, east_deg, north_deg;
  /** The zooms, -2 to 25.5. */
  double min_zoom, max_zoom;
  /** The pitches, 0 to 180. Over a terrain views past 85 have very many tiles, and take long. */
  double min_pitch_deg, max_pitch_deg;
} neat_camera_limits;

/** Moves a camera to the nearest of where it may be. limits NULL: all 0. On the globe bounds hold the centre
 *  and nothing else is held, whatever the mode; min_zoom is that at the equator, and elsewhere the zoom at
 *  which the globe is as large. Fails with NEAT_STATUS_INVALID_ARGUMENT, and leaves the camera alone, for a
 *  camera, size, projection or limits past their range. Any thread. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_camera_constrain(
    neat_camera *camera, const neat_size *size, neat_projection projection, const neat_camera_limits *limits);

/** How a camera goes from one view to another. Zeroed, or NULL: straight to all that the other has. */
typedef struct neat_camera_course {
  /** sizeof(neat_camera_course). */
  uint32_t struct_size;
  /** Not 0: the centre stays that of the start, or at around_lon_deg and around_lat_deg. */
  uint32_t keeps_center;
  /** Not 0: the place at around_lon_deg and around_lat_deg stays where it is seen, and the centre follows
   *  from it. An easing's only: a flight refuses it. */
  uint32_t has_around;
  /** Not 0: min_zoom counts. */
  uint32_t has_min_zoom;
  /** The place that stays, in degrees. */
  double around_lon_deg, around_lat_deg;
  /** Where the centre goes, in logical pixels right of and below the middle of what the paddings leave. */
  double offset_x_px, offset_y_px;
  /** Flights: how far out the arc goes, 0.01 to 100; 0 means 1.42. */
  double curve;
  /** Flights: the zoom of the arc's top, else as far out as the arc goes. */
  double min_zoom;
  /** Flights: screens along the arc in a second, 0.001 to 10000; 0 means 1.2. */
  double speed;
  /** Flights: the same in screens of the view as they go by; counts before speed. 0: not given. */
  double screen_speed;
  /** Flights: a flight that would take longer takes 0 milliseconds. 0: no limit. */
  double max_duration_ms;
} neat_camera_course;

/** Says where a camera is on a straight way from one view to another: t is 0 at the start and 1 at the end.
 *  Bearing and roll go the shorter way around, and so does the longitude unless bounds or one world forbid
 *  it. Over the globe the centre goes along a line of constant bearing, and zooms on the way are such that
 *  the globe's size changes evenly. limits NULL: none but those of every camera. Behaves as easeTo of
 *  MapLibre GL JS. Fails with NEAT_STATUS_INVALID_ARGUMENT for cameras, a size, projection, course or limits
 *  past their range, for t outside 0 to 1, an offset above the horizon or beside the globe, and a place that
 *  should stay and is behind the camera or on the globe's far side. Any thread. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_camera_ease(
    const neat_camera *from, const neat_camera *to, const neat_size *size, neat_projection projection,
    const neat_camera_course *course, const neat_camera_limits *limits, double t, neat_camera *out_camera);

/** Says where a camera is on an arc from one view to another, out, over and in, after van Wijk and Nuij
 *  (2003): t is 0 at the start and 1 at the end. *out_duration_ms is how long the flight takes at its speed.
 *  Else as neat_camera_ease. Behaves as flyTo of MapLibre GL JS. Any thread. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_camera_fly(
    const neat_camera *from, const neat_camera *to, const neat_size *size, neat_projection projection,
    const neat_camera_course *course, const neat_camera_limits *limits, double t, neat_camera *out_camera,
    double *out_duration_ms);

/** A camera as an eye in space, that of the Mercator world, which is 1 wide: x to the east, y to the south, z
 *  up. */
typedef struct neat_free_camera {
  /** sizeof(neat_free_camera). */
  uint32_t struct_size;
  /** Where the eye is, -1000 to 1000, above the ground. */
  double x, y, z;
  /** How it is turned: a unit quaternion, the real part last. (0, 0, 0, 1) looks straight down, with north at
   *  the top. */
  double qx, qy, qz, qw;
} neat_free_camera;

/** Says where the eye of a camera is. Fails with NEAT_STATUS_INVALID_ARGUMENT for a camera or size past its
 *  range. Any thread. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_camera_to_free(
    const neat_camera *camera, const neat_size *size, neat_free_camera *out_free);

/** Moves a camera to an eye; its paddings and field of view stay. Fails with NEAT_STATUS_INVALID_ARGUMENT,
 *  and leaves the camera alone, for an eye below the ground, a quaternion that is none, one that looks past a
 *  pitch of 85, and where the camera would be past its range. Any thread. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_camera_from_free(
    neat_camera *camera, const neat_size *size, const neat_free_camera *free);

/** Turns an eye to a place, altitude_m metres above the ground, -10000000 to 10000000. Fails with
 *  NEAT_STATUS_INVALID_ARGUMENT, and leaves it alone, for what is no place, and for one that is not below the
 *  eye. Any thread. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_free_camera_look_at(
    neat_free_camera *free, double lon_deg, double lat_deg, double altitude_m);

/* ---------------------------------------------------------------- HTTP service
 *
 * How requests reach servers where it is not by libcurl, what looks at them on their way, and what they
 * become before they are made. Retries, priorities, the limit of requests to one host and the cache stand
 * above the service, so that a service of the host's has them too. docs/http-stack.md,
 * docs/authentication.md. */

/** How a server is asked. */
typedef enum neat_http_method {
  /** For a resource. */
  NEAT_HTTP_GET = 0,
  /** For the headers of a resource. */
  NEAT_HTTP_HEAD = 1,
  /** With a body. */
  NEAT_HTTP_POST = 2
} neat_http_method;

/** Why there is no answer. */
typedef enum neat_http_error {
  /** No connection, or it broke. Asked again, as answers of status 500 and above are. */
  NEAT_HTTP_ERROR_CONNECTION = 1,
  /** No connection that can be trusted. */
  NEAT_HTTP_ERROR_TLS = 2,
  /** No answer in time. */
  NEAT_HTTP_ERROR_TIMEOUT = 3,
  /** Somebody ended the exchange. */
  NEAT_HTTP_ERROR_CANCELLED = 4,
  /** Anything else: the message says what. */
  NEAT_HTTP_ERROR_OTHER = 5
} neat_http_error;

/** A header of a request or an answer. */
typedef struct neat_http_header {
  /** A token of HTTP's; case does not matter. */
  const char *name;
  /** Bytes of it. */
  size_t name_size;
  /** Text without control characters. */
  const char *value;
  /** Bytes of it. */
  size_t value_size;
} neat_http_header;

/** What a server is asked. Filled by the library; all of it is valid during the callback. */
typedef struct neat_http_request {
  /** As far as the library fills it. */
  uint32_t struct_size;
  /** GET, HEAD or POST. */
  neat_http_method method;
  /** Names the request to neat_http_respond and neat_http_fail; given once in a process. 0 where a request is
   *  only looked at. */
  uint64_t id;
  /** An http or https address. */
  const char *url;
  /** Bytes of it. */
  size_t url_size;
  /** Credentials may be among them. */
  const neat_http_header *headers;
  /** How many. */
  size_t header_count;
  /** What is sent, for POST; NULL for none. */
  const uint8_t *body;
  /** Bytes of it. */
  size_t body_size;
  /** Milliseconds that the exchange may take; 0: any. The library gives up by itself, and cancels. */
  uint64_t timeout_ms;
} neat_http_request;

/** What a server answered. Filled by the library; all of it is valid during the callback. */
typedef struct neat_http_response {
  /** As far as the library fills it. */
  uint32_t struct_size;
  /** 200, 404 … */
  uint32_t status;
  /** With names in lower case. */
  const neat_http_header *headers;
  /** How many. */
  size_t header_count;
  /** Unpacked. */
  const uint8_t *body;
  /** Bytes of it. */
  size_t body_size;
} neat_http_response;

/** Begins an exchange with a server and returns without waiting for it. The answer is given by
 *  neat_http_respond or neat_http_fail, now or later, by any thread. The service follows redirects, and
 *  unpacks what is compressed for transfer (Content-Encoding). */
typedef void (*neat_http_request_callback)(void *context, const neat_http_request *request);

/** Nobody waits for the answer to a request any more: it may be ended. Not called for one that has its
 *  answer; an answer that is on its way meanwhile is ignored. */
typedef void (*neat_http_cancel_callback)(void *context, uint64_t id);

/** A service of the host's. Its callbacks are called by threads of the library's, several at once too. */
typedef struct neat_http_service {
  /** sizeof(neat_http_service). */
  uint32_t struct_size;
  /** Given to the callbacks; valid as long as the process. */
  void *context;
  /** Must not be NULL. */
  neat_http_request_callback request;
  /** NULL: requests go on, and their answers are ignored. */
  neat_http_cancel_callback cancel;
} neat_http_service;

/** Replaces libcurl in all of the process, for as long as it lives. The structure is copied. Fails with
 *  NEAT_STATUS_STATE where that was done before, or a server was asked before. In the child of a fork the
 *  callbacks are called there. Any thread. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_set_http_service(const neat_http_service *service);

/** Answers a request. status: 100 to 599. headers: any number whose names and values are at most 1048576
 *  bytes together; those of the same name count together, in their order. Everything is copied. An answer
 *  that is refused (NEAT_STATUS_INVALID_ARGUMENT, NEAT_STATUS_LIMIT_EXCEEDED, NEAT_STATUS_OUT_OF_MEMORY)
 *  fails its request. NEAT_STATUS_NOT_FOUND: nobody waits for it, as it was answered, was cancelled, or never
 *  was; it is ignored. Any thread, at any time. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_http_respond(
    uint64_t id, uint32_t status, const neat_http_header *headers, size_t header_count, const uint8_t *body,
    size_t body_size);

/** Says why a request has no answer; message goes into the error of what asked, and must have no credentials
 *  in it. NEAT_STATUS_NOT_FOUND as in neat_http_respond; NEAT_STATUS_INVALID_ARGUMENT for an error that is
 *  none of neat_http_error, which counts as NEAT_HTTP_ERROR_OTHER. Any thread, at any time. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_http_fail(
    uint64_t id, neat_http_error error, const char *message, size_t message_size);

/** A request and its answer on their way through an interceptor, to be changed. Valid during the callback, on
 *  its thread. */
typedef struct neat_http_exchange neat_http_exchange;

/** A request is about to be sent, by libcurl or a service; what neat_http_exchange_set_… change is sent. */
typedef void (*neat_http_send_callback)(
    void *context, const neat_http_request *request, neat_http_exchange *exchange);

/** An answer has come, and nobody has used it; what neat_http_exchange_set_… change is used. request: as it
 *  was sent. */
typedef void (*neat_http_receive_callback)(
    void *context, const neat_http_request *request, const neat_http_response *response,
    neat_http_exchange *exchange);

/** Releases a context. */
typedef void (*neat_destroy_callback)(void *context);

/** What looks at the requests of the process and their answers. Its callbacks are called by threads of the
 *  library's, several at once too, and each try of a request passes through them. */
typedef struct neat_http_interceptor {
  /** sizeof(neat_http_interceptor). */
  uint32_t struct_size;
  /** Given to the callbacks. */
  void *context;
  /** NULL: requests are sent as they are. */
  neat_http_send_callback send;
  /** NULL: answers are used as they are. */
  neat_http_receive_callback receive;
  /** Called once with the context, when the interceptor was replaced and its last callback has returned; by
   *  any thread. NULL: not told. */
  neat_destroy_callback destroy;
} neat_http_interceptor;

/** Has an interceptor look at all requests from now on, in place of the one before; NULL: none does. The
 *  structure is copied; where the call fails, the context stays the caller's. Any thread. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_set_http_interceptor(const neat_http_interceptor *interceptor);

/** Sends the request to another http or https address. Only in neat_http_send_callback, else
 *  NEAT_STATUS_STATE. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_http_exchange_set_url(
    neat_http_exchange *exchange, const char *url, size_t url_size);

/** Asks another way. Only in neat_http_send_callback, else NEAT_STATUS_STATE. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_http_exchange_set_method(
    neat_http_exchange *exchange, neat_http_method method);

/** Changes the status of the answer. Only in neat_http_receive_callback, else NEAT_STATUS_STATE. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_http_exchange_set_status(
    neat_http_exchange *exchange, uint32_t status);

/** Sets a header, of the request while it is sent and of the answer while it is received, in place of all of
 *  this name; value NULL: there is none. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_http_exchange_set_header(
    neat_http_exchange *exchange, const char *name, size_t name_size, const char *value, size_t value_size);

/** Changes the body, of the request while it is sent and of the answer while it is received. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_http_exchange_set_body(
    neat_http_exchange *exchange, const uint8_t *body, size_t body_size);

/** Has the exchange fail: the request is not sent, the answer is not used. message goes into the error of
 *  what asked, and must have no credentials in it. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_http_exchange_fail(
    neat_http_exchange *exchange, neat_http_error error, const char *message, size_t message_size);

/** What a resource is for. Later versions may add kinds. */
typedef enum neat_resource_kind {
  /** Anything else. */
  NEAT_RESOURCE_UNKNOWN = 0,
  /** A style. */
  NEAT_RESOURCE_STYLE = 1,
  /** The metadata of a source (TileJSON). */
  NEAT_RESOURCE_SOURCE = 2,
  /** A tile of a source. */
  NEAT_RESOURCE_TILE = 3,
  /** A range of glyphs. */
  NEAT_RESOURCE_GLYPHS = 4,
  /** The picture of a sprite. */
  NEAT_RESOURCE_SPRITE_IMAGE = 5,
  /** The index of a sprite. */
  NEAT_RESOURCE_SPRITE_JSON = 6,
  /** An image of an image source. */
  NEAT_RESOURCE_IMAGE = 7,
  /** GeoJSON. */
  NEAT_RESOURCE_GEOJSON = 8,
  /** A font file. */
  NEAT_RESOURCE_FONT = 9
} neat_resource_kind;

/** What a resource's request becomes. Valid during the callback, on its thread. */
typedef struct neat_transform neat_transform;

/** Sees a resource before it is asked for, and may change by neat_transform_… where it is asked for and how.
 *  url: as the style names it. What is kept, and what errors and events say, goes by that, so that
 *  credentials are in none of them. Called by threads of the library's, several at once too. */
typedef void (*neat_transform_callback)(
    void *context, neat_resource_kind kind, const char *url, size_t url_size, neat_transform *transform);

/** Has a callback see each resource from now on, in place of the one before; NULL: none does. destroy: called
 *  once with the context, when nothing uses the callback any more, by any thread; NULL: not told. Where the
 *  call fails, the context stays the caller's. Any thread. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_resources_set_transform(
    neat_resources *resources, neat_transform_callback callback, void *context,
    neat_destroy_callback destroy);

/** Asks for the resource at another address, of any kind that a style may name; its own goes without saying.
 *  Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_transform_set_url(
    neat_transform *transform, const char *url, size_t url_size);

/** Sends a further header, in place of one of the same name in the options of the neat_resources. Not sent to
 *  files and archives of this machine. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_transform_add_header(
    neat_transform *transform, const char *name, size_t name_size, const char *value, size_t value_size);

/** Has the resource not asked for: it fails with NEAT_STATUS_UNSUPPORTED and this message. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_transform_refuse(
    neat_transform *transform, const char *message, size_t message_size);

/** Loads a resource as maps do: by the transform, from a file, an archive, the cache or a server, with
 *  retries, and waits. url: absolute, or a path. timeout_ms: in all; 0: that of the resources. out_data: what
 *  came; empty where the answer is empty (204). Fails with NEAT_STATUS_NOT_FOUND for 404 and 410, and with
 *  what loading fails. Any thread but one of the library's own (in a callback). Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_resources_load(
    neat_resources *resources, neat_resource_kind kind, const char *url, size_t url_size, uint32_t timeout_ms,
    neat_buffer **out_data);

/** Gives memory back: drops decoded tiles, layouts and textures, but for what pictures under way need. They
 *  are loaded again, from archives, the cache or servers, when the next picture needs them, which is the
 *  same. Style, metadata of sources, sprites and glyphs stay. Any thread. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_renderer_reduce_memory_use(neat_renderer *renderer);

/* ---------------------------------------------------------------- offline
 * Maps without a network. A region is a style, with all that it names and the tiles of an area and a range
 * of zooms; what regions need is kept in the cache of a neat_resources (its cachePath), is never evicted and
 * does not count for its size. Regions share what they have in common. A renderer or map with those resources
 * finds it, also with the network off.
 *
 * All functions with a neat_resources fail with NEAT_STATUS_STATE where it has no cache, and wait for the
 * disk: not on a loop's thread. */

/** What becomes of a region. */
typedef enum neat_offline_state {
  /** It is not being downloaded, and lacks something or is not known to have all. */
  NEAT_OFFLINE_STATE_INACTIVE = 0,
  /** It is being downloaded. */
  NEAT_OFFLINE_STATE_ACTIVE = 1,
  /** All of it is there. */
  NEAT_OFFLINE_STATE_COMPLETE = 2
} neat_offline_state;

/** How far a region is. */
typedef struct neat_offline_progress {
  /** sizeof(neat_offline_progress). */
  uint32_t struct_size;
  /** What becomes of it. */
  neat_offline_state state;
  /** Resources that it needs, tiles included, as far as is known: the style and its sources tell. */
  uint64_t required_count;
  /** The tiles among them. */
  uint64_t required_tile_count;
  /** Resources that are there, tiles included. */
  uint64_t completed_count;
  /** The tiles among them. */
  uint64_t completed_tile_count;
  /** Bytes of those that are there, as they are stored. */
  uint64_t byte_count;
  /** Bytes of the tiles among them. */
  uint64_t tile_byte_count;
  /** Resources that are not to be had; each was told as an error. */
  uint64_t failed_count;
  /** Bytes that servers sent in this download. */
  uint64_t received_byte_count;
  /** 1 when the required counts are final. */
  int32_t is_precise;
} neat_offline_progress;

/** What a neat_offline_callback is told. More may follow. */
typedef enum neat_offline_event_type {
  /** How far it is: at the beginning, ten times a second at most, and last of all with a state that is not
   *  active. */
  NEAT_OFFLINE_EVENT_PROGRESS = 0,
  /** An answer could not be had or kept. What may pass is tried again; it does not end the download, unless a
   *  progress follows that is not active. */
  NEAT_OFFLINE_EVENT_ERROR = 1,
  /** A provider's tiles would be more than neat_offline_set_tile_limit allows; the download ends. */
  NEAT_OFFLINE_EVENT_TILE_LIMIT = 2
} neat_offline_event_type;

/** An event of a download. Its texts are valid during the callback. */
typedef struct neat_offline_event {
  /** The size that the library filled. */
  uint32_t struct_size;
  /** What happened. */
  neat_offline_event_type type;
  /** The region. */
  int64_t region;
  /** Of a progress; else NULL. */
  const neat_offline_progress *progress;
  /** Of an error. */
  neat_status status;
  /** 1 where the error is a disk or a quota that is full. */
  int32_t is_disk_full;
  /** The words of an error; else "". */
  const char *message;
  /** What an error is about: an address or the database; else "". */
  const char *resource;
  /** Of a tile limit: how many tiles are allowed. */
  uint64_t tile_limit;
} neat_offline_event;

/** Called on a thread of the library's own, for one event of a neat_resources at a time. It may call all
 *  functions of this section but neat_offline_download_wait, which would wait for itself. */
typedef void (*neat_offline_callback)(void *context, const neat_offline_event *event);

/** Makes a region, which is inactive and has nothing yet.
 *  definition: JSON as MapLibre Native stores it, with
 *    "style_url"   the style's address; a path where the style is of this machine
 *    "bounds"      [south, west, north, east] in degrees; east below west, or past 180, crosses the 180th
 *                  meridian
 *    "geometry"    in the place of bounds, a GeoJSON geometry: the tiles that it touches
 *    "min_zoom", "max_zoom"  0 or more; without max_zoom: to the deepest of each source
 *    "pixel_ratio" above 1, tiles with {ratio} in their address are those of @2x
 *    "include_ideographs"    false leaves out the glyphs of Chinese, Japanese and Korean ideographs
 *    "neatline_contents"     of ["sprites", "glyphs", "tiles"] what it has beside the style and its TileJSON
 *                  documents (tiles: with GeoJSON and images); else all
 *  metadata: bytes of the caller's, 16 MiB at most.
 *  What is on this machine (files, archives by path, data: addresses) is not taken along: it is there.
 *  Archives on servers cannot be part of a region; neat_archive_copy takes a part of one along.
 *  Fails with NEAT_STATUS_INVALID_ARGUMENT, NEAT_STATUS_JSON, NEAT_STATUS_GEOJSON or
 *  NEAT_STATUS_LIMIT_EXCEEDED for what is wrong with it. Any thread. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_offline_create(
    neat_resources *resources, const char *definition, size_t definition_size, const uint8_t *metadata,
    size_t metadata_size, int64_t *out_region);

/** Lists the regions. out_json: [{"id", "definition", "metadataBytes", "fault"}] in the order of their
 *  numbers; definition is null, and fault says why, where it cannot be read. Any thread. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_offline_list(neat_resources *resources, neat_buffer **out_json);

/** Reads how far a region is; of one that is not being downloaded, by what is stored of it. out_progress's
 *  struct_size must be set. Fails with NEAT_STATUS_NOT_FOUND. Any thread. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_offline_status(
    neat_resources *resources, int64_t region, neat_offline_progress *out_progress);

/** Reads a region's metadata. Fails with NEAT_STATUS_NOT_FOUND. Any thread. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_offline_metadata(
    neat_resources *resources, int64_t region, neat_buffer **out_metadata);

/** Replaces a region's metadata. Fails with NEAT_STATUS_NOT_FOUND, NEAT_STATUS_LIMIT_EXCEEDED. Any thread.
 *  Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_offline_set_metadata(
    neat_resources *resources, int64_t region, const uint8_t *metadata, size_t metadata_size);

/** Has all of a region asked about with its next download. It stays meanwhile. Fails with
 *  NEAT_STATUS_NOT_FOUND. Any thread. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_offline_invalidate(neat_resources *resources, int64_t region);

/** Ends a region's download and deletes it. What other regions need stays; the rest becomes part of the
 *  ambient cache, and goes as far as that has no room for it. Fails with NEAT_STATUS_NOT_FOUND. Any thread.
 *  Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_offline_delete(neat_resources *resources, int64_t region);

/** Takes over the regions of another database, which is only read and may have an older schema: all of them
 *  or none. A region with the same definition and metadata is the same region.
 *  out_json: as neat_offline_list, of those that came or were here already.
 *  Fails with NEAT_STATUS_NOT_FOUND, NEAT_STATUS_STATE for a newer schema, NEAT_STATUS_ARCHIVE for what is no
 *  such database or damaged, NEAT_STATUS_LIMIT_EXCEEDED past the tile limit. Any thread. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_offline_merge(
    neat_resources *resources, const char *path, size_t path_size, neat_buffer **out_json);

/** Limits the tiles that all regions together may have of providers that ask for it. Holds as long as the
 *  resources; at first there is no limit.
 *  templates: JSON, an array of the beginnings of these providers' tile addresses; NULL or [] for none. Any
 *  thread. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_offline_set_tile_limit(
    neat_resources *resources, uint64_t count, const char *templates, size_t templates_size);

/** A region's download. Any thread; belongs to the process that made it. */
typedef struct neat_offline_download neat_offline_download;

/** Begins to download a region. What is there and fresh is not asked for; what has expired is asked about, so
 *  that what has not changed is not sent again. A process that ends in the middle, however, goes on with the
 *  next download: at most 64 requests are made again. It ends with all that can be had, or at a limit, or
 *  when it is stopped.
 *  options: NULL or JSON with any of
 *    "attempts"       tries of each resource where failures may pass; else 0: until it is there
 *    "acceptExpired"  true: what has expired is taken as it is
 *    "allowsNetwork"  false: only what is there already is taken
 *    "averageBytesPerSecond"  a mean that requests are held back for; else none
 *    "quotaBytes"     of the database at most, with its ambient part; else none
 *  callback: may be NULL.
 *  Fails with NEAT_STATUS_NOT_FOUND, and with NEAT_STATUS_STATE where the region is being downloaded already.
 *  Any thread. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_offline_download_create(
    neat_resources *resources, int64_t region, const char *options, size_t options_size,
    neat_offline_callback callback, void *context, neat_offline_download **out_download);

/** Waits until a download has ended, no longer than a time in milliseconds (0: without limit); whether it has
 *  ended. Any thread. Since 2. */
NEAT_API int32_t neat_offline_download_wait(neat_offline_download *download, uint32_t timeout_ms);

/** Reads how far a download is, or was at its end. out_progress's struct_size must be set. Any thread.
 *  Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_offline_download_progress(
    neat_offline_download *download, neat_offline_progress *out_progress);

/** Ends a download: what came is kept. When it returns, the callback has heard the last; from within the
 *  callback, that was the last. Any thread. Since 2. */
NEAT_API void neat_offline_download_stop(neat_offline_download *download);

/** Ends a download, as neat_offline_download_stop, and releases it. NULL is allowed. Since 2. */
NEAT_API void neat_offline_download_destroy(neat_offline_download *download);

/** Says for the whole process whether there is a network: where not, requests of all resources, renderers and
 *  maps fail with NEAT_STATUS_NETWORK as far as caches cannot answer them, and no socket is opened; requests
 *  under way go on. At first there is one. Any thread. Since 2. */
NEAT_API void neat_network_set_connected(int32_t is_connected);

/** Whether neat_network_set_connected says that there is a network. Any thread. Since 2. */
NEAT_API int32_t neat_network_is_connected(void);

/* ---------------------------------------------------------------- the run loop */

/** A libuv loop with its worker threads, timers and network. Its functions belong to the thread that made it,
 *  except neat_loop_wake. */
typedef struct neat_loop neat_loop;

/** Makes a loop, which belongs to the calling thread. Since 1. */
NEAT_MUST_USE NEAT_API neat_status neat_loop_create(neat_loop **out_loop);

/** Ends what is under way on the loop (requests end as cancelled), then releases it. Maps on it must be
 *  destroyed before. NULL is allowed. Since 1. */
NEAT_API void neat_loop_destroy(neat_loop *loop);

/** Runs until nothing is under way, until timeout_ms milliseconds have passed (0: no limit) or until
 *  neat_loop_wake. Returns 1 where work is left, else 0. Since 1. */
NEAT_API int32_t neat_loop_run(neat_loop *loop, uint32_t timeout_ms);

/** Handles what is ready, without waiting. Returns 1 where work is left, else 0. For hosts with their own
 *  loop: see neat_loop_backend_fd. Since 2. */
NEAT_API int32_t neat_loop_poll(neat_loop *loop);

/** The descriptor that becomes readable when neat_loop_poll has work to do, also what was begun since the
 *  last one: for hosts with their own loop; -1 for NULL. It stays the loop's. Since 1. */
NEAT_API int32_t neat_loop_backend_fd(const neat_loop *loop);

/** How many milliseconds the host may wait on the descriptor before it calls neat_loop_poll: 0 for at once,
 *  -1 for no limit. Since 1. */
NEAT_API int32_t neat_loop_backend_timeout_ms(const neat_loop *loop);

/** Makes a waiting neat_loop_run return, or the next one where none waits. Any thread, until the loop is
 *  destroyed. Since 1. */
NEAT_API void neat_loop_wake(neat_loop *loop);

/* ---------------------------------------------------------------- maps for applications */

/** What happened to a map. Later versions may add events: a host ignores those that it does not know. */
typedef enum neat_event_type {
  /** A part of the style is there: kind says which. */
  NEAT_EVENT_STYLE_DATA_LOADED = 1,
  /** The style, its sprite and the metadata of its sources are there, or given up. */
  NEAT_EVENT_STYLE_LOADED = 2,
  /** The metadata of the source `subject`, or one of its tiles, is there: kind says which. */
  NEAT_EVENT_SOURCE_DATA_LOADED = 3,
  /** The source `subject` was added. */
  NEAT_EVENT_SOURCE_ADDED = 4,
  /** The source `subject` was removed. */
  NEAT_EVENT_SOURCE_REMOVED = 5,
  /** The view needs the image `subject`, which neither the sprite nor the host has given. */
  NEAT_EVENT_STYLE_IMAGE_MISSING = 6,
  /** No layer in view names the image `subject` any more, which the host added after it was missing. */
  NEAT_EVENT_STYLE_IMAGE_REMOVE_UNUSED = 7,
  /** A frame begins. */
  NEAT_EVENT_RENDER_FRAME_STARTED = 8,
  /** A frame is ready to be drawn: see is_complete, needs_repaint, is_placement_changed. */
  NEAT_EVENT_RENDER_FRAME_FINISHED = 9,
  /** The camera moved, or the view has another size. Comes within the call that makes it so. */
  NEAT_EVENT_CAMERA_CHANGED = 10,
  /** The first complete frame of a style is ready. */
  NEAT_EVENT_MAP_LOADED = 11,
  /** Nothing is under way: no request, no animation, no transition, no gesture, no label or raster tile that
   *  fades, no puck that moves or pulses. */
  NEAT_EVENT_MAP_IDLE = 12,
  /** The resource `subject` cannot be loaded, or a tile has features that cannot be read: see kind, status,
   *  message, source and tile_z to tile_y. */
  NEAT_EVENT_MAP_LOADING_ERROR = 13,
  /** A request for the address `subject` was answered, given up or cancelled: see kind, source, tile_z to
   *  tile_y and all from origin on. */
  NEAT_EVENT_RESOURCE_REQUEST = 14,
  /** A gesture of the kind `kind` began, at x_px and y_px. */
  NEAT_EVENT_GESTURE_BEGAN = 15,
  /** A gesture of the kind `kind` ended: see will_animate. */
  NEAT_EVENT_GESTURE_ENDED = 16,
  /** The camera stands still again after a gesture of the kind `kind`, or something else moves it. */
  NEAT_EVENT_GESTURE_ENDED_ANIMATING = 17,
  /** An animator of the camera was started: `subject` is its owner, and see animator_id. */
  NEAT_EVENT_ANIMATION_BEGAN = 18,
  /** An animator that had been started ended: `subject` is its owner, and see animator_id and position. */
  NEAT_EVENT_ANIMATION_ENDED = 19,
  /** A frame is due, where the host paces frames: neat_map_begin_frame. Comes once until the host has drawn.
   */
  NEAT_EVENT_FRAME_DUE = 20,
  /** A tap met an annotation of the manager `subject`, or a cluster of them: see annotation_id and all
   *  below. */
  NEAT_EVENT_ANNOTATION_TAPPED = 21,
  /** A pointer stays where it met one for half a second. */
  NEAT_EVENT_ANNOTATION_LONG_PRESSED = 22,
  /** An annotation was selected, by a tap or by a call: x_px is -1 then. */
  NEAT_EVENT_ANNOTATION_SELECTED = 23,
  /** An annotation is not selected any more. */
  NEAT_EVENT_ANNOTATION_DESELECTED = 24,
  /** A pointer begins to drag an annotation. */
  NEAT_EVENT_ANNOTATION_DRAG_BEGAN = 25,
  /** A dragged annotation moved: it is at its new place. */
  NEAT_EVENT_ANNOTATION_DRAG_CHANGED = 26,
  /** A drag ended: the annotation stays where it is; where the pointer was cancelled, where it was. Also
   *  where it was removed or replaced, or another style came: with the pointer's next event. */
  NEAT_EVENT_ANNOTATION_DRAG_ENDED = 27,
  /** What is seen of the view annotations is not as it was: see view_annotation_change. Comes with a frame:
   *  between RENDER_FRAME_STARTED and RENDER_FRAME_FINISHED, or within neat_map_draw and neat_map_frame where
   *  those make another one. */
  NEAT_EVENT_VIEW_ANNOTATIONS_CHANGED = 28,
  /** A location was given: see location. */
  NEAT_EVENT_LOCATION_CHANGED = 40,
  /** A heading was given: see heading. */
  NEAT_EVENT_HEADING_CHANGED = 41,
  /** What the puck shows, on its way from one location to the next, has moved: see location. */
  NEAT_EVENT_PUCK_MOVED = 42,
  /** How exactly the user lets the host know where they are has changed: see accuracy_authorization. */
  NEAT_EVENT_ACCURACY_AUTHORIZATION_CHANGED = 43,
  /** A provider could not say where the user is: see status and message. */
  NEAT_EVENT_LOCATION_FAILED = 44,
  /** What moves the camera has changed: see viewport_from, viewport_to and viewport_reason. */
  NEAT_EVENT_VIEWPORT_STATUS_CHANGED = 45
} neat_event_type;

/** Who answered a request. */
typedef enum neat_request_origin {
  /** Nobody. */
  NEAT_REQUEST_ORIGIN_NONE = 0,
  /** A server. */
  NEAT_REQUEST_ORIGIN_NETWORK = 1,
  /** The cache of what servers answered before. */
  NEAT_REQUEST_ORIGIN_CACHE = 2,
  /** A file of this machine. */
  NEAT_REQUEST_ORIGIN_FILE = 3,
  /** An archive, wherever it lies. */
  NEAT_REQUEST_ORIGIN_ARCHIVE = 4,
  /** The address itself, which is a data: URL. */
  NEAT_REQUEST_ORIGIN_DATA = 5
} neat_request_origin;

/** What comes before what where not all can be asked for at once. */
typedef enum neat_request_priority {
  /** What the view shows. */
  NEAT_REQUEST_PRIORITY_VIEW = 0,
  /** What lies around the view. */
  NEAT_REQUEST_PRIORITY_MARGIN = 1,
  /** What may be shown later. */
  NEAT_REQUEST_PRIORITY_PREFETCH = 2,
  /** What is kept for maps without a network. */
  NEAT_REQUEST_PRIORITY_OFFLINE = 3
} neat_request_priority;

/** Whom a request may ask. */
typedef enum neat_request_usage {
  /** The cache, then the server. */
  NEAT_REQUEST_USAGE_ALL = 0,
  /** The cache only. */
  NEAT_REQUEST_USAGE_CACHE = 1,
  /** The server only. */
  NEAT_REQUEST_USAGE_NETWORK = 2
} neat_request_usage;

/** Where an animator of the camera ended. */
typedef enum neat_animation_position {
  /** Where it came from: it was reversed. */
  NEAT_ANIMATION_POSITION_START = 0,
  /** On its way: it was stopped. */
  NEAT_ANIMATION_POSITION_CURRENT = 1,
  /** Where it was to go. */
  NEAT_ANIMATION_POSITION_END = 2
} neat_animation_position;

/** How exactly a user lets a host know where they are. */
typedef enum neat_accuracy_authorization {
  /** As exactly as the device knows. */
  NEAT_ACCURACY_AUTHORIZATION_FULL = 0,
  /** Within some kilometres: a ring is shown, and no puck. */
  NEAT_ACCURACY_AUTHORIZATION_REDUCED = 1
} neat_accuracy_authorization;

/** What of a location is known: bits. */
typedef enum neat_location_field {
  /** altitude_m. */
  NEAT_LOCATION_FIELD_ALTITUDE = 1,
  /** horizontal_accuracy_m. */
  NEAT_LOCATION_FIELD_HORIZONTAL_ACCURACY = 2,
  /** course_deg. */
  NEAT_LOCATION_FIELD_COURSE = 4,
  /** course_accuracy_deg. */
  NEAT_LOCATION_FIELD_COURSE_ACCURACY = 8,
  /** speed_mps. */
  NEAT_LOCATION_FIELD_SPEED = 16,
  /** time_us. */
  NEAT_LOCATION_FIELD_TIME = 32,
  /** heading_deg. */
  NEAT_LOCATION_FIELD_HEADING = 64
} neat_location_field;

/** Where somebody is. Members without their bit in fields are not known. */
typedef struct neat_location {
  /** sizeof(neat_location). */
  uint32_t struct_size;
  /** Bits of neat_location_field. */
  uint32_t fields;
  /** The place in degrees: -36000 to 36000, -90 to 90. */
  double lon_deg, lat_deg;
  /** Metres above the sea, -1e6 to 1e8. */
  double altitude_m;
  /** Metres around the place within which it may be in truth, 0 to 1e8. */
  double horizontal_accuracy_m;
  /** Where it is going: degrees clockwise from north; and how exactly that is known, 0 to 360. */
  double course_deg, course_accuracy_deg;
  /** Metres a second, 0 to 1e6. */
  double speed_mps;
  /** Where the device points, of what a puck shows; neat_map_push_location refuses it. */
  double heading_deg;
  /** Microseconds since 1970. Kept and told; what is shown follows the map's own clock. */
  int64_t time_us;
} neat_location;

/** Where a device points. */
typedef struct neat_heading {
  /** sizeof(neat_heading). */
  uint32_t struct_size;
  /** Not 0: accuracy_deg counts. */
  uint32_t has_accuracy;
  /** Degrees clockwise from true north, -36000 to 36000. */
  double direction_deg;
  /** Degrees, 0 to 360. */
  double accuracy_deg;
  /** Not 0: time_us counts. */
  uint32_t has_time;
  /** Without meaning. */
  uint32_t reserved;
  /** Microseconds since 1970. */
  int64_t time_us;
} neat_heading;

/** What moves a map's camera. */
typedef enum neat_viewport_kind {
  /** Nothing of the viewport's. */
  NEAT_VIEWPORT_KIND_IDLE = 0,
  /** A state, which keeps it. */
  NEAT_VIEWPORT_KIND_STATE = 1,
  /** A transition, on its way to a state. */
  NEAT_VIEWPORT_KIND_TRANSITION = 2
} neat_viewport_kind;

/** Why the status of a viewport changed. */
typedef enum neat_viewport_reason {
  /** neat_map_viewport_idle. */
  NEAT_VIEWPORT_REASON_IDLE_REQUESTED = 0,
  /** neat_map_viewport_go. */
  NEAT_VIEWPORT_REASON_TRANSITION_STARTED = 1,
  /** The state is there. */
  NEAT_VIEWPORT_REASON_TRANSITION_SUCCEEDED = 2,
  /** The transition came to nothing. */
  NEAT_VIEWPORT_REASON_TRANSITION_FAILED = 3,
  /** A gesture moves the camera. */
  NEAT_VIEWPORT_REASON_USER_INTERACTION = 4
} neat_viewport_reason;

/** What moves a map's camera, by number. */
typedef struct neat_viewport_status {
  /** What it is. */
  neat_viewport_kind kind;
  /** Without meaning. */
  uint32_t reserved;
  /** STATE: the number of the state that is there; TRANSITION: of the one on its way. Else 0. */
  uint64_t state_id;
  /** TRANSITION: its number. Else 0. */
  uint64_t transition_id;
} neat_viewport_status;

/** An event, as a callback gets it. Its texts end in NUL, are never NULL, and are valid during the call.
 *  Addresses and messages are without credentials: user names and passwords, and the members access_token,
 *  key, api_key, apikey and token of a query, are left out. Programs read no further than struct_size. */
typedef struct neat_event {
  /** The bytes of this structure that the library filled. */
  uint32_t struct_size;
  /** What happened. */
  neat_event_type type;
  /** What the event is about: the id of a source, the name of an image, an address; "" for nothing. */
  const char *subject;
  /** The message of a MAP_LOADING_ERROR, LOCATION_FAILED, or a RESOURCE_REQUEST that failed; else "". */
  const char *message;
  /** The status of a MAP_LOADING_ERROR, LOCATION_FAILED, or a RESOURCE_REQUEST that failed; else
   *  NEAT_STATUS_OK. */
  neat_status status;
  /** RENDER_FRAME_FINISHED: not 0 when nothing that the frame needs is still to come. */
  uint32_t is_complete;
  /** STYLE_DATA_LOADED: "style", "sprite", then "sources" when the metadata of all sources in use is there.
   *  SOURCE_DATA_LOADED: "metadata" (for GeoJSON and images: the data) or "tile". MAP_LOADING_ERROR: "style",
   *  "sprite", "source", "tile", "glyphs", or "cache" where that is full, broken or may not be written to.
   *  RESOURCE_REQUEST: "style", "source", "tile", "glyphs", "sprite-image", "sprite-json", "image", "geojson"
   *  or "font". Gestures: "pan", "pinch", "rotation", "pitch", "doubleTapToZoomIn", "doubleTouchToZoomOut",
   *  "quickZoom", "singleTap", "wheel", "keyboard" or "boxZoom". Else "". */
  const char *kind;
  /** The tile, where kind is "tile" and has_tile is not 0. */
  uint32_t tile_z, tile_x, tile_y;
  /** Not 0 where tile_z, tile_x and tile_y name a tile. Since 2. */
  uint32_t has_tile;
  /** When what the event tells of began: microseconds since 1970, by the machine's clock. A style's parts,
   *  STYLE_LOADED and MAP_LOADED began when the style was asked for, RENDER_FRAME_FINISHED with
   *  RENDER_FRAME_STARTED, RESOURCE_REQUEST and SOURCE_DATA_LOADED with the request; what takes no time has
   *  the same in both. Since 2. */
  int64_t began_us;
  /** When it ended. Not before began_us. Since 2. */
  int64_t ended_us;
  /** The source that a MAP_LOADING_ERROR or RESOURCE_REQUEST is for; "" where it is for none. Since 2. */
  const char *source;
  /** RENDER_FRAME_FINISHED: not 0 where another frame is due, whatever comes: the camera or a property is on
   *  its way, labels, raster tiles or patterns fade, or something changed meanwhile. Since 2. */
  uint32_t needs_repaint;
  /** RENDER_FRAME_FINISHED: not 0 where other labels stand than in the frame before. Since 2. */
  uint32_t is_placement_changed;
  /** RESOURCE_REQUEST: who answered. Since 2. */
  neat_request_origin origin;
  /** RESOURCE_REQUEST: how urgent it was. Since 2. */
  neat_request_priority priority;
  /** RESOURCE_REQUEST: whom it was allowed to ask. Since 2. */
  neat_request_usage usage;
  /** RESOURCE_REQUEST: not 0 where a server said that what the cache has still holds. Since 2. */
  uint32_t is_not_modified;
  /** RESOURCE_REQUEST: not 0 where nobody waits for it any more: its status is NEAT_STATUS_CANCELLED. Since
   *  2. */
  uint32_t is_cancelled;
  /** RESOURCE_REQUEST: 0 where another answer to it follows: a copy that has expired, or a failure after
   *  which it is tried again. Since 2. */
  uint32_t is_final;
  /** RESOURCE_REQUEST: bytes of the answer, unpacked. Since 2. */
  uint64_t response_size;
  /** RESOURCE_REQUEST: the entity tag of the answer, as the server sent it; "" where it sent none. Since 2.
   *  */
  const char *etag;
  /** RESOURCE_REQUEST: when the answer expires, in seconds since 1970; 0 where nobody said. Since 2. */
  int64_t expires_s;
  /** GESTURE_BEGAN: where the pointer came down, or the middle of two, in logical pixels. ANNOTATION_…:
   *  where the pointer is. Since 2. */
  double x_px, y_px;
  /** GESTURE_ENDED: not 0 where the camera goes on by itself: GESTURE_ENDED_ANIMATING follows. Since 2. */
  uint32_t will_animate;
  /** ANIMATION_ENDED: where. Since 2. */
  neat_animation_position position;
  /** ANIMATION_BEGAN, ANIMATION_ENDED: the number of the animator among those of the map. Since 2. */
  uint64_t animator_id;
  /** ANNOTATION_…: the annotation's id; "" for a cluster. Since 2. */
  const char *annotation_id;
  /** ANNOTATION_TAPPED, ANNOTATION_LONG_PRESSED: the cluster, where annotation_id is "". Since 2. */
  uint64_t cluster_id;
  /** ANNOTATION_…: the place under the pointer, in degrees, where has_place is not 0. Since 2. */
  double lon_deg, lat_deg;
  /** ANNOTATION_…: not 0 where lon_deg and lat_deg are a place: the pointer is on the ground. Since 2. */
  uint32_t has_place;
  /** LOCATION_CHANGED, PUCK_MOVED: where, during the call; else NULL. Since 2. */
  const neat_location *location;
  /** HEADING_CHANGED: where the device points, during the call; else NULL. Since 2. */
  const neat_heading *heading;
  /** ACCURACY_AUTHORIZATION_CHANGED: what it is now. Since 2. */
  neat_accuracy_authorization accuracy_authorization;
  /** VIEWPORT_STATUS_CHANGED: why. Since 2. */
  neat_viewport_reason viewport_reason;
  /** VIEWPORT_STATUS_CHANGED: what it was, and what it is. Since 2. */
  neat_viewport_status viewport_from, viewport_to;
  /** SOURCE_DATA_LOADED, MAP_LOADING_ERROR: the id that the data was given with neat_map_load_geojson; else
   *  "". Since 2. */
  const char *data_id;
  /** VIEW_ANNOTATIONS_CHANGED: the number of the change: those of neat_view_annotation_placement that have it
   *  are what changed. Since 2. */
  uint64_t view_annotation_change;
} neat_event;

/** Called with each event, on the loop's thread, from within neat_loop_run, neat_loop_poll or a function of
 *  the map. context is that of neat_map_create. It may call any function of the map: when it sets another
 *  style, what was under way for the one before is over and says nothing more; when it destroys the map,
 *  there are no more events. It must not destroy the loop. */
typedef void (*neat_event_callback)(void *context, const neat_event *event);

/** A map that loads, changes and animates over time. It belongs to its loop's thread. Failures are also kept
 *  with the map: neat_map_last_error. */
typedef struct neat_map neat_map;

/** Makes a map on a loop, which must outlive it. options and callback may be NULL; context is handed to the
 *  callback and never read. Since 1. */
NEAT_MUST_USE NEAT_API neat_status neat_map_create(
    neat_loop *loop, const neat_size *size, const neat_options *options, neat_event_callback callback,
    void *context, neat_map **out_map);

/** Cancels the map's requests and releases it; there are no more events. Images and frames that it made stay.
 *  NULL is allowed. Since 1. */
NEAT_API void neat_map_destroy(neat_map *map);

/** Starts to load a style from a file path, file:// or http(s):// address, in place of the one there is.
 *  Returns at once: events report how it goes. Tiles and glyphs are asked for after STYLE_LOADED. Since 1. */
NEAT_MUST_USE NEAT_API neat_status neat_map_load_style(neat_map *map, const char *url, size_t url_size);

/** Called once with what became of a style: NEAT_STATUS_OK just before NEAT_EVENT_STYLE_LOADED, the reason
 *  just before NEAT_EVENT_MAP_LOADING_ERROR where the style cannot be had or read, NEAT_STATUS_CANCELLED
 *  where another style took its place, or the map was destroyed. A sprite, source or tile that fails does not
 *  make the style fail. message: of the failure, valid during the call; else "". It may call any function of
 *  the map, but none where the map is being destroyed. */
typedef void (*neat_style_callback)(void *context, neat_status status, const char *message);

/** The same as neat_map_load_style, with a callback that hears what became of the style, once, on the loop's
 *  thread, later than this call returns (but where the map's next call replaces it, or destroys the map,
 *  within that call). Where this function fails it is not called. callback may be NULL. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_map_load_style_then(
    neat_map *map, const char *url, size_t url_size, neat_style_callback callback, void *context);

/** Sets a style from JSON, in place of the one there is. Relative addresses in it start at base_url, which
 *  may be empty. Fails with NEAT_STATUS_JSON or NEAT_STATUS_STYLE. Its resources load while the loop runs.
 *  Since 1. */
NEAT_MUST_USE NEAT_API neat_status neat_map_set_style(
    neat_map *map, const char *json, size_t json_size, const char *base_url, size_t base_url_size);

/** The same as neat_map_set_style, with a callback that hears what became of the style, as
 *  neat_map_load_style_then has it. Where this function fails it is not called, and the map keeps the style
 *  that it has or loads. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_map_set_style_then(
    neat_map *map, const char *json, size_t json_size, const char *base_url, size_t base_url_size,
    neat_style_callback callback, void *context);

/** Changes the size of the view, which is a change of the camera. Since 1. */
NEAT_MUST_USE NEAT_API neat_status neat_map_set_size(neat_map *map, const neat_size *size);

/** Moves the camera at once, within the map's limits, and ends an easing, a flight and a glide. Since 1. */
NEAT_MUST_USE NEAT_API neat_status neat_map_set_camera(neat_map *map, const neat_camera *camera);

/** Moves the camera over duration_ms milliseconds (0: at once): neat_map_ease to all of a camera. Since 1. */
NEAT_MUST_USE NEAT_API neat_status neat_map_ease_to(
    neat_map *map, const neat_camera *camera, uint32_t duration_ms);

/** Reads the camera as it is now, within an animation too. out_camera's struct_size must be set. Since 1. */
NEAT_MUST_USE NEAT_API neat_status neat_map_camera(neat_map *map, neat_camera *out_camera);

/** Says what the map's pictures of a zoom are laid onto, as neat_renderer_projection does; the plane before
 *  its style is there. Fails with NEAT_STATUS_INVALID_ARGUMENT for a zoom that is not within -2 to 25.5.
 *  Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_map_projection(
    neat_map *map, double zoom, neat_projection *out_projection);

/** Which way up a map's pictures are. */
typedef enum neat_viewport_mode {
  /** Their first row is the upper one. */
  NEAT_VIEWPORT_MODE_DEFAULT = 0,
  /** Their first row is the lower one: for textures that begin at the bottom. */
  NEAT_VIEWPORT_MODE_FLIPPED_Y = 1
} neat_viewport_mode;

/** Where north is on the screen at a bearing of 0. */
typedef enum neat_orientation {
  /** At the top. */
  NEAT_ORIENTATION_UPWARDS = 0,
  /** At the right. */
  NEAT_ORIENTATION_RIGHTWARDS = 1,
  /** At the bottom. */
  NEAT_ORIENTATION_DOWNWARDS = 2,
  /** At the left. */
  NEAT_ORIENTATION_LEFTWARDS = 3
} neat_orientation;

/** Sets which way up the pictures of neat_map_draw are. Points of the view, gestures and frames for a GPU,
 *  whose host says itself where up is, stay as they are. Fails with NEAT_STATUS_INVALID_ARGUMENT for other
 *  numbers. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_map_set_viewport_mode(neat_map *map, neat_viewport_mode mode);

/** Sets where north is at a bearing of 0, for screens that are turned: the map turns, and the bearing stays.
 *  neat_map_camera tells it (north_deg), and what is given that camera goes by it. Fails with
 *  NEAT_STATUS_INVALID_ARGUMENT for other numbers. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_map_set_orientation(neat_map *map, neat_orientation orientation);

/* Changes to the style. Values are JSON; NULL with size 0 removes the value. All fail with NEAT_STATUS_STATE
 * before the map has a style, with NEAT_STATUS_NOT_FOUND for layers and sources that do not exist, and with
 * NEAT_STATUS_STYLE for values that the specification forbids; the style then stays as it is. What changes is
 * drawn by the next frame. */

/** Sets a paint property of a layer. One of numbers or colours changes to its new value over the duration of
 *  its transition (its own, NAME-transition; else the style's, 300 ms where it gives none), after its delay:
 *  until then there are frames, and NEAT_EVENT_MAP_IDLE comes after the last. What changes before the first
 *  frame of a style, values that depend on features, and types without values in between (texts, images,
 *  enums, dashes) change at once. Since 1. */
NEAT_MUST_USE NEAT_API neat_status neat_map_set_paint_property(
    neat_map *map, const char *layer, size_t layer_size, const char *name, size_t name_size,
    const char *value, size_t value_size);

/** Sets a layout property of a layer, at once. Since 1. */
NEAT_MUST_USE NEAT_API neat_status neat_map_set_layout_property(
    neat_map *map, const char *layer, size_t layer_size, const char *name, size_t name_size,
    const char *value, size_t value_size);

/** Sets the filter of a layer: an expression or legacy filter. Since 1. */
NEAT_MUST_USE NEAT_API neat_status neat_map_set_filter(
    neat_map *map, const char *layer, size_t layer_size, const char *filter, size_t filter_size);

/** Sets the zooms at which a layer is drawn: from min_zoom to below max_zoom, each 0 to 24. Others fail with
 *  NEAT_STATUS_INVALID_ARGUMENT. Since 1. */
NEAT_MUST_USE NEAT_API neat_status neat_map_set_layer_zoom_range(
    neat_map *map, const char *layer, size_t layer_size, double min_zoom, double max_zoom);

/** Adds a layer. before: the id of the layer that it goes below; empty: on top. Fails with
 *  NEAT_STATUS_INVALID_ARGUMENT where a layer has its id already. Since 1. */
NEAT_MUST_USE NEAT_API neat_status neat_map_add_layer(
    neat_map *map, const char *json, size_t json_size, const char *before, size_t before_size);

/** Moves a layer below the layer `before`; empty: on top. Since 1. */
NEAT_MUST_USE NEAT_API neat_status neat_map_move_layer(
    neat_map *map, const char *layer, size_t layer_size, const char *before, size_t before_size);

/** Removes a layer. Its source stays. Since 1. */
NEAT_MUST_USE NEAT_API neat_status neat_map_remove_layer(neat_map *map, const char *layer, size_t layer_size);

/** Adds a source, as the style's "sources" has them. Fails with NEAT_STATUS_INVALID_ARGUMENT where a source
 *  has its id already. Since 1. */
NEAT_MUST_USE NEAT_API neat_status neat_map_add_source(
    neat_map *map, const char *id, size_t id_size, const char *json, size_t json_size);

/** Removes a source. Fails with NEAT_STATUS_INVALID_ARGUMENT while a layer or the terrain uses it. Since 1.
 *  */
NEAT_MUST_USE NEAT_API neat_status neat_map_remove_source(neat_map *map, const char *id, size_t id_size);

/** Replaces the data of a GeoJSON source: a document, or several on lines of their own, also compressed by
 *  gzip or zlib. Limits and errors as for neat_geojson_parse. Since 1. */
NEAT_MUST_USE NEAT_API neat_status neat_map_set_geojson(
    neat_map *map, const char *source, size_t source_size, const char *geojson, size_t geojson_size);

/** Changes the data of a GeoJSON source by the ids of its features, as GeoJSONSourceDiff of MapLibre GL JS: a
 *  JSON object with any of "removeAll": true, "remove": [id], "add": [feature] (in place of those of the same
 *  id), "update": [{"id", "newGeometry", "removeAllProperties": true, "removeProperties": [name],
 *  "addOrUpdateProperties": [{"key", "value"}]}], applied in this order; an id that does not exist is
 *  ignored. Only tiles that the old or new geometry touches are cut and laid out again; clusters are made
 *  anew. Fails with NEAT_STATUS_INVALID_ARGUMENT where a feature has no id (or not the property promoteId) or
 *  two have the same one, naming it, and with NEAT_STATUS_STATE before the source's data is there; the data
 *  then stays as it is. Since 1. */
NEAT_MUST_USE NEAT_API neat_status neat_map_update_geojson(
    neat_map *map, const char *source, size_t source_size, const char *diff, size_t diff_size);

/** What data does to that of a GeoJSON source. */
typedef enum neat_data_change {
  /** It takes its place: a document, as of neat_map_set_geojson. */
  NEAT_DATA_CHANGE_REPLACE = 0,
  /** It changes it by the ids of features, as neat_map_update_geojson does. */
  NEAT_DATA_CHANGE_UPDATE = 1
} neat_data_change;

/** Hands data to a worker, which reads it while the loop goes on, and changes a GeoJSON source by it, after
 *  what was handed in before for that source. The event SOURCE_DATA_LOADED of kind "metadata" tells with
 *  data_id that it is there, MAP_LOADING_ERROR of kind "source" with data_id why not: the source then keeps
 *  what it had. Nothing is told where another style has come meanwhile, or the source went. The data is
 *  copied. Fails with NEAT_STATUS_NOT_FOUND and NEAT_STATUS_INVALID_ARGUMENT where there is no such GeoJSON
 *  source, with NEAT_STATUS_LIMIT_EXCEEDED where 1,000 changes are under way. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_map_load_geojson(
    neat_map *map, const char *source, size_t source_size, neat_data_change change, const char *data,
    size_t data_size, const char *data_id, size_t data_id_size);

/** A source as it stands in the style, as JSON: {"type", …}. Fails with NEAT_STATUS_NOT_FOUND. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_map_source(
    neat_map *map, const char *id, size_t id_size, neat_buffer **out_json);

/** Sets a member of a source, as JSON: "data", "url", "tiles", "maxzoom", "cluster", "coordinates" …; an
 *  empty value or null removes it. The source begins anew, but an image source whose coordinates alone change
 *  keeps its picture. Fails with NEAT_STATUS_STYLE for values that the specification forbids, with
 *  NEAT_STATUS_INVALID_ARGUMENT for "type", with NEAT_STATUS_NOT_FOUND. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_map_set_source_property(
    neat_map *map, const char *id, size_t id_size, const char *name, size_t name_size, const char *value,
    size_t value_size);

/** Gives an image source another picture, whatever its url says; it is copied. Fails with
 *  NEAT_STATUS_NOT_FOUND and NEAT_STATUS_INVALID_ARGUMENT where there is no such image source, with
 *  NEAT_STATUS_OUT_OF_MEMORY where memory_limit_bytes has no room for it. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_map_update_image_source(
    neat_map *map, const char *source, size_t source_size, const neat_image *image);

/** Changes the style by several steps at once: a JSON array of {"command", "args"}, as neat_style_diff lists
 *  them, 100,000 at most. All are carried out in order, or none where one fails: its number, from 0 on, is in
 *  the message. Tiles are laid out anew once, for all steps together. Fails as the functions for single steps
 *  do, and with NEAT_STATUS_INVALID_ARGUMENT for commands that there are not. Cost: for each step linear in
 *  the layers and sources, as each function for a single step. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_map_change_style(
    neat_map *map, const char *steps, size_t steps_size);

/** The style, then the styles that it takes in with "imports", as they are taken in; empty for a style that
 *  takes in none and has no "schema": a JSON array of {"id", "isLoaded", "config": {key: value}} and, where
 *  there is one, "url" and "schema". "id" is "" for the style itself, "a/b" for the import b of the import a.
 *  Fails with NEAT_STATUS_STATE before the map has a style. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_map_imports(neat_map *map, neat_buffer **out_json);

/** Sets a value that the schema of the style (id empty) or of one of its imports leaves open, as JSON: a
 *  value or an expression; empty or null goes back to what the import says, or the schema. What ["config",
 *  key] makes of the style is changed step by step; what was changed since it was loaded stays. Fails with
 *  NEAT_STATUS_NOT_FOUND for an import or a key that there is not, with NEAT_STATUS_INVALID_ARGUMENT for what
 *  the schema does not take. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_map_set_import_config(
    neat_map *map, const char *id, size_t id_size, const char *key, size_t key_size, const char *value,
    size_t value_size);

/** Puts the names in the labels of symbol layers in a language ("ja", "zh-Hant", "pt_BR"), where the data has
 *  them: ["get", "name"], and the same of a field for another language, become the first of the fields
 *  name_ja, name:ja and what was there, that a feature has. layers: a JSON array of ids; empty or null: all.
 *  Layers without a name in their text, and ids that no symbol layer has, are left alone. Fails with
 *  NEAT_STATUS_INVALID_ARGUMENT for what is no language. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_map_localize_labels(
    neat_map *map, const char *language, size_t language_size, const char *layers, size_t layers_size);

/** Sets a root member of the style by name: light, sky, fog, terrain, projection, glyphs, sprite, state (of
 *  global-state) or transition ({"duration", "delay"} in milliseconds). Fails with
 *  NEAT_STATUS_INVALID_ARGUMENT for other names. Since 1. */
NEAT_MUST_USE NEAT_API neat_status neat_map_set_style_property(
    neat_map *map, const char *name, size_t name_size, const char *value, size_t value_size);

/** Sets whether changed paint properties take the time of their transitions: not 0, as at the start, or 0.
 *  With 0, those that are changing take their final values at once. Since 1. */
NEAT_MUST_USE NEAT_API neat_status neat_map_set_transitions(neat_map *map, uint32_t is_enabled);

/** Sets how long labels take to come and go while the map is drawn, and patterns and dashes to go over to
 *  those of another whole zoom: 0 to 60,000 ms; 300 as long as nothing else is said. With 0 labels are there
 *  or not, and are placed anew with every frame, and raster tiles and patterns are there at once; else labels
 *  are placed at most every 300 ms while the map moves, and once more when it has come to rest, and raster
 *  tiles come in over their layer's raster-fade-duration. Labels and patterns that fade at that moment are
 *  there or gone. Fails with NEAT_STATUS_INVALID_ARGUMENT for other durations. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_map_set_fade_duration(neat_map *map, double duration_ms);

/** Writes how long labels take to come and go. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_map_fade_duration(neat_map *map, double *out_duration_ms);

/** Adds an image, or replaces the one of this name; its pixels are copied. pixel_ratio: pixels per logical
 *  pixel, above 0 to 16; 0 means 1. is_sdf not 0: its alpha is a signed distance field, which icon-color
 *  colours. Fails with NEAT_STATUS_OUT_OF_MEMORY where memory_limit_bytes has no room for it. Since 1. */
NEAT_MUST_USE NEAT_API neat_status neat_map_add_image(
    neat_map *map, const char *name, size_t name_size, const neat_image *image, double pixel_ratio,
    uint32_t is_sdf);

/** Adds an image as neat_map_add_image, of which more can be said. options: JSON with any of
 *    "pixelRatio"          above 0 to 16; 1 where it is not said
 *    "sdf"                 true: its alpha is a signed distance field
 *    "stretchX", "stretchY"   parts that stretch with icon-text-fit, from the left and the top: [[from, to],
 *                          …] in pixels of the image, in order, 100 at most; not said: all of it
 *    "content"             [left, top, right, bottom] in pixels of the image: where the text stands
 *    "textFitWidth", "textFitHeight"   "stretchOrShrink", "stretchOnly" or "proportional"
 *    "persistent"          true: every later style has it too; also before there is one
 *  Fails with NEAT_STATUS_INVALID_ARGUMENT for other members and for parts that are not within the image.
 *  Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_map_add_image_with(
    neat_map *map, const char *name, size_t name_size, const neat_image *image, const char *options,
    size_t options_size);

/** The pixels of an image that layers can name, of a sprite or added. Fails with NEAT_STATUS_NOT_FOUND where
 *  there is none. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_map_image(
    neat_map *map, const char *name, size_t name_size, neat_image **out_image);

/** The images that layers can name now, of sprites and added, by name: a JSON array of {"name", "width",
 *  "height", …} with the members of neat_map_add_image_with's options that they have. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_map_images(neat_map *map, neat_buffer **out_json);

/** Removes an image that neat_map_add_image added. Since 1. */
NEAT_MUST_USE NEAT_API neat_status neat_map_remove_image(neat_map *map, const char *name, size_t name_size);

/** Merges a JSON object into the state of a feature. target: {"source", "sourceLayer", "id"}. Fails with
 *  NEAT_STATUS_INVALID_ARGUMENT for other members. Since 1. */
NEAT_MUST_USE NEAT_API neat_status neat_map_set_feature_state(
    neat_map *map, const char *target, size_t target_size, const char *state, size_t state_size);

/** Removes the member `key` of a feature's state, or all of it where key is empty. A target without "id"
 *  means all features of the source layer. Since 1. */
NEAT_MUST_USE NEAT_API neat_status neat_map_remove_feature_state(
    neat_map *map, const char *target, size_t target_size, const char *key, size_t key_size);

/** Changes to another style by the steps of neat_style_diff: what does not change keeps its tiles and
 *  layouts. Fails where it is not a style, or where the map has none yet; the map then keeps what it has.
 *  Cost: n log n in the two styles to compare them, and as neat_map_change_style for what differs.
 *  Since 1. */
NEAT_MUST_USE NEAT_API neat_status neat_map_update_style(neat_map *map, const char *json, size_t json_size);

/** Reads a layer's property as it was set, as JSON; null where it is not set. name: a layout or paint
 *  property, the transition of one, or "filter", "minzoom", "maxzoom", "type", "source", "source-layer" or
 *  "metadata". Fails with NEAT_STATUS_NOT_FOUND for layers and properties that do not exist. Since 1. */
NEAT_MUST_USE NEAT_API neat_status neat_map_property(
    neat_map *map, const char *layer, size_t layer_size, const char *name, size_t name_size,
    neat_buffer **out_json);

/** The style as it is now, as JSON. Fails with NEAT_STATUS_STATE before the map has one. Since 1. */
NEAT_MUST_USE NEAT_API neat_status neat_map_style_json(neat_map *map, neat_buffer **out_json);

/** Describes the style as neat_renderer_info does, with "url" (what neat_map_load_style was given; null for a
 *  style that was set) and "isLoaded" (whether NEAT_EVENT_STYLE_LOADED was sent). Fails with
 *  NEAT_STATUS_STATE before the map has a style. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_map_info(neat_map *map, neat_buffer **out_json);

/** Gives memory back: drops decoded tiles, layouts and textures that the view does not need. What is shown
 *  stays, and the next picture is the same; what is dropped is loaded again when it is needed. For a system
 *  that runs out of memory. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_map_reduce_memory_use(neat_map *map);

/** How a map is doing: JSON with
 *    "frames"         {"count", "lastMS", "medianMS", "longestMS"}: pictures and frames that the host has
 *                     taken, and how long the last 120 of them took to make; "count" alone before the first
 *    "turns"          turns of the map so far
 *    "requests"       requests under way
 *    "animators"      animators alive
 *    "tiles"          {SOURCE: {"count", "bytes"}}: decoded tiles
 *    "layouts"        {"count", "bytes"}: tiles laid out, with their meshes
 *    "images"         {"count", "bytes"}: images of sprites and of the host
 *    "glyphBytes"     bytes of glyphs
 *    "residentBytes"  memory of the process
 *  Bytes are estimates but for those of the process. Before there is a style, "tiles" to "glyphBytes" are
 *  left out. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_map_statistics(neat_map *map, neat_buffer **out_json);

/** How many zooms below those of the view tiles are asked for first, which stand in until the view's own
 *  come: 0 (none) to 10; 4 before it is said. Fails with NEAT_STATUS_INVALID_ARGUMENT. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_map_set_prefetch_zoom_delta(neat_map *map, uint32_t levels);

/** Metres above the sea at a place, by what is loaded of the source of the style's terrain, or of its first
 *  raster-dem source where it has no terrain. Fails with NEAT_STATUS_NOT_FOUND where nothing is loaded there,
 *  with NEAT_STATUS_STATE before the map has a style, with NEAT_STATUS_INVALID_ARGUMENT for what is no place.
 *  Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_map_elevation(
    neat_map *map, double lon_deg, double lat_deg, double *out_m);

/** How high the camera's centre lies, in metres above the sea, -100000 to 100000; NaN: on the ground, which
 *  is what a map does by itself: the height of the style's terrain there, as far as it is loaded, or 0. Fails
 *  with NEAT_STATUS_INVALID_ARGUMENT. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_map_set_center_elevation(neat_map *map, double elevation_m);

/** Whether skirts hang down from the edges of the terrain's tiles, so that nothing shows between tiles of
 *  different zooms: 1, as a map begins, or 0, for styles without an opaque background, through which skirts
 *  are seen. Fails with NEAT_STATUS_INVALID_ARGUMENT for no map. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_map_set_terrain_skirts(neat_map *map, int32_t enabled);

/** Whether style, sources, tiles, glyphs and images of the view are there: 1 or 0; 0 for NULL. Since 1. */
NEAT_API int32_t neat_map_is_loaded(const neat_map *map);

/** The attribution as from neat_renderer_attribution, of what is loaded: complete with the event
 *  STYLE_DATA_LOADED of kind "sources". Fails with NEAT_STATUS_STATE before the map has a style. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_map_attribution(neat_map *map, neat_buffer **out_json);

/** Draws the view with what is there now, without waiting. Fails with NEAT_STATUS_STATE before the map has a
 *  style. Since 1. */
NEAT_MUST_USE NEAT_API neat_status neat_map_draw(neat_map *map, neat_image **out_image);

/** Lists the features within a box of device pixels of the map's view. Box, options and answer are those of
 *  neat_renderer_query. Labels are met where the last placement has them, as long as the view is that of the
 *  last frame that was drawn. Since 1. */
NEAT_MUST_USE NEAT_API neat_status neat_map_query(
    neat_map *map, double x0_px, double y0_px, double x1_px, double y1_px, const char *options,
    size_t options_size, neat_buffer **out_json);

/** Answers a question about a map: a JSON object with "ask" and what belongs to it:
 *    "rendered-features"       "point": [x, y], "box": [[x0, y0], [x1, y1]] or "polygon": [[x, y], …] (3 to
 *                              1,000 points) in device pixels, none: the whole view; "layers", "filter",
 *                              "limit", "report" as of neat_renderer_query, whose answer this is
 *    "source-features"         "source", "sourceLayers": [name, …] (else all), "filter", "limit": the
 *                              features in the tiles of the view that are loaded, drawn or not, as an array
 *                              like that of neat_renderer_query, without "layer"; a feature that lies in
 *                              several tiles comes once for each, with that tile's part of its geometry. A
 *                              source that no visible layer uses loads no tiles. What cannot be read of a
 *                              tile is told of once by MAP_LOADING_ERROR. With "report": true the answer is
 *                              {"features", "report"}, the second as from neat_image_report: that, and what
 *                              the view lacks of the source, also tiles that nobody asked for yet
 *    "feature-state"           "source", "sourceLayer", "id": an object, empty where the feature has no state
 *    "cluster-children"        "source", "cluster": what a cluster of a GeoJSON source falls apart into at
 *                              the next deeper zoom, as an array of features
 *    "cluster-leaves"          "source", "cluster", "limit" (else 10), "offset" (else 0): the points of a
 *                              cluster, as an array of features
 *    "cluster-expansion-zoom"  "source", "cluster": the zoom at which it falls apart, a number
 *  Fails with NEAT_STATUS_INVALID_ARGUMENT for other members and values, with NEAT_STATUS_EXPRESSION for what
 *  is no filter, with NEAT_STATUS_NOT_FOUND for a source or a cluster that is not there, with
 *  NEAT_STATUS_STATE before the map has a style, and before clusters are made. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_map_ask(
    neat_map *map, const char *question, size_t question_size, neat_buffer **out_json);

/** Called once, on the loop's thread, with the answer to a question: json, of json_size bytes and a zero
 *  after them, and NEAT_STATUS_OK; or the reason why there is none, with its message: NEAT_STATUS_CANCELLED
 *  where the map was destroyed. Both texts are valid during the call. It may call any function of the map,
 *  but none where the map is being destroyed. */
typedef void (*neat_answer_callback)(
    void *context, neat_status status, const char *message, const char *json, size_t json_size);

/** The same as neat_map_ask, by a worker: the loop goes on, and the callback is called later than this
 *  returns. The camera is that of this call; style, data and states are those of when the worker
 *  comes to it. out_question, which may be NULL, becomes the
 *  question's number. Where this fails, the callback is not called: with NEAT_STATUS_LIMIT_EXCEEDED where
 *  1,000 questions are under way, with what neat_map_ask refuses in the question itself; all else the
 *  callback hears. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_map_ask_then(
    neat_map *map, const char *question, size_t question_size, neat_answer_callback callback, void *context,
    uint64_t *out_question);

/** Does without the answer to a question: its callback is not called any more. One that was answered, and
 *  numbers that no question had, are left alone. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_map_cancel_question(neat_map *map, uint64_t question);

/** The message of the last failed call on this map; "" before any failure. Valid until the next failing call
 *  on it. Since 1. */
NEAT_API const char *neat_map_last_error(const neat_map *map);

/* ---------------------------------------------------------------- gestures
 *
 * A host hands a map its pointers, wheel and keys, and the map moves its camera: docs/gestures.md has the
 * gestures and their numbers. The camera changes, and events come, within the call; glides and zooms that
 * take their time then run on the loop.
 *
 * Positions are logical pixels right of and below the view's top left corner, -100000 to 100000. Times are
 * milliseconds, -1e15 to 1e15, of one clock of the host's own that does not stop: gestures depend on them and
 * on nothing else. Input that comes late, with a time before one that was given, happens at that one; more
 * than a second before, it is another clock: what was under way ends, and all begins anew. */

/** What a pointer does. */
typedef enum neat_pointer_phase {
  /** A finger touches, or a button is pressed. */
  NEAT_POINTER_PHASE_DOWN = 0,
  /** It moves, while it is down; else it is ignored. */
  NEAT_POINTER_PHASE_MOVE = 1,
  /** It is lifted. */
  NEAT_POINTER_PHASE_UP = 2,
  /** It is lost: another window takes it. No tap and no glide comes of it. */
  NEAT_POINTER_PHASE_CANCEL = 3
} neat_pointer_phase;

/** What a pointer is. */
typedef enum neat_pointer_kind {
  /** A finger: holds still within 8 pixels. */
  NEAT_POINTER_KIND_TOUCH = 0,
  /** A mouse or pen: holds still within 3 pixels. */
  NEAT_POINTER_KIND_MOUSE = 1
} neat_pointer_kind;

/** The buttons of a mouse. */
typedef enum neat_pointer_button {
  /** The first; a finger. */
  NEAT_POINTER_BUTTON_PRIMARY = 0,
  /** The second, which rotates and pitches. */
  NEAT_POINTER_BUTTON_SECONDARY = 1,
  /** The third, which does nothing. */
  NEAT_POINTER_BUTTON_MIDDLE = 2
} neat_pointer_button;

/** Keys that are held with others: bits. */
typedef enum neat_modifier {
  /** Draws a box with a drag; rotates and pitches with arrows. */
  NEAT_MODIFIER_SHIFT = 1,
  /** Makes the first button the second. */
  NEAT_MODIFIER_CONTROL = 2,
  /** Alt, or Option. */
  NEAT_MODIFIER_ALT = 4,
  /** Command, or the Windows key. */
  NEAT_MODIFIER_META = 8
} neat_modifier;

/** A finger, or a mouse with a button held down. */
typedef struct neat_pointer {
  /** sizeof(neat_pointer). */
  uint32_t struct_size;
  /** What it does. */
  neat_pointer_phase phase;
  /** Tells pointers apart that are down at once. */
  int64_t id;
  /** Where it is. */
  double x_px, y_px;
  /** When. */
  double time_ms;
  /** What it is, of DOWN. */
  neat_pointer_kind kind;
  /** Which button, of DOWN. */
  neat_pointer_button button;
  /** Bits of neat_modifier, of DOWN. */
  uint32_t modifiers;
} neat_pointer;

/** A turn of a wheel, or a step on a trackpad. */
typedef struct neat_wheel {
  /** sizeof(neat_wheel). */
  uint32_t struct_size;
  /** Not 0: a trackpad, which runs out by itself. */
  uint32_t is_trackpad;
  /** Where the pointer is. */
  double x_px, y_px;
  /** How far in pixels, as browsers count (a notch is about 100), -100000 to 100000: below 0 zooms in. */
  double delta_px;
  /** When. */
  double time_ms;
} neat_wheel;

/** Keys that move a map. */
typedef enum neat_key {
  /** Zooms in. */
  NEAT_KEY_PLUS = 0,
  /** Zooms out. */
  NEAT_KEY_MINUS = 1,
  /** The arrow to the left. */
  NEAT_KEY_LEFT = 2,
  /** The arrow to the right. */
  NEAT_KEY_RIGHT = 3,
  /** The arrow upwards. */
  NEAT_KEY_UP = 4,
  /** The arrow downwards. */
  NEAT_KEY_DOWN = 5
} neat_key;

/** Hands a map what a pointer did. One that moves or ends without having come down is ignored; one that comes
 *  down twice is another one of that id. Fails with NEAT_STATUS_INVALID_ARGUMENT, and changes nothing, for
 *  positions, times and numbers out of their range, and with NEAT_STATUS_LIMIT_EXCEEDED for an eleventh
 *  pointer that is down at once: none is down any more then. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_map_pointer(neat_map *map, const neat_pointer *pointer);

/** Hands a map a turn of the wheel. Fails as neat_map_pointer. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_map_wheel(neat_map *map, const neat_wheel *wheel);

/** Hands a map a key that went down, or that repeats itself. modifiers: bits of neat_modifier; with others
 *  than Shift the key does nothing. Fails as neat_map_pointer. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_map_key(
    neat_map *map, neat_key key, uint32_t modifiers, double time_ms);

/** Ends the gestures under way and what goes on after them, as where a window loses its pointers; the camera
 *  stays. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_map_cancel_gestures(neat_map *map);

/** Changes what gestures do. options: JSON with any of
 *    "panEnabled", "pinchEnabled", "rotateEnabled", "simultaneousRotateAndPinchZoomEnabled",
 *    "pinchZoomEnabled", "pinchPanEnabled", "pitchEnabled", "doubleTapToZoomInEnabled",
 *    "doubleTouchToZoomOutEnabled", "quickZoomEnabled", "wheelZoomEnabled", "dragRotateEnabled",
 *    "boxZoomEnabled", "keyboardEnabled"   true (before it is said) or false
 *    "panMode"                "horizontal", "vertical" or "horizontalAndVertical" (before it is said)
 *    "panDecelerationFactor"  what is left of a glide's velocity after a millisecond, 0 (no glide) to 0.9999;
 *                             0.998 before it is said
 *    "focalPoint"             [x, y] in logical pixels that zooms and rotations go around; null: each its own
 *    "zoomAnimationAmount"    zooms of a double tap, a double touch and a key, 0 to 25; 1 before it is said
 *    "wheelZoomRate", "trackpadZoomRate"   of a zoom for each pixel, 0 to 1; 1/450 and 1/100 before
 *  What is not named stays as it is. Fails with NEAT_STATUS_INVALID_ARGUMENT, and changes nothing, for other
 *  members and values out of their range, with NEAT_STATUS_JSON for what is no JSON. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_map_set_gesture_options(
    neat_map *map, const char *options, size_t options_size);

/** What gestures do, as JSON with all members of neat_map_set_gesture_options. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_map_gesture_options(neat_map *map, neat_buffer **out_json);

/* ---------------------------------------------------------------- ornaments
 *
 * What neat_ornaments says, in a map: drawn over each of its frames. docs/ornaments.md has the behaviour. */

/** Sets the ornaments of a map, in the place of those that it had; NULL: none. They are drawn by
 *  neat_map_draw, and are the last commands of a frame: quads of the kind RASTER, of a layer
 *  "neatline-ornaments" that comes after the style's. A pointer that goes down on the compass is the
 *  compass's until it goes up: no gesture comes of it, and where it goes up on the compass the map turns to
 *  the north within 300 ms, as an animation of the owner "compass". Fails with NEAT_STATUS_INVALID_ARGUMENT
 *  for other members, values and margins than neat_ornaments has, and images without pixels, with
 *  NEAT_STATUS_LIMIT_EXCEEDED for images past their size, with NEAT_STATUS_JSON for what is no JSON; nothing
 *  is changed then. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_map_set_ornaments(neat_map *map, const neat_ornaments *ornaments);

/** The ornaments of a map, as JSON with all members of neat_ornaments' json. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_map_ornaments(neat_map *map, neat_buffer **out_json);

/** Where ornaments stand as the camera is: a JSON array of {"ornament", "x", "y", "width", "height",
 *  "opacity"} in logical pixels right of and below the view's top left corner, without those that are not
 *  seen. "ornament" is a member of neat_ornaments' json. Fails with NEAT_STATUS_STATE before the map has a
 *  style. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_map_ornament_places(neat_map *map, neat_buffer **out_json);

/** The ornament that is seen at a point, in logical pixels right of and below the view's top left corner. A
 *  host asks before it hands a tap to neat_map_pointer, where it has something to do for the attribution or
 *  the logo. Fails as neat_map_ornament_places. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_map_ornament_at(
    neat_map *map, double x_px, double y_px, neat_ornament *out_ornament);

/** What neat_map_attribution gives, as neat_renderer_attribution_links. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_map_attribution_links(neat_map *map, neat_buffer **out_json);

/* ---------------------------------------------------------------- a moving camera
 *
 * Where the camera of a map may be, how it goes from here to there, and when its frames are:
 * docs/animation.md has the behaviour. All is for the loop's thread. */

/** What of a camera is meant: bits. */
typedef enum neat_camera_field {
  /** lon_deg and lat_deg. */
  NEAT_CAMERA_FIELD_CENTER = 1,
  /** zoom. */
  NEAT_CAMERA_FIELD_ZOOM = 2,
  /** bearing_deg. */
  NEAT_CAMERA_FIELD_BEARING = 4,
  /** pitch_deg. */
  NEAT_CAMERA_FIELD_PITCH = 8,
  /** roll_deg. */
  NEAT_CAMERA_FIELD_ROLL = 16,
  /** The four paddings. */
  NEAT_CAMERA_FIELD_PADDING = 32,
  /** fov_deg. */
  NEAT_CAMERA_FIELD_FOV = 64,
  /** anchor_x_px and anchor_y_px: the place under this point stays under it. Ignored with CENTER. */
  NEAT_CAMERA_FIELD_ANCHOR = 128
} neat_camera_field;

/** Some of a camera's values, with the ranges of neat_camera; the others stay as they are. */
typedef struct neat_camera_change {
  /** sizeof(neat_camera_change). */
  uint32_t struct_size;
  /** Bits of neat_camera_field: the values that count. */
  uint32_t fields;
  /** The centre in degrees. */
  double lon_deg, lat_deg;
  /** The zoom. */
  double zoom;
  /** Angles in degrees. */
  double bearing_deg, pitch_deg, roll_deg;
  /** Logical pixels kept free along the edges. */
  double padding_top_px, padding_left_px, padding_bottom_px, padding_right_px;
  /** The vertical field of view in degrees. */
  double fov_deg;
  /** A point in logical pixels right of and below the view's top left corner, -1000000 to 1000000. */
  double anchor_x_px, anchor_y_px;
} neat_camera_change;

/** Changes some of the camera's values at once, and ends an easing, a flight and a glide. change's anchor
 *  keeps its place. Fails with NEAT_STATUS_INVALID_ARGUMENT, and changes nothing, for values past their
 *  range, unknown fields, and an anchor above the horizon. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_map_change_camera(neat_map *map, const neat_camera_change *change);

/** Sets where the camera may be, whatever moves it, and moves it there at once, with one CAMERA_CHANGED if it
 *  was elsewhere. Before it is said, and for NULL: zoom 0 to 22, pitch 0 to 85, within the height of the
 *  world. Fails with NEAT_STATUS_INVALID_ARGUMENT, and changes nothing. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_map_set_camera_limits(
    neat_map *map, const neat_camera_limits *limits);

/** Where the camera may be. out_limits's struct_size must be set. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_map_camera_limits(neat_map *map, neat_camera_limits *out_limits);

/** What a curve makes of time. */
typedef enum neat_curve {
  /** The cubic Bezier curve (0.25, 0.1, 0.25, 1): `ease` of CSS. */
  NEAT_CURVE_EASE = 0,
  /** As time goes. */
  NEAT_CURVE_LINEAR = 1,
  /** Slow at the start: (0.42, 0, 1, 1). */
  NEAT_CURVE_EASE_IN = 2,
  /** Slow at the end: (0, 0, 0.58, 1). */
  NEAT_CURVE_EASE_OUT = 3,
  /** Slow at both: (0.42, 0, 0.58, 1). */
  NEAT_CURVE_EASE_IN_OUT = 4,
  /** The cubic Bezier curve of x1 to y2. */
  NEAT_CURVE_BEZIER = 5,
  /** A spring of damping_ratio that has come to rest at the end. */
  NEAT_CURVE_SPRING = 6
} neat_curve;

/** How a camera goes. Zeroed, or NULL: within 500 ms (a flight: as long as it takes at its speed), eased. */
typedef struct neat_animation {
  /** sizeof(neat_animation). */
  uint32_t struct_size;
  /** Not 0: duration_ms counts. */
  uint32_t has_duration;
  /** Milliseconds, 0 (at once) to 86400000. */
  double duration_ms;
  /** What it makes of time. */
  neat_curve curve;
  /** Control points of BEZIER: x within 0 to 1, y within -10 to 10. */
  double x1, y1, x2, y2;
  /** Of SPRING, 0.1 to 1 (it does not swing). */
  double damping_ratio;
  /** Who moves the camera: UTF-8, 256 bytes at most; NULL: "unspecified". */
  const char *owner;
  /** Bytes of owner. */
  size_t owner_size;
} neat_animation;

/** A camera on its way: an easing, a flight, or some of its values that are started and stopped by hand. It
 *  may outlive its map: it has ended then. */
typedef struct neat_animator neat_animator;

/** Called once with where an animator ended. It may call any function of the map, but none where the map is
 *  being destroyed. */
typedef void (*neat_animation_callback)(void *context, neat_animation_position position);

/** Moves the camera in a straight way, and ends the easing, flight or glide under way. course, which may be
 *  NULL, has the place that stays and the offset. callback, which may be NULL, hears of the end: END when it
 *  is there, CURRENT where something else took over or the map was destroyed; within this call where the
 *  duration is 0. out_animator, which may be NULL, gets what pauses, reverses or stops it; it goes on when
 *  that is released. Fails as neat_camera_ease. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_map_ease(
    neat_map *map, const neat_camera_change *to, const neat_camera_course *course,
    const neat_animation *animation, neat_animation_callback callback, void *context,
    neat_animator **out_animator);

/** Moves the camera along an arc, out, over and in: neat_camera_fly. Refuses a place that stays, and an
 *  anchor without a centre; else as neat_map_ease. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_map_fly(
    neat_map *map, const neat_camera_change *to, const neat_camera_course *course,
    const neat_animation *animation, neat_animation_callback callback, void *context,
    neat_animator **out_animator);

/** Ends all that moves the camera by itself: easing, flight, glide and animators. The camera stays. Since 2.
 *  */
NEAT_MUST_USE NEAT_API neat_status neat_map_cancel_animations(neat_map *map);

/** What moves the camera, or may: JSON, an array of {"id", "owner", "state" ("inactive", "active" or
 *  "paused"), "fractionComplete", "isReversed"} in the order in which they were made; a glide is {"id": 0,
 *  "owner": "gestures", "state": "active"}. What has ended is not in it. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_map_animators(neat_map *map, neat_buffer **out_json);

/** Makes an animator, which does not move until it is started: each value of to goes there from that of from,
 *  or from where the camera is when it starts to move. Animators of different values run side by side; of one
 *  value the one that was made last is seen. An anchor stays where it is seen while others than the centre
 *  change. from may be NULL. course and paddings are those of an easing. Fails with
 *  NEAT_STATUS_INVALID_ARGUMENT for values past their range, for values that from has and to has not, and for
 *  ROLL and FOV, and with NEAT_STATUS_LIMIT_EXCEEDED where the map has 1000. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_map_make_animator(
    neat_map *map, const neat_camera_change *from, const neat_camera_change *to,
    const neat_animation *animation, neat_animator **out_animator);

/** Starts an animator, after delay_ms milliseconds (0 to 86400000). Values of its from apply when the delay
 *  is over: within the call where there is none. Fails with NEAT_STATUS_STATE where it was started, has
 *  ended, or its map was destroyed, and with NEAT_STATUS_INVALID_ARGUMENT for the delay. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_animator_start(neat_animator *animator, double delay_ms);

/** Lets an animator stay where it is; nothing where it does not move. Fails with NEAT_STATUS_STATE where it
 *  has ended. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_animator_pause(neat_animator *animator);

/** Lets a paused animator go on. Fails with NEAT_STATUS_STATE where it has ended. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_animator_resume(neat_animator *animator);

/** Lets an animator run back to where it came from, or forth again; nothing where it was not started. Fails
 *  with NEAT_STATUS_STATE where it has ended. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_animator_reverse(neat_animator *animator);

/** Ends an animator where it is: the camera stays. Nothing where it has ended. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_animator_stop(neat_animator *animator);

/** Has a callback told where an animator ends; where it has ended already, in a later turn of the loop.
 *  Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_animator_when_ended(
    neat_animator *animator, neat_animation_callback callback, void *context);

/** What an animator does. */
typedef enum neat_animator_state {
  /** It was not started. */
  NEAT_ANIMATOR_STATE_INACTIVE = 0,
  /** It moves, or waits for its delay. */
  NEAT_ANIMATOR_STATE_ACTIVE = 1,
  /** It stays where it is. */
  NEAT_ANIMATOR_STATE_PAUSED = 2,
  /** It has ended: see position. */
  NEAT_ANIMATOR_STATE_FINISHED = 3
} neat_animator_state;

/** How an animator stands. */
typedef struct neat_animator_info {
  /** sizeof(neat_animator_info). */
  uint32_t struct_size;
  /** What it does. */
  neat_animator_state state;
  /** Where it ended, where it has. */
  neat_animation_position position;
  /** Not 0: it runs back. */
  uint32_t is_reversed;
  /** How much of its time is over, 0 to 1; it falls while the animator runs back. */
  double fraction_complete;
  /** Its number among the map's animators, from 1. */
  uint64_t id;
} neat_animator_info;

/** Reads how an animator stands. out_info's struct_size must be set. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_animator_describe(
    const neat_animator *animator, neat_animator_info *out_info);

/** Releases an animator. One of neat_map_make_animator ends at once, where it is: whoever waits for its end
 *  hears CURRENT. NULL is allowed. Since 2. */
NEAT_API void neat_animator_destroy(neat_animator *animator);

/** Who says when frames are. */
typedef enum neat_frame_pacing {
  /** The loop, with a timer, while something moves. */
  NEAT_FRAME_PACING_LOOP = 0,
  /** The host, with its own clock: what moves goes on with neat_map_begin_frame only. */
  NEAT_FRAME_PACING_HOST = 1
} neat_frame_pacing;

/** Has a map's pictures show how they are made: the sum of any of neat_debug, 0 before it is said. Frames for
 *  a GPU have it as a picture above all else, but for overdraw. Fails with NEAT_STATUS_INVALID_ARGUMENT for
 *  other bits. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_map_set_debug_options(neat_map *map, uint32_t options);

/** What neat_map_set_debug_options has set. 0 for NULL. Since 2. */
NEAT_API uint32_t neat_map_debug_options(const neat_map *map);

/** Says who paces frames: the loop before it is said. Times of gestures and of frames are of one clock where
 *  the host does. Fails with NEAT_STATUS_STATE once a style was loaded or set. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_map_set_frame_pacing(neat_map *map, neat_frame_pacing pacing);

/** Whether a frame is due: something moves, or is not what the host has drawn last. 1 or 0; 0 for NULL, and
 *  before STYLE_LOADED. Since 2. */
NEAT_API int32_t neat_map_frame_due(const neat_map *map);

/** Begins a frame of a time of the host's clock, in milliseconds, -1e15 to 1e15: animators, glides,
 *  transitions and labels go to that time, events come within the call, and workers begin with the frame.
 *  neat_map_draw or neat_map_frame then draws it. The same input and times give the same pictures. A time a
 *  little before the last one counts as that; more than a second before, it is another clock, which goes on
 *  from there. Fails with NEAT_STATUS_STATE where the loop paces frames, and with
 *  NEAT_STATUS_INVALID_ARGUMENT. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_map_begin_frame(neat_map *map, double time_ms);

/* ---------------------------------------------------------------- annotations
 *
 * What an application shows on its map: points, polylines, polygons and circles, each with values of its own
 * for the properties of a layer: docs/annotations.md has the behaviour. A manager has annotations of one
 * kind; it lives in a source and a layer of its own id, which another style takes over. What changes is
 * carried over once a frame. All is for the loop's thread. */

/** What the annotations of a manager are. */
typedef enum neat_annotation_kind {
  /** Icons and texts: a layer of type symbol. Geometry: Point. */
  NEAT_ANNOTATION_KIND_POINT = 0,
  /** A layer of type line. Geometry: LineString, MultiLineString. */
  NEAT_ANNOTATION_KIND_POLYLINE = 1,
  /** A layer of type fill. Geometry: Polygon, MultiPolygon. */
  NEAT_ANNOTATION_KIND_POLYGON = 2,
  /** A layer of type circle. Geometry: Point. */
  NEAT_ANNOTATION_KIND_CIRCLE = 3
} neat_annotation_kind;

/** Makes a manager, also before there is a style; one of that id goes, with what it had. options, which may
 *  be empty, is a JSON object:
 *    "properties"     values of the layer's properties, constants or expressions; where annotations have
 *                     values of their own, those count. Points: icons and texts overlap unless this says
 *                     otherwise
 *    "layerPosition"  {"above": id}, {"below": id}, {"at": number from the lowest}, or null: on top. In a
 *                     later style without that layer they are on top
 *    "minZoom", "maxZoom"   zooms between which they are shown
 *    "tolerance"      logical pixels around a tap within which one is hit, 0 to 100; 4 where it is not said
 *    "selection"      what a tap does: "single" (where it is not said): what is hit is selected and no other;
 *                     "multiple": it is selected, or is not any more; "none". Expressions of paint
 *                     properties see it as ["feature-state", "selected"]
 *    "cluster"        points and circles that lie close together are shown as one: an object with "radius"
 *                     (50), "maxZoom" (14), "minPoints" (2), "circleRadius" (18), "colors" [[count, color],
 *                     ...], "textColor", "textSize", "textField", "textFont", "properties"
 *                     (clusterProperties), all optional; or true
 *    "source"         "maxzoom", "buffer", "tolerance", "lineMetrics" of the source
 *  Fails with NEAT_STATUS_INVALID_ARGUMENT for other members and values out of their range, and where the
 *  style has a source or layer of that id already; with NEAT_STATUS_STYLE for values that the layer cannot
 *  have, with NEAT_STATUS_NOT_FOUND for a position that the style does not have, with
 *  NEAT_STATUS_LIMIT_EXCEEDED for more than 1,000 managers. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_map_make_annotations(
    neat_map *map, const char *manager, size_t manager_size, neat_annotation_kind kind, const char *options,
    size_t options_size);

/** Sets the options of a manager anew, all of them. Fails as neat_map_make_annotations, with
 *  NEAT_STATUS_NOT_FOUND for no such manager. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_map_set_annotation_options(
    neat_map *map, const char *manager, size_t manager_size, const char *options, size_t options_size);

/** Removes a manager with its annotations. Fails with NEAT_STATUS_NOT_FOUND. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_map_remove_annotations(
    neat_map *map, const char *manager, size_t manager_size);

/** What is done with annotations. */
typedef enum neat_annotation_change {
  /** They take the place of all that the manager has. */
  NEAT_ANNOTATION_CHANGE_SET = 0,
  /** They are added; one whose id is there takes its place. */
  NEAT_ANNOTATION_CHANGE_ADD = 1,
  /** What they have is changed of those of their ids: geometry, userInfo, isDraggable, isSelected as a
   *  whole, and of properties those that are named; null takes a property away. */
  NEAT_ANNOTATION_CHANGE_UPDATE = 2,
  /** The JSON is an array of ids: those go. */
  NEAT_ANNOTATION_CHANGE_REMOVE = 3
} neat_annotation_change;

/** Changes the annotations of a manager: all of json, or nothing. json is an array of GeoJSON features:
 *    "id"           text of 1 to 256 bytes
 *    "geometry"     of the manager's kind, within ±540 and ±90 degrees
 *    "properties"   values of the layer's data-driven properties by the names of the style specification,
 *                   constants: {"icon-image": "pin", "icon-size": 1.5}
 *    "userInfo"     anything, kept with it
 *    "isDraggable"  whether a pointer may drag it; false where it is not said
 *    "isSelected"   false where it is not said
 *  Fails with NEAT_STATUS_INVALID_ARGUMENT or NEAT_STATUS_STYLE, naming the annotation and what is wrong;
 *  with NEAT_STATUS_NOT_FOUND for a manager or an id that is not there; with NEAT_STATUS_LIMIT_EXCEEDED for
 *  more than 1,000,000 annotations of a manager. Cost: linear in the annotations of the manager, once a call,
 *  and in the change. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_map_change_annotations(
    neat_map *map, const char *manager, size_t manager_size, neat_annotation_change change, const char *json,
    size_t json_size);

/** The annotations of a manager as neat_map_change_annotations takes them, as they stand now, in the order
 *  in which they came: what is later is drawn above. Fails with NEAT_STATUS_NOT_FOUND. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_map_annotations(
    neat_map *map, const char *manager, size_t manager_size, neat_buffer **out_json);

/** One annotation. Fails with NEAT_STATUS_NOT_FOUND for a manager or an id that is not there. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_map_annotation(
    neat_map *map, const char *manager, size_t manager_size, const char *id, size_t id_size,
    neat_buffer **out_json);

/** The managers in the order in which they were made: [{"id", "kind": "point", "count", "isShown"}]; isShown
 *  is false before there is a style, and where the style has a source or layer of that id. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_map_annotation_managers(neat_map *map, neat_buffer **out_json);

/** The annotations and clusters within tolerance_px logical pixels of a point (less than 0: each manager's
 *  own tolerance), topmost first, those that the point itself meets before others: [{"manager", "id"} or
 *  {"manager", "cluster"}]. What was changed since the last frame is met as it was. Fails with
 *  NEAT_STATUS_INVALID_ARGUMENT for what is no point and a tolerance past 1000. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_map_annotations_at(
    neat_map *map, double x_px, double y_px, double tolerance_px, neat_buffer **out_json);

/** The ids of the annotations of a cluster, from the one at `offset` on, `limit` at most: a JSON array.
 *  Fails with NEAT_STATUS_NOT_FOUND for a manager or a cluster that is not there (any more),
 *  NEAT_STATUS_INVALID_ARGUMENT for a manager without clusters and a limit of 0, NEAT_STATUS_STATE before
 *  they were cut. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_map_annotation_cluster(
    neat_map *map, const char *manager, size_t manager_size, uint64_t cluster, size_t limit, size_t offset,
    neat_buffer **out_json);

/** Selects an annotation (not 0), or not any more. Fails with NEAT_STATUS_NOT_FOUND. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_map_select_annotation(
    neat_map *map, const char *manager, size_t manager_size, const char *id, size_t id_size,
    uint32_t is_selected);

/** Adds an image as neat_map_add_image, which every later style has too; also before there is one.
 *  neat_map_remove_image removes it for good. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_map_add_persistent_image(
    neat_map *map, const char *name, size_t name_size, const neat_image *image, double pixel_ratio,
    uint32_t is_sdf);

/** Adds a layer, which every later style has too; also before there is one. position is that of
 *  neat_map_make_annotations, or empty: on top. The layer's source may be an object, which comes with it.
 *  One of that id that is persistent goes; neat_map_remove_layer removes it for good. Fails as
 *  neat_map_add_layer; where a later style cannot have it, an event MAP_LOADING_ERROR says why. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_map_add_persistent_layer(
    neat_map *map, const char *layer, size_t layer_size, const char *position, size_t position_size);

/** The ids of the persistent layers, in the order in which they were added: a JSON array. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_map_persistent_layers(neat_map *map, neat_buffer **out_json);

/* ---------------------------------------------------------------- view annotations
 *
 * Rectangles that the host draws over the map, each bound to a place: docs/annotations.md has the behaviour.
 * The map tells where each stands in every frame, and which are hidden: by others, since they take their room
 * by the rules of labels, or with the feature that they go with. They outlast styles. Positions are logical
 * pixels right of and below the view's upper left corner. All is for the loop's thread. */

/** Adds a view annotation, also before there is a style: it stands somewhere from the next frame on. id is
 *  text of 1 to 256 bytes that no other one of the map has; out_number, which may be NULL, gets a number that
 *  no other one has or had, by which neat_map_view_annotation_placements names it. options is a JSON object:
 *    "geometry"       where it is: a GeoJSON Point within ±540 and ±90 degrees; must be there
 *    "width", "height"   its size in logical pixels, 0 to 16384; while one of them is 0, as where it is not
 *                     said, it is hidden
 *    "anchor"         what of it stands at the place: "center" (where it is not said), "left", "right",
 *                     "top", "bottom", "topLeft", "topRight", "bottomLeft" or "bottomRight"
 *    "offsetX", "offsetY"   logical pixels that it stands further right, and further up, within ±16384; 0
 *    "allowOverlap"   it is shown also where others stand that come before it; they do not hide it, and it
 *                     hides those that come after it and do not allow overlap; false
 *    "visible"        false: it is hidden and takes no room; true
 *    "selected"       it comes before those that are not selected, and is drawn above them; else those come
 *                     first that were added first, and those are drawn above that were added last; false
 *    "hidesLabels"    icons and texts of the map that may not overlap others make room for it while it is
 *                     shown, from the next placement of labels on; false
 *    "associatedFeatureId"   it is hidden unless a feature of that id is seen: text of 1 to 256 bytes, or a
 *                     whole number. Also the id of an annotation of a manager. No two may have the same
 *  Fails with NEAT_STATUS_INVALID_ARGUMENT, naming the annotation and what is wrong, for an id or a feature
 *  that another one has too; with NEAT_STATUS_LIMIT_EXCEEDED for more than 10,000 of a map. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_map_add_view_annotation(
    neat_map *map, const char *id, size_t id_size, const char *options, size_t options_size,
    uint64_t *out_number);

/** Changes of a view annotation what options has, a JSON object as neat_map_add_view_annotation takes; null
 *  brings a member back to what it is where nobody says. Fails as that, and changes nothing then; with
 *  NEAT_STATUS_NOT_FOUND for no such one. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_map_update_view_annotation(
    neat_map *map, const char *id, size_t id_size, const char *options, size_t options_size);

/** Removes a view annotation. Fails with NEAT_STATUS_NOT_FOUND. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_map_remove_view_annotation(
    neat_map *map, const char *id, size_t id_size);

/** Removes all view annotations. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_map_remove_view_annotations(neat_map *map);

/** A view annotation: a JSON object with "id", "number" and the members that neat_map_add_view_annotation
 *  takes, all but an "associatedFeatureId" that was not said. Fails with NEAT_STATUS_NOT_FOUND. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_map_view_annotation(
    neat_map *map, const char *id, size_t id_size, neat_buffer **out_json);

/** All view annotations, in the order in which they were added: a JSON array of what
 *  neat_map_view_annotation gives. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_map_view_annotations(neat_map *map, neat_buffer **out_json);

/** Whether a view annotation is shown, or why it is not. */
typedef enum neat_view_annotation_state {
  /** It is. */
  NEAT_VIEW_ANNOTATION_STATE_SHOWN = 0,
  /** Its host said so, or it has no width or no height; also before its first frame. */
  NEAT_VIEW_ANNOTATION_STATE_OFF = 1,
  /** The feature that it goes with is not seen. */
  NEAT_VIEW_ANNOTATION_STATE_FEATURE_HIDDEN = 2,
  /** It lies beside the view, or where the ground is too far to be drawn. */
  NEAT_VIEW_ANNOTATION_STATE_OUTSIDE = 3,
  /** Others that come before it stand there. */
  NEAT_VIEW_ANNOTATION_STATE_COVERED = 4
} neat_view_annotation_state;

/** Where a view annotation stands in a frame. */
typedef struct neat_view_annotation_placement {
  /** That of neat_map_add_view_annotation. */
  uint64_t number;
  /** Its upper left corner, also where it would stand if it were not hidden; NaN where its place is behind
   *  the eye, or too far to be drawn. */
  double x_px, y_px;
  /** Its size. */
  double width_px, height_px;
  /** Whether it is shown. */
  neat_view_annotation_state state;
  /** Not 0: it is selected. */
  uint32_t is_selected;
  /** The number of the change in which it was last shown at another place, with another size or in another
   *  order than before; 0: it never was. */
  uint64_t frame_change;
  /** The number of the change in which it last came into sight or went out of it; 0: it never did. */
  uint64_t visibility_change;
} neat_view_annotation_placement;

/** Where view annotations stand in the last frame, those that are to be drawn above others later. Fills as
 *  many of `placements` as `capacity` allows; *out_count gets how many there are. placements may be NULL
 *  where capacity is 0; out_change, which may be NULL, gets the number of the last change. It allocates
 *  nothing, and is fit to be called with every frame. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_map_view_annotation_placements(
    neat_map *map, neat_view_annotation_placement *placements, size_t capacity, size_t *out_count,
    uint64_t *out_change);

/** Moves `camera`, which is not the map's, so that view annotations are seen as a whole, with their places,
 *  as close as they fit between the paddings, at its bearing, pitch and roll. ids is a JSON array of ids;
 *  empty: all whose "visible" is true. options may be NULL. Others may hide them there. Fails, and leaves the
 *  camera alone, with NEAT_STATUS_NOT_FOUND for an id that is not there, with NEAT_STATUS_INVALID_ARGUMENT
 *  for none and where there is no room. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_map_fit_view_annotations(
    neat_map *map, const char *ids, size_t ids_size, const neat_fit_options *options, neat_camera *camera);

/* ---------------------------------------------------------------- the user's location
 *
 * A host, or what it has for a provider, says where the user is and where the device points; the map shows a
 * puck there, which goes from location to location, and a view may follow it. docs/location.md has the
 * behaviour. All is for the loop's thread, but for the functions of tracks. */

/** What a map does with the user's location. options: JSON with any of
 *    "puck"                null: none, as before it is said; or an object with any of
 *        "scale"                    size of the pictures: 0 to 100, or an expression of the zoom; 1
 *        "opacity"                  of all of it, 0 to 1; 1
 *        "showsBearing"             whether the arrow is shown where no picture was given for it; false
 *        "showsAccuracyRing"        a ring of the horizontal accuracy; false
 *        "accuracyRingColor", "accuracyRingBorderColor"   colours; "rgba(137,207,240,0.3)"
 *        "pulsing"                  null: none; or an object with any of "color" ("rgb(74,144,226)"),
 *                                   "radius" (logical pixels, 0 to 10000, or "accuracy"; 30) and "period"
 *                                   (milliseconds, 100 to 60000; 3000)
 *        "modelScale", "modelScaleMode"   size of a model, as "scale"; its unit is a logical pixel
 *                                   ("viewport") or a metre ("map"); 1, "viewport"
 *        "modelRotation"            [x, y, z] in degrees: a model is turned before it takes the bearing
 *    "puckBearing"         "heading" (before it is said) or "course": what turns the puck
 *    "puckBearingEnabled"  whether it is turned; true before it is said
 *    "updates"             "needed" (before it is said): a provider is to give locations while there is a
 *                          puck, or a view that follows it; "always"
 *  What is not named stays as it is; of a puck's members those that are not named take the value above. The
 *  pictures of neat_map_set_puck_image stay until the puck is null. Fails with NEAT_STATUS_INVALID_ARGUMENT,
 *  and changes nothing, for other members and values out of their range, with NEAT_STATUS_EXPRESSION for a
 *  scale that is none, with NEAT_STATUS_JSON for what is no JSON. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_map_set_location_options(
    neat_map *map, const char *options, size_t options_size);

/** What a map does with the user's location, as JSON with all members of neat_map_set_location_options.
 *  Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_map_location_options(neat_map *map, neat_buffer **out_json);

/** The pictures of a puck, from below. */
typedef enum neat_puck_image {
  /** Under all else: a white disc with a shadow, before it is set. */
  NEAT_PUCK_IMAGE_SHADOW = 0,
  /** What shows the bearing: nothing before it is set, or an arrow where "showsBearing" is true. */
  NEAT_PUCK_IMAGE_BEARING = 1,
  /** On top: a blue dot, before it is set. */
  NEAT_PUCK_IMAGE_TOP = 2
} neat_puck_image;

/** Sets one of the puck's pictures, which lies on the map with its upper edge to the north or where the puck
 *  points; NULL: its own again. pixel_ratio: of the image's pixels to a logical one, 0.1 to 16; 0: 1. The
 *  image is copied. Fails with NEAT_STATUS_STATE where there is no puck, with NEAT_STATUS_LIMIT_EXCEEDED past
 *  1024 pixels an edge, with NEAT_STATUS_INVALID_ARGUMENT. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_map_set_puck_image(
    neat_map *map, neat_puck_image kind, const neat_image *image, double pixel_ratio);

/** Sets a model that stands in the place of the puck's pictures: glTF 2.0, a .glb or a .gltf whose buffers
 *  are data: URLs, with positions, normals and base colours of triangles; its front (-z) is north or where
 *  the puck points. size 0: none, as before it is set and where the puck becomes null. The pipeline of
 *  extrusions draws it on the CPU; in frames for GPUs it is UNSUPPORTED. Fails with NEAT_STATUS_STATE where
 *  there is no puck, with NEAT_STATUS_UNSUPPORTED for what it needs besides, with NEAT_STATUS_LIMIT_EXCEEDED
 *  past 64 MiB, 500,000 corners or 1,000,000 triangles, with NEAT_STATUS_INVALID_ARGUMENT. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_map_set_puck_model(neat_map *map, const uint8_t *data, size_t size);

/** Says where the user is; the event LOCATION_CHANGED comes within the call. The puck is there within 1100 ms
 *  of the frames' clock; the first location is shown at once. Fails with NEAT_STATUS_INVALID_ARGUMENT, and
 *  changes nothing, for values that are none. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_map_push_location(neat_map *map, const neat_location *location);

/** Says where the device points; HEADING_CHANGED comes within the call. Shown within 300 ms. Fails as
 *  neat_map_push_location. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_map_push_heading(neat_map *map, const neat_heading *heading);

/** Says that nobody could tell where the user is; LOCATION_FAILED comes within the call. status must not be
 *  NEAT_STATUS_OK. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_map_fail_location(
    neat_map *map, neat_status status, const char *message, size_t message_size);

/** Says how exactly the user lets the host know where they are: FULL before it is said.
 *  ACCURACY_AUTHORIZATION_CHANGED comes within the call where it is another one. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_map_set_accuracy_authorization(
    neat_map *map, neat_accuracy_authorization authorization);

/** How exactly the user lets the host know where they are. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_map_accuracy_authorization(
    neat_map *map, neat_accuracy_authorization *out_authorization);

/** Forgets location and heading: the puck goes. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_map_forget_location(neat_map *map);

/** The last location that was given. out_location's struct_size must be set. Fails with
 *  NEAT_STATUS_NOT_FOUND before there is one. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_map_latest_location(neat_map *map, neat_location *out_location);

/** What the puck shows at the moment, on its way from one location to the next. out_location's struct_size
 *  must be set. Fails with NEAT_STATUS_NOT_FOUND before there is a location. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_map_shown_location(neat_map *map, neat_location *out_location);

/** The last heading that was given. out_heading's struct_size must be set. Fails with NEAT_STATUS_NOT_FOUND
 *  before there is one. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_map_latest_heading(neat_map *map, neat_heading *out_heading);

/** Locations and headings are wanted from now on (not 0), or are not. It may call any function of the map,
 *  but none where the map is being destroyed. */
typedef void (*neat_location_update_callback)(void *context, uint32_t locations, uint32_t headings);

/** The user is to be asked for full accuracy for a while. purpose_key says what for, ends in NUL, and is
 *  valid during the call. */
typedef void (*neat_full_accuracy_callback)(void *context, const char *purpose_key);

/** Where a map's locations come from. What it finds it hands to neat_map_push_location and its kin. */
typedef struct neat_location_provider {
  /** sizeof(neat_location_provider). */
  uint32_t struct_size;
  /** Without meaning. */
  uint32_t reserved;
  /** Given to the callbacks. */
  void *context;
  /** Told what is wanted, where that changes; both are 0 when another provider takes its place and when the
   *  map ends. May be NULL. */
  neat_location_update_callback update;
  /** May be NULL. */
  neat_full_accuracy_callback request_full_accuracy;
} neat_location_provider;

/** Sets where a map's locations come from; NULL: the host pushes them as it likes. The structure is copied.
 *  Its update may be called within the call. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_map_set_location_provider(
    neat_map *map, const neat_location_provider *provider);

/** Has the provider ask the user for full accuracy. Fails with NEAT_STATUS_STATE where there is none.
 *  Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_map_request_full_accuracy(
    neat_map *map, const char *purpose_key, size_t purpose_key_size);

/** A recording of locations. Immutable; for any thread. */
typedef struct neat_track neat_track;

/** Reads a recording: GPX 1.0 and 1.1 (track points; without any, route points, then waypoints), or sentences
 *  of NMEA 0183 (GGA, RMC, GLL, VTG, HDT, GST, ZDA). format: "gpx", "nmea" or "" (the data tells). Course and
 *  speed that it does not have are those from location to location. Fails with NEAT_STATUS_INVALID_ARGUMENT,
 *  naming the line, for what is no such recording and for one without a location; with
 *  NEAT_STATUS_LIMIT_EXCEEDED past 64 MiB, 500,000 locations or 64 elements within each other. Lines of NMEA,
 *  and values of GPX, that are damaged are left out: neat_track_info says which. Any thread. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_track_create(
    const uint8_t *data, size_t size, const char *format, size_t format_size, neat_track **out_track);

/** The number of locations; 0 for NULL. Any thread. Since 2. */
NEAT_API size_t neat_track_count(const neat_track *track);

/** Reads a location, its heading among it where the recording has one, and when it comes: milliseconds after
 *  the first. out_location's struct_size must be set; out_time_ms may be NULL. Any thread. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_track_location(
    const neat_track *track, size_t index, neat_location *out_location, double *out_time_ms);

/** A recording in short: JSON with "format", "count", "durationMS", "problemCount" and "problems" (the first
 *  100 of what was left out: {"line", "message"}). Any thread. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_track_info(const neat_track *track, neat_buffer **out_json);

/** Releases a recording. A replay of it goes on. NULL is allowed. Any thread. Since 2. */
NEAT_API void neat_track_destroy(neat_track *track);

/** Called once with NEAT_STATUS_OK when a replay is over, and with NEAT_STATUS_CANCELLED where it was
 *  stopped, another one took its place, or the map ends. It may call any function of the map, but none where
 *  the map is being destroyed. */
typedef void (*neat_replay_callback)(void *context, neat_status status);

/** Gives a map the locations of a recording at their times, speed (0.001 to 10000) times as fast as they
 *  were recorded, from the first, which comes within the call: by the loop's clock, which neat_loop_run waits
 *  for, or by that of the host where it paces frames. Meanwhile a provider is told that nothing is wanted.
 *  Another replay takes its place. callback may be NULL; it may be called within the call. Fails with
 *  NEAT_STATUS_INVALID_ARGUMENT. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_map_replay(
    neat_map *map, const neat_track *track, double speed, neat_replay_callback callback, void *context);

/** Ends a replay where it is; nothing where there is none. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_map_stop_replay(neat_map *map);

/* ---------------------------------------------------------------- the viewport
 *
 * What keeps a map's camera: nothing, a state (following the puck, an overview, one of the host's), or a
 * transition on its way to one. docs/viewport.md has the behaviour. All is for the loop's thread. */

/** Something that keeps a camera. It may outlive its map, and then does nothing. */
typedef struct neat_viewport_state neat_viewport_state;

/** A way to a state. */
typedef struct neat_viewport_transition neat_viewport_transition;

/** Makes a state that follows the puck. options: JSON with any of
 *    "zoom"     16.35 before it is said
 *    "pitch"    45 before it is said
 *    "bearing"  "heading" (before it is said), "course" or degrees
 *    "padding"  [top, left, bottom, right] in logical pixels, all 0 before it is said
 *  null in the place of each: the camera keeps what it has. Fails with NEAT_STATUS_INVALID_ARGUMENT for other
 *  members and values out of their range, with NEAT_STATUS_JSON for what is no JSON. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_map_make_follow_puck_state(
    neat_map *map, const char *options, size_t options_size, neat_viewport_state **out_state);

/** Makes a state that shows a geometry as large as it fits. options: JSON with
 *    "geometry"           a GeoJSON geometry, feature or collection of features with 1 to 1,000,000 positions
 *  and any of
 *    "geometryPadding"    [top, left, bottom, right] in logical pixels kept free around it; 0
 *    "padding"            the camera's own; null (before it is said): as it is
 *    "bearing", "pitch"   0 before they are said; null: as they are
 *    "maxZoom"            22 before it is said
 *    "offset"             [x, y] in logical pixels from the middle; [0, 0]
 *    "animationDuration"  milliseconds of the easing where the state is there, and where its options change,
 *                         0 to 86400000; 1000
 *  Fails as neat_map_make_follow_puck_state. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_map_make_overview_state(
    neat_map *map, const char *options, size_t options_size, neat_viewport_state **out_state);

/** The state is there from now on (is_current is not 0), or is left. */
typedef void (*neat_viewport_state_callback)(void *context, uint32_t is_current);

/** Makes a state of the host's own, which says with neat_viewport_state_set_camera where it wants the camera.
 *  moves_itself: not 0 where the host moves the camera while the state is there; what it says then is only
 *  the aim of transitions. callback may be NULL. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_map_make_viewport_state(
    neat_map *map, uint32_t moves_itself, neat_viewport_state_callback callback, void *context,
    neat_viewport_state **out_state);

/** Changes what a state of the map's does, at once where it is there: what options does not name takes the
 *  value that it has before it is said. Fails with NEAT_STATUS_STATE for a state of the host's own, and where
 *  the map was destroyed; else as making it. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_viewport_state_set_options(
    neat_viewport_state *state, const char *options, size_t options_size);

/** Says where a state of the host's own wants the camera, at once where it is there. Fails with
 *  NEAT_STATUS_STATE for a state of the map's, and where the map was destroyed, and with
 *  NEAT_STATUS_INVALID_ARGUMENT for ROLL, FOV and ANCHOR; else as neat_map_change_camera. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_viewport_state_set_camera(
    neat_viewport_state *state, const neat_camera_change *change);

/** Where a state wants the camera at the moment: for transitions of the host's own. out_change's struct_size
 *  must be set. Fails with NEAT_STATUS_NOT_FOUND while it cannot know, as of a puck without a location, and
 *  with NEAT_STATUS_STATE where the map was destroyed. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_viewport_state_camera(
    const neat_viewport_state *state, neat_camera_change *out_change);

/** The number of a state among the states and transitions of its map, from 1; 0 for NULL. Since 2. */
NEAT_API uint64_t neat_viewport_state_id(const neat_viewport_state *state);

/** Releases a state. One that is there, or on its way, goes on. NULL is allowed. Since 2. */
NEAT_API void neat_viewport_state_destroy(neat_viewport_state *state);

/** Makes a transition in which each value of the camera goes by itself: down, the way along the ground leads
 *  and the zoom follows, up, the zoom leads. max_duration_ms: of all together, 0 to 86400000; 3500 where
 *  neat_map_viewport_go is given none. Fails with NEAT_STATUS_INVALID_ARGUMENT. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_map_make_default_transition(
    neat_map *map, double max_duration_ms, neat_viewport_transition **out_transition);

/** Makes a transition that is there at once. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_map_make_immediate_transition(
    neat_map *map, neat_viewport_transition **out_transition);

/** A transition begins: it moves the camera to the state of this number, and then calls
 *  neat_map_viewport_finish with run. */
typedef void (*neat_viewport_run_callback)(void *context, uint64_t run, uint64_t state_id);

/** Something has taken the place of a run: it moves the camera no more. */
typedef void (*neat_viewport_cancel_callback)(void *context, uint64_t run);

/** Makes a transition of the host's own. run must not be NULL. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_map_make_viewport_transition(
    neat_map *map, neat_viewport_run_callback run, neat_viewport_cancel_callback cancel, void *context,
    neat_viewport_transition **out_transition);

/** The number of a transition among the states and transitions of its map, from 1; 0 for NULL. Since 2. */
NEAT_API uint64_t neat_viewport_transition_id(const neat_viewport_transition *transition);

/** Releases a transition. One that is under way goes on. NULL is allowed. Since 2. */
NEAT_API void neat_viewport_transition_destroy(neat_viewport_transition *transition);

/** Called once with what became of a transition: is_success is 0 where something else took its place or it
 *  came to nothing. It may call any function of the map, but none where the map is being destroyed. */
typedef void (*neat_viewport_callback)(void *context, uint32_t is_success);

/** Goes to a state. transition may be NULL: the default one. callback, which may be NULL, is called within
 *  the call, with 1, where the state is there, and with 0 where it is on its way: nothing else happens then.
 *  A state that has no camera yet, as of a puck without a location, is waited for. Fails with
 *  NEAT_STATUS_INVALID_ARGUMENT for another map's state or transition. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_map_viewport_go(
    neat_map *map, neat_viewport_state *state, neat_viewport_transition *transition,
    neat_viewport_callback callback, void *context);

/** A run of a transition of the host's own is over; nothing where something else has taken its place.
 *  Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_map_viewport_finish(
    neat_map *map, uint64_t run, uint32_t is_success);

/** Nothing keeps the camera any more; it stays where it is. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_map_viewport_idle(neat_map *map);

/** What keeps the camera. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_map_viewport_status(
    neat_map *map, neat_viewport_status *out_status);

/** Sets whether a gesture that moves the camera leads to idle (not 0, as before it is said). Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_map_set_viewport_idles(neat_map *map, uint32_t is_enabled);

/* ---------------------------------------------------------------- custom layers and sources
 *
 * Layers that an application draws itself, at their place among the style's, and sources whose tiles it gives
 * as GeoJSON: docs/custom-layers.md has the behaviour.
 *
 * All callbacks are called on the loop's thread, one at a time, from within neat_loop_run, neat_loop_poll or
 * a function of the map. They may call any function of the map (but none where the map is being destroyed),
 * with one exception: while a layer is drawn, neat_map_draw and neat_map_frame fail with NEAT_STATUS_STATE.
 * A callback may remove its own layer or source, set another style, or destroy the map: what follows from
 * that is called within that call, and nothing after neat_map_destroy has returned. Where a function that
 * takes callbacks fails, none of them is called. */

/** What a custom layer is drawn on, for the time of its render callback. */
typedef struct neat_custom_target neat_custom_target;

/** What is drawn. */
typedef enum neat_custom_surface {
  /** A picture's pixels: neat_map_draw. */
  NEAT_CUSTOM_SURFACE_PIXELS = 0,
  /** A frame for a GPU: neat_map_frame. */
  NEAT_CUSTOM_SURFACE_FRAME = 1
} neat_custom_surface;

/** A picture or frame that a custom layer is drawn in. Valid during the callback. */
typedef struct neat_custom_view {
  /** sizeof(neat_custom_view), as the library has it: it may be larger than the caller's. */
  uint32_t struct_size;
  /** What is drawn. */
  neat_custom_surface surface;
  /** PIXELS: the whole picture as far as it is drawn: RGBA, 8 bits each, premultiplied, rows from the top.
   *  Nobody else writes meanwhile. What is written there is drawn over by the layers above. FRAME: NULL. */
  uint8_t *pixels;
  /** Bytes from a row to the next. FRAME: 0. */
  size_t stride;
  /** The size in device pixels. */
  uint32_t width_px, height_px;
  /** Device pixels per logical pixel. */
  double pixel_ratio;
  /** Mercator's world to clip space, column by column: x and y from 0 in the north-west to 1 in the
   *  south-east (beyond that in the worlds beside), heights in the same units; clip space has y up, and
   *  z from -1 to 1. */
  double matrix[16];
  /** The camera of the picture. */
  const neat_camera *camera;
  /** The size of the view. */
  const neat_size *size;
  /** For neat_custom_draw_triangles and neat_custom_draw_solid. */
  neat_custom_target *target;
} neat_custom_view;

/** The layer is to be drawn for the first time; called once. Returns NEAT_STATUS_OK, or why it cannot be:
 *  message, of message_size bytes, all 0, takes the words. The layer is then not drawn; that is a problem of
 *  the map, an event MAP_LOADING_ERROR, and part of each picture's report. */
typedef neat_status (*neat_custom_initialize_callback)(void *context, char *message, size_t message_size);

/** The layer is drawn: once for each picture and each frame that the host takes and the layer is visible in,
 *  between what lies below and above it. Returns NEAT_STATUS_OK, or what is wrong, as
 *  neat_custom_initialize_callback does; the rest of the picture is drawn all the same. */
typedef neat_status (*neat_custom_render_callback)(
    void *context, const neat_custom_view *view, char *message, size_t message_size);

/** The layer has gone: it was removed, its style was, or the map is being destroyed. Called once, where
 *  initialize was called and did not fail. */
typedef void (*neat_custom_deinitialize_callback)(void *context);

/** What draws a custom layer. */
typedef struct neat_custom_layer {
  /** sizeof(neat_custom_layer). */
  uint32_t struct_size;
  /** Not 0: later styles have the layer too, as one of neat_map_add_persistent_layer. */
  uint32_t is_persistent;
  /** Given to the callbacks. */
  void *context;
  /** May be NULL. */
  neat_custom_initialize_callback initialize;
  /** Must not be NULL. */
  neat_custom_render_callback render;
  /** May be NULL. */
  neat_custom_deinitialize_callback deinitialize;
  /** The last call of all, whether it was initialized or not. May be NULL. */
  neat_destroy_callback destroy;
} neat_custom_layer;

/** Adds a layer that the host draws. The structure is copied. position is that of neat_map_make_annotations,
 *  or empty: on top. The layer is of type "custom": it is shown, hidden, moved and removed as any other
 *  (visibility, neat_map_set_layer_zoom_range, neat_map_move_layer, neat_map_remove_layer), is listed by
 *  neat_map_info, and hit by no query. neat_map_style_json leaves it out, and neat_map_update_style keeps
 *  it; another style has it only where it is persistent. Fails with NEAT_STATUS_INVALID_ARGUMENT for an id
 *  that is empty or taken, NEAT_STATUS_NOT_FOUND for a position that the style does not have,
 *  NEAT_STATUS_STATE before the map has a style (but for persistent ones), NEAT_STATUS_LIMIT_EXCEEDED for
 *  more than 1,000. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_map_add_custom_layer(
    neat_map *map, const char *id, size_t id_size, const char *position, size_t position_size,
    const neat_custom_layer *layer);

/** Units of vertices. */
typedef enum neat_custom_units {
  /** x and y of Mercator's world, 0 to 1 from the north-west; z in the same units. */
  NEAT_CUSTOM_UNITS_MERCATOR = 0,
  /** Longitude and latitude in degrees; z in metres. */
  NEAT_CUSTOM_UNITS_DEGREES = 1
} neat_custom_units;

/** A corner of a triangle. */
typedef struct neat_custom_vertex {
  /** The place. */
  double x, y, z;
  /** Red, green, blue and alpha, 0 to 1, premultiplied: none is above alpha, and is held to it. */
  float color[4];
} neat_custom_vertex;

/** Draws triangles within a render callback, three indices each, the later over the earlier. On pixels they
 *  are drawn with smooth edges, and those that share an edge meet without a gap; in a frame they become a
 *  command of kind CUSTOM with buffers. Both look alike. Everything is copied. Fails with
 *  NEAT_STATUS_INVALID_ARGUMENT for an index past the vertices, a number of indices that is no multiple of
 *  three and coordinates or colours that are not finite, with NEAT_STATUS_LIMIT_EXCEEDED past 4,194,304
 *  vertices or 12,582,912 indices in a call, with NEAT_STATUS_STATE outside of the callback. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_custom_draw_triangles(
    neat_custom_target *target, neat_custom_units units, const neat_custom_vertex *vertices,
    size_t vertex_count, const uint32_t *indices, size_t index_count);

/** Which faces of solid triangles are drawn. */
typedef enum neat_custom_faces {
  /** Both. */
  NEAT_CUSTOM_FACES_BOTH = 0,
  /** Those whose corners run counterclockwise where they are seen. */
  NEAT_CUSTOM_FACES_FRONT = 1
} neat_custom_faces;

/** Draws triangles that stand in the scene, within a render callback: the nearest shows, whatever the order,
 *  and by their depth they hide, and are hidden by, extrusions, the ground of a terrain and the globe, and
 *  what other custom layers draw this way. Where the map is a globe their corners lie on it, and heights
 *  point away from its middle; triangles are flat all the same, so that large ones are for the host to
 *  divide. Where a colour lets something through, that is what was drawn before the call. In a frame they
 *  become a command of kind CUSTOM_SOLID. Otherwise, and in how it fails, as neat_custom_draw_triangles.
 *  Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_custom_draw_solid(
    neat_custom_target *target, neat_custom_units units, neat_custom_faces faces,
    const neat_custom_vertex *vertices, size_t vertex_count, const uint32_t *indices, size_t index_count);

/** Makes another frame due: something that the map cannot see has changed, as what a custom layer draws.
 *  Fails with NEAT_STATUS_STATE before the map has a style. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_map_trigger_repaint(neat_map *map);

/** A tile is wanted of the source of that number: answer with neat_set_custom_geometry_tile_data or
 *  neat_fail_custom_geometry_tile, within this call or later, from any thread. */
typedef void (*neat_fetch_tile_callback)(void *context, uint64_t source, uint32_t z, uint32_t x, uint32_t y);

/** A tile that was wanted and has not been answered is wanted no more. An answer is taken all the same. */
typedef void (*neat_cancel_tile_callback)(void *context, uint64_t source, uint32_t z, uint32_t x, uint32_t y);

/** Who gives the tiles of a source. */
typedef struct neat_custom_geometry_source {
  /** sizeof(neat_custom_geometry_source). */
  uint32_t struct_size;
  /** Without meaning. */
  uint32_t reserved;
  /** Given to the callbacks. */
  void *context;
  /** Must not be NULL. */
  neat_fetch_tile_callback fetch_tile;
  /** May be NULL. */
  neat_cancel_tile_callback cancel_tile;
  /** The last call of all: the source has gone. May be NULL. */
  neat_destroy_callback destroy;
} neat_custom_geometry_source;

/** Adds a source whose tiles the host gives as GeoJSON. The structure is copied. Layers draw from it as from
 *  a GeoJSON source. Each tile that a view needs is asked for once, whatever copies of the world show it; as
 *  long as one is not answered, the map is loading and not idle, and all else is drawn. options, which may be
 *  empty, is a JSON object:
 *    "minZoom", "maxZoom"   zooms that have tiles, 0 to 24; 0 and 18. Deeper ones are cut out of maxZoom's
 *    "tileSize"    units along a tile's edge that the next two count in; 512
 *    "buffer"      how far a tile's geometry is used past its edge, at most a tile; 128. Used with "clip"
 *    "tolerance"   how far simplified lines may be off; 0.375
 *    "wrap"        whether what lies past the antimeridian is brought back into the world; false
 *    "clip"        whether geometry is cut to its tile and the buffer; false: to the tile and its neighbours
 *  out_source, which may be NULL, becomes the number by which tiles are given; none in the process has the
 *  same. neat_map_style_json has the source as one of GeoJSON without features; another style does not have
 *  it. Fails with NEAT_STATUS_INVALID_ARGUMENT for an id that is empty or taken, for other members and for
 *  values out of their range, with NEAT_STATUS_STATE before the map has a style. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_map_add_custom_geometry_source(
    neat_map *map, const char *id, size_t id_size, const char *options, size_t options_size,
    const neat_custom_geometry_source *source, uint64_t *out_source);

/** The number by which the tiles of a source of the map are given. Fails with NEAT_STATUS_NOT_FOUND.
 *  Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_map_custom_geometry_source(
    neat_map *map, const char *id, size_t id_size, uint64_t *out_source);

/** Gives a tile of a source: GeoJSON in longitude and latitude, which is copied; empty: there is nothing.
 *  Any thread, at any time, whether the tile was asked for or not; the last one counts, and it is kept as
 *  long as others would be. What is no GeoJSON becomes a problem that names source and tile; what was there
 *  of the tile stays. Fails with NEAT_STATUS_NOT_FOUND where the source or its map has gone, with
 *  NEAT_STATUS_INVALID_ARGUMENT for a tile outside of the source's zooms, with NEAT_STATUS_LIMIT_EXCEEDED
 *  past 64 MiB a tile, and where 4,096 tiles or 256 MiB of a source wait for the loop. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_set_custom_geometry_tile_data(
    uint64_t source, uint32_t z, uint32_t x, uint32_t y, const char *geojson, size_t geojson_size);

/** Says that a tile cannot be had: a problem that names source and tile; tiles of lower zooms stand in. It is
 *  not asked for again unless it is invalidated. status must be a failure. Any thread. Fails as
 *  neat_set_custom_geometry_tile_data. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_fail_custom_geometry_tile(
    uint64_t source, uint32_t z, uint32_t x, uint32_t y, neat_status status, const char *message,
    size_t message_size);

/** Says that a tile is other data now: it is asked for anew where the view needs it, and shown as it is until
 *  then. One that is asked for already is cancelled, and asked for again. Fails with NEAT_STATUS_NOT_FOUND,
 *  and with NEAT_STATUS_INVALID_ARGUMENT for a tile outside of the source's zooms. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_map_invalidate_custom_geometry_tile(
    neat_map *map, const char *id, size_t id_size, uint32_t z, uint32_t x, uint32_t y);

/** Says the same of all tiles that a region, in degrees, meets. east may be past 180 where it is past the
 *  antimeridian. Fails with NEAT_STATUS_NOT_FOUND, and with NEAT_STATUS_INVALID_ARGUMENT for what is no
 *  region. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_map_invalidate_custom_geometry_region(
    neat_map *map, const char *id, size_t id_size, double west_deg, double south_deg, double east_deg,
    double north_deg);

/* ---------------------------------------------------------------- frames for a host's own GPU
 *
 * A frame is a view as draw commands in their order, over vertex and index buffers and textures. It needs no
 * GPU itself; a host uploads and draws what it says. docs/frames.md explains how each kind is drawn;
 * Examples/c/gles does it with OpenGL ES 3.
 *
 * Buffers and textures have numbers (id): an equal number means equal bytes, for as long as the program runs,
 * so that a host uploads each once and keeps it from frame to frame.
 *
 * Where a property differs from feature to feature, vertices have it in a second buffer, the paint. For each
 * property one of the two is 0, that of the command or that of the vertex: the value is always their sum.
 * Without a paint buffer, all of its fields count as 0.
 *
 * Lengths in "pixels" are logical pixels. Colours are premultiplied by their own alpha; `opacity` is still to
 * be multiplied. The blend is source + destination * (1 - source alpha). Tile units are 8192 along a tile's
 * edge, y down; clip space has y up, as in OpenGL. */

/** A frame. It is immutable and owns what its functions point to: any thread, until neat_frame_destroy, even
 *  after its renderer or map is destroyed. */
typedef struct neat_frame neat_frame;

/** What a command draws. Later versions may add kinds. */
typedef enum neat_frame_kind {
  /** The colour, or a pattern, over the whole view. Vertices FILL. */
  NEAT_FRAME_KIND_BACKGROUND = 1,
  /** Polygons. Vertices FILL, paint FILL_PAINT. Hard edges: the outlines smooth them. */
  NEAT_FRAME_KIND_FILL = 2,
  /** Edges of polygons as lines of one device pixel. Vertices FILL, paint FILL_PAINT. */
  NEAT_FRAME_KIND_FILL_OUTLINE = 3,
  /** Lines. Vertices LINE, paint LINE_PAINT. */
  NEAT_FRAME_KIND_LINE = 4,
  /** Circles. Vertices CIRCLE, paint CIRCLE_PAINT. */
  NEAT_FRAME_KIND_CIRCLE = 5,
  /** Icons of labels that were placed. Vertices SYMBOL. */
  NEAT_FRAME_KIND_ICON = 6,
  /** Texts of labels that were placed. Vertices SYMBOL. */
  NEAT_FRAME_KIND_TEXT = 7,
  /** A tile of a raster source, or an image source. Vertices PICTURE. */
  NEAT_FRAME_KIND_RASTER = 8,
  /** Prisms. Vertices EXTRUSION, paint EXTRUSION_PAINT. They and CUSTOM_SOLID need a depth buffer. */
  NEAT_FRAME_KIND_EXTRUSION = 9,
  /** A heatmap layer, summed and coloured by the CPU to a picture of the whole view. Vertices PICTURE. */
  NEAT_FRAME_KIND_HEATMAP = 10,
  /** A tile's shaded relief, made by the CPU. Vertices PICTURE. */
  NEAT_FRAME_KIND_HILLSHADE = 11,
  /** A tile's elevation as colours, made by the CPU. Vertices PICTURE. */
  NEAT_FRAME_KIND_COLOR_RELIEF = 12,
  /** What a frame cannot express; `reason` says what. Draws nothing. */
  NEAT_FRAME_KIND_UNSUPPORTED = 13,
  /** The place of a custom layer: without buffers, for the host to draw there as it likes; matrix takes
   *  Mercator's world, 0 to 1, to clip space. Commands of its triangles follow, with vertices CUSTOM. */
  NEAT_FRAME_KIND_CUSTOM = 14,
  /** Triangles of a custom layer that stand in the scene. Vertices CUSTOM. Needs the depth buffer that
   *  extrusions need. */
  NEAT_FRAME_KIND_CUSTOM_SOLID = 15
} neat_frame_kind;

/** What the elements of a buffer are. */
typedef enum neat_frame_layout {
  /** Indices: uint16_t. */
  NEAT_FRAME_LAYOUT_INDEX16 = 1,
  /** Indices: uint32_t. */
  NEAT_FRAME_LAYOUT_INDEX32 = 2,
  /** neat_frame_fill_vertex. */
  NEAT_FRAME_LAYOUT_FILL = 3,
  /** neat_frame_fill_paint. */
  NEAT_FRAME_LAYOUT_FILL_PAINT = 4,
  /** neat_frame_line_vertex. */
  NEAT_FRAME_LAYOUT_LINE = 5,
  /** neat_frame_line_paint. */
  NEAT_FRAME_LAYOUT_LINE_PAINT = 6,
  /** neat_frame_circle_vertex. */
  NEAT_FRAME_LAYOUT_CIRCLE = 7,
  /** neat_frame_circle_paint. */
  NEAT_FRAME_LAYOUT_CIRCLE_PAINT = 8,
  /** neat_frame_extrusion_vertex. */
  NEAT_FRAME_LAYOUT_EXTRUSION = 9,
  /** neat_frame_extrusion_paint. */
  NEAT_FRAME_LAYOUT_EXTRUSION_PAINT = 10,
  /** neat_frame_picture_vertex. */
  NEAT_FRAME_LAYOUT_PICTURE = 11,
  /** neat_frame_symbol_vertex. */
  NEAT_FRAME_LAYOUT_SYMBOL = 12,
  /** neat_frame_custom_vertex. */
  NEAT_FRAME_LAYOUT_CUSTOM = 13
} neat_frame_layout;

/** A vertex of fills and backgrounds: 8 bytes. */
typedef struct neat_frame_fill_vertex {
  /** Tile units; for backgrounds of one colour clip space. */
  float x, y;
} neat_frame_fill_vertex;

/** The paint of a fill's vertex: 8 bytes. */
typedef struct neat_frame_fill_paint {
  /** Red, green, blue, alpha; 255 is 1. Of outlines: fill-outline-color. */
  uint8_t color[4];
  /** 0 to 1. */
  float opacity;
} neat_frame_fill_paint;

/** A vertex of lines: 24 bytes. */
typedef struct neat_frame_line_vertex {
  /** Tile units: a point of the line's middle. */
  float x, y;
  /** From the middle to the edge for a half width of 1, in the directions of the tile; longer than 1 in
   *  miters. */
  float extrude_x, extrude_y;
  /** Tile units along the line, from 0; it starts again at 0 after 16384. Of sources with lineMetrics the
   *  whole line counts for 32767. */
  float distance;
  /** Bit 0: the far end of a round cap or join. Bit 1: on the right side of the line, else on the left. */
  uint8_t flags;
  /** -1, 0 or 1: which way the extrusion leans along the line; line-offset takes it back. */
  int8_t direction;
  /** Without meaning. */
  uint16_t reserved;
} neat_frame_line_vertex;

/** The paint of a line's vertex: 32 bytes. */
typedef struct neat_frame_line_paint {
  /** Red, green, blue, alpha; 255 is 1. */
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

/** A vertex of circles: 12 bytes. Four per circle. */
typedef struct neat_frame_circle_vertex {
  /** The centre in tile units. */
  float x, y;
  /** -1 or 1: which corner of the circle's square, y down. */
  int8_t corner_x, corner_y;
  /** Without meaning. */
  uint16_t reserved;
} neat_frame_circle_vertex;

/** The paint of a circle's vertex: 28 bytes. */
typedef struct neat_frame_circle_paint {
  /** Red, green, blue, alpha; 255 is 1. */
  uint8_t color[4];
  /** As color. */
  uint8_t stroke_color[4];
  /** 0 to 1. */
  float opacity, stroke_opacity;
  /** Pixels. */
  float radius_px, stroke_width_px;
  /** 1 blurs the whole circle. */
  float blur;
} neat_frame_circle_paint;

/** A vertex of extrusions: 32 bytes. */
typedef struct neat_frame_extrusion_vertex {
  /** Tile units. */
  float x, y;
  /** 0: at the base; 1: at the height. */
  float level;
  /** Tile units along the wall from its first corner; 0 on roofs. */
  float distance;
  /** Unit length, outwards: x and y as the tile's, z up. */
  float normal[3];
  /** Without meaning. */
  float reserved;
} neat_frame_extrusion_vertex;

/** The paint of an extrusion's vertex: 12 bytes. */
typedef struct neat_frame_extrusion_paint {
  /** Red, green, blue; 255 is 1. Its alpha is ignored. */
  uint8_t color[4];
  /** Metres, 0 or more. */
  float base_m, height_m;
} neat_frame_extrusion_paint;

/** A vertex of pictures: 16 bytes. */
typedef struct neat_frame_picture_vertex {
  /** In the units that the command's matrix takes to clip space. */
  float x, y;
  /** Place in the texture, 0 to 1 from its top left corner. */
  float u, v;
} neat_frame_picture_vertex;

/** A vertex of icons and texts: 32 bytes. Four per glyph or icon; with a halo four more, which come before
 *  all letters. */
typedef struct neat_frame_symbol_vertex {
  /** Device pixels from the top left of the view, y down. */
  float x, y;
  /** Place in the texture, 0 to 1 from its top left corner. */
  float u, v;
  /** Includes the opacity. Of pictures: the opacity in all four, to multiply the texel by. */
  uint8_t color[4];
  /** Of distance fields, in their scale of 0 to 1: the middle of the soft edge, and half its width. */
  float edge, gamma;
  /** 1: a halo, which is left out inside the letter; else 0. */
  float halo;
} neat_frame_symbol_vertex;

/** A corner of a triangle of a custom layer. */
typedef struct neat_frame_custom_vertex {
  /** The place, in the units of the command's matrix, which takes (x, y, z, 1). */
  float x, y, z;
  /** Premultiplied red, green, blue and alpha. */
  uint8_t color[4];
} neat_frame_custom_vertex;

/** What the indices of a command form. */
typedef enum neat_frame_primitive {
  /** Three per triangle. */
  NEAT_FRAME_PRIMITIVE_TRIANGLES = 0,
  /** Two per line. */
  NEAT_FRAME_PRIMITIVE_LINES = 1
} neat_frame_primitive;

/** How a command uses its texture. */
typedef enum neat_frame_texture_use {
  /** There is none. */
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

/** The texels of a texture. */
typedef enum neat_frame_format {
  /** Premultiplied RGBA, 4 bytes per texel. */
  NEAT_FRAME_FORMAT_RGBA8 = 1,
  /** One channel, 1 byte per texel. */
  NEAT_FRAME_FORMAT_R8 = 2
} neat_frame_format;

/** What a line is drawn with besides colour and opacity. */
typedef struct neat_frame_line {
  /** Pixels. A line whose width is not above 0 is not drawn. */
  float width_px, gap_width_px, offset_px, blur_px, floor_width_px;
  /** The length of a pixel in tile units. */
  float units_per_px;
  /** line-dasharray in line widths: dash_count lengths, dash and gap in turn; with an odd number the last is
   *  a dash too. None: a solid line. */
  const float *dash;
  /** The number of lengths in dash. */
  size_t dash_count;
  /** Index of the texture with the dashes as a distance field (R8, repeats along x, 0.5 on a dash's edge):
   *  256 texels per period; one row, or 15 across the line for round caps. -1: a solid line. */
  int32_t dash_texture;
  /** Periods per tile unit, and half the width of a dash's soft end in the field's scale, both over the floor
   *  width. */
  float dash_scale, dash_softness;
  /** Without meaning. */
  uint32_t reserved;
} neat_frame_line;

/** What a circle is drawn with besides colour and opacity. */
typedef struct neat_frame_circle {
  /** Pixels; blur as in neat_frame_circle_paint; opacity 0 to 1. */
  float radius_px, blur, stroke_width_px, stroke_opacity;
  /** Red, green, blue and alpha, 0 to 1. */
  float stroke_color[4];
  /** The factors by which the circle's own x and y are shortened on the screen. */
  float squeeze[2];
  /** Not 0: radius and stroke are multiplied by this over the centre's clip-space w. */
  float perspective;
  /** Without meaning. */
  uint32_t reserved;
} neat_frame_circle;

/** What an extrusion is drawn with besides colour and opacity. */
typedef struct neat_frame_extrusion {
  /** Metres. */
  float base_m, height_m;
  /** The light: dot with the normal for how much a face is lit; colour, red, green and blue in 0 to 1;
   *  intensity 0 to 1. */
  float light[3], light_color[3], light_intensity;
  /** Not 0: walls darken towards the ground. */
  uint32_t has_gradient;
} neat_frame_extrusion;

/** A draw command. */
typedef struct neat_frame_command {
  /** sizeof(neat_frame_command). */
  uint32_t struct_size;
  /** What is drawn. */
  neat_frame_kind kind;
  /** The layer's index in the style; one past the last: the puck. */
  uint32_t layer_index;
  /** Not 0: it belongs to the tile below; else to the view. */
  uint32_t has_tile;
  /** The layer's id, followed by a NUL. Valid as long as the frame. */
  const char *layer;
  /** Bytes of layer. */
  size_t layer_size;
  /** The tile, where has_tile is not 0. */
  uint32_t tile_z, tile_x, tile_y;
  /** The copy of the world: 0 the middle one, -1 the one to the west. */
  int32_t tile_wrap;
  /** Vertices (x, y, 0, 1) to clip space, column by column; of extrusions (x, y, metres, 1). Includes
   *  translations. */
  float matrix[16];
  /** What the indices form. */
  neat_frame_primitive primitive;
  /** Not 0: pixels whose place in the units of the vertices lies outside `clip` are not drawn. */
  uint32_t has_clip;
  /** x0, y0, x1, y1: x0 <= x < x1 and y0 <= y < y1 is drawn. The tile's square, or the part of it that this
   *  command stands in for. */
  float clip[4];
  /** Indices of buffers; -1 for none. */
  int32_t vertex_buffer, paint_buffer, index_buffer;
  /** The first vertex (and paint), and their count. Indices count from vertex_offset, and are below
   *  vertex_count. */
  uint32_t vertex_offset, vertex_count;
  /** The first index, and their count: three per triangle, two per line. */
  uint32_t index_offset, index_count;
  /** How the texture is used. */
  neat_frame_texture_use texture_use;
  /** Index of the texture; -1 for none. */
  int32_t texture;
  /** Not 0: take the nearest texel; else mix four. */
  uint32_t is_nearest;
  /** 0 to 1. */
  float opacity;
  /** Red, green, blue and alpha, 0 to 1. */
  float color[4];
  /** PATTERN: of fills and backgrounds, the texture's place is position * scale + offset. Of lines, scale[0]
   *  over the floor width is repetitions per tile unit. */
  float pattern_scale[2], pattern_offset[2];
  /** Of kind LINE. */
  neat_frame_line line;
  /** Of kind CIRCLE. */
  neat_frame_circle circle;
  /** Of kind EXTRUSION. */
  neat_frame_extrusion extrusion;
  /** RASTER: what red, green and blue of the texel become (three columns of three) and, times alpha, what is
   *  added (three). */
  float color_matrix[12];
  /** UNSUPPORTED: what is not drawn, and why; else NULL. Valid as long as the frame. */
  const char *reason;
  /** The layer's opacity as a whole (fill-layer-opacity, line-layer-opacity), above 0 to 1: where it is not
   *  1, the layer's commands are drawn into a transparent picture of their own, which is blended once,
   *  times this. */
  float layer_opacity;
  /** Without meaning. */
  uint32_t end_reserved;
} neat_frame_command;

/** A buffer of vertices, paints or indices. */
typedef struct neat_frame_buffer {
  /** sizeof(neat_frame_buffer). */
  uint32_t struct_size;
  /** What the elements are. */
  neat_frame_layout layout;
  /** The number that stands for these bytes. */
  uint64_t id;
  /** The first element. Valid as long as the frame. */
  const void *data;
  /** The number of elements. */
  size_t count;
  /** Bytes from one element to the next. */
  uint32_t stride;
  /** Without meaning. */
  uint32_t reserved;
} neat_frame_buffer;

/** A texture. */
typedef struct neat_frame_texture {
  /** sizeof(neat_frame_texture). */
  uint32_t struct_size;
  /** What the texels are. */
  neat_frame_format format;
  /** The number that stands for these texels. */
  uint64_t id;
  /** The size in texels. */
  uint32_t width_px, height_px;
  /** Rows from the top, without padding. Valid as long as the frame. */
  const void *pixels;
} neat_frame_texture;

/** The size of a frame and the numbers of its parts. */
typedef struct neat_frame_info {
  /** sizeof(neat_frame_info). */
  uint32_t struct_size;
  /** Not 0: nothing that the view needs is still to come. */
  uint32_t is_complete;
  /** Device pixels. */
  uint32_t width_px, height_px;
  /** Device pixels per logical pixel. */
  double pixel_ratio;
  /** The number of each. */
  size_t command_count, buffer_count, texture_count;
} neat_frame_info;

/** Makes the frame of a view. Waits as neat_renderer_draw does, and draws the same. Any thread. Since 1. */
NEAT_MUST_USE NEAT_API neat_status neat_renderer_frame(
    neat_renderer *renderer, const neat_camera *camera, const neat_size *size, uint32_t deadline_ms,
    neat_frame **out_frame);

/** Makes the frame of the map's view, of what is there now: see is_complete. A host that would rather show
 *  nothing half loaded keeps the last complete one. Fails with NEAT_STATUS_STATE before the map has a style.
 *  Since 1. */
NEAT_MUST_USE NEAT_API neat_status neat_map_frame(neat_map *map, neat_frame **out_frame);

/** Releases a frame, and what its commands, buffers and textures point to. NULL is allowed. Since 1. */
NEAT_API void neat_frame_destroy(neat_frame *frame);

/** Reads the size of a frame and the numbers of its parts. out_info's struct_size must be set. Any thread.
 *  Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_frame_describe(const neat_frame *frame, neat_frame_info *out_info);

/** Reports what the frame lacks, as neat_image_report does. Any thread. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_frame_report(const neat_frame *frame, neat_buffer **out_json);

/** The number of things in neat_frame_report, including the omitted ones; 0 for NULL. Any thread. Since 2. */
NEAT_API size_t neat_frame_missing_count(const neat_frame *frame);

/** Reads the command at an index, 0 to below command_count, in drawing order. Fails with
 *  NEAT_STATUS_INVALID_ARGUMENT past it. out_command's struct_size must be set. Any thread. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_frame_command_at(
    const neat_frame *frame, size_t index, neat_frame_command *out_command);

/** Reads the buffer at an index, 0 to below buffer_count. Fails with NEAT_STATUS_INVALID_ARGUMENT past it.
 *  out_buffer's struct_size must be set. Any thread. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_frame_buffer_at(
    const neat_frame *frame, size_t index, neat_frame_buffer *out_buffer);

/** Reads the texture at an index, 0 to below texture_count. Fails with NEAT_STATUS_INVALID_ARGUMENT past it.
 *  out_texture's struct_size must be set. Any thread. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_frame_texture_at(
    const neat_frame *frame, size_t index, neat_frame_texture *out_texture);

/* ---------------------------------------------------------------- tiles */

/** A vector tile, decoded or opened. Its functions but neat_tile_destroy: any thread. */
typedef struct neat_tile neat_tile;

/** A format of vector tiles. */
typedef enum neat_tile_format {
  /** By content, and by what decodes. */
  NEAT_TILE_FORMAT_AUTO = 0,
  /** Mapbox Vector Tile. */
  NEAT_TILE_FORMAT_MVT = 1,
  /** MapLibre Tile. */
  NEAT_TILE_FORMAT_MLT = 2
} neat_tile_format;

/** The geometry of a feature. */
typedef enum neat_geometry_type {
  /** None, or one that the format does not name. */
  NEAT_GEOMETRY_TYPE_UNKNOWN = 0,
  /** A point, or several. */
  NEAT_GEOMETRY_TYPE_POINT = 1,
  /** A line, or several. */
  NEAT_GEOMETRY_TYPE_LINE = 2,
  /** A polygon, or several. */
  NEAT_GEOMETRY_TYPE_POLYGON = 3
} neat_geometry_type;

/** Which member of neat_value's `as` counts. */
typedef enum neat_value_type {
  /** None: there is no value. */
  NEAT_VALUE_TYPE_NULL = 0,
  /** int_value: 0 or 1. */
  NEAT_VALUE_TYPE_BOOL = 1,
  /** int_value. */
  NEAT_VALUE_TYPE_INT = 2,
  /** uint_value. */
  NEAT_VALUE_TYPE_UINT = 3,
  /** double_value. */
  NEAT_VALUE_TYPE_DOUBLE = 4,
  /** text. */
  NEAT_VALUE_TYPE_STRING = 5,
  /** text: an array or object of a GeoJSON property as JSON. */
  NEAT_VALUE_TYPE_JSON = 6
} neat_value_type;

/** The value of a property. */
typedef struct neat_value {
  /** Which member of `as` counts. */
  neat_value_type type;
  /** Bytes of text. */
  uint32_t text_size;
  /** The value. */
  union {
    /** Of BOOL and INT. */
    int64_t int_value;
    /** Of UINT. */
    uint64_t uint_value;
    /** Of DOUBLE. */
    double double_value;
    /** Of STRING and JSON: UTF-8 without a NUL, valid as long as the tile. */
    const char *text;
  } as;
} neat_value;

/** One layer as columns. All pointers are valid as long as the tile.
 *  Feature f owns the parts part_starts[f] to part_starts[f + 1]; part p the points point_starts[p] to
 *  point_starts[p + 1]; a point is two int32 in tile units, y downwards. A part is the points of a
 *  multi-point, a line, or a ring without its closing point; outer rings have positive area. Feature f owns
 *  the tags tag_starts[f] to tag_starts[f + 1], each a key's and a value's index. */
typedef struct neat_tile_layer {
  /** sizeof(neat_tile_layer). */
  uint32_t struct_size;
  /** The version of the tile specification that the layer names. */
  uint32_t version;
  /** Tile units along an edge. */
  uint32_t extent;
  /** The layer's name, followed by a NUL. */
  const char *name;
  /** Bytes of name. */
  size_t name_size;
  /** The number of each in the layer. */
  size_t feature_count, part_count, point_count, key_count, value_count, tag_count;
  /** neat_geometry_type of each feature. */
  const uint8_t *types;
  /** feature_count + 1 indices of parts. */
  const uint32_t *part_starts;
  /** part_count + 1 indices of points. */
  const uint32_t *point_starts;
  /** point_count pairs of x and y. */
  const int32_t *points;
  /** feature_count ids; NULL where no feature has one. */
  const uint64_t *ids;
  /** Not 0 where the feature has an id; NULL where none has. */
  const uint8_t *has_ids;
  /** feature_count + 1 indices of tags. */
  const uint32_t *tag_starts;
  /** tag_count pairs of a key's index and a value's. */
  const uint32_t *tags;
} neat_tile_layer;

/** What is known of a layer without decoding it. */
typedef struct neat_tile_layer_info {
  /** sizeof(neat_tile_layer_info). */
  uint32_t struct_size;
  /** The version of the tile specification that the layer names. */
  uint32_t version;
  /** Tile units along an edge. */
  uint32_t extent;
  /** The layer's name, followed by a NUL. Valid as long as the tile. */
  const char *name;
  /** Bytes of name. */
  size_t name_size;
  /** The number of each in the layer. */
  size_t feature_count, key_count, value_count;
} neat_tile_layer_info;

/** Decodes a tile, compressed by gzip or zlib or not. strict not 0: what the specification forbids fails; 0:
 *  what a map can recover is recovered. Fails with NEAT_STATUS_TILE for bytes that are not a tile. Cost:
 *  linear in the unpacked bytes. Any thread. Since 1. */
NEAT_MUST_USE NEAT_API neat_status neat_tile_decode(
    const uint8_t *data, size_t size, neat_tile_format format, uint32_t strict, neat_tile **out_tile);

/** Opens a Mapbox Vector Tile, compressed by gzip or zlib or not, without decoding it: the layers have their
 *  names and counts at once (neat_tile_layer_info_at). Keys, values and neat_tile_property read what they
 *  need of the layer; neat_tile_layer_at, and expressions over the layer, decode it when it is first asked
 *  for; JSON and encoding decode all layers. Layers without a name are left out. What is wrong with a layer
 *  shows where it is read: functions that are asked for one whose fields do not fit into it fail with
 *  NEAT_STATUS_TILE, the others work. Features that cannot be read are counted, and have a property if their
 *  tags can be read; neat_tile_layer_at leaves them out. A MapLibre Tile is decoded, as by neat_tile_decode.
 *  Any thread. Since 1. */
NEAT_MUST_USE NEAT_API neat_status neat_tile_open(
    const uint8_t *data, size_t size, neat_tile_format format, neat_tile **out_tile);

/** Opens a tile as neat_tile_open does, without a copy: data must stay as they are until the tile is
 *  destroyed, unless they are compressed. Any thread. Since 1. */
NEAT_MUST_USE NEAT_API neat_status neat_tile_open_borrow(
    const uint8_t *data, size_t size, neat_tile_format format, neat_tile **out_tile);

/** Releases a tile, and what its layers and values point to. NULL is allowed. Since 1. */
NEAT_API void neat_tile_destroy(neat_tile *tile);

/** The number of layers; 0 for NULL. Any thread. Since 1. */
NEAT_API size_t neat_tile_layer_count(const neat_tile *tile);

/** Reads a layer as columns; decodes it first where the tile was only opened. Fails with
 *  NEAT_STATUS_INVALID_ARGUMENT for an index past neat_tile_layer_count, with NEAT_STATUS_TILE where the
 *  layer cannot be read. out_layer's struct_size must be set. Any thread. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_tile_layer_at(
    const neat_tile *tile, size_t layer_index, neat_tile_layer *out_layer);

/** Reads a layer's name and counts without decoding it. Errors as for neat_tile_layer_at. out_info's
 *  struct_size must be set. Any thread. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_tile_layer_info_at(
    const neat_tile *tile, size_t layer_index, neat_tile_layer_info *out_info);

/** Reads a property's name by its index, 0 to below the layer's key_count: UTF-8 followed by a NUL, valid as
 *  long as the tile. Errors as for neat_tile_layer_at. Any thread. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_tile_key_at(
    const neat_tile *tile, size_t layer_index, size_t key_index, const char **out_text, size_t *out_size);

/** Reads a value by its index, 0 to below the layer's value_count. Errors as for neat_tile_layer_at. Any
 *  thread. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_tile_value_at(
    const neat_tile *tile, size_t layer_index, size_t value_index, neat_value *out_value);

/** Reads one property of all features of a layer: out_values[f] is that of feature f, NEAT_VALUE_TYPE_NULL
 *  where it has none. value_count is the room, at least the layer's feature_count. Of a tile that is opened
 *  no geometry is decoded, and what its specification forbids is not looked for: a value that cannot be read
 *  is null where neat_tile_layer_at fails; of two lists of tags in one feature the first counts, where the
 *  last does there. Any thread. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_tile_property(
    const neat_tile *tile, size_t layer_index, const char *key, size_t key_size, neat_value *out_values,
    size_t value_count);

/** Tells what is left out of a tile because it cannot be read, where that is recovered from: features, and
 *  whole layers. out_json: an array, in the tile's order, of {"layer", "count", "message", "offset"}: the
 *  layer's name (missing where it has none that can be read), how many faults it has, and why nothing of it
 *  is there, else the first of them, with its byte in the unpacked tile where that is known; of the first 32
 *  layers that have any. A tile that is only opened is decoded for it, and fails as neat_tile_decode does.
 *  Any thread. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_tile_faults(const neat_tile *tile, neat_buffer **out_json);

/** Writes the tile as GeoJSON: an object of feature collections by layer. Coordinates are in tile units where
 *  z is negative, else in degrees for the tile z/x/y. Fails with NEAT_STATUS_INVALID_ARGUMENT where that is
 *  not a tile, and with NEAT_STATUS_LIMIT_EXCEEDED where the text is longer than 256 MiB: features share the
 *  values of their layer, and so a tile of 5 kB can be gigabytes of text. neat_tile_stream_json writes text
 *  of any length. Cost: linear in the text. Any thread. Since 1. */
NEAT_MUST_USE NEAT_API neat_status neat_tile_to_json(
    const neat_tile *tile, int32_t z, uint32_t x, uint32_t y, neat_buffer **out_json);

/** How the layers of a tile stand in its GeoJSON. */
typedef enum neat_tile_json_form {
  /** An object of feature collections by layer, as neat_tile_to_json writes it. */
  NEAT_TILE_JSON_FORM_LAYERS = 0,
  /** One feature collection; each feature has its layer's name as the property "layer". */
  NEAT_TILE_JSON_FORM_COLLECTION = 1
} neat_tile_json_form;

/** Writes the tile as GeoJSON in pieces. The stream outlives the tile; of a tile of neat_tile_open_borrow the
 *  data must stay as they are until the stream is destroyed. Coordinates as for neat_tile_to_json.
 *  limit_bytes: the bytes that the text may have, 0 for any number. A text that is certain to be longer is
 *  refused here, any other one by the piece that passes the limit, both with NEAT_STATUS_LIMIT_EXCEEDED.
 *  Fails with NEAT_STATUS_INVALID_ARGUMENT where z/x/y is not a tile, or form is not one. Any thread.
 *  Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_tile_stream_json(
    const neat_tile *tile, int32_t z, uint32_t x, uint32_t y, neat_tile_json_form form, uint64_t limit_bytes,
    neat_text_stream **out_stream);

/** Writes the tile as Mapbox Vector Tile 2.1, not compressed. Cost: linear in the features. Any thread.
 *  Since 1. */
NEAT_MUST_USE NEAT_API neat_status neat_tile_encode_mvt(const neat_tile *tile, neat_buffer **out_mvt);

/* ---------------------------------------------------------------- archives */

/** An MBTiles or PMTiles file, or a PMTiles archive on a server. Its functions but neat_archive_destroy: any
 *  thread. */
typedef struct neat_archive neat_archive;

/** Opens an archive. path: a file (told apart by content), mbtiles://PATH, pmtiles://PATH-OR-URL, or the
 *  http(s) address of a PMTiles archive, of which only the parts that are needed are fetched. Fails with
 *  NEAT_STATUS_ARCHIVE, which names file and byte, for what is damaged or cut short. Any thread. Since 1. */
NEAT_MUST_USE NEAT_API neat_status neat_archive_open(
    const char *path, size_t path_size, neat_archive **out_archive);

/** Opens a PMTiles archive in memory, which is copied. Errors as for neat_archive_open. Any thread. Since 1.
 *  */
NEAT_MUST_USE NEAT_API neat_status neat_archive_parse(
    const uint8_t *data, size_t size, neat_archive **out_archive);

/** Releases an archive. No other thread may be inside a call on it. NULL is allowed. Since 1. */
NEAT_API void neat_archive_destroy(neat_archive *archive);

/** Describes the archive: TileJSON 3 made from its header and metadata; "header" has what only the archive
 *  knows. Any thread. Since 1. */
NEAT_MUST_USE NEAT_API neat_status neat_archive_info(neat_archive *archive, neat_buffer **out_json);

/** Reads a tile's bytes as stored, except that brotli and zstd, and gzip around pictures, are unpacked. At
 *  most 64 MiB. Fails with NEAT_STATUS_NOT_FOUND where the archive has no such tile, with
 *  NEAT_STATUS_INVALID_ARGUMENT where z/x/y is not a tile. Any thread. Since 1. */
NEAT_MUST_USE NEAT_API neat_status neat_archive_tile(
    neat_archive *archive, uint32_t z, uint32_t x, uint32_t y, neat_buffer **out_tile);

/* ---------------------------------------------------------------- Arrow's C data interface
 *
 * Columns of other libraries (pyarrow, GDAL, DuckDB, Polars, …) without a copy: the two structures of
 * https://arrow.apache.org/docs/format/CDataInterface.html, which asks everybody to define them as here. The
 * guard is the specification's, so that this header and another with the same structures go together.
 *
 * Functions that take them borrow them: they call no release callback, nothing points into the structures or
 * their buffers after the call, and the caller releases both. A structure that cannot be right (a NULL
 * pointer, one that was released, a negative length, other counts of children or buffers than the type has,
 * an unknown format, offsets that fall) fails with NEAT_STATUS_INVALID_ARGUMENT, which names the column. But
 * the interface does not tell how many bytes a buffer has: pointers that dangle, and buffers shorter than the
 * lengths say, cannot be noticed, and are the caller's to avoid. */

#ifndef ARROW_C_DATA_INTERFACE
/** The structures are there. */
#define ARROW_C_DATA_INTERFACE

/** A flag of a schema: the values of the dictionary are in order. */
#define ARROW_FLAG_DICTIONARY_ORDERED 1
/** A flag of a schema: values may be null. */
#define ARROW_FLAG_NULLABLE 2
/** A flag of a schema: the keys of each map are sorted. */
#define ARROW_FLAG_MAP_KEYS_SORTED 4

/** The type of a column, or of a batch of columns (a struct). */
struct ArrowSchema {
  /** The type as a format string, in UTF-8. */
  const char *format;
  /** The column's name, or NULL. */
  const char *name;
  /** Key-value pairs in Arrow's binary form, or NULL. */
  const char *metadata;
  /** Any of ARROW_FLAG_…. */
  int64_t flags;
  /** How many children there are. */
  int64_t n_children;
  /** The types of the children. */
  struct ArrowSchema **children;
  /** The type of the dictionary's values where this one is of indices; else NULL. */
  struct ArrowSchema *dictionary;
  /** Releases what the structure holds; NULL once it was called. */
  void (*release)(struct ArrowSchema *);
  /** Belongs to who made the structure. */
  void *private_data;
};

/** The values of a column, or of a batch of columns. */
struct ArrowArray {
  /** How many values there are. */
  int64_t length;
  /** How many of them are null; -1 where nobody has counted. */
  int64_t null_count;
  /** How many values of the buffers stand before the first. */
  int64_t offset;
  /** How many buffers there are. */
  int64_t n_buffers;
  /** How many children there are. */
  int64_t n_children;
  /** The buffers, of which that of validity may be NULL. */
  const void **buffers;
  /** The values of the children. */
  struct ArrowArray **children;
  /** The values of the dictionary; else NULL. */
  struct ArrowArray *dictionary;
  /** Releases what the structure holds; NULL once it was called. */
  void (*release)(struct ArrowArray *);
  /** Belongs to who made the structure. */
  void *private_data;
};

#endif

/* ---------------------------------------------------------------- writing archives
 *
 * What writes an archive PATH works in PATH.partial, in the same folder (PMTiles with PATH.partial.journal
 * beside it), and renames it to PATH when it is whole. A job that ends before leaves PATH as it was, and a
 * partial file that no reader takes for an archive; the same job continues it. */

/** How far a job is. */
typedef struct neat_archive_progress {
  /** The bytes of this structure that the library filled. */
  uint32_t struct_size;
  /** Without meaning. */
  uint32_t reserved;
  /** Tiles done, and tiles in all; the latter is 0 where it is not known. */
  uint64_t done_tiles, total_tiles;
  /** Bytes of contents written so far. */
  uint64_t bytes;
} neat_archive_progress;

/** Called on the thread of the job, every few hundred tiles. progress is valid during the call. Returns 0 to
 *  go on; else the job ends with NEAT_STATUS_CANCELLED, and can be continued. */
typedef int32_t (*neat_archive_progress_callback)(void *context, const neat_archive_progress *progress);

/** Copies an archive (as neat_archive_open takes it), or a region of one, into a file. Blocks until it is
 *  done.
 *  options: NULL or JSON with any of
 *    "bbox"       [west, south, east, north] in degrees; west > east crosses the 180th meridian
 *    "minzoom", "maxzoom"  0 to 30
 *    "archive"    "pmtiles" or "mbtiles"; else by the name's end
 *    "plain"      MBTiles without a view: one row per tile
 *    "resume"     false: never continue a partial file
 *    "maxTiles"   rows of MBTiles, or entries of PMTiles; else 134217728
 *    "overwrite"  true: replace a target that exists; else it fails with NEAT_STATUS_STATE, which names it
 *    "verify"     true: unpack and decode every tile as what the archive says it is; the first that cannot be
 *                 fails the copy with NEAT_STATUS_TILE or NEAT_STATUS_IMAGE, which names it. Tiles of which
 *                 features or layers cannot be read are copied as they are, and counted.
 *  A symbolic link is followed: what it names is written. A pipe, device or folder as target fails with
 *  NEAT_STATUS_INVALID_ARGUMENT. callback may be NULL. out_json: {"tiles", "contents", "bytes",
 *  "resumedTiles", "skippedTiles", "largestTileBytes", "minzoom", "maxzoom"}, with "verify" also
 *  "faultyTiles" (those of which not all can be read, as neat_tile_faults tells it; of this run, not of one
 *  that was continued), and where there are any "firstFault", which names the tile. Any thread. Since 1. */
NEAT_MUST_USE NEAT_API neat_status neat_archive_copy(
    const char *source, size_t source_size, const char *target, size_t target_size, const char *options,
    size_t options_size, neat_archive_progress_callback callback, void *context, neat_buffer **out_json);

/** Cuts GeoJSON into an archive of vector tiles (MVT 2.1, gzip). Blocks until it is done. Memory grows with
 *  the largest feature (256 MiB of text at most) and not with the documents: what is sorted past "memory"
 *  lies in nameless files in the target's folder.
 *  sources: a JSON array of {"name", "url"}; url is a path or an address, name the layer, which several may
 *  share; their features stand in it in this order.
 *  options: those of neat_archive_copy without "bbox" and "verify" ("maxTiles" 16777216), those of
 *  neat_tiler_create, and any of
 *    "filters"    by layer: a filter of the style specification, which may read the zoom
 *    "metadata"   an object with "name", "attribution" and the like.
 *  callback is that of neat_archive_copy. out_json: as there, and what neat_tiler_write adds, of the work of
 *  this call where an interrupted one was continued. Any thread. Since 1. */
NEAT_MUST_USE NEAT_API neat_status neat_archive_tile_geojson(
    const char *sources, size_t sources_size, const char *target, size_t target_size, const char *options,
    size_t options_size, neat_archive_progress_callback callback, void *context, neat_buffer **out_json);

/** Features on their way to vector tiles, of any amount, in one process or in many: add features, then
 *  write; or add and save in many processes, each with parts of its own, then load and write ranges of tiles
 *  in many processes. The tiles are the same in any case. One thread at a time; the work itself is done by
 *  several. Belongs to the process that made it. */
typedef struct neat_tiler neat_tiler;

/** Makes a tiler.
 *  layers: a JSON array of {"name", "filter"}, 1 to 4096, each with a name of its own; filter: see
 *  neat_archive_tile_geojson, may be left out.
 *  options: NULL or JSON with any of
 *    "minzoom", "maxzoom"  0 to 24; else 0 and 14
 *    "buffer", "tolerance", "extent", "lineMetrics", "generateId", "promoteId"  as for neat_geojson_parse
 *    "include"    array: the properties that tiles have
 *    "exclude"    array: the properties that they lack; not together with "include"
 *    "dropRate"   1 to 16: each zoom below "baseZoom" (else the deepest) has one of so many points of the
 *                 next deeper one; else 1, which is all
 *    "drop", "coalesce"  "densest" (nearest to others along the Hilbert curve), "fraction" (by a hash) or
 *                 "smallest": the features that go, or whose geometry goes to the one before them on the
 *                 curve, where tiles are past the limits; one threshold for a whole zoom. Neither: none
 *    "maxTileBytes", "maxTileFeatures"  the limits, of packed bytes and features; else 500000 and 200000
 *    "maxTiles"   that the features of one batch may lie in; else 16777216
 *    "memory"     bytes of records that are held, at least 1048576; else 268435456
 *    "threads"    0: one for each processor
 *    "folder"     where nameless files go; else the working folder.
 *  Fails with NEAT_STATUS_INVALID_ARGUMENT or NEAT_STATUS_EXPRESSION, naming what is wrong. Any thread.
 *  Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_tiler_create(
    const char *layers, size_t layers_size, const char *options, size_t options_size,
    neat_tiler **out_tiler);

/** Releases a tiler and its files. NULL is allowed. Since 2. */
NEAT_API void neat_tiler_destroy(neat_tiler *tiler);

/** Adds the next bytes of GeoJSON, plain, gzip or zlib, cut anywhere; is_last: nothing of this text follows.
 *  part: features of lower parts of a layer stand before those of higher ones, 0 to 1048575. One text at a
 *  time: another layer or part before is_last fails with NEAT_STATUS_STATE. Errors as for
 *  neat_geojson_reader_append; after one, the tiler takes no more. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_tiler_add_geojson(
    neat_tiler *tiler, const char *layer, size_t layer_size, uint32_t part, const char *bytes, size_t size,
    int32_t is_last);

/** Adds a record batch; both structures are borrowed. Its geometry is a column of WKB or of a GeoArrow type,
 *  in degrees; the other columns become properties.
 *  options: NULL or JSON with any of
 *    "geometry"   the column's name; else the one that is marked so, the only binary one, or "geometry"
 *    "id"         the column whose values become the ids.
 *  out_json: NULL, or an array of {"column", "reason", "count"}: columns that were left out (count 0) and
 *  values that were changed or left out. Fails with NEAT_STATUS_GEOJSON naming row and column of a damaged
 *  geometry, NEAT_STATUS_UNSUPPORTED for other coordinate systems and encodings,
 *  NEAT_STATUS_INVALID_ARGUMENT for structures that cannot be right. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_tiler_add_arrow(
    neat_tiler *tiler, const char *layer, size_t layer_size, uint32_t part, const struct ArrowSchema *schema,
    const struct ArrowArray *array, const char *options, size_t options_size, neat_buffer **out_json);

/** Writes everything that was added as one file, for neat_tiler_load. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_tiler_save(neat_tiler *tiler, const char *path, size_t path_size);

/** Adds what another tiler of the same layers and options saved. The file stays open. Fails with
 *  NEAT_STATUS_NOT_FOUND, NEAT_STATUS_IO, NEAT_STATUS_ARCHIVE where it is damaged or cut off, and
 *  NEAT_STATUS_STATE where it was made with other layers or options. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_tiler_load(neat_tiler *tiler, const char *path, size_t path_size);

/** Divides the tiles into at most count ranges with about as much work each. out_json: {"features", "bytes",
 *  "ranges"}: an array of [first, end), numbers of tiles as PMTiles counts them, in order and without gaps.
 *  Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_tiler_ranges(
    neat_tiler *tiler, uint32_t count, neat_buffer **out_json);

/** Finds what the tiles of a range need so that they are within the limits. out_json: an array of a
 *  threshold for each zoom; of several ranges, the highest of each zoom is what "thresholds" of
 *  neat_tiler_write takes. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_tiler_thresholds(
    neat_tiler *tiler, uint64_t first, uint64_t end, neat_buffer **out_json);

/** Describes the tiles: TileJSON with "vector_layers", "bounds" and "center". metadata: NULL or a JSON
 *  object whose members are taken over. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_tiler_describe(
    neat_tiler *tiler, const char *metadata, size_t metadata_size, neat_buffer **out_json);

/** Writes the tiles from number first to before end (UINT64_MAX: all) into an archive. Blocks until it is
 *  done.
 *  options: NULL or JSON with any of "archive", "plain", "maxTiles", "overwrite" as for neat_archive_copy,
 *  "thresholds" (else they are found for the range), and "metadata". callback and out_json are those of
 *  neat_archive_copy; out_json has also "features" (that the filters let through), "droppedFeatures",
 *  "coalescedFeatures" (their pieces in tiles), and "oversizedTiles": tiles past the limits, all where
 *  nothing is dropped or coalesced, else those that it could not mend. May be called again. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_tiler_write(
    neat_tiler *tiler, const char *target, size_t target_size, uint64_t first, uint64_t end,
    const char *options, size_t options_size, neat_archive_progress_callback callback, void *context,
    neat_buffer **out_json);

/** An archive that a caller fills. One thread at a time. */
typedef struct neat_archive_writer neat_archive_writer;

/** Starts, or continues, an archive. options: NULL or JSON with any of "archive", "plain", "maxTiles",
 *  "overwrite", "resume" as for neat_archive_copy, "format" ("pbf", "mlt", "png", "jpg", "webp", "avif"; else
 *  "pbf"), and "job", a text that names the job: a partial file of the same job is continued. Fails with
 *  NEAT_STATUS_STATE while another writer has the path. Since 1. */
NEAT_MUST_USE NEAT_API neat_status neat_archive_writer_create(
    const char *path, size_t path_size, const char *options, size_t options_size,
    neat_archive_writer **out_writer);

/** Releases a writer. Without neat_archive_writer_finish before, what came up to the last checkpoint stays in
 *  the partial file. NULL is allowed. Since 1. */
NEAT_API void neat_archive_writer_destroy(neat_archive_writer *writer);

/** Adds a tile, in any order; equal contents are stored once. Vector tiles that are not compressed by gzip
 *  are compressed. Fails with NEAT_STATUS_INVALID_ARGUMENT for an empty tile, and here or in
 *  neat_archive_writer_finish for one that was added before. Since 1. */
NEAT_MUST_USE NEAT_API neat_status neat_archive_writer_add(
    neat_archive_writer *writer, uint32_t z, uint32_t x, uint32_t y, const uint8_t *data, size_t size);

/** Writes what was added to the disk. cursor is a number of the caller's that says how far it is. Does
 *  nothing where no job was named. Since 1. */
NEAT_MUST_USE NEAT_API neat_status neat_archive_writer_checkpoint(
    neat_archive_writer *writer, uint64_t cursor);

/** Reads the cursor of the checkpoint that the writer continues from. Fails with NEAT_STATUS_NOT_FOUND where
 *  the archive is started anew. Since 1. */
NEAT_MUST_USE NEAT_API neat_status neat_archive_writer_cursor(
    const neat_archive_writer *writer, uint64_t *out_cursor);

/** Completes the archive and gives it its name. tilejson: NULL or a JSON object with "name", "attribution",
 *  "bounds", "center", "vector_layers" and others. Since 1. */
NEAT_MUST_USE NEAT_API neat_status neat_archive_writer_finish(
    neat_archive_writer *writer, const char *tilejson, size_t tilejson_size);

/* ---------------------------------------------------------------- expressions */

/** A compiled expression, legacy function or filter. Immutable but for its budget: any thread. */
typedef struct neat_expression neat_expression;

/** Compiles an expression or legacy function. spec: NULL (any type), a property's name as JSON text
 *  ("\"line-width\""), or a property specification as in the style reference. Fails with
 *  NEAT_STATUS_EXPRESSION; neat_last_error then returns a JSON array of {"key", "error"}. Cost: n log n in
 *  the text. Any thread. Since 1. */
NEAT_MUST_USE NEAT_API neat_status neat_expression_compile(
    const char *json, size_t size, const char *spec, size_t spec_size, neat_expression **out_expression);

/** Compiles a filter: an expression that gives booleans, or a legacy filter. Fails as neat_expression_compile
 *  does. Any thread. Since 1. */
NEAT_MUST_USE NEAT_API neat_status neat_filter_compile(
    const char *json, size_t size, neat_expression **out_filter);

/** What the evaluations of an expression or filter may take. Zeroed but for struct_size: all defaults. */
typedef struct neat_expression_budget {
  /** sizeof(neat_expression_budget). */
  uint32_t struct_size;
  /** Bytes of the values that one evaluation may make; 0 means 16 MiB. Since 2. */
  uint64_t evaluation_bytes;
  /** Steps of one evaluation: about one for 16 bytes of text or one item that an operator looks at; 0 means
   *  4,000,000. Since 2. */
  uint64_t evaluation_steps;
  /** Bytes of strings that one call over a layer may give; 0 means 256 MiB. Since 2. */
  uint64_t call_bytes;
  /** Steps of one call over a layer; 0 means 500,000,000. Since 2. */
  uint64_t call_steps;
} neat_expression_budget;

/** Bounds the evaluations of an expression or filter from now on; NULL: the defaults. An evaluation past it
 *  fails as any other that has no value: "The evaluation takes more than 16 MiB". Any thread. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_expression_set_budget(
    neat_expression *expression, const neat_expression_budget *budget);

/** Releases an expression or filter. NULL is allowed. Since 1. */
NEAT_API void neat_expression_destroy(neat_expression *expression);

/** Describes an expression: {"isFeatureConstant", "isZoomConstant", "type"}. Any thread. Since 1. */
NEAT_MUST_USE NEAT_API neat_status neat_expression_info(
    const neat_expression *expression, neat_buffer **out_json);

/** Evaluates for one feature; the result is JSON. globals: NULL or {"zoom", "heatmapDensity", "lineProgress",
 *  "elevation", "skyRadialProgress", "accumulated", "availableImages", "canonicalID", "globalState"}; other
 *  members fail with NEAT_STATUS_INVALID_ARGUMENT. feature: NULL or a GeoJSON-like {"id", "properties",
 *  "geometry", "type", "state"}. Fails with NEAT_STATUS_EXPRESSION where the expression fails. Any thread.
 *  Since 1. */
NEAT_MUST_USE NEAT_API neat_status neat_expression_evaluate(
    const neat_expression *expression, const char *globals, size_t globals_size, const char *feature,
    size_t feature_size, neat_buffer **out_json);

/** Evaluates to numbers for all features of a layer; NaN where the expression fails or is not a number.
 *  value_count is the room, at least the layer's feature_count; less fails with NEAT_STATUS_INVALID_ARGUMENT,
 *  as do filters. Any thread. Since 1. */
NEAT_MUST_USE NEAT_API neat_status neat_expression_evaluate_layer(
    const neat_expression *expression, const neat_tile *tile, size_t layer_index, double zoom,
    double *out_values, size_t value_count);

/** Evaluates to colours for all features of a layer: red, green, blue (not premultiplied) and alpha in 0 to
 *  1, all NaN where the expression fails or is not a colour. rgba_count is the room in floats, four per
 *  feature. Errors as for neat_expression_evaluate_layer. Any thread. Since 1. */
NEAT_MUST_USE NEAT_API neat_status neat_expression_evaluate_layer_colors(
    const neat_expression *expression, const neat_tile *tile, size_t layer_index, double zoom,
    float *out_rgba, size_t rgba_count);

/** Evaluates an expression or a filter to booleans for all features of a layer: 0, 1, or 255 where it fails
 *  or is not a boolean. value_count is the room, at least the layer's feature_count; less fails with
 *  NEAT_STATUS_INVALID_ARGUMENT. Any thread. Since 1. */
NEAT_MUST_USE NEAT_API neat_status neat_expression_evaluate_layer_booleans(
    const neat_expression *expression, const neat_tile *tile, size_t layer_index, double zoom,
    uint8_t *out_values, size_t value_count);

/** Evaluates to strings, formatted text or names of images for all features of a layer: their UTF-8 one after
 *  the other. Feature f has the bytes out_starts[f] to out_starts[f + 1], none where the expression fails or
 *  is not text. start_count is the room, at least the layer's feature_count + 1. At most 4 GiB. Errors as for
 *  neat_expression_evaluate_layer. Any thread. Since 1. */
NEAT_MUST_USE NEAT_API neat_status neat_expression_evaluate_layer_strings(
    const neat_expression *expression, const neat_tile *tile, size_t layer_index, double zoom,
    uint32_t *out_starts, size_t start_count, neat_buffer **out_text);

/** Evaluates to numbers at `count` zooms, without a feature; NaN where the expression fails or is not a
 *  number. out_values has room for count values. Any thread. Since 1. */
NEAT_MUST_USE NEAT_API neat_status neat_expression_evaluate_zooms(
    const neat_expression *expression, const double *zooms, size_t count, double *out_values);

/** Reports why the expression fails for features of a layer: a JSON array of {"feature", "key", "error"} in
 *  the order of features, at most `limit` of them (0: 1000). Any thread. Since 1. */
NEAT_MUST_USE NEAT_API neat_status neat_expression_layer_errors(
    const neat_expression *expression, const neat_tile *tile, size_t layer_index, double zoom, size_t limit,
    neat_buffer **out_json);

/** Writes what an expression or filter was compiled to, as text for people; its form is not stable. Any
 *  thread. Since 1. */
NEAT_MUST_USE NEAT_API neat_status neat_expression_disassemble(
    const neat_expression *expression, neat_buffer **out_text);

/** Lists the features of a layer that a filter lets through: their indices in order, out_count of them.
 *  index_count is the room, at least the layer's feature_count. Fails with NEAT_STATUS_INVALID_ARGUMENT for
 *  less, and for an expression that is not a filter. Any thread. Since 1. */
NEAT_MUST_USE NEAT_API neat_status neat_filter_layer(
    const neat_expression *filter, const neat_tile *tile, size_t layer_index, double zoom,
    uint32_t *out_indices, size_t index_count, size_t *out_count);

/** Turns a legacy function ({"type", "property", "base", "stops", "default"}) into the expression that means
 *  the same, for a property given by spec as in neat_expression_compile: its type and default decide what the
 *  function does. For properties that take them, texts with {name} tokens are converted too. What is an
 *  expression or a constant already is returned as it is. Fails with NEAT_STATUS_EXPRESSION and an array of
 *  {"key", "error"}, as neat_expression_compile does. Any thread. Since 1. */
NEAT_MUST_USE NEAT_API neat_status neat_expression_from_legacy(
    const char *json, size_t size, const char *spec, size_t spec_size, neat_buffer **out_json);

/** Turns a legacy filter (["in", "class", "a", "b"], ["none", …]) into an expression that lets the same
 *  features through; null into one that lets all through. An expression is returned as it is. Fails as
 *  neat_expression_from_legacy does. Any thread. Since 1. */
NEAT_MUST_USE NEAT_API neat_status neat_filter_from_legacy(
    const char *json, size_t size, neat_buffer **out_json);

/** What a format string stands for. */
typedef enum neat_format_kind {
  /** What NSExpression's format strings are: the value of a property. A predicate is allowed as well, for a
   *  boolean. */
  NEAT_FORMAT_KIND_EXPRESSION = 0,
  /** What NSPredicate's format strings are: a layer's filter. */
  NEAT_FORMAT_KIND_PREDICATE = 1
} neat_format_kind;

/** Turns a predicate or expression format string of the older iOS SDKs ("name CONTAINS 'x' AND rank < %d")
 *  into a style expression: JSON for neat_expression_compile, neat_filter_compile or a layer.
 *  docs/format-strings.md has every form.
 *  arguments: NULL, or a JSON array of the values for the placeholders (%@, %K, %d, %f, …). A value is data
 *  as it stands, including null, arrays and objects; {"$expression": …} is a style expression, {"$color": …}
 *  a colour: CSS text, or red, green, blue and alpha in 0 to 1.
 *  Limits: 1 MiB of text, 100 levels, 100000 operands and operators, 10000 in one place, 16 MiB of arguments
 *  and of result.
 *  Errors, with the byte of the format string in neat_last_error: NEAT_STATUS_EXPRESSION (not readable, or
 *  operands of the wrong type or number), NEAT_STATUS_UNSUPPORTED (a form that style expressions cannot
 *  express; the message names it and says why), NEAT_STATUS_INVALID_ARGUMENT (a placeholder and its argument
 *  do not fit), NEAT_STATUS_LIMIT_EXCEEDED, NEAT_STATUS_JSON (arguments that are not JSON). Any thread.
 *  Since 1. */
NEAT_MUST_USE NEAT_API neat_status neat_expression_from_format(
    const char *format, size_t format_size, const char *arguments, size_t arguments_size,
    neat_format_kind kind, neat_buffer **out_json);

/* ---------------------------------------------------------------- meshes */

/** Cuts a polygon into triangles. points are point_count pairs of x and y; ring_starts has ring_count + 1
 *  indices of points, from 0 to point_count, the outer ring first. out_indices: an array of uint32 triples,
 *  neat_buffer_size / 4 in all. Fails with NEAT_STATUS_INVALID_ARGUMENT for ring_starts that fall and for
 *  points that are not finite, with NEAT_STATUS_LIMIT_EXCEEDED for too many. Cost: n log n in the points for
 *  rings as maps have them. Any thread. Since 1. */
NEAT_MUST_USE NEAT_API neat_status neat_mesh_triangulate(
    const double *points, size_t point_count, const uint32_t *ring_starts, size_t ring_count,
    neat_buffer **out_indices);

/** Cuts all polygons of a tile's layer into triangles: three uint32 per triangle, indices of the layer's
 *  points (neat_tile_layer). Feature f has the entries feature_starts[f] to feature_starts[f + 1] (uint32,
 *  one more than features), none where it is not a polygon. Any thread. Since 1. */
NEAT_MUST_USE NEAT_API neat_status neat_mesh_triangulate_layer(
    const neat_tile *tile, size_t layer_index, neat_buffer **out_indices, neat_buffer **out_feature_starts);

/** The ends of a line. */
typedef enum neat_line_cap {
  /** Cut off at the end. */
  NEAT_LINE_CAP_BUTT = 0,
  /** A half circle beyond the end. */
  NEAT_LINE_CAP_ROUND = 1,
  /** Half a width longer. */
  NEAT_LINE_CAP_SQUARE = 2
} neat_line_cap;

/** The corners of a line. */
typedef enum neat_line_join {
  /** Pointed, up to miter_limit. */
  NEAT_LINE_JOIN_MITER = 0,
  /** Cut off. */
  NEAT_LINE_JOIN_BEVEL = 1,
  /** Round, where the corner is sharper than round_limit. */
  NEAT_LINE_JOIN_ROUND = 2
} neat_line_join;

/** How a line is made. */
typedef struct neat_line_options {
  /** sizeof(neat_line_options). */
  uint32_t struct_size;
  /** The ends. */
  neat_line_cap cap;
  /** The corners. */
  neat_line_join join;
  /** How many half widths a pointed corner may reach; 0 means 2. */
  double miter_limit;
  /** How many half widths a corner must reach to be made round; 0 means 1.05. */
  double round_limit;
  /** Not 0: the line is a ring. */
  uint32_t is_closed;
} neat_line_options;

/** A vertex of neat_mesh_line, 24 bytes: where it is, which way and how far (in half widths) it is pushed,
 *  and how far along the line it lies. */
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

/** Makes triangles of a line: point_count pairs of x and y in tile units, below 2^24. options may be NULL.
 *  out_vertices: neat_line_vertex; out_indices: uint32 triples. Fails with NEAT_STATUS_LIMIT_EXCEEDED for
 *  more points. Any thread. Since 1. */
NEAT_MUST_USE NEAT_API neat_status neat_mesh_line(
    const float *points, size_t point_count, const neat_line_options *options, neat_buffer **out_vertices,
    neat_buffer **out_indices);

/* ---------------------------------------------------------------- collision */

/** A grid index of boxes and circles in pixels: what is in it may keep others out. One thread at a time. */
typedef struct neat_collision neat_collision;

/** Makes an empty index over width_px * height_px pixels, each above 0 and at most 1000000. Any thread.
 *  Since 1. */
NEAT_MUST_USE NEAT_API neat_status neat_collision_create(
    double width_px, double height_px, neat_collision **out_collision);

/** Releases an index. NULL is allowed. Since 1. */
NEAT_API void neat_collision_destroy(neat_collision *collision);

/** Inserts a box unless it touches one that is there. out_placed: 1 where it was inserted, else 0. Fails with
 *  NEAT_STATUS_INVALID_ARGUMENT for a box that is not ordered and finite. Since 1. */
NEAT_MUST_USE NEAT_API neat_status neat_collision_place_box(
    neat_collision *collision, double x0_px, double y0_px, double x1_px, double y1_px, uint32_t *out_placed);

/** Inserts a circle unless it touches what is there. out_placed: 1 where it was inserted, else 0. Fails with
 *  NEAT_STATUS_INVALID_ARGUMENT for numbers that are not finite and for a negative radius. Since 1. */
NEAT_MUST_USE NEAT_API neat_status neat_collision_place_circle(
    neat_collision *collision, double x_px, double y_px, double radius_px, uint32_t *out_placed);

/* ---------------------------------------------------------------- GeoJSON and clusters */

/** GeoJSON that is cut into tiles on demand. Its functions but neat_geojson_destroy: any thread. */
typedef struct neat_geojson neat_geojson;

/** Parses GeoJSON, or several documents on lines of their own or behind record separators (RFC 8142), also
 *  compressed by gzip or zlib. json is read within the call and not copied. At most 2^31 bytes, 2^28
 *  features, points or properties, 128 levels of nesting. Fails with NEAT_STATUS_GEOJSON; the message names
 *  line and column.
 *  options: NULL or JSON with any of "maxzoom" (14), "buffer" (64), "tolerance" (3),
 *  "extent" (4096, with clusters 512), "lineMetrics", "generateId", "promoteId", "indexMaxZoom" (5),
 *  "indexMaxPoints" (100000), and for clusters "cluster", "minzoom" (0), "clusterRadius" (40),
 *  "clusterMinPoints" (2), "clusterMaxZoom" (16), "clusterProperties". Other members fail with
 *  NEAT_STATUS_INVALID_ARGUMENT, which names them. Cost: n log n in the text. Any thread. Since 1. */
NEAT_MUST_USE NEAT_API neat_status neat_geojson_parse(
    const char *json, size_t size, const char *options, size_t options_size, neat_geojson **out_geojson);

/** Releases GeoJSON. Tiles made of it stay. No other thread may be inside a call on it. NULL is allowed.
 *  Since 1. */
NEAT_API void neat_geojson_destroy(neat_geojson *geojson);

/** The number of features; 0 for NULL. Any thread. Since 1. */
NEAT_API size_t neat_geojson_feature_count(const neat_geojson *geojson);

/** Changes the data by the ids of its features; diff is that of neat_map_update_geojson. Tiles made before
 *  stay as they are; other threads see the data of before until it is done. Cost: linear in the data and in
 *  the change. Any thread. Since 1. */
NEAT_MUST_USE NEAT_API neat_status neat_geojson_update(
    neat_geojson *geojson, const char *diff, size_t diff_size);

/** Cuts a tile, or returns it from the index. Fails with NEAT_STATUS_NOT_FOUND where the tile is empty, with
 *  NEAT_STATUS_INVALID_ARGUMENT where z/x/y is not a tile. Any thread. Since 1. */
NEAT_MUST_USE NEAT_API neat_status neat_geojson_tile(
    neat_geojson *geojson, uint32_t z, uint32_t x, uint32_t y, neat_tile **out_tile);

/** Lists the clusters and points in a box of degrees at a zoom, as a GeoJSON feature array. Fails with
 *  NEAT_STATUS_STATE where the data is not clustered, with NEAT_STATUS_INVALID_ARGUMENT where the box is not
 *  finite. Any thread. Since 1. */
NEAT_MUST_USE NEAT_API neat_status neat_geojson_clusters(
    neat_geojson *geojson, double west_deg, double south_deg, double east_deg, double north_deg,
    uint32_t zoom, neat_buffer **out_json);

/** Lists what a cluster is made of at the next zoom, as a GeoJSON feature array: clusters, and points with id
 *  and properties. cluster is a "cluster_id". Fails with NEAT_STATUS_NOT_FOUND where there is no such
 *  cluster, with NEAT_STATUS_STATE where the data is not clustered, with NEAT_STATUS_LIMIT_EXCEEDED where the
 *  list is longer than 256 MiB. Any thread. Since 1. */
NEAT_MUST_USE NEAT_API neat_status neat_geojson_cluster_children(
    neat_geojson *geojson, uint64_t cluster, neat_buffer **out_json);

/** Lists the points of a cluster, as a GeoJSON feature array: at most limit of them (1 or more) after the
 *  first offset. Errors as for neat_geojson_cluster_children. Cost: linear in the list. Any thread.
 *  Since 1. */
NEAT_MUST_USE NEAT_API neat_status neat_geojson_cluster_leaves(
    neat_geojson *geojson, uint64_t cluster, uint32_t limit, uint32_t offset, neat_buffer **out_json);

/** Reads the zoom at which a cluster falls into several. Errors as for neat_geojson_cluster_children. Any
 *  thread. Since 1. */
NEAT_MUST_USE NEAT_API neat_status neat_geojson_cluster_expansion_zoom(
    neat_geojson *geojson, uint64_t cluster, uint32_t *out_zoom);

/** GeoJSON that comes in pieces, of a file or a server, without ever being in memory as a whole: plain text,
 *  limits as for neat_geojson_parse. In a FeatureCollection "type" is best before "features". One thread at a
 *  time. */
typedef struct neat_geojson_reader neat_geojson_reader;

/** Makes a reader. options are those of neat_geojson_parse. Any thread. Since 1. */
NEAT_MUST_USE NEAT_API neat_status neat_geojson_reader_create(
    const char *options, size_t options_size, neat_geojson_reader **out_reader);

/** Releases a reader, finished or not. NULL is allowed. Since 1. */
NEAT_API void neat_geojson_reader_destroy(neat_geojson_reader *reader);

/** Reads the next bytes, cut anywhere; they are not kept. An error, with line and column in the whole text,
 *  is returned by every later call too. Since 1. */
NEAT_MUST_USE NEAT_API neat_status neat_geojson_reader_append(
    neat_geojson_reader *reader, const char *bytes, size_t size);

/** Returns the document, when all of it was read. The reader is of no further use, but must still be
 *  destroyed. Since 1. */
NEAT_MUST_USE NEAT_API neat_status neat_geojson_reader_finish(
    neat_geojson_reader *reader, neat_geojson **out_geojson);

/* ---------------------------------------------------------------- shapes
 *
 * Geometry on the globe as Turf has it: a sphere of 6373000 m for distances, of 6378137 m for areas; lines
 * and edges of rings are straight in degrees between their vertices. Places are pairs of longitude and
 * latitude in degrees, in lists one pair after the other. Longitudes are taken as they stand, and go on past
 * 180 where a line crosses the 180th meridian. Lists have at most 2^31 - 1 places; past that the functions
 * fail with NEAT_STATUS_LIMIT_EXCEEDED. A number of a line or ring that is not finite fails with
 * NEAT_STATUS_INVALID_ARGUMENT, which names its place in the list; functions of single places, and those that
 * work on lists of them one by one, give NaN for it. Lists of places that come out are buffers of doubles. */

/** The distance of two places along the great circle, in metres. Any thread. Since 2. */
NEAT_API double neat_shape_distance(
    double from_lon_deg, double from_lat_deg, double to_lon_deg, double to_lat_deg);

/** The way to take at one place for another, in degrees clockwise from north: -180 to 180; 0 where both are
 *  the same. Any thread. Since 2. */
NEAT_API double neat_shape_direction(
    double from_lon_deg, double from_lat_deg, double to_lon_deg, double to_lat_deg);

/** The angle from min to below max that differs from a value by whole turns of max - min; NaN where those are
 *  equal and where a number is not finite. Any thread. Since 2. */
NEAT_API double neat_shape_wrap(double value_deg, double min_deg, double max_deg);

/** The degrees between two directions, the shorter way round: 0 to 180. Any thread. Since 2. */
NEAT_API double neat_shape_difference(double a_deg, double b_deg);

/** Distances of places in pairs, in metres. Both lists have the same number of places, or one of them a
 *  single place, which then goes with each of the other. out_m has room for as many doubles as the longer
 *  list has places. Fails with NEAT_STATUS_INVALID_ARGUMENT for lists that do not go together. Any thread.
 *  Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_shape_distances(
    const double *from, size_t from_count, const double *to, size_t to_count, double *out_m);

/** Directions for places in pairs, in degrees: neat_shape_direction for lists as neat_shape_distances takes
 *  them. Any thread. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_shape_directions(
    const double *from, size_t from_count, const double *to, size_t to_count, double *out_deg);

/** Places half way between places in pairs, for lists as neat_shape_distances takes them. out_places has room
 *  for as many places. Any thread. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_shape_midpoints(
    const double *from, size_t from_count, const double *to, size_t to_count, double *out_places);

/** The places that one comes to from others, facing directions (degrees clockwise from north), after
 *  distances in metres. The three lists have the same length, or length 1: then their one element goes with
 *  all. out_places has room for as many places as the longest list has elements. Longitudes may come out past
 *  180. Fails with NEAT_STATUS_INVALID_ARGUMENT for lists that do not go together. Any thread. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_shape_destinations(
    const double *from, size_t from_count, const double *distances_m, size_t distance_count,
    const double *directions_deg, size_t direction_count, double *out_places);

/** A place on a line, 40 bytes. */
typedef struct neat_shape_place {
  /** Where it is. */
  double lon_deg, lat_deg;
  /** Metres from the start of the line, along it. */
  double along_m;
  /** Metres from the place that was asked about; 0 from neat_shape_along. */
  double distance_m;
  /** The vertex that it is, or that its segment begins with. */
  uint64_t index;
} neat_shape_place;

/** The length of a line in metres; 0 for one of fewer than two places. Any thread. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_shape_length(const double *line, size_t count, double *out_m);

/** Places at distances along a line, in any order: the line's start for those below 0, its end for those past
 *  it. out_places has room for distance_count of them. Fails with NEAT_STATUS_INVALID_ARGUMENT for a line
 *  without places and for a distance that is NaN. Any thread. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_shape_along(
    const double *line, size_t count, const double *distances_m, size_t distance_count,
    neat_shape_place *out_places);

/** The places of a line that are closest to others as the crow flies, each of which takes time by the line's
 *  length. Of places equally close, the first. out_places has room for place_count of them. Fails with
 *  NEAT_STATUS_INVALID_ARGUMENT for a line without places. Any thread. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_shape_closest(
    const double *line, size_t count, const double *places, size_t place_count, neat_shape_place *out_places);

/** The part of a line between the places on it that are closest to two others: one longitude and latitude
 *  each, or NULL for the line's own start or end. Where the two lie on different segments the part runs as
 *  the line does, whichever comes first. Fails with NEAT_STATUS_INVALID_ARGUMENT for a line without places.
 *  Any thread. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_shape_slice(
    const double *line, size_t count, const double *from, const double *to, neat_buffer **out_line);

/** The part of a line between two distances from its start, in metres; it ends where the line does. Fails
 *  with NEAT_STATUS_INVALID_ARGUMENT for distances below 0, NaN or the wrong way round and for a line without
 *  places, with NEAT_STATUS_NOT_FOUND where the line ends before the first. Any thread. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_shape_trim(
    const double *line, size_t count, double from_m, double to_m, neat_buffer **out_line);

/** The part of a line that begins at the place on it closest to another and goes on for a distance in metres,
 *  or back, towards the line's start, where that is below 0; it ends where the line does. Fails with
 *  NEAT_STATUS_INVALID_ARGUMENT for a distance that is 0 or NaN and for a line without places. Any thread.
 *  Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_shape_trim_from(
    const double *line, size_t count, double lon_deg, double lat_deg, double distance_m,
    neat_buffer **out_line);

/** The places where two lines cross, each once, in the order of the first line. Where an end of a segment
 *  only touches the other line, and where lines run on each other, they do not cross. limit: the most places
 *  that may come out, 0 for 2^24; past it NEAT_STATUS_LIMIT_EXCEEDED. Segments are held against those whose
 *  boxes theirs meets: time goes with n log m and what is found, and with n * m where all boxes meet. Any
 *  thread. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_shape_intersections(
    const double *a, size_t a_count, const double *b, size_t b_count, size_t limit, neat_buffer **out_places);

/** A smooth curve through the places of a line, as Turf's bezier-spline makes it: time runs from 0 to
 *  resolution by tens, and of every twenty steps the first ten give a place. sharpness: 0 to 1 and beyond,
 *  0.85 in Turf, how far the curve swings. Fails with NEAT_STATUS_INVALID_ARGUMENT for a line of fewer than
 *  two places, a resolution that is not within 1 to 10^8 and a sharpness that is not finite. Any thread.
 *  Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_shape_bezier(
    const double *line, size_t count, uint32_t resolution, double sharpness, neat_buffer **out_line);

/** What stays of a line or ring that is simplified (Douglas and Peucker). out_indices: indices of its places
 *  in their order (uint32). tolerance: how far what is dropped may lie off, in degrees or whatever else the
 *  numbers are. high_quality: 0 drops places that are closer than the tolerance to the one before first,
 *  which is faster. is_ring: not 0 for a ring, whose last index is of the same place as its first (0 once
 *  more where the ring does not say it again); where the tolerance leaves no triangle, it is lowered by
 *  hundredths until one is left, and a ring that has none even at a thousand-millionth of its size stays as
 *  it is, as one of three places or fewer does. Each place is looked at 400 times on the average at most:
 *  past that ranges are halved instead of split where they are farthest off, which keeps more. Fails with
 *  NEAT_STATUS_INVALID_ARGUMENT for a tolerance below 0 or not finite. Any thread. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_shape_simplify(
    const double *places, size_t count, double tolerance, uint32_t high_quality, uint32_t is_ring,
    neat_buffer **out_indices);

/** The box around places as they stand: out_bounds has room for west, south, east and north. Fails with
 *  NEAT_STATUS_INVALID_ARGUMENT without any place. Any thread. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_shape_bounds(
    const double *places, size_t count, double *out_bounds_deg);

/** The middle of the box around places: out_place has room for one. Fails with NEAT_STATUS_INVALID_ARGUMENT
 *  without any place. Any thread. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_shape_center(const double *places, size_t count, double *out_place);

/** The mean of places, its longitude within -180 to below 180: out_place has room for one. is_ring: not 0 to
 *  leave out a last place that is the first again. Fails with NEAT_STATUS_INVALID_ARGUMENT without any place.
 *  Any thread. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_shape_centroid(
    const double *places, size_t count, uint32_t is_ring, double *out_place);

/** The centre of gravity of a ring's area on the plane of degrees, its longitude within -180 to below 180;
 *  the ring's centroid where it has no area. out_place has room for one. Fails with
 *  NEAT_STATUS_INVALID_ARGUMENT for a ring without places. Any thread. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_shape_center_of_mass(
    const double *ring, size_t count, double *out_place);

/** The area of a ring in square metres, closed or not: above 0 where it runs clockwise on a map with north at
 *  the top, below 0 where it runs the other way. Any thread. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_shape_ring_area(const double *ring, size_t count, double *out_m2);

/** The area of polygons in square metres: outer rings without their holes, however they are wound.
 *  ring_starts has ring_count + 1 indices of places, from 0 to count; NULL: all places are one ring.
 *  polygon_starts has polygon_count + 1 indices of rings, from 0 to ring_count; NULL: all rings are one
 *  polygon's. The first ring of a polygon is its outer one. Fails with NEAT_STATUS_INVALID_ARGUMENT for
 *  starts that fall. Any thread. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_shape_area(
    const double *places, size_t count, const uint32_t *ring_starts, size_t ring_count,
    const uint32_t *polygon_starts, size_t polygon_count, double *out_m2);

/** Whether places lie in polygons, which are given as in neat_shape_area: within an outer ring and in none of
 *  its holes. A place on an edge lies in, of a hole's too; with ignore_boundary not 0 it does not. out_inside
 *  has room for a byte for each of the asked_count places: 1 or 0; 0 for one that is not finite. From eight
 *  places on edges are sorted by latitude first, with 240 bytes an edge at most. Cost: n log n in the edges,
 *  and for each place the edges at its latitude. Any thread. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_shape_contains(
    const double *places, size_t count, const uint32_t *ring_starts, size_t ring_count,
    const uint32_t *polygon_starts, size_t polygon_count, const double *asked, size_t asked_count,
    uint32_t ignore_boundary, uint8_t *out_inside);

/** A ring with its corners cut a number of times (Chaikin), closed; with 0 times, and of one place or none,
 *  as it is. Each time doubles its places. Fails with NEAT_STATUS_LIMIT_EXCEEDED where more than 2^26 would
 *  come out. Any thread. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_shape_smooth(
    const double *ring, size_t count, uint32_t iterations, neat_buffer **out_ring);

/** A closed ring of places equally far apart on a circle, anticlockwise from north. vertices: 3 to 2^24, 64
 *  for a circle to look at. Fails with NEAT_STATUS_INVALID_ARGUMENT for other numbers and for those that are
 *  not finite. Any thread. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_shape_circle(
    double lon_deg, double lat_deg, double radius_m, uint32_t vertices, neat_buffer **out_ring);

/* ---------------------------------------------------------------- text */

/** Glyphs by font stack: glyph ranges (PBF) and font files. One thread at a time. */
typedef struct neat_fonts neat_fonts;

/** Makes an empty set of glyphs. Any thread. Since 1. */
NEAT_MUST_USE NEAT_API neat_status neat_fonts_create(neat_fonts **out_fonts);

/** Releases the glyphs. NULL is allowed. Since 1. */
NEAT_API void neat_fonts_destroy(neat_fonts *fonts);

/** Adds a glyph range of a font stack: the PBF of 256 characters that glyph servers answer with. Fails with
 *  NEAT_STATUS_FONT for other bytes. Since 1. */
NEAT_MUST_USE NEAT_API neat_status neat_fonts_add_range(
    neat_fonts *fonts, const char *stack, size_t stack_size, const uint8_t *pbf, size_t size);

/** Adds a font file (TTF, OTF, TTC); it is used for every stack that has no glyph of its own. Fails with
 *  NEAT_STATUS_FONT for other bytes. Since 1. */
NEAT_MUST_USE NEAT_API neat_status neat_fonts_add_file(neat_fonts *fonts, const uint8_t *data, size_t size);

/** Gives the glyph range (PBF) of the 256 characters from first_character on, a multiple of 256, as glyph
 *  servers answer with it: of the ranges that were added for this stack, else drawn from the font files:
 *  those that the stack names, then the others. Characters that none has are left out. Fails with
 *  NEAT_STATUS_INVALID_ARGUMENT for another first_character. Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_fonts_range(
    neat_fonts *fonts, const char *stack, size_t stack_size, uint32_t first_character, neat_buffer **out_pbf);

/** The names of the font files that were added, such as "Noto Sans Bold", in their order: a JSON array.
 *  Since 2. */
NEAT_MUST_USE NEAT_API neat_status neat_fonts_names(neat_fonts *fonts, neat_buffer **out_json);

/** Shapes text. request: {"sections": [{"text", "fontStack", "scale", "image"}], "maxWidth", "lineHeight",
 *  "anchor", "justify", "letterSpacing", "translate", "writingMode" ("horizontal" or "vertical"),
 *  "allowVerticalPlacement", "images": {name: {"width", "height", "pixelRatio"}}}, lengths in ems of 24
 *  units. Other members fail with NEAT_STATUS_INVALID_ARGUMENT. The result is JSON: lines of positioned
 *  glyphs and the box. Since 1. */
NEAT_MUST_USE NEAT_API neat_status neat_fonts_shape(
    neat_fonts *fonts, const char *request, size_t request_size, neat_buffer **out_json);

/* ---------------------------------------------------------------- earlier names
 *
 * They do what their new names do, and go with ABI version 2. */

/** Earlier name of neat_loop_poll. Since 1. */
NEAT_DEPRECATED("use neat_loop_poll")
NEAT_API int32_t neat_loop_run_once(neat_loop *loop);

/** Earlier name of neat_frame_describe. Any thread. Since 1. */
NEAT_DEPRECATED("use neat_frame_describe")
NEAT_API neat_status neat_frame_get_info(const neat_frame *frame, neat_frame_info *out_info);

/** Earlier name of neat_frame_command_at. Any thread. Since 1. */
NEAT_DEPRECATED("use neat_frame_command_at")
NEAT_API neat_status neat_frame_get_command(
    const neat_frame *frame, size_t index, neat_frame_command *out_command);

/** Earlier name of neat_frame_buffer_at. Any thread. Since 1. */
NEAT_DEPRECATED("use neat_frame_buffer_at")
NEAT_API neat_status neat_frame_get_buffer(
    const neat_frame *frame, size_t index, neat_frame_buffer *out_buffer);

/** Earlier name of neat_frame_texture_at. Any thread. Since 1. */
NEAT_DEPRECATED("use neat_frame_texture_at")
NEAT_API neat_status neat_frame_get_texture(
    const neat_frame *frame, size_t index, neat_frame_texture *out_texture);

/** Earlier name of neat_tile_layer_at. Any thread. Since 1. */
NEAT_DEPRECATED("use neat_tile_layer_at")
NEAT_API neat_status neat_tile_get_layer(
    const neat_tile *tile, size_t layer_index, neat_tile_layer *out_layer);

/** Earlier name of neat_tile_layer_info_at. Any thread. Since 1. */
NEAT_DEPRECATED("use neat_tile_layer_info_at")
NEAT_API neat_status neat_tile_get_layer_info(
    const neat_tile *tile, size_t layer_index, neat_tile_layer_info *out_info);

/** Earlier name of neat_tile_key_at. Any thread. Since 1. */
NEAT_DEPRECATED("use neat_tile_key_at")
NEAT_API neat_status neat_tile_get_key(
    const neat_tile *tile, size_t layer_index, size_t key_index, const char **out_text, size_t *out_size);

/** Earlier name of neat_tile_value_at. Any thread. Since 1. */
NEAT_DEPRECATED("use neat_tile_value_at")
NEAT_API neat_status neat_tile_get_value(
    const neat_tile *tile, size_t layer_index, size_t value_index, neat_value *out_value);

/** Earlier name of neat_tile_property. Any thread. Since 1. */
NEAT_DEPRECATED("use neat_tile_property")
NEAT_API neat_status neat_tile_get_property(
    const neat_tile *tile, size_t layer_index, const char *key, size_t key_size, neat_value *out_values,
    size_t value_count);

#ifdef __cplusplus
}
#endif
#endif
