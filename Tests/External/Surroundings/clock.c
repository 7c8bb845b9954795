// A library to load before a program: the system's clock goes back by a day after a number of readings, or by an hour at
// each.
#define _GNU_SOURCE
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static const time_t hour = 3600;
static const time_t day = 86400;
static atomic_long readings;

static time_t lost(void) {
  const char *number = getenv("CLOCK_READINGS");
  long earlier = atomic_fetch_add(&readings, 1);
  if (!number) return earlier * hour;
  return earlier >= atol(number) ? day : 0;
}

int clock_gettime(clockid_t clock, struct timespec *time) {
  int result = (int)syscall(SYS_clock_gettime, clock, time);
  if (!result && clock == CLOCK_REALTIME) time->tv_sec -= lost();
  return result;
}

int gettimeofday(struct timeval *restrict time, void *restrict zone) {
  int result = (int)syscall(SYS_gettimeofday, time, zone);
  if (!result && time) time->tv_sec -= lost();
  return result;
}

time_t time(time_t *time) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (time) *time = now.tv_sec;
  return now.tv_sec;
}
