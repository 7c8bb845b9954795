"""Runs the program once in given surroundings, and says how it ended."""

import contextlib
import dataclasses
import fcntl
import os
import pathlib
import resource
import select
import signal
import subprocess
import sys
import time

import place as places

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from descendants import descendants, processor_time  # noqa: E402

# A process counts as hung if it and those that it started use less than this processor time in this time, or more than
# this in all, each in seconds. One that works uses five times the least on a machine that is fifty times slower, and
# the dearest row uses a fifth of the most.
STILL_TIME = 60
LEAST_WORK = .2
MOST_WORK = 300
# In seconds: the end of a row whose processes do a little now and then, and never end.
LONGEST = 3_600
# In seconds: the time between two looks at a process.
LOOK = .005
# The most memory that any process may map: an input without an end must not use up the machine's.
MOST_MEMORY = 4 << 30
# The command of fcntl that sets the size of a pipe, which Python 3.9 does not name.
F_SETPIPE_SZ = 1031
# What the kernel calls the wait for the other end of a FIFO, which never comes.
FIFO_WAIT = "wait_for_partner"
# A program that waits so at this many looks in a row is hung.
FIFO_LOOKS = 8


@dataclasses.dataclass(frozen=True)
class Surroundings:
    """What differs from the usual around a process."""

    # The state of descriptors other than usual, by their number: closed, full, wrong (the wrong direction), broken (a
    # pipe that closes early).
    descriptors: dict = dataclasses.field(default_factory=dict)
    limits: dict = dataclasses.field(default_factory=dict)
    # Variables by their names; None removes one.
    environment: dict = dataclasses.field(default_factory=dict)
    # True if the program may say that it cannot work here, with exit code 2.
    excuses: bool = False
    # True if permissions count for root, too.
    obeys_permissions: bool = False


USUAL = Surroundings()


@dataclasses.dataclass
class End:
    """How a process ended."""

    # The exit code, negative for a signal; None if the process did not end.
    code: object
    output: bytes
    errors: bytes
    # The processes that it left.
    left: list
    # The signals that were sent to it.
    sent: list
    hung: str = ""
    seconds: float = 0

    def __str__(self):
        if self.hung:
            return f"hangs ({self.hung})"
        if self.code < 0:
            return f"ended by {signal.Signals(-self.code).name}"
        return f"exit code {self.code}"


class Patience:
    """Tells processes that never end from those that a busy machine keeps waiting."""

    def __init__(self):
        self.start = self.looked = time.monotonic()
        self.used, self.work = processor_time(descendants()), 0

    def end(self):
        """The reason why the processes below this one will not end, or an empty text."""
        now = time.monotonic()
        if now - self.looked < STILL_TIME:
            return ""
        # The time of a process that has ended may be gone with it.
        before, self.used = self.used, processor_time(descendants())
        work, self.looked = abs(self.used - before), now
        self.work += work
        if now - self.start > LONGEST:
            return f"it does a little for more than {LONGEST} s"
        if work < LEAST_WORK:
            return f"it did nothing for {STILL_TIME} s"
        return f"it works for more than {MOST_WORK} s" if self.work > MOST_WORK else ""


class Watch:
    """Looks at a process while it runs, and may do something to it."""

    def __init__(self):
        self.sent = []

    def look(self, process, seconds):
        """Called often, with the time since the start."""

    def send(self, process, number):
        with contextlib.suppress(ProcessLookupError):
            os.kill(process, number)
            self.sent.append(number)


def opened(number, state, text, folder):
    """A descriptor in a state, for a child."""
    if state == "full":
        return os.open("/dev/full", os.O_RDWR)
    if state == "wrong":
        return os.open("/dev/null", os.O_RDONLY if number else os.O_WRONLY)
    if state == "broken":
        reader, writer = os.pipe()
        if number:
            os.close(reader)
            return writer
        half = text[:len(text) // 2]
        # No one reads yet: the pipe must take all of it.
        fcntl.fcntl(writer, F_SETPIPE_SZ, max(len(half), 1))
        os.write(writer, half)
        os.close(writer)
        return reader
    if number == 0:
        file = folder / "input"
        file.write_bytes(text)
        return os.open(file, os.O_RDONLY)
    raise ValueError(state)


def waits_for_fifo(process):
    """True if a thread opens a FIFO whose other end nobody has."""
    for file in pathlib.Path(f"/proc/{process}/task").glob("*/wchan"):
        with contextlib.suppress(OSError):
            if file.read_text() == FIFO_WAIT:
                return True
    return False


def running_program(number):
    with contextlib.suppress(OSError):
        arguments = pathlib.Path(f"/proc/{number}/cmdline").read_bytes().split(b"\0")
        return b" ".join(arguments).decode(errors="replace").strip()
    return ""


def environment(place, surroundings):
    """The variables of the program."""
    values = {
        "PATH": "/usr/bin:/bin", "HOME": str(place.home), "TMPDIR": str(place.temporary), "LANG": "C.UTF-8",
        # Looking for the cause of a crash takes longer than the row.
        "SWIFT_BACKTRACE": "enable=no",
    }
    values.update(surroundings.environment)
    return {name: value for name, value in values.items() if value is not None}


def run(arguments, place, surroundings=USUAL, text=b"", watch=None, keeps=()):
    """Runs a program to its end in the folder of a place.

    - text: what is on its standard input.
    - keeps: ids of processes of this program's own, which are not left by the other.
    """
    pipes, given = {}, []
    for number in range(3):
        state = surroundings.descriptors.get(number)
        if number and state in (None, "closed"):
            reader, writer = os.pipe()
            os.set_blocking(reader, False)
            pipes[reader] = number
            given.append(writer)
        else:
            given.append(opened(number, None if state == "closed" else state, text, place.folder))

    def prepare():
        # This process ignores some, which another would inherit.
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_DFL)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        for limit, value in {resource.RLIMIT_AS: MOST_MEMORY, **surroundings.limits}.items():
            resource.setrlimit(limit, (value, value))
        if surroundings.obeys_permissions:
            places.obey_permissions()
        for number, state in surroundings.descriptors.items():
            if state == "closed":
                os.close(number)

    watch = watch or Watch()
    patience = Patience()
    start = time.monotonic()
    process = subprocess.Popen(
        arguments, cwd=place.work, env=environment(place, surroundings), stdin=given[0], stdout=given[1],
        stderr=given[2], preexec_fn=prepare, start_new_session=True)
    for descriptor in given:
        os.close(descriptor)
    seen = {1: b"", 2: b""}
    hung = ""
    looked, fifo_looks = start, 0
    while True:
        has_ended = process.poll() is not None
        ready = select.select(list(pipes), [], [], 0 if has_ended else LOOK)[0] if pipes else []
        if not pipes and not has_ended:
            time.sleep(LOOK)
        for descriptor in ready:
            with contextlib.suppress(BlockingIOError):
                data = os.read(descriptor, 1 << 16)
                seen[pipes[descriptor]] += data
                if not data:
                    os.close(descriptor)
                    del pipes[descriptor]
        if has_ended and not ready:
            break
        now = time.monotonic()
        watch.look(process.pid, now - start)
        if now - looked > .25:
            looked = now
            hung = patience.end()
            # The process at the other end may not have had a core yet.
            fifo_looks = fifo_looks + 1 if waits_for_fifo(process.pid) else 0
            if fifo_looks == FIFO_LOOKS:
                hung = "it opens a FIFO, and waits for its other end"
            if hung and not has_ended:
                process.kill()
                process.wait()
                break
    for descriptor in pipes:
        os.close(descriptor)
    seconds = time.monotonic() - start
    return End(
        None if hung else process.returncode, seen[1], seen[2], [] if hung else left_processes(keeps), watch.sent, hung,
        seconds)


def left_processes(keeps):
    """The processes that do not end by themselves after the program. Those of a hung one are not its fault."""
    patience = Patience()
    while left := [number for number in descendants() if number not in keeps]:
        # A process that ends meanwhile waits for this one, its new parent.
        with contextlib.suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        if patience.end():
            return [running_program(number) for number in left]
        time.sleep(LOOK)
    return []
