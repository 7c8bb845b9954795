#include "CHeap.h"

#include <malloc.h>

size_t heap_bytes_in_use(void) {
  struct mallinfo2 information = mallinfo2();
  return information.uordblks + information.hblkhd;
}

void heap_return_free_memory(void) { malloc_trim(0); }

void heap_share_among_threads(void) { mallopt(M_ARENA_MAX, 1); }
