#include <linebreak.h>
#include <graphemebreak.h>
