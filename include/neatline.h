/* Neatline: an embeddable vector-map engine. */
#ifndef NEATLINE_H
#define NEATLINE_H
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif
#define NEAT_ABI_VERSION 1
/** The ABI version that the library was built with; compare with NEAT_ABI_VERSION. Any thread. */
uint32_t neat_abi_version(void);
#ifdef __cplusplus
}
#endif
#endif
