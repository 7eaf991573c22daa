/* Expressions, filters, and the older forms that are converted into them. */
#include "../fuzz.h"

#include <string.h>

static void expression(const uint8_t *data, size_t size) {
  static const char *const specs[] = {
      "", "\"line-width\"", "\"fill-color\"", "\"text-field\"", "\"line-dasharray\"", "\"icon-image\""};
  const char *spec = specs[below(6)];
  neat_expression *made = NULL;
  neat_buffer *out = NULL;
  if (neat_expression_compile((const char *)data, size, *spec ? spec : NULL, strlen(spec), &made)
      != NEAT_STATUS_OK)
    return;
  static const char globals[] = "{\"zoom\":4.5,\"heatmapDensity\":0.5,\"availableImages\":[\"a\"]}";
  static const char feature[] = "{\"id\":7,\"type\":\"Point\",\"geometry\":{\"type\":\"Point\","
                                "\"coordinates\":[1,2]},\"properties\":{\"a\":1,\"b\":\"x\",\"c\":null}}";
  drop_if(
      neat_expression_evaluate(made, globals, sizeof globals - 1, feature, sizeof feature - 1, &out), &out);
  drop_if(neat_expression_disassemble(made, &out), &out);
  neat_expression_destroy(made);
}

static void filter(const uint8_t *data, size_t size) {
  neat_expression *made = NULL;
  neat_buffer *out = NULL;
  drop_if(neat_filter_from_legacy((const char *)data, size, &out), &out);
  if (neat_filter_compile((const char *)data, size, &made) != NEAT_STATUS_OK) return;
  static const char feature[] = "{\"id\":7,\"type\":\"Point\",\"properties\":{\"a\":1,\"class\":\"x\"}}";
  drop_if(neat_expression_evaluate(made, NULL, 0, feature, sizeof feature - 1, &out), &out);
  neat_expression_destroy(made);
}

static void legacy(const uint8_t *data, size_t size) {
  static const char *const specs[] = {
      "\"line-width\"", "\"fill-color\"", "\"text-field\"", "\"icon-image\"", "\"line-cap\""};
  const char *spec = specs[below(5)];
  neat_buffer *out = NULL;
  drop_if(neat_expression_from_legacy((const char *)data, size, spec, strlen(spec), &out), &out);
}

static void format(const uint8_t *data, size_t size) {
  static const char arguments[] = "[\"a\",1,{\"$color\":\"red\"},[1,2],{\"0\":1,\"10\":2}]";
  neat_buffer *out = NULL;
  drop_if(neat_expression_from_format(
          (const char *)data, size, arguments, sizeof arguments - 1,
          below(2) ? NEAT_FORMAT_KIND_PREDICATE : NEAT_FORMAT_KIND_EXPRESSION, &out), &out);
}

const target EXPRESSION_TARGETS[] = {
    {"expression", expression, {"test.json"}, 1, 0},
    {"filter", filter, {NULL}, 1, 0},
    {"legacy", legacy, {NULL}, 1, 0},
    {"format", format, {NULL}, 1, 0},
    {0}};
