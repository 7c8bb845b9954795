"""The processes that a program has started, directly or through others."""

import contextlib
import ctypes
import os
import pathlib
import signal

PR_SET_CHILD_SUBREAPER = 36


def adopt_orphans():
    """Makes this process the parent of those whose parent ends, so that it finds them."""
    if ctypes.CDLL(None, use_errno=True).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "prctl")


def descendants():
    """The ids of the processes below this one. Those that have ended are not among them."""
    children = {}
    # A process may end while it is looked at.
    for number in filter(str.isdecimal, os.listdir("/proc")):
        with contextlib.suppress(OSError):
            stat = pathlib.Path("/proc", number, "stat").read_text(errors="replace")
            state, parent = stat.rpartition(")")[2].split()[:2]
            if state != "Z":
                children.setdefault(int(parent), []).append(int(number))
    found, left = [], [os.getpid()]
    while left:
        below = children.get(left.pop(), [])
        found += below
        left += below
    return found


def processor_time(numbers):
    """The processor time that processes and their ended children have used, in seconds."""
    ticks = 0
    for number in numbers:
        with contextlib.suppress(OSError):
            stat = pathlib.Path("/proc", str(number), "stat").read_text(errors="replace")
            ticks += sum(map(int, stat.rpartition(")")[2].split()[11:15]))
    return ticks / os.sysconf("SC_CLK_TCK")


def end_all():
    """Ends every process below this one, and waits until none is left."""
    while running := descendants():
        for number in running:
            with contextlib.suppress(ProcessLookupError):
                os.kill(number, signal.SIGKILL)
        with contextlib.suppress(ChildProcessError):
            os.waitpid(-1, 0)
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
