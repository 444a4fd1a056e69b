#include "give_back.h"
#include <stdlib.h>

#if defined(__GLIBC__)
#include <malloc.h>
#endif

void memory_give_back(void) {
#if defined(__GLIBC__)
    malloc_trim(0);
#endif
}
