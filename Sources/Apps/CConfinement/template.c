#define _GNU_SOURCE
#include "CConfinement.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

// Receives the next order and returns its stream, or -1 when the orders end. A template reads no other bytes.
static int receive_order(void) {
  char bytes[4];
  struct iovec part = {bytes, sizeof bytes};
  union {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(sizeof(int))];
  } control;
  struct msghdr message = {
      .msg_iov = &part, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control.bytes};
  ssize_t received;
  do received = recvmsg(0, &message, MSG_CMSG_CLOEXEC | MSG_WAITALL);
  while (received < 0 && errno == EINTR);
  struct cmsghdr *header = received == sizeof bytes ? CMSG_FIRSTHDR(&message) : NULL;
  if (!header || header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) return -1;
  if (header->cmsg_len != CMSG_LEN(sizeof(int))) return -1;
  int stream;
  memcpy(&stream, CMSG_DATA(header), sizeof stream);
  return stream;
}

// Gives a copy its stream only, and lets it end with its template.
static int separate(int stream, pid_t template) {
  if (prctl(PR_SET_PDEATHSIG, SIGKILL)) return -1;
  if (getppid() != template) return -1;
  if (setpgid(0, 0)) return -1;
  if (dup2(stream, 0) < 0 || dup2(stream, 1) < 0) return -1;
  return syscall(SYS_close_range, 3, ~0U, 0) ? -1 : 0;
}

static int send_all(const void *bytes, size_t count) {
  return send(0, bytes, count, MSG_NOSIGNAL) == (ssize_t)count ? 0 : -1;
}

// Waits until the copy is to end, ends it, and reports its end.
static int report_end(pid_t process) {
  char byte;
  ssize_t received;
  do received = recv(0, &byte, 1, 0);
  while (received < 0 && errno == EINTR);
  // A process that is already ending keeps its own reason.
  kill(process, SIGKILL);
  int status = 0;
  pid_t waited;
  do waited = waitpid(process, &status, 0);
  while (waited < 0 && errno == EINTR);
  if (received != 1 || waited != process) return -1;
  int32_t report[2] = {WIFSIGNALED(status) ? WTERMSIG(status) : 0, WIFSIGNALED(status) ? 0 : WEXITSTATUS(status)};
  return send_all(report, sizeof report);
}

void template_serve(void) {
  pid_t template = getpid();
  for (;;) {
    int stream = receive_order();
    if (stream < 0) _exit(0);
    pid_t process = fork();
    if (process == 0) {
      if (separate(stream, template)) _exit(CONFINEMENT_NOT_READY);
      return;
    }
    int32_t number = process < 0 ? -errno : process;
    close(stream);
    if (send_all(&number, sizeof number)) {
      if (process > 0) kill(process, SIGKILL);
      _exit(0);
    }
    if (process > 0 && report_end(process)) _exit(0);
  }
}
