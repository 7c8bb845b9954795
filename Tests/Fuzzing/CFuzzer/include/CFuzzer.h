#pragma once

#include <stddef.h>
#include <stdint.h>

/// Runs libFuzzer with its own options (LLVM, "Using libFuzzer as a library").
int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*callback)(const uint8_t *data, size_t size));
