#pragma once
#include <stddef.h>

// Returns the number of bytes that the program has allocated and not freed, as the C library counts them.
size_t heap_bytes_in_use(void);
