"""Chromium's processes among those that this program has started."""

import contextlib
import os
import pathlib
import random
import signal
import sys
import threading

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from descendants import descendants  # noqa: E402

# In seconds: the longest pause of a process, and the longest time between two.
LONGEST_PAUSE = .5
LONGEST_GAP = 1.5


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
