#pragma once
#include <stdint.h>

/// Permanently limits this process to processor time and memory within the given limits, reading descriptor 0, and
/// writing descriptors 1 and 2. A forbidden call ends the process with SIGSYS, processor time beyond its limit with
/// SIGXCPU.
///
/// - cpu_seconds: processor time of the whole process.
/// - address_space: bytes of mapped memory.
/// - stack: bytes of the main thread's stack.
///
/// Returns 0, or the errno of the operation that the kernel refused.
int confinement_begin(uint64_t cpu_seconds, uint64_t address_space, uint64_t stack);

/// The exit status of the process when memory is exhausted. No signal identifies this reliably.
#define CONFINEMENT_OUT_OF_MEMORY 71

/// The exit status of a copy of a template that cannot be separated from it.
#define CONFINEMENT_NOT_READY 70

/// Serves as the template of confined processes: for each order on descriptor 0, makes a copy of this process, and sends
/// the copy's identifier with the other end of its stream.
///
/// Returns in each copy, which then has only its stream, as descriptors 0 and 1, and a discarded descriptor 2. A copy is a
/// child of the template's parent and does not need the template. The template ends when its orders end. The caller has
/// one thread.
void template_serve(void);
