// The C library's allocator under its own names, with one difference: the process ends with its own exit status when
// memory is exhausted, which distinguishes this from other traps. The library allows replacing malloc ("Replacing
// malloc" in its manual) and exports its own functions under these names; free is unchanged.
#include "CConfinement.h"
#include "sanitizer.h"

#if defined(__GLIBC__)
#if !BUILT_WITH_SANITIZER
#include <errno.h>
#include <stddef.h>
#include <unistd.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

static void *had(void *block, size_t size) {
  if (!block && size) _exit(CONFINEMENT_OUT_OF_MEMORY);
  return block;
}

void *malloc(size_t size) { return had(__libc_malloc(size), size); }

void *calloc(size_t count, size_t size) { return had(__libc_calloc(count, size), count && size); }

void *realloc(void *block, size_t size) { return had(__libc_realloc(block, size), size); }

void *memalign(size_t alignment, size_t size) { return had(__libc_memalign(alignment, size), size); }

void *aligned_alloc(size_t alignment, size_t size) { return had(__libc_memalign(alignment, size), size); }

int posix_memalign(void **block, size_t alignment, size_t size) {
  if (alignment % sizeof(void *) || !alignment || alignment & (alignment - 1)) return EINVAL;
  *block = had(__libc_memalign(alignment, size), size);
  return 0;
}
#endif
#endif
