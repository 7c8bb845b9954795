#pragma once
#include <stdint.h>

// A number of calls so far.
struct work_count {
  // What is counted. Null after the last one.
  const char *name;
  uint64_t calls;
};

// Returns a counter by its position, from 0.
struct work_count work_count(int32_t position);
