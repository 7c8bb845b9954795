#pragma once
#include <stdint.h>

/// Takes everything from this process but processor time and memory up to the limits, the reading of descriptor 0 and
/// the writing of descriptors 1 and 2. There is no way back. A forbidden call ends the process with SIGSYS, processor
/// time beyond its limit with SIGXCPU.
///
/// - cpu_seconds: processor time of the whole process.
/// - address_space: bytes of mapped memory.
/// - stack: bytes of the main thread's stack.
///
/// Returns 0, or the errno of what the kernel refused.
int confinement_begin(uint64_t cpu_seconds, uint64_t address_space, uint64_t stack);

/// With this number the process ends when memory cannot be had: nothing else tells reliably that it was memory.
#define CONFINEMENT_OUT_OF_MEMORY 71
