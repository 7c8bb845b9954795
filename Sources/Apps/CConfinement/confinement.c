#define _GNU_SOURCE
#include "CConfinement.h"
#include "sanitizer.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/futex.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#define THIS_ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define THIS_ARCHITECTURE AUDIT_ARCH_AARCH64
#else
#error "the numbers of the system's calls are not known for this architecture"
#endif

static int set_limit(int resource, uint64_t soft, uint64_t hard) {
  // An inherited tighter limit is kept: only root may raise it.
  struct rlimit limit;
  if (getrlimit(resource, &limit)) return errno;
  if (limit.rlim_max == RLIM_INFINITY || hard < limit.rlim_max) limit.rlim_max = hard;
  limit.rlim_cur = soft < limit.rlim_max ? soft : limit.rlim_max;
  return setrlimit(resource, &limit) ? errno : 0;
}

static int set_limits(uint64_t cpu_seconds, uint64_t address_space, uint64_t stack) {
  int error;
  // One second more until SIGKILL: SIGXCPU comes first, and identifies the reason.
  if ((error = set_limit(RLIMIT_CPU, cpu_seconds, cpu_seconds + 1))) return error;
#if !BUILT_WITH_SANITIZER
  if ((error = set_limit(RLIMIT_AS, address_space, address_space))) return error;
#endif
  if ((error = set_limit(RLIMIT_STACK, stack, stack))) return error;
  if ((error = set_limit(RLIMIT_NOFILE, 3, 3))) return error;
  if ((error = set_limit(RLIMIT_NPROC, 0, 0))) return error;
  if ((error = set_limit(RLIMIT_FSIZE, 0, 0))) return error;
  return set_limit(RLIMIT_CORE, 0, 0);
}

// The low half of an argument: descriptors, flags and signals are 32 bits wide.
#define LOW(n) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[n]))
#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define IF_EQUAL(value, yes, no) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (value), (yes), (no))
#define IF_ANY_BIT(value, yes, no) BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, (value), (yes), (no))
#define ALLOW BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
#define DENY BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS)
#define ALLOW_CALL(number) IF_EQUAL((number), 0, 1), ALLOW

static int set_filter(void) {
  struct sock_filter filter[] = {
      LOAD(arch), IF_EQUAL(THIS_ARCHITECTURE, 1, 0), DENY,
      LOAD(nr),
      // The call arrives on 0, the answer leaves on 1. A crash report goes to 2, which is discarded. The process can
      // block only in these two calls, and both return when the other side has closed.
      IF_EQUAL(SYS_read, 0, 4), LOW(0), IF_EQUAL(0, 0, 1), ALLOW, DENY,
      IF_EQUAL(SYS_write, 0, 5), LOW(0), IF_EQUAL(1, 1, 0), IF_EQUAL(2, 0, 1), ALLOW, DENY,
      // Anonymous memory that is never executable.
      IF_EQUAL(SYS_mmap, 0, 6), LOW(2), IF_ANY_BIT(PROT_EXEC, 3, 0), LOW(3), IF_ANY_BIT(MAP_ANONYMOUS, 0, 1), ALLOW, DENY,
      IF_EQUAL(SYS_mprotect, 0, 4), LOW(2), IF_ANY_BIT(PROT_EXEC, 1, 0), ALLOW, DENY,
      ALLOW_CALL(SYS_munmap), ALLOW_CALL(SYS_mremap), ALLOW_CALL(SYS_madvise), ALLOW_CALL(SYS_brk),
      // One-time initialization wakes waiting threads. The process has one thread, and waiting is not allowed.
      IF_EQUAL(SYS_futex, 0, 5), LOW(1), IF_EQUAL(FUTEX_WAKE_PRIVATE, 1, 0), IF_EQUAL(FUTEX_WAKE, 0, 1), ALLOW, DENY,
      // Libraries may get random numbers at any time; this reveals nothing.
      ALLOW_CALL(SYS_getrandom),
      // abort() ends this process, and cannot target another.
      ALLOW_CALL(SYS_rt_sigprocmask), ALLOW_CALL(SYS_gettid), ALLOW_CALL(SYS_getpid),
      IF_EQUAL(SYS_tgkill, 0, 6), LOW(0), IF_EQUAL((uint32_t)getpid(), 0, 3), LOW(2), IF_EQUAL(SIGABRT, 0, 1), ALLOW, DENY,
      ALLOW_CALL(SYS_exit_group),
      DENY,
  };
  struct sock_fprog program = {.len = sizeof filter / sizeof filter[0], .filter = filter};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)) return errno;
  // Otherwise another process of the same user could read this one's memory.
  if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)) return errno;
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) ? errno : 0;
}

int confinement_begin(uint64_t cpu_seconds, uint64_t address_space, uint64_t stack) {
  int error = set_limits(cpu_seconds, address_space, stack);
  return error ? error : set_filter();
}
