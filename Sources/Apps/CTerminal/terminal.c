#define _GNU_SOURCE
#include "CTerminal.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

// State for the signal handler, which may call few functions and take no lock.
static struct termios saved;
static struct termios raw;
static int taken_input = -1;
static int taken_output = -1;
static volatile sig_atomic_t is_taken = 0;
static volatile sig_atomic_t was_asked_to_end = 0;
static int bell[2] = {-1, -1};

// Another screen without a cursor, and pasted text in brackets; and back.
static const char enter_text[] = "\033[?1049h\033[?25l\033[?2004h\033[2J";
static const char leave_text[] = "\033[0m\033[?2004l\033[?25h\033[?1049l";

static void put(const char *text, size_t length) {
  while (length > 0) {
    ssize_t written = write(taken_output, text, length);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;
    text += written;
    length -= (size_t)written;
  }
}

void terminal_leave(void) {
  if (!is_taken) return;
  is_taken = 0;
  put(leave_text, sizeof leave_text - 1);
  tcsetattr(taken_input, TCSAFLUSH, &saved);
}

static int take(void) {
  is_taken = 1;
  if (tcsetattr(taken_input, TCSAFLUSH, &raw) != 0) {
    is_taken = 0;
    return -1;
  }
  put(enter_text, sizeof enter_text - 1);
  return 0;
}

static void end(int signal_number) {
  terminal_leave();
  signal(signal_number, SIG_DFL);
  raise(signal_number);
}

static void ring(int signal_number) {
  int error = errno;
  if (signal_number != SIGWINCH) {
    if (was_asked_to_end) end(signal_number);
    was_asked_to_end = 1;
  }
  unsigned char byte = (unsigned char)signal_number;
  // If the pipe is full, it already has a byte to read.
  ssize_t written = write(bell[1], &byte, 1);
  (void)written;
  errno = error;
}

// The shell uses its terminal while the process is stopped. When the process continues, the screen is drawn as after a
// change of size.
static void stop(int signal_number) {
  (void)signal_number;
  int error = errno;
  int was_taken = is_taken;
  terminal_leave();
  raise(SIGSTOP);
  if (was_taken && take() == 0) ring(SIGWINCH);
  errno = error;
}

static const int looked_at[] = {SIGTERM, SIGINT, SIGHUP, SIGWINCH, SIGTSTP};

// Returns whether an unhandled signal ends the process. The signals between the named ones and SIGRTMIN belong to the C
// library.
static int is_fatal(int signal_number) {
  static const int others[] = {SIGKILL, SIGSTOP, SIGCONT, SIGCHLD, SIGURG, SIGTTIN, SIGTTOU};
  for (size_t i = 0; i < sizeof looked_at / sizeof *looked_at; i++)
    if (looked_at[i] == signal_number) return 0;
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    if (others[i] == signal_number) return 0;
  return signal_number <= SIGSYS || signal_number >= SIGRTMIN;
}

// A full stack has no space for the handler of its own trap, so that handler has a stack of its own.
static int take_alternative_stack(void) {
  static unsigned char stack[64 << 10];
  const stack_t taken = {.ss_sp = stack, .ss_size = sizeof stack};
  return sigaltstack(&taken, NULL);
}

static int catch_all(void) {
  if (take_alternative_stack() != 0) return -1;
  struct sigaction action;
  memset(&action, 0, sizeof action);
  sigemptyset(&action.sa_mask);
  action.sa_handler = ring;
  action.sa_flags = SA_RESTART;
  for (size_t i = 0; i < sizeof looked_at / sizeof *looked_at; i++)
    if (sigaction(looked_at[i], &action, NULL) != 0) return -1;
  action.sa_handler = stop;
  if (sigaction(SIGTSTP, &action, NULL) != 0) return -1;
  action.sa_handler = end;
  // The default action follows after the handler has raised the signal again.
  action.sa_flags = (int)SA_RESETHAND | SA_ONSTACK;
  for (int number = 1; number <= SIGRTMAX; number++) {
    struct sigaction before;
    if (!is_fatal(number)) continue;
    if (sigaction(number, NULL, &before) != 0) return -1;
    // An ignored signal does not end the process.
    if (before.sa_handler == SIG_IGN) continue;
    if (sigaction(number, &action, NULL) != 0) return -1;
  }
  // The parent process may have blocked them.
  sigset_t wanted;
  sigemptyset(&wanted);
  for (size_t i = 0; i < sizeof looked_at / sizeof *looked_at; i++) sigaddset(&wanted, looked_at[i]);
  return sigprocmask(SIG_UNBLOCK, &wanted, NULL);
}

int terminal_enter(int input, int output) {
  if (is_taken) {
    errno = EBUSY;
    return -1;
  }
  if (tcgetattr(input, &saved) != 0) return -1;
  if (bell[0] < 0 && pipe2(bell, O_CLOEXEC | O_NONBLOCK) != 0) return -1;
  taken_input = input;
  taken_output = output;
  if (catch_all() != 0) return -1;
  raw = saved;
  cfmakeraw(&raw);
  // New lines still start at the left.
  raw.c_oflag |= OPOST;
  raw.c_cc[VMIN] = 1;
  raw.c_cc[VTIME] = 0;
  return take() == 0 ? bell[0] : -1;
}

void terminal_size(int output, int *rows, int *columns) {
  struct winsize size;
  int is_known = ioctl(output, TIOCGWINSZ, &size) == 0 && size.ws_row > 0 && size.ws_col > 0;
  *rows = is_known ? size.ws_row : 24;
  *columns = is_known ? size.ws_col : 80;
}

int terminal_wait(const int *descriptors, int count, int milliseconds) {
  struct pollfd watched[8];
  if (count < 1 || count > (int)(sizeof watched / sizeof *watched)) {
    errno = EINVAL;
    return -2;
  }
  for (int i = 0; i < count; i++) watched[i] = (struct pollfd){.fd = descriptors[i], .events = POLLIN};
  int ready;
  do ready = poll(watched, (nfds_t)count, milliseconds);
  while (ready < 0 && errno == EINTR);
  if (ready < 0) return -2;
  for (int i = 0; i < count; i++)
    if (watched[i].revents != 0) return i;
  return -1;
}
