#define _GNU_SOURCE
#include "CConfinement.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

// Receives the next order. Returns 0, or -1 when the orders end. A template reads no other bytes.
static int receive_order(void) {
  char bytes[4];
  ssize_t received;
  do received = recv(0, bytes, sizeof bytes, MSG_WAITALL);
  while (received < 0 && errno == EINTR);
  return received == sizeof bytes ? 0 : -1;
}

// Makes a copy of this process as a further child of its parent, which alone waits for it. fork() cannot do this. What it
// does beyond the call concerns other threads, which a template does not have.
static pid_t make_copy(void) { return (pid_t)syscall(SYS_clone, CLONE_PARENT | SIGCHLD, NULL, NULL, NULL, NULL); }

// Leaves a copy its stream only.
static int separate(int stream) {
  if (setpgid(0, 0)) return -1;
  if (dup2(stream, 0) < 0 || dup2(stream, 1) < 0) return -1;
  return syscall(SYS_close_range, 3, ~0U, 0) ? -1 : 0;
}

// Sends the identifier of a copy with the other end of its stream.
static int hand_over(pid_t process, int stream) {
  int32_t number = process;
  struct iovec part = {&number, sizeof number};
  union {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(sizeof(int))];
  } control = {0};
  struct msghdr message = {
      .msg_iov = &part, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control.bytes};
  struct cmsghdr *header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof stream);
  memcpy(CMSG_DATA(header), &stream, sizeof stream);
  ssize_t sent;
  do sent = sendmsg(0, &message, MSG_NOSIGNAL);
  while (sent < 0 && errno == EINTR);
  return sent == sizeof number ? 0 : -1;
}

void template_serve(void) {
  while (!receive_order()) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends)) break;
    pid_t process = make_copy();
    if (process == 0) {
      if (separate(ends[1])) _exit(CONFINEMENT_NOT_READY);
      return;
    }
    close(ends[1]);
    if (process < 0 || hand_over(process, ends[0])) break;
    close(ends[0]);
  }
  _exit(0);
}
