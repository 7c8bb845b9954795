"""The processes that a program has started, directly or through others."""

import contextlib
import ctypes
import os
import pathlib
import random
import signal
import threading

PR_SET_CHILD_SUBREAPER = 36
# In seconds: the longest pause of a process, and the longest time between two.
LONGEST_PAUSE = .5
LONGEST_GAP = 1.5


def adopt_orphans():
    """Makes this process the parent of those whose parent ends, so that it finds them."""
    if ctypes.CDLL(None, use_errno=True).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "prctl")


def descendants():
    """The ids of the processes below this one. Those that have ended are not among them."""
    children = {}
    for file in pathlib.Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            state, parent = file.read_text(errors="replace").rpartition(")")[2].split()[:2]
            if state != "Z":
                children.setdefault(int(parent), []).append(int(file.parent.name))
    found, left = [], [os.getpid()]
    while left:
        below = children.get(left.pop(), [])
        found += below
        left += below
    return found


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


def of_chromium():
    """The processes of Chromium that draw pages: the graphics process and the renderers."""
    found = []
    for number in descendants():
        with contextlib.suppress(OSError):
            arguments = pathlib.Path(f"/proc/{number}/cmdline").read_bytes()
            if b"--type=gpu-process" in arguments or b"--type=renderer" in arguments:
                found.append(number)
    return sorted(found)


def pause_some(draw, is_over):
    while not is_over.wait(draw.uniform(0, LONGEST_GAP)):
        running = of_chromium()
        if not running:
            continue
        number = draw.choice(running)
        with contextlib.suppress(ProcessLookupError):
            os.kill(number, signal.SIGSTOP)
            is_over.wait(draw.uniform(0, LONGEST_PAUSE))
            os.kill(number, signal.SIGCONT)


@contextlib.contextmanager
def pauses(seed):
    """Stops a process of Chromium now and then, and continues it. Without a seed it does nothing."""
    is_over = threading.Event()
    thread = threading.Thread(target=pause_some, args=(random.Random(seed), is_over), daemon=True)
    if seed is not None:
        thread.start()
    try:
        yield
    finally:
        is_over.set()
        if seed is not None:
            thread.join()
