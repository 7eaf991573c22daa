/* What fragments of C in the documentation take for granted: handles and values that were made before. */
#include <neatline.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int fail(void);

#define GIVEN                                                                                                  \
  neat_renderer *renderer, neat_loop *loop, neat_map *map, neat_camera camera, neat_size size, neat_image *image, \
      neat_frame *frame, neat_buffer *buffer
