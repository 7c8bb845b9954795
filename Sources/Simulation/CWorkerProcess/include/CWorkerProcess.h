#pragma once
#include <sys/types.h>

/// Starts a program with only its end of a stream, as descriptors 0 and 1. Its descriptor 2 is discarded, and no other
/// is open. It has the given environment, no blocked signals and a process group of its own.
///
/// - arguments, environment: strings, ending in NULL.
/// - stream: receives the other end, which closes on exec; read it with recv and write it with send.
///
/// Returns the process's identifier, or the negative errno of the operation that failed. The caller ends the process.
pid_t worker_process_start(
    const char *path, char *const arguments[], char *const environment[], int *stream);

/// The result of a process that has ended.
struct worker_process_end {
  /// The signal that ended it, or 0.
  int signal;
  /// Its exit status.
  int status;
  /// The processor time that it used, in whole seconds.
  long processor_seconds;
};

/// Ends a process if it has not ended by itself, and reaps it.
struct worker_process_end worker_process_end(pid_t process);

/// Lets a template process make a worker: a copy of itself with only its end of a stream, as descriptors 0 and 1, that is a
/// child of this process. Does not wait for it.
///
/// - template: the stream to a program that was started with worker_process_start and serves such orders. Take the worker
///   of an order before the next order.
///
/// Returns 0 if the template has ended.
int template_process_order(int template);

/// Takes the worker of an order.
///
/// - stream: receives the other end of the worker's stream, as for worker_process_start.
///
/// Returns the worker's identifier, or 0 if the template has ended or does not answer. The caller ends the worker with
/// worker_process_end.
pid_t template_process_take(int template, int *stream);
