#define _GNU_SOURCE
#include "CCrashNotice.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const int crashes[] = {SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV};
enum { crash_count = sizeof crashes / sizeof *crashes, stack_size = 64 << 10 };

// State for the signal handler, which may call few functions and take no lock.
static struct sigaction before[crash_count];
static _Thread_local char notice[1024];
static _Thread_local volatile sig_atomic_t length = 0;
static _Thread_local void *stack = NULL;

static void crashed(int signal_number) {
  const char *text = notice;
  size_t left = (size_t)length;
  // A crash of this handler has no notice.
  length = 0;
  while (left > 0) {
    ssize_t written = write(STDERR_FILENO, text, left);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) break;
    text += written;
    left -= (size_t)written;
  }
  // The signal is blocked until this function returns to the place of the crash, and has its former effect there.
  for (size_t i = 0; i < crash_count; i++)
    if (crashes[i] == signal_number) sigaction(signal_number, &before[i], NULL);
  raise(signal_number);
}

int crash_notice_install(void) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  sigemptyset(&action.sa_mask);
  action.sa_handler = crashed;
  action.sa_flags = SA_ONSTACK;
  for (size_t i = 0; i < crash_count; i++)
    if (sigaction(crashes[i], NULL, &before[i]) != 0 || sigaction(crashes[i], &action, NULL) != 0) return -1;
  return 0;
}

void crash_notice_set(const char *text) {
  // The thread keeps its stack to its end: the handler may run on it at any time. Without one, only a full stack has no
  // notice.
  if (stack == NULL && (stack = malloc(stack_size)) != NULL) {
    const stack_t taken = {.ss_sp = stack, .ss_size = stack_size};
    sigaltstack(&taken, NULL);
  }
  length = 0;
  size_t count = strnlen(text, sizeof notice - 1);
  memcpy(notice, text, count);
  length = (sig_atomic_t)count;
}
