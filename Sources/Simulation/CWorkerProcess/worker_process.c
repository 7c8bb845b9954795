#define _GNU_SOURCE
#include "CWorkerProcess.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static int prepare_actions(posix_spawn_file_actions_t *actions, int stream) {
  int error;
  if ((error = posix_spawn_file_actions_adddup2(actions, stream, 0))) return error;
  if ((error = posix_spawn_file_actions_adddup2(actions, stream, 1))) return error;
  if ((error = posix_spawn_file_actions_addopen(actions, 2, "/dev/null", O_WRONLY, 0))) return error;
  return posix_spawn_file_actions_addclosefrom_np(actions, 3);
}

// The starting thread may have blocked signals, and a shell may have ignored some; a child inherits both.
static int prepare_attributes(posix_spawnattr_t *attributes) {
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  int error;
  if ((error = posix_spawnattr_setsigmask(attributes, &none))) return error;
  if ((error = posix_spawnattr_setsigdefault(attributes, &all))) return error;
  if ((error = posix_spawnattr_setpgroup(attributes, 0))) return error;
  return posix_spawnattr_setflags(
      attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
}

// If SIGCHLD is ignored, the system reaps children at once, and a child's identifier may belong to another process
// later.
static void keep_children(void) {
  struct sigaction action;
  if (!sigaction(SIGCHLD, NULL, &action) && action.sa_handler == SIG_IGN) signal(SIGCHLD, SIG_DFL);
}

static int start(
    const char *path, char *const arguments[], char *const environment[], int stream, pid_t *process) {
  posix_spawn_file_actions_t actions;
  int error = posix_spawn_file_actions_init(&actions);
  if (error) return error;
  posix_spawnattr_t attributes;
  error = posix_spawnattr_init(&attributes);
  if (!error) {
    error = prepare_actions(&actions, stream);
    if (!error) error = prepare_attributes(&attributes);
    if (!error) error = posix_spawn(process, path, &actions, &attributes, arguments, environment);
    posix_spawnattr_destroy(&attributes);
  }
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

pid_t worker_process_start(
    const char *path, char *const arguments[], char *const environment[], int *stream) {
  keep_children();
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends)) return -errno;
  pid_t process = 0;
  // Above 2, so that the child's steps do not close it too early.
  int theirs = fcntl(ends[1], F_DUPFD_CLOEXEC, 3);
  int error = theirs < 0 ? errno : start(path, arguments, environment, theirs, &process);
  if (theirs >= 0) close(theirs);
  close(ends[1]);
  if (error) {
    close(ends[0]);
    return -error;
  }
  *stream = ends[0];
  return process;
}

struct worker_process_end worker_process_end(pid_t process) {
  // A process that is already ending keeps its own reason.
  kill(process, SIGKILL);
  int status = 0;
  struct rusage usage = {0};
  pid_t waited;
  do waited = wait4(process, &status, 0, &usage);
  while (waited < 0 && errno == EINTR);
  struct worker_process_end end = {0};
  if (waited != process) {
    end.signal = SIGKILL;
  } else if (WIFSIGNALED(status)) {
    end.signal = WTERMSIG(status);
  } else {
    end.status = WEXITSTATUS(status);
  }
  time_t microseconds = usage.ru_utime.tv_usec + usage.ru_stime.tv_usec;
  end.processor_seconds = usage.ru_utime.tv_sec + usage.ru_stime.tv_sec + microseconds / 1000000;
  return end;
}

// The longest wait for a template in seconds: longer than a machine is overloaded.
static const time_t longest_wait = 60;

// The bytes of an order. A program that expects a call with its length instead takes them for a length that is too long.
static const unsigned char order[4] = {0xff, 0xff, 0xff, 0xff};

int template_process_order(int template) {
  return send(template, order, sizeof order, MSG_NOSIGNAL) == sizeof order;
}

pid_t template_process_take(int template, int *stream) {
  struct timeval wait = {.tv_sec = longest_wait};
  if (setsockopt(template, SOL_SOCKET, SO_RCVTIMEO, &wait, sizeof wait)) return 0;
  int32_t process = 0;
  struct iovec part = {&process, sizeof process};
  union {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(sizeof *stream)];
  } control;
  struct msghdr message = {
      .msg_iov = &part, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control.bytes};
  ssize_t received;
  do received = recvmsg(template, &message, MSG_CMSG_CLOEXEC | MSG_WAITALL);
  while (received < 0 && errno == EINTR);
  struct cmsghdr *header = received == sizeof process ? CMSG_FIRSTHDR(&message) : NULL;
  if (!header || header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) return 0;
  if (header->cmsg_len != CMSG_LEN(sizeof *stream)) return 0;
  memcpy(stream, CMSG_DATA(header), sizeof *stream);
  return process;
}
