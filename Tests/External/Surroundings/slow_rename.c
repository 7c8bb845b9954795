// A library to load before a program: a file gets its name a second after the program asked for it.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <time.h>

int rename(const char *old, const char *new) {
  struct timespec rest = {.tv_sec = 1};
  // A signal does not end the wait.
  while (nanosleep(&rest, &rest) != 0) {}
  int (*next)(const char *, const char *) = (int (*)(const char *, const char *))dlsym(RTLD_NEXT, "rename");
  return next(old, new);
}
