"""Runs `presentment demo` on a pseudo-terminal with keys and signals, and checks the screen and the terminal's
settings before and after. usage: demo.py PRESENTMENT STORY"""

import os
import pathlib
import signal
import sys
import termios
import time

import pexpect
import pyte

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from patience import PATIENCE  # noqa: E402


class Terminal:
    """The command on a terminal of some size."""

    def __init__(self, program, rows=24, columns=80):
        self.screen = pyte.Screen(columns, rows)
        self.stream = pyte.Stream(self.screen)
        self.raw = ""
        # The shell keeps the terminal open after the command has ended, so that its settings can be checked.
        self.process = pexpect.spawn(
            "/bin/sh", ["-c", f"stty -a; echo begin; '{program}' demo --seed 7; echo ended=$?; read never"],
            dimensions=(rows, columns), encoding="utf-8", timeout=PATIENCE)
        self.before = None

    def settings(self):
        return termios.tcgetattr(self.process.child_fd)

    def read(self, until, row=None):
        """Reads until the screen shows a text, in any row or in one."""
        end = time.monotonic() + PATIENCE
        rows = slice(row, None if row is None else row + 1)
        while not any(until in line for line in self.screen.display[rows]):
            try:
                text = self.process.read_nonblocking(65536, max(0, end - time.monotonic()))
            except (pexpect.TIMEOUT, pexpect.EOF):
                break
            self.raw += text
            self.stream.feed(text)
        else:
            return
        raise SystemExit(f"the screen never shows {until!r}:\n" + "\n".join(self.screen.display))

    def send(self, keys, until):
        self.process.send(keys)
        self.read(until)

    def begin(self):
        self.before = self.settings()
        self.read("open Spaceship Rentals")
        if self.settings() == self.before:
            raise SystemExit("the terminal was not taken over")

    def pid(self):
        """The command's own process, the shell's only child."""
        with open(f"/proc/{self.process.pid}/task/{self.process.pid}/children") as children:
            return int(children.read().split()[0])

    def end(self, code):
        """Checks that the command has ended with a code and restored the terminal."""
        self.read(f"ended={code}")
        if self.settings() != self.before:
            raise SystemExit(f"settings differ:\n{self.before}\n{self.settings()}")
        for sequence in ("\x1b[?1049h", "\x1b[?25l", "\x1b[?1049l", "\x1b[?25h"):
            if sequence not in self.raw:
                raise SystemExit(f"{sequence!r} was never written")
        if self.raw.rindex("\x1b[?1049l") < self.raw.rindex("\x1b[?1049h"):
            raise SystemExit("the other screen was not left")
        self.process.close(force=True)


def through(terminal):
    terminal.send("n", "Verify Identity")
    terminal.send("v", "Choose an app")


def state(number):
    """The letter of a process's state."""
    with open(f"/proc/{number}/stat") as stat:
        return stat.read().rpartition(")")[2].split()[0]


def wait(condition, what):
    end = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > end:
            raise SystemExit(what)
        time.sleep(0.1)


def run_dumb(program):
    """A terminal that only prints: lines in place of the full screen, and no escape sequence."""
    for arguments, until in [("demo --seed 7", "0/7"), ("run scenarios/headline", "1 passed")]:
        process = pexpect.spawn(
            "/bin/sh", ["-c", f"'{program}' {arguments}; echo ended=$?"], dimensions=(24, 80), encoding="utf-8",
            timeout=PATIENCE, env={**os.environ, "TERM": "dumb"}, cwd=pathlib.Path(__file__).resolve().parents[3])
        process.expect_exact(until)
        text = process.before
        if arguments.startswith("demo"):
            process.sendeof()
        process.expect_exact("ended=0")
        text += process.before
        process.close(force=True)
        if "\x1b" in text:
            raise SystemExit(f"an escape sequence on a terminal without them: {text!r}")


def run(program, story):
    if story == "dumb":
        run_dumb(program)
        return
    terminal = Terminal(program)
    terminal.begin()
    if story == "accept":
        through(terminal)
        terminal.send("2", "asks for:")
        terminal.send("\r", "Look at the phone")
        terminal.send("\r", "verified")
        terminal.send("m", "other messages")
        terminal.send("\x1b", "every check")
        terminal.process.send("q")
        terminal.end(0)
    elif story == "decline":
        through(terminal)
        terminal.send("1", "asks for:")
        terminal.send("d", "NotAllowedError")
        terminal.process.send("q")
        terminal.end(0)
    elif story == "cancel":
        through(terminal)
        terminal.send("c", "NotAllowedError")
        terminal.process.send("q")
        terminal.end(0)
    elif story == "resize":
        terminal.screen.resize(40, 132)
        terminal.screen.reset()
        terminal.process.setwinsize(40, 132)
        # The last row of the larger screen, which is drawn after all others.
        terminal.read("m messages", row=39)
        if "presentment" not in terminal.screen.display[0] or not terminal.screen.buffer[0][131].reverse:
            raise SystemExit("the screen was not drawn as wide as it is")
        through(terminal)
        terminal.process.send("q")
        terminal.end(0)
    elif story == "play":
        terminal.read("0/7")
        terminal.send(" ", "1/7")
        terminal.send("\x1b[C", "Choose an app")
        terminal.send("\x1b[D", "1/7")
        terminal.send("\x1b[F", "Case passed")
        terminal.send("\x1b[H", "0/7")
        terminal.send("p", "p pause")
        terminal.read("1/7")
        terminal.send("\x1b[H", "0/7")
        terminal.send(" ", "1/7")
        terminal.send(" ", "2/7")
        terminal.send("c", "You play")
        terminal.send("r", "2/7")
        terminal.process.send("q")
        terminal.end(0)
    elif story == "small":
        terminal.screen.resize(8, 40)
        terminal.process.setwinsize(8, 40)
        terminal.read("too small")
        terminal.process.send("q")
        terminal.end(0)
    elif story == "stop":
        through(terminal)
        number = terminal.pid()
        os.kill(number, signal.SIGTSTP)
        wait(lambda: state(number) == "T", "the command does not stop")
        if terminal.settings() != terminal.before:
            raise SystemExit("a stopped command keeps the terminal")
        terminal.screen.reset()
        os.kill(number, signal.SIGCONT)
        terminal.read("Choose an app")
        if terminal.settings() == terminal.before:
            raise SystemExit("the terminal was not taken over again")
        terminal.process.send("q")
        terminal.end(0)
    elif story == "interrupt":
        through(terminal)
        terminal.process.send("\x03")
        terminal.end(0)
    else:
        through(terminal)
        number = {
            "terminate": signal.SIGTERM, "hang-up": signal.SIGHUP, "trap": signal.SIGILL, "user": signal.SIGUSR1,
            "alarm": signal.SIGALRM, "last": signal.SIGRTMAX}[story]
        os.kill(terminal.pid(), number)
        terminal.end(128 + number)


run(sys.argv[1], sys.argv[2])
