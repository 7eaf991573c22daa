/* Compiled, not run: what the attributes of the header warn of. */
#include <neatline.h>

int main(void) {
  neat_loop *loop = NULL;
#ifdef DROPS
  neat_loop_create(&loop);
#endif
#ifdef OLD
  if (neat_loop_run_once(loop)) return 1;
#endif
  neat_loop_destroy(loop);
  return 0;
}
