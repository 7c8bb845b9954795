#pragma once
#include <stddef.h>

// Returns the number of bytes that the program has allocated and not freed, as the C library counts them.
size_t heap_bytes_in_use(void);

// Returns memory that was freed to the system. The C library keeps it otherwise, for each thread that allocated some.
void heap_return_free_memory(void);

// Lets all threads allocate from one part of the heap. The C library reserves a part for each otherwise, of 64 MiB of
// address space.
void heap_share_among_threads(void);
