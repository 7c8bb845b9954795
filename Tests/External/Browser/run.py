"""Runs the stories of the demo and of the trace page side by side, each in a context of one headless Chromium.

Prints a JSON object on a line of its own as each story ends: {"story", "outcome", "seconds", "message"}. The outcome is
"passed", "failed" or "skipped". Exit code 1 if a story failed, 2 if the stories cannot start. A name of a story repeats
it alone. CHROMIUM and CHROMEDRIVER name other programs than those in /usr/bin.
"""

import argparse
import contextlib
import difflib
import json
import multiprocessing
import multiprocessing.connection
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import processes
# It adds the folder of the modules below to the path.
from story import ROOT, STORIES, chromium, has_package, load
from descendants import adopt_orphans, end_all
from patience import PATIENCE

WORKER = pathlib.Path(__file__).with_name("worker.py")
# Screenshots and layouts are those of a person's window, with scroll bars.
LAUNCH = {"host": "127.0.0.1", "args": ["--disable-dev-shm-usage"], "ignoreDefaultArgs": ["--hide-scrollbars"]}


def refuse(message):
    print(f"run.py: {message}", file=sys.stderr)
    sys.exit(2)


def check_machine(presentment):
    if shutil.which(presentment) is None:
        refuse(f"{presentment} is not a program; build it with 'make serve'")
    if shutil.which(chromium()) is None:
        refuse(f"Chromium is not at {chromium()}: apt-get install chromium, or name another one in CHROMIUM")


def choose(names):
    """The stories of these names, or all; long ones first."""
    for name in names:
        if name not in STORIES:
            near = difflib.get_close_matches(name, STORIES, 1)
            refuse(f"unknown story '{name}'" + (f"; did you mean '{near[0]}'?" if near else "; --list prints all"))
    return sorted((STORIES[name] for name in names or STORIES), key=lambda story: not story.is_long)


class Browser:
    """Chromium behind a server of Playwright's protocol, to which each worker connects."""

    def __init__(self, folder):
        file = folder / "launch.json"
        file.write_text(json.dumps({
            **LAUNCH, "executablePath": shutil.which(chromium()), "chromiumSandbox": os.geteuid() != 0,
            "timeout": PATIENCE * 1000}))
        self.process = subprocess.Popen(
            [sys.executable, "-m", "playwright", "launch-server", "--browser", "chromium", "--config", str(file)],
            stdout=subprocess.PIPE, text=True, start_new_session=True)
        self.address = self.process.stdout.readline().strip()
        if not self.address.startswith("ws://"):
            refuse(f"Chromium at {chromium()} does not start")


class Worker:
    """A process that runs one story at a time."""

    def __init__(self, address, presentment, screenshots):
        self.connection, other = multiprocessing.Pipe()
        self.story = None
        with other:
            # In a session of its own, so that the signals of a terminal reach the runner only.
            self.process = subprocess.Popen(
                [sys.executable, "-B", str(WORKER), str(other.fileno()), address, presentment, str(screenshots)],
                pass_fds=[other.fileno()], start_new_session=True)

    def give(self, story):
        self.story = story
        with contextlib.suppress(BrokenPipeError):
            self.connection.send(story.name if story else None)

    def take(self):
        """The name of the story that has ended, the seconds that it took, and its failure, which may be empty."""
        try:
            return self.connection.recv()
        except (EOFError, ConnectionResetError):
            return self.story.name, 0.0, f"its process ended with {self.process.wait()}"


class Report:
    """Prints how each story ended, and one line of progress on a terminal."""

    def __init__(self, count):
        self.count, self.ended, self.failed = count, 0, 0
        self.start = time.monotonic()
        self.is_shown = sys.stderr.isatty() and os.environ.get("TERM") != "dumb"

    def tell(self, name, outcome, seconds=0.0, message=""):
        self.ended += 1
        self.failed += outcome == "failed"
        self.clear()
        line = {"story": name, "outcome": outcome, "seconds": round(seconds, 2), "message": message}
        print(json.dumps(line, ensure_ascii=False), flush=True)

    def draw(self, stories):
        if not self.is_shown:
            return
        seconds = int(time.monotonic() - self.start)
        line = f"stories  {seconds // 60}:{seconds % 60:02}  {self.ended} of {self.count} ended"
        line += f", {self.failed} failed" if self.failed else ""
        line += f"  {' '.join(stories)}"
        sys.stderr.write(f"\r\x1b[2K{line[:shutil.get_terminal_size().columns - 1]}")
        sys.stderr.flush()

    def clear(self):
        if self.is_shown:
            sys.stderr.write("\r\x1b[2K")
            sys.stderr.flush()


def run(stories, jobs, presentment, screenshots, report, folder):
    """Runs stories with a number of workers, and reports each."""
    lacks = {story.name: story.lack() for story in stories}
    for story in stories:
        if lacks[story.name]:
            report.tell(story.name, "skipped", message=lacks[story.name])
    waiting = [story for story in stories if not lacks[story.name]]
    address = Browser(folder).address if waiting else ""
    workers = []
    while waiting or workers:
        while waiting and len(workers) < jobs:
            workers.append(Worker(address, presentment, screenshots))
            workers[-1].give(waiting.pop(0))
        report.draw(worker.story.name for worker in workers)
        # A terminal shows the time.
        ready = multiprocessing.connection.wait(
            [worker.connection for worker in workers], timeout=1 if report.is_shown else None)
        for worker in [one for one in workers if one.connection in ready]:
            name, seconds, failure = worker.take()
            report.tell(name, "failed" if failure else "passed", seconds, failure)
            has_ended = worker.process.poll() is not None
            if not has_ended:
                worker.give(waiting.pop(0) if waiting else None)
            if has_ended or worker.story is None:
                workers.remove(worker)
                worker.process.wait()
    report.clear()


@contextlib.contextmanager
def temporary_folder():
    """The folder for the temporary files of this program and of every program that it starts."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="presentment-stories-"))
    os.environ["TMPDIR"] = tempfile.tempdir = str(folder)
    try:
        yield folder
    finally:
        # A signal that comes now does not keep what should go.
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.SIG_IGN)
        end_all()
        shutil.rmtree(folder, ignore_errors=True)


def stop(number, _):
    sys.exit(128 + number)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("presentment", metavar="PRESENTMENT", nargs="?", help="the program to test")
    parser.add_argument("stories", metavar="STORY", nargs="*", help="the stories to run; without one, all")
    parser.add_argument("--jobs", type=int, default=2, help="the number of stories at a time (2)")
    parser.add_argument("--screenshots", type=pathlib.Path, default=ROOT / ".build" / "screenshots", metavar="FOLDER")
    parser.add_argument("--list", action="store_true", help="print the names of the stories and what they show")
    parser.add_argument("--pause", type=int, metavar="SEED",
                        help="stop Chromium's processes now and then, for up to half a second, as a busy machine does")
    arguments = parser.parse_intermixed_args()
    if not has_package("playwright"):
        refuse(f"{sys.executable} has no Python package playwright; 'make python' installs it in .build/venv")
    load()
    if arguments.list:
        for story in STORIES.values():
            print(f"{story.name:<20}{story.description}")
        return 0
    if arguments.presentment is None or arguments.jobs < 1:
        parser.error("PRESENTMENT and at least 1 job are required")
    check_machine(arguments.presentment)
    stories = choose(arguments.stories)
    presentment = str(pathlib.Path(shutil.which(arguments.presentment)).resolve())
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, stop)
    adopt_orphans()
    report = Report(len(stories))
    with temporary_folder() as folder, processes.pauses(arguments.pause):
        run(stories, arguments.jobs, presentment, arguments.screenshots.resolve(), report, folder)
    return 1 if report.failed else 0


if __name__ == "__main__":
    sys.exit(main())
