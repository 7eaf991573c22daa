/* A map to take along: a style, with all that it names and the tiles of a box and a range of zooms.
 *
 *   offline DATABASE STYLE W,S,E,N MIN,MAX
 *
 * A renderer or map with these resources draws it afterwards without a network. What is interrupted goes on when the
 * program is run again: a database that has a region already keeps to that one. */
#include <neatline.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failed(const char *what) {
  fprintf(stderr, "%s: %s\n", what, neat_last_error());
  return 1;
}

/* Called on a thread of the library's own. */
static void hear(void *context, const neat_offline_event *event) {
  (void)context;
  if (event->type == NEAT_OFFLINE_EVENT_PROGRESS)
    fprintf(stderr, "\r%" PRIu64 " of %" PRIu64 " ", event->progress->completed_count, event->progress->required_count);
  else if (event->type == NEAT_OFFLINE_EVENT_ERROR)
    fprintf(stderr, "\n%s: %s\n", event->resource, event->message);
}

/* The first region of the database; 0: there is none. */
static int64_t first_region(neat_resources *resources) {
  neat_buffer *list;
  int64_t region = 0;
  if (neat_offline_list(resources, &list)) return 0;
  const char *id = strstr((const char *)neat_buffer_data(list), "\"id\":");
  if (id != NULL) region = strtoll(id + 5, NULL, 10);
  neat_buffer_destroy(list);
  return region;
}

int main(int count, char **arguments) {
  double west, south, east, north, low, high;
  if (count != 5 || sscanf(arguments[3], "%lf,%lf,%lf,%lf", &west, &south, &east, &north) != 4
      || sscanf(arguments[4], "%lf,%lf", &low, &high) != 2) {
    fprintf(stderr, "usage: offline DATABASE STYLE W,S,E,N MIN,MAX\n");
    return 2;
  }
  char text[4096];
  snprintf(text, sizeof text, "{\"cachePath\":\"%s\"}", arguments[1]);
  neat_resources *resources;
  if (neat_resources_create(text, strlen(text), &resources)) return failed(arguments[1]);

  int64_t region = first_region(resources);
  if (region == 0) {
    snprintf(text, sizeof text,
             "{\"style_url\":\"%s\",\"bounds\":[%f,%f,%f,%f],\"min_zoom\":%f,\"max_zoom\":%f,\"pixel_ratio\":1}",
             arguments[2], south, west, north, east, low, high);
    if (neat_offline_create(resources, text, strlen(text), NULL, 0, &region)) return failed(arguments[2]);
  }
  neat_offline_download *download;
  const char options[] = "{\"attempts\":4}";
  if (neat_offline_download_create(resources, region, options, strlen(options), hear, NULL, &download))
    return failed("download");
  neat_offline_download_wait(download, 0);
  neat_offline_progress progress = {.struct_size = sizeof progress};
  if (neat_offline_download_progress(download, &progress)) return failed("download");
  const int is_whole = progress.state == NEAT_OFFLINE_STATE_COMPLETE;
  fprintf(stderr, "\n");
  printf("region %" PRId64 ": %s, %" PRIu64 " resources, %" PRIu64 " bytes\n", region,
         is_whole ? "complete" : "not complete", progress.completed_count, progress.byte_count);
  neat_offline_download_destroy(download);
  neat_resources_destroy(resources);
  return is_whole ? 0 : 1;
}
