#pragma once
#include <sys/types.h>

/// Starts a program that has nothing but its end of a stream: as descriptors 0 and 1. Its descriptor 2 leads nowhere, and
/// no other is open. It has the environment given, no blocked signals and a process group of its own.
///
/// - arguments, environment: texts, ending in NULL.
/// - stream: gets the other end, which closes on exec;
///   read it with recv and write it with send.
///
/// Returns the process's identifier, or minus the errno of what failed. Whoever starts a process ends it.
pid_t worker_process_start(
    const char *path, char *const arguments[], char *const environment[], int *stream);

/// How a process ended.
struct worker_process_end {
  /// The signal that ended it, or 0.
  int signal;
  /// What it ended with by itself.
  int status;
};

/// Ends a process that was started here, if it has not ended by itself, and takes what is left of it.
struct worker_process_end worker_process_end(pid_t process);
