#!/usr/bin/env python3
"""Runs every command of `presentment` in surroundings that go wrong: descriptors, limits, disks, environments, names,
inputs, outputs, signals, a killed sandbox, a clock that goes back.

    run.py PRESENTMENT [ROW ...]

A ROW is a part of a name, or a whole one, which chooses that row alone. Without one, the quick set is run; --all runs
the whole table. Everywhere the exit code is a documented one, and 0 only if everything was done that was asked; files
are whole or absent; and neither temporary files nor processes are left. Prints a line for each row that failed, with
the command that repeats it. Exits 1 if one did, 2 if the rows cannot be run. PRESENTMENT_TIMES=1 names the slowest.
"""

import argparse
import collections
import dataclasses
import json
import os
import pathlib
import pickle
import secrets
import select
import shlex
import shutil
import signal
import sys
import tempfile
import time
import traceback

import commands
import place
import rows as table

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from descendants import adopt_orphans, end_all  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[3]
# Seeds are short, so that they can be typed.
SEEDS = 1_000_000
# PRESENTMENT_TIMES=1 names so many of the slowest rows.
SLOWEST = 20


@dataclasses.dataclass
class Settings:
    """What all rows share."""

    program: str
    fixtures: pathlib.Path
    seed: int
    at: str
    clock: object


@dataclasses.dataclass
class Result:
    """What came of a row."""

    problems: list
    # The reason why it was not run.
    skipped: str = ""
    usual: object = None
    seconds: float = 0


def refuse(message):
    print(f"run.py: {message}", file=sys.stderr)
    sys.exit(2)


def work(row, settings, usual, folder):
    """Runs a row in this process."""
    missing = [name for name in row.needs if name not in usual]
    if missing:
        return Result([], f"usual/{missing[0]} failed")
    try:
        bench = table.Bench(row, settings, usual, folder)
        problems = row.function(bench)
        return Result(problems, usual=getattr(bench, "measured", None))
    except place.Skip as skip:
        return Result([], str(skip))
    except Exception:
        return Result([traceback.format_exc().strip().replace("\n", "; ")])


def start(row, settings, usual, folder):
    """Starts a process for a row. Returns its id, and the descriptor at which its result arrives."""
    reader, writer = os.pipe()
    process = os.fork()
    if process:
        os.close(writer)
        return process, reader
    try:
        os.close(reader)
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGTERM, lambda *_: os._exit(1))
        adopt_orphans()
        begun = time.monotonic()
        result = work(row, settings, usual, folder)
        end_all()
        result.seconds = time.monotonic() - begun
        with open(writer, "wb") as stream:
            pickle.dump(result, stream)
    finally:
        os._exit(0)


def run(chosen, jobs, settings, usual, folder):
    """Runs rows side by side, and yields each with its result as it ends."""
    waiting, running = collections.deque(chosen), {}
    number = 0
    while waiting or running:
        while waiting and len(running) < jobs:
            row = waiting.popleft()
            number += 1
            own = folder / f"{row.name.partition('/')[0]}-{number}"
            process, reader = start(row, settings, usual, own)
            running[reader] = row, process, own, []
        for reader in select.select(list(running), [], [])[0]:
            row, process, own, parts = running[reader]
            if data := os.read(reader, 1 << 16):
                parts.append(data)
                continue
            os.close(reader)
            del running[reader]
            status = os.waitpid(process, 0)[1]
            shutil.rmtree(own, ignore_errors=True)
            yield row, pickle.loads(b"".join(parts)) if parts else Result([f"its process ended with {status}"])


def choose(names, rows, takes_all):
    """The rows of these names, or the set."""
    if not names:
        return [row for row in rows.values() if takes_all or row.is_quick]
    chosen = {}
    for name in names:
        found = [rows[name]] if name in rows else [row for row in rows.values() if name in row.name]
        if not found:
            refuse(f"no row has '{name}' in its name; --list prints all")
        chosen.update({row.name: row for row in found})
    return [row for row in rows.values() if row.name in chosen]


class Report:
    """Prints what failed, and counts."""

    def __init__(self, arguments, count):
        self.arguments, self.count, self.start = arguments, count, time.monotonic()
        self.counts, self.skipped = collections.Counter(), collections.Counter()
        self.times = []
        self.is_shown = sys.stderr.isatty() and os.environ.get("TERM") != "dumb"

    def add(self, row, result):
        self.times.append((result.seconds, row.name))
        message = result.skipped or "; ".join(dict.fromkeys(result.problems))
        again = shlex.join([
            "python3", "-B", os.path.relpath(__file__), self.arguments.presentment, "--seed",
            str(self.arguments.seed), row.name])
        outcome = "skipped" if result.skipped else "failed" if result.problems else "passed"
        self.counts[outcome] += 1
        if result.skipped:
            self.skipped[result.skipped] += 1
        if self.arguments.json:
            print(json.dumps({"row": row.name, "outcome": outcome, "message": message, "seconds": result.seconds,
                              "again": again}), flush=True)
        elif outcome == "failed":
            self.clear()
            print(f"FAILED {row.name}: {message}; again: {again}", flush=True)
        self.draw()

    def draw(self):
        if self.is_shown:
            ended = sum(self.counts.values())
            sys.stderr.write(f"\r\x1b[2K{ended} of {self.count} rows, {self.counts['failed']} failed")
            sys.stderr.flush()

    def clear(self):
        if self.is_shown:
            sys.stderr.write("\r\x1b[2K")
            sys.stderr.flush()

    def end(self):
        self.clear()
        if self.arguments.json:
            return int(bool(self.counts["failed"]))
        if os.environ.get("PRESENTMENT_TIMES") == "1":
            for seconds, name in sorted(self.times, reverse=True)[:SLOWEST]:
                print(f"{seconds:6.2f} s  {name}")
        for reason, count in sorted(self.skipped.items()):
            print(f"skipped {count}: {reason}")
        seconds = time.monotonic() - self.start
        counts = ", ".join(f"{self.counts[one]} {one}" for one in ("passed", "failed", "skipped"))
        print(f"{self.count} rows: {counts}; seed {self.arguments.seed}; {seconds:.0f} s")
        return int(bool(self.counts["failed"]))


def stop(number, _):
    sys.exit(128 + number)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__.partition("\n\n")[0], formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("presentment", metavar="PRESENTMENT", nargs="?", help="the program to test")
    parser.add_argument("rows", metavar="ROW", nargs="*", help="a name, or a part of names; without one, the quick set")
    parser.add_argument("--all", action="store_true", help="run every row")
    parser.add_argument("--list", action="store_true", help="print the names of the rows, and run none")
    parser.add_argument("--json", action="store_true", help="print a line of JSON for each row")
    parser.add_argument("--seed", type=int, default=None, metavar="N", help="the seed of drawn moments")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="N", help="rows at a time")
    arguments = parser.parse_intermixed_args()
    rows = table.all_rows()
    if arguments.list:
        # The program's name may be left out.
        names = arguments.rows
        if arguments.presentment and shutil.which(arguments.presentment) is None:
            names = [arguments.presentment, *names]
        for row in choose(names, rows, True):
            print(f"{row.name}{'' if row.is_quick else '  (--all)'}")
        return 0
    if arguments.presentment is None or arguments.jobs < 1:
        parser.error("PRESENTMENT and at least 1 job are required")
    found = shutil.which(arguments.presentment)
    if found is None:
        refuse(f"{arguments.presentment} is not a program; build it with 'make build'")
    program = pathlib.Path(found).resolve()
    for beside in ("presentment-sandbox", "presentment-faulty-sandbox"):
        if not program.with_name(beside).exists():
            refuse(f"{program.with_name(beside)} does not exist; build it with 'make build'")
    if arguments.seed is None:
        arguments.seed = secrets.randbelow(SEEDS)
    chosen = choose(arguments.rows, rows, arguments.all)
    adopt_orphans()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, stop)
    folder = pathlib.Path(tempfile.mkdtemp(prefix="presentment-surroundings-"))
    try:
        at = commands.make_fixtures(str(program), ROOT / "scenarios", folder / "fixtures")
        settings = Settings(str(program), folder / "fixtures", arguments.seed, at, table.make_library(folder, "clock"))
        return run_all(chosen, rows, arguments, settings, folder)
    finally:
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.SIG_IGN)
        end_all()
        shutil.rmtree(folder, ignore_errors=True)


def run_all(chosen, rows, arguments, settings, folder):
    """Measures how the commands usually end, then runs the other rows."""
    has_server = pathlib.Path(settings.program).with_name("presentment-serve").exists()
    report = Report(arguments, len(chosen))
    if not has_server:
        for row in [row for row in chosen if "serve" in row.needs or row.name == "usual/serve"]:
            report.add(row, Result([], "presentment-serve is not built; 'make serve' builds it"))
            chosen.remove(row)
    names = {row.name for row in chosen}
    needed = {f"usual/{name}" for row in chosen for name in row.needs} | {
        row.name for row in chosen if row.name.startswith("usual/") and not row.needs}
    usual = {}
    first = [row for row in rows.values() if row.name in needed]
    for row, result in run(first, arguments.jobs, settings, usual, folder):
        if result.usual is not None and not result.problems:
            usual[row.name.partition("/")[2]] = result.usual
        if row.name in names:
            report.add(row, result)
        elif result.problems:
            report.count += 1
            report.add(row, result)
    rest = [row for row in chosen if row.name not in needed]
    for row, result in run(rest, arguments.jobs, settings, usual, folder):
        report.add(row, result)
    return report.end()


if __name__ == "__main__":
    sys.exit(main())
