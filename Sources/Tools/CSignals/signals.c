#define _GNU_SOURCE
#include "CSignals.h"

#include <signal.h>
#include <stddef.h>
#include <unistd.h>

static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
enum { count = sizeof numbers / sizeof *numbers };
static struct sigaction earlier[count];
static int is_held[count];
static volatile sig_atomic_t came = 0;

static void note(int number) { came = number; }

void signals_hold(void) {
  came = 0;
  for (size_t i = 0; i < count; i++) {
    struct sigaction holding = {.sa_handler = note, .sa_flags = SA_RESTART};
    sigemptyset(&holding.sa_mask);
    is_held[i] = sigaction(numbers[i], NULL, &earlier[i]) == 0 && !(earlier[i].sa_flags & SA_SIGINFO)
        && earlier[i].sa_handler == SIG_DFL && sigaction(numbers[i], &holding, NULL) == 0;
  }
}

void signals_release(void) {
  for (size_t i = 0; i < count; i++)
    if (is_held[i]) sigaction(numbers[i], &earlier[i], NULL);
  if (came) kill(getpid(), came);
}
