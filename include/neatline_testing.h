/**
 * What only the project's own tests call. The header is not installed, and its functions have no stable form;
 * the rules of neatline.h hold for them.
 */
#ifndef NEATLINE_TESTING_H
#define NEATLINE_TESTING_H

#include "neatline.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Compiles and evaluates in one call, as the public suites of expressions have it: {"expression",
 *  "propertySpec", "inputs": [[globals, feature], …], "globalState"} gives {"compiled", "outputs"}.
 *  Any thread. */
NEAT_MUST_USE NEAT_API neat_status neat_expression_run_case(
    const char *json, size_t size, neat_buffer **out_json);

/** Writes every tile that indexing made, as JSON: an object by "z-x-y" of arrays of {"geometry", "type",
 *  "tags", "id"}. Any thread. */
NEAT_MUST_USE NEAT_API neat_status neat_geojson_index_json(neat_geojson *geojson, neat_buffer **out_json);

#ifdef __cplusplus
}
#endif
#endif
