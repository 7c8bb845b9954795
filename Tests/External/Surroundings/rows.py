"""The rows of the table: commands in surroundings. A row is a function of a bench that returns what is wrong."""

import contextlib
import dataclasses
import functools
import json
import os
import random
import re
import resource
import shutil
import signal
import socket
import stat
import subprocess
import time

import commands
from commands import BY_NAME, CONFINED, FEW_FILES, REPEATING, TABLE, Serving, ServingIdle
from execution import Surroundings, USUAL, Watch, descendants, run, running_program
from oracle import Judge, Usual, defect, text_of
from place import MS_RDONLY, SHARED_MEMORY, Place, Skip, can_obey_permissions, kind, mount_memory

# The drawn moments of a signal or a kill in the full table.
MOMENTS = 20
# More runs than any machine makes in a second.
ENDLESS = 1_000_000


@dataclasses.dataclass(frozen=True)
class Row:
    """A named row."""

    name: str
    function: object
    # The names of the commands whose usual end it needs.
    needs: tuple
    is_quick: bool = False


class Bench:
    """What a row works with: the program, a place of its own, and how commands usually end."""

    def __init__(self, row, settings, usual, folder):
        self.program, self.at, self.clock = settings.program, settings.at, settings.clock
        self.usual = usual
        self.draw = random.Random(f"{settings.seed} {row.name}")
        self.place = Place(folder, settings.fixtures)

    def words(self, command):
        return [os.fsencode(word) for word in command.words(self.at)]

    def text(self, command):
        """What is on standard input."""
        file = self.place.fixtures / command.text
        return file.read_bytes() if command.text and file.is_file() else command.text.encode()

    def run(self, command, surroundings=USUAL, words=None, watch=None, keeps=()):
        """Runs a command in the place, whose files are remembered before."""
        self.place.begin()
        if command.serves and watch is None:
            watch = Serving(signal.SIGTERM)
        end = run([os.fsencode(self.program), *(words or self.words(command))], self.place, surroundings,
                  self.text(command), watch, keeps)
        if command.serves and watch.number != signal.SIGHUP:
            # A documented end.
            end.sent = []
        return end

    def check(self, command, surroundings=USUAL, watch=None, words=None, ignores=(), **options):
        """Runs a command with its inputs, and judges how it ended."""
        self.place.add(command.inputs)
        judge = Judge(command, self.usual[command.name], surroundings, **options)
        return judge.judge(self.run(command, surroundings, words, watch), self.place, ignores)


def usual_row(command):
    """The row that measures how a command ends in usual surroundings."""

    def measure(bench):
        bench.place.add(command.inputs)
        end = bench.run(command)
        usual = Usual(end, bench.place.changes(), end.seconds)
        bench.measured = usual
        judge = Judge(command, usual, expects={command.code})
        return judge.judge(end, bench.place)

    return Row(f"usual/{command.name}", measure, (), command.is_main)


def every_command(bench):
    """Every command that the help lists is in the table."""
    text = text_of(bench.usual["help"].end.output).partition("SUBCOMMANDS:")[2]
    listed = set(re.findall(r"^  ([a-z][a-z-]*)", text, re.M))
    return [f"the table has no row for the command {name}"
            for name in sorted(listed - {command.subcommand for command in TABLE})]


def usual_rows():
    for command in [*TABLE, *commands.OWN.values()]:
        yield usual_row(command)
        def again(bench, command=command):
            return bench.check(command)

        yield Row(f"repeats/again/{command.name}", again, (command.name,))
    yield Row("usual/every-command", every_command, ("help",), True)


# Descriptors.

DESCRIPTORS = {"input": (0,), "output": (1,), "errors": (2,), "all": (0, 1, 2)}
STATES = ("closed", "full", "wrong", "broken")
QUICK_DESCRIPTORS = ("output-closed", "output-full", "output-broken", "all-closed")
# Where most commands do not notice.
QUICK_DESCRIPTORS_OF_TALKING = ("input-closed", "errors-closed", "errors-full")
# Commands whose standard error is not empty, or whose output is longer than a buffer.
TALKING = ("run-unreadable", "run-report-printed", "wrong-usage", "trace-printing", "verify-reading", "run-failing")


def descriptor_row(command, name, state):
    numbers = DESCRIPTORS[name]

    def check(bench):
        usual = bench.usual[command.name].end
        has_other_input = 0 in numbers and command.codes_without_input
        excuses = bool(1 in numbers and usual.output or 2 in numbers and usual.errors)
        surroundings = Surroundings(descriptors={number: state for number in numbers}, excuses=excuses)
        expects = {usual.code, *command.codes_without_input} if has_other_input else None
        if expects and excuses:
            expects.add(2)
        return bench.check(command, surroundings, expects=expects, compares=not has_other_input)

    is_talking = command.name in TALKING or bool(command.codes_without_input)
    is_quick = f"{name}-{state}" in QUICK_DESCRIPTORS and (command.is_main or is_talking)
    is_quick = is_quick or f"{name}-{state}" in QUICK_DESCRIPTORS_OF_TALKING and is_talking
    return Row(f"descriptors/{name}-{state}/{command.name}", check, (command.name,), is_quick and not command.is_slow)


def descriptor_rows():
    for name in DESCRIPTORS:
        for state in STATES:
            for command in TABLE:
                yield descriptor_row(command, name, state)


# Limits.

LIMITS = {
    "files": (resource.RLIMIT_NOFILE, (6, 10, 16)),
    "memory": (resource.RLIMIT_AS, (160 << 20, 224 << 20, 288 << 20, 320 << 20)),
    "size": (resource.RLIMIT_FSIZE, (0, 100, 20_000, 150_000)),
}
QUICK_LIMITS = {"files": (10,), "memory": (160 << 20,), "size": (0, 20_000)}
# The beginning of the message of a program that does not start.
REFUSES = b"Error: the limit of "
CANNOT_LOAD = b"error while loading shared libraries"


def limit_row(command, name, value, shown):
    def check(bench):
        bench.place.add(command.inputs)
        surroundings = Surroundings(limits={LIMITS[name][0]: value}, excuses=True)
        end = bench.run(command, surroundings)
        if end.code == 127 and CANNOT_LOAD in end.errors:
            raise Skip("the system cannot load the program within the limit")
        usual = bench.usual[command.name]
        if end.errors.startswith(REFUSES):
            # Then it does nothing at all, also where its usual exit code is the same.
            usual = Usual(dataclasses.replace(usual.end, code=2, output=b""), {}, usual.seconds)
        return Judge(command, usual, surroundings).judge(end, bench.place)

    is_quick = value in QUICK_LIMITS[name] and command.is_main
    if name == "memory":
        # The others end in the same places.
        is_quick = is_quick and command.name in ("run", "serve", "verify")
    return Row(f"limits/{name}-{shown}/{command.name}", check, (command.name,), is_quick and not command.is_slow)


def least_memory_row(command):
    """With the least address space in which the program starts at all, it ends as ever."""

    def check(bench):
        # A command with the same needs at the start, which writes nothing.
        probe = BY_NAME["run-listing" if command.subcommand == "run" else "version"]
        bench.place.add(probe.inputs)
        refused, least = 64 << 20, 2 << 30
        while least - refused > 2 << 20:
            middle = (refused + least) // 2
            end = bench.run(probe, Surroundings(limits={resource.RLIMIT_AS: middle}, excuses=True))
            is_refused = end.errors.startswith(REFUSES) or end.code == 127 and CANNOT_LOAD in end.errors
            refused, least = (middle, least) if is_refused else (refused, middle)
        return bench.check(command, Surroundings(limits={resource.RLIMIT_AS: least}, excuses=True))

    return Row(f"limits/memory-least/{command.name}", check, (command.name,), command.name in ("run-stored", "verify"))


def limit_rows():
    for name in ("run", "run-stored", "run-report-printed", "run-story", "run-repeating", "verify", "vacuous"):
        yield least_memory_row(BY_NAME[name])
    for name, (_, values) in LIMITS.items():
        for value in values:
            shown = f"{value >> 20}M" if name == "memory" else str(value)
            for command in TABLE:
                if name != "size" or command.outputs or command.name in ("run-stored", "run-updating"):
                    yield limit_row(command, name, value, shown)
    # How few are too few depends on how many are open at a time.
    for value in range(6, 24):
        row = limit_row(FEW_FILES, "files", value, str(value))
        yield dataclasses.replace(row, is_quick=value % 4 == 0)


# Disks.

def small_disk(options, flags=0):
    def prepare(bench):
        bench.place.require_mounts()
        mount_memory(bench.place.work / "out", options, flags)

    return prepare


def without_permission(bench):
    if not can_obey_permissions():
        raise Skip("permissions mean nothing to root here")
    (bench.place.work / "out").chmod(0o555)
    bench.place.work.chmod(0o555)


DISKS = {
    "small-4k": small_disk("size=4k"), "small-64k": small_disk("size=64k"), "no-more-files": small_disk("nr_inodes=2"),
    "read-only-disk": small_disk("size=4k", MS_RDONLY), "read-only-folder": without_permission,
}


def disk_row(command, name):
    def check(bench):
        bench.place.add(command.inputs)
        DISKS[name](bench)
        surroundings = Surroundings(excuses=True, obeys_permissions=True)
        problems = Judge(command, bench.usual[command.name], surroundings).judge(
            bench.run(command, surroundings), bench.place)
        bench.place.work.chmod(0o755)
        return problems

    is_quick = command.is_main and name in ("small-4k", "small-64k", "read-only-folder")
    return Row(f"disks/{name}/{command.name}", check, (command.name,), is_quick)


def disk_rows():
    for name in DISKS:
        for command in TABLE:
            if command.outputs or command.name == "run-updating":
                yield disk_row(command, name)

    def without_storage(bench):
        bench.place.require_mounts()
        mount_memory(SHARED_MEMORY, "size=4k", MS_RDONLY)
        # In the row's own folder, where what the program makes and leaves is seen.
        absent = {"TMPDIR": str(bench.place.work / "absent")}
        return bench.check(BY_NAME["run-stored"], Surroundings(environment=absent, excuses=True))

    yield Row("disks/no-temporary-folder/run-stored", without_storage, ("run-stored",), True)


# Environments, which change nothing.

ENVIRONMENTS = {
    "no-home": {"HOME": None}, "missing-home": {"HOME": "/nonexistent"},
    "empty": dict.fromkeys(("PATH", "HOME", "TMPDIR", "LANG", "SWIFT_BACKTRACE")),
    "turkish": {"LC_ALL": "tr_TR.UTF-8", "LANG": "tr_TR.UTF-8"}, "unknown-locale": {"LC_ALL": "xx_XX.nothing"},
    "byte-locale": {"LC_ALL": "C", "LANG": None}, "unknown-zone": {"TZ": "Nowhere/Nothing"},
    "far-zone": {"TZ": "Pacific/Kiritimati"}, "odd-zone": {"TZ": "<+1545>-15:45:30"},
    "missing-temporary-folder": {"TMPDIR": "/nonexistent"},
    "odd-terminal": {"TERM": "", "COLUMNS": "-1", "LINES": "0", "CLICOLOR_FORCE": "1"},
}
QUICK_ENVIRONMENTS = ("empty",)


def environment_rows():
    for name, variables in ENVIRONMENTS.items():
        for command in TABLE:
            def check(bench, command=command, variables=variables):
                return bench.check(command, Surroundings(environment=variables))

            is_quick = command.is_main and not command.is_slow and name in QUICK_ENVIRONMENTS
            yield Row(f"environments/{name}/{command.name}", check, (command.name,), is_quick)


# Names.

NAMES = {
    "not-utf-8": b"caf\xe9", "surrogate": b"\xed\xa0\x80", "newline": b"a\nb", "quotes": b"a'b\"c`d",
    "spaces": b"  a  b  ",
    "leading-dash": b"-rf", "controls": b"a\x1b[2Jb\x07", "backslash": b"a\\n%s$HOME", "equals": b"json=a,b;c:d",
    "brackets": b"#[a]{b}<c>&*?!", "decomposed": "e\u0301".encode(), "emoji": "\U0001f680".encode(), "long": b"n" * 240,
}
# A program may refuse these: they are not text, or too long for names that are derived from them.
REFUSABLE = ("not-utf-8", "surrogate", "long")
QUICK_NAMES = ("not-utf-8", "newline")


def stem_of(path):
    """The part of an input's or an output's name that a row replaces."""
    return os.fsencode(path.rpartition("/")[2].split(".")[0])


def name_row(command, label):
    path = command.inputs[0] if command.inputs else command.outputs[0]
    name = NAMES[label]
    old = os.fsencode(path)
    folder, ending = old.rpartition(b"/")[0], old[len(os.fsencode(path.rpartition("/")[0])):].lstrip(b"/")
    ending = ending[len(stem_of(path)):]
    new = (folder + b"/" if folder else b"./") + name + ending

    def check(bench):
        bench.place.add(command.inputs)
        work = os.fsencode(bench.place.work)
        if command.inputs:
            os.rename(os.path.join(work, old), os.path.join(work, new))
        short, new_short = (old, new) if command.inputs else (old.partition(b".")[0], new[:-len(ending)])
        words = [word.replace(old, new).replace(short, new_short) for word in bench.words(command)]
        end = bench.run(command, words=words)
        surroundings = Surroundings(excuses=label in REFUSABLE)
        judge = Judge(command, bench.usual[command.name], surroundings, compares=False)
        judge.files = {
            renamed_file(path, old, new, name, command): state for path, state in judge.files.items()}
        return judge.judge(end, bench.place)

    is_quick = label in QUICK_NAMES and command.is_main and not command.is_slow
    return Row(f"names/{label}/{command.name}", check, (command.name,), is_quick)


def renamed_file(path, old, new, name, command):
    """The path of an output after the input or the output was renamed. The names of traces and maps derive from
    scenarios; what another command makes of one of several files has the file's name."""
    plain = new[2:] if new.startswith(b"./") else new
    if path.startswith(old):
        return plain + path[len(old):]
    stem = old.rpartition(b"/")[2].partition(b".")[0]
    place, _, file = path.rpartition(b"/")
    is_of_scenario = place == b"out/traces" or command.subcommand == "sweep"
    is_named_after_input = place == b"out/traces" or command.name.endswith("-several")
    if is_named_after_input and file.partition(b".")[0] == stem:
        escaped = re.sub(r"[^A-Za-z0-9-]", "-", name.decode("utf-8", "replace")).lstrip("-").encode()
        return place + b"/" + (escaped if is_of_scenario else name) + file[len(stem):]
    return path


def folder_of_names(bench, names, fixture="rent.yaml"):
    """Makes a folder with a copy of a scenario under each name."""
    bench.place.add(["worlds"])
    content = (bench.place.fixtures / fixture).read_bytes()
    folder = os.fsencode(bench.place.work / "cases")
    os.mkdir(folder)
    for name in names:
        with open(os.path.join(folder, name), "wb") as file:
            file.write(content)


def every_byte():
    return [b"n" + bytes([byte]) + b".yaml" for byte in range(1, 256) if byte != ord("/")]


def end_of(bench, words, expects, command="run-listing", surroundings=USUAL):
    """Runs with words, and returns the end, and what is wrong with it. Its output and files are up to the caller."""
    judge = Judge(BY_NAME[command], bench.usual[command], surroundings, expects=expects)
    bench.place.begin()
    end = run([os.fsencode(bench.program), *map(os.fsencode, words)], bench.place, surroundings)
    if end.hung:
        judge.add(f"expected an end, found that it {end}")
    elif end.code not in judge.codes:
        judge.add(f"expected exit code {' or '.join(map(str, sorted(judge.codes)))}, found {end}")
    return end, judge.problems


def count_row(name, words, names, counted, expects=(0, 2), fixture="rent.yaml"):
    """A row whose folder has files of some names: exit code 0 only if each was counted."""

    def check(bench):
        files = names()
        folder_of_names(bench, files, fixture)
        end, problems = end_of(bench, words, set(expects))
        if end.code == 0 and (found := counted(bench, end)) != len(files):
            problems.append(f"expected {len(files)} files, found {found} and exit code 0")
        return problems

    return Row(f"names/folder/{name}", check, ("run-listing",), True)


def in_report(bench, _):
    report = json.loads((bench.place.work / "out" / "report.json").read_bytes())
    traces = list((bench.place.work / "out" / "traces").glob("*.trace.jsonl"))
    return min(len(traces), sum(case["verdict"] == "passed" for case in report["cases"]))


def in_last_line(bench, end):
    return int(re.search(rb"(\d+) files?: ", end.output)[1])


def in_lines(bench, end):
    return end.output.count(b"\n")


def name_rows():
    for label in NAMES:
        for command in TABLE:
            if command.name in ("serve", "run-repeating", "test-verifier-files", "test-wallet-files"):
                # They take no file, or files whose names follow from the scenario's or are fixed.
                continue
            if command.inputs and "/" not in command.inputs[0] or command.outputs:
                yield name_row(command, label)
    # Not the long one, from which no name of a trace can be derived.
    hard = [name + b".yaml" for label, name in NAMES.items() if label != "long"]
    readable = [NAMES[label] + b".yaml" for label in NAMES if label not in REFUSABLE]
    words = "run cases --sandbox in-process --report json=out/report.json --trace out/traces".split()
    yield count_row("run-hard", words, lambda: hard, in_report)
    yield count_row("run-readable", words, lambda: readable, in_report, (0,))
    yield count_row("list-every-byte", ["run", "cases", "--list"], every_byte, in_lines)
    yield count_row("lint-every-byte", ["lint", "cases"], every_byte, in_last_line)
    yield count_row("format-every-byte", ["format", "cases"], every_byte, in_lines, fixture="untidy.yaml")


# Inputs that are not files.

def feed(path, content):
    """Starts a process that writes into a FIFO once it is read."""
    if (process := os.fork()) == 0:
        try:
            with open(path, "wb") as file:
                file.write(content)
        finally:
            os._exit(0)
    return process


def make_node(path, minor):
    """Makes a device of memory: 3 is null, 5 zero, 7 full."""
    try:
        os.mknod(path, stat.S_IFCHR | 0o666, os.makedev(1, minor))
    except PermissionError as error:
        raise Skip("a device needs root") from error


def bind(path):
    os.chdir(path.parent)
    socket.socket(socket.AF_UNIX).bind(path.name)


INPUTS = {
    "missing": lambda path: None,
    "dangling-link": lambda path: path.symlink_to("nothing.here"),
    "looping-link": lambda path: path.symlink_to(path.name),
    "empty": lambda path: path.touch(),
    "zeros": lambda path: path.symlink_to("/dev/zero"),
    "null": lambda path: path.symlink_to("/dev/null"),
    "socket": bind,
    "folder": lambda path: path.mkdir(),
    "unreadable": lambda path: path.touch(0),
}
QUICK_INPUTS = ("dangling-link", "zeros", "folder")


def input_row(command, label):
    def check(bench):
        if label == "unreadable" and not can_obey_permissions():
            raise Skip("permissions mean nothing to root here")
        bench.place.add(command.inputs)
        path = bench.place.work / command.inputs[0]
        path.unlink()
        INPUTS[label](path)
        end = bench.run(command, Surroundings(obeys_permissions=True))
        # Its usual end may have the same exit code, and files that it writes.
        surroundings = Surroundings(excuses=True)
        judge = Judge(command, bench.usual[command.name], surroundings, expects={2}, compares=False)
        return judge.judge(end, bench.place)

    is_quick = label in QUICK_INPUTS and command.is_main
    return Row(f"inputs/{label}/{command.name}", check, (command.name,), is_quick)


def fifo_row(command):
    def check(bench):
        bench.place.add(command.inputs)
        path = bench.place.work / command.inputs[0]
        content = path.read_bytes()
        path.unlink()
        os.mkfifo(path)
        feeder = feed(path, content)
        end = bench.run(command, keeps=(feeder,))
        # The feeder may have ended and been collected with what the command left.
        with contextlib.suppress(ProcessLookupError, ChildProcessError):
            os.kill(feeder, signal.SIGKILL)
            os.waitpid(feeder, 0)
        # It may be refused; it may also be read, once.
        surroundings = Surroundings(excuses=True)
        return Judge(command, bench.usual[command.name], surroundings, compares=False).judge(end, bench.place)

    return Row(f"inputs/fifo/{command.name}", check, (command.name,), command.is_main)


def in_folder_row(label, words, name, expects):
    """A folder with a scenario and, beside it, something that is not one."""

    def check(bench):
        if label == "unreadable" and not can_obey_permissions():
            raise Skip("permissions mean nothing to root here")
        folder_of_names(bench, [b"rent.yaml"])
        path = bench.place.work / "cases" / "worse.yaml"
        if label == "fifo":
            os.mkfifo(path)
        elif label == "link-to-its-folder":
            path.symlink_to(".")
        else:
            INPUTS[label](path)
        return end_of(bench, words, expects, surroundings=Surroundings(obeys_permissions=True))[1]

    return Row(f"inputs/{label}-in-folder/{name}", check, ("run-listing",), True)


def input_rows():
    for command in TABLE:
        if command.inputs and command.inputs[0] != "worlds":
            for label in INPUTS:
                yield input_row(command, label)
            yield fifo_row(command)
    for label in ("dangling-link", "looping-link", "zeros", "null", "socket", "unreadable", "fifo"):
        yield in_folder_row(label, ["run", "cases", "--sandbox", "in-process"], "run", {2})
        yield in_folder_row(label, ["run", "cases", "--list"], "run-listing", {2})
        yield in_folder_row(label, ["lint", "cases"], "lint", {2})
        yield in_folder_row(label, ["format", "--check", "cases"], "format", {2})
        yield in_folder_row(label, ["explore", "cases", "--runs", "1"], "explore", {2})
    yield in_folder_row("link-to-its-folder", ["run", "cases", "--sandbox", "in-process"], "run", {0})


# Outputs at paths that are taken.

EARLIER = b"earlier\n"


def make_link(path):
    path.with_name("target").write_bytes(EARLIER)
    path.symlink_to("target")


OUTPUTS = {
    "existing": lambda path: path.write_bytes(EARLIER),
    "link": make_link,
    "dangling-link": lambda path: path.symlink_to("target"),
    "looping-link": lambda path: path.symlink_to(path.name),
    "fifo": os.mkfifo,
    "null-device": lambda path: make_node(path, 3),
    "full-device": lambda path: make_node(path, 7),
    "folder": lambda path: path.mkdir(),
}
# They hold no file, so a command cannot have written one.
CANNOT_HOLD = ("looping-link", "fifo", "full-device", "folder")


def output_row(command, output, label):
    def check(bench):
        bench.place.add(command.inputs)
        path = bench.place.work / output
        path.parent.mkdir(parents=True, exist_ok=True)
        OUTPUTS[label](path)
        before = kind(path)
        judge = Judge(command, bench.usual[command.name], Surroundings(excuses=True))
        if label in CANNOT_HOLD:
            judge.codes -= {0}
        if label == "existing":
            return judge.judge(bench.run(command), bench.place)
        name = os.fsencode(output)
        target = os.path.join(os.path.dirname(name), b"target")
        del judge.files[name]
        end = bench.run(command)
        judge.judge(end, bench.place, ignores=(name, target))
        if kind(path) != before:
            judge.add(f"{output} was a {label} and is another file now")
        if label in ("link", "dangling-link") and not end.hung:
            content = bench.place.files().get(target, (None, None))[1]
            if content == (EARLIER if label == "link" else None):
                if end.code == judge.usual.end.code != 2:
                    judge.add(f"{output} was not written, although it ends with {end}")
            elif (flaw := defect(name, content)) is not None:
                judge.add(f"{output} is not whole: {flaw}")
        return judge.problems

    is_quick = command.is_main and label in ("link", "fifo", "null-device")
    return Row(f"outputs/{label}/{command.name}:{short_name(output)}", check, (command.name,), is_quick)


def short_name(output):
    """The name of an output in the names of rows."""
    return output.replace("out/", "", 1).replace("/", "-")


def overwriting_row(command, output, taken):
    """A command that is asked to write where one of its inputs is."""

    def check(bench):
        words = [word.replace(os.fsencode(output), os.fsencode(taken)) for word in bench.words(command)]
        judge = Judge(command, bench.usual[command.name], expects={2}, compares=False)
        judge.files = {path: state for path, state in judge.files.items() if path != os.fsencode(output)}
        bench.place.add(command.inputs)
        return judge.judge(bench.run(command, words=words), bench.place)

    label = "world" if taken.startswith("worlds/") else "input"
    return Row(f"outputs/{label}/{command.name}:{short_name(output)}", check, (command.name,), label == "input")


# The commands whose outputs take the places of their inputs.
OVERWRITING = ("run", "trace", "sweep", "sweep-page", "explore", "explore-page", "demo", "answer", "merge-junit",
               "merge-matrix", "bench-page")


def output_rows():
    for command in TABLE:
        for output in command.outputs:
            if output.startswith("out/"):
                for label in OUTPUTS:
                    yield output_row(command, output, label)
            if command.name in OVERWRITING:
                if output in command.arguments and not command.replaces_input:
                    yield overwriting_row(command, output, command.inputs[0])
                    if "rent.yaml" in command.inputs:
                        yield overwriting_row(command, output, "worlds/spaceport.yaml")


# Signals.

SIGNALS = {"int": signal.SIGINT, "term": signal.SIGTERM, "hup": signal.SIGHUP}
EVENTS = "out/events.jsonl"
# In seconds: between two signals, such as `timeout` sends to a process and to its group.
GAP = .0004


class Sending(Watch):
    """Sends a signal at a moment, once or twice within a millisecond."""

    def __init__(self, number, times, moment, events=None, waits=False):
        super().__init__()
        self.number, self.times, self.moment, self.events = number, times, moment, events
        # True if the program had said that the run began, at the time of the signal.
        self.had_begun = False
        self.begin = None if waits else 0

    def has_begun(self):
        return bool(self.events and self.events.exists() and b'"run-started"' in self.events.read_bytes())

    def look(self, process, seconds):
        if self.begin is None and self.has_begun():
            self.begin = seconds
        if self.sent or self.begin is None or seconds < self.begin + self.moment:
            return
        self.had_begun = self.has_begun()
        self.send(process, self.number)
        if self.times == 2:
            # The first one has arrived by then; of two that wait, the system keeps one.
            time.sleep(GAP)
            self.send(process, self.number)


def signal_row(command, label, times, number, is_quick):
    def check(bench):
        usual = bench.usual[command.name]
        moment = bench.draw.uniform(0, 1.05) * usual.seconds
        watch = Sending(SIGNALS[label], times, moment, bench.place.work / EVENTS)
        return judge_signal(bench, command, watch)

    word = "once" if times == 1 else "twice"
    return Row(f"signals/{label}-{word}/{command.name}-{number}", check, (command.name,), is_quick)


def judge_signal(bench, command, watch):
    bench.place.add(command.inputs)
    judge = Judge(command, bench.usual[command.name])
    end = bench.run(command, watch=watch)
    judge.judge(end, bench.place)
    if watch.had_begun and not end.hung and end.code != judge.usual.end.code:
        if end.code != 128 + watch.number:
            judge.add(f"the run had begun; expected exit code {128 + watch.number}, found {end}")
        judge_interrupted(judge, bench.place.work / "out" / "report.json")
    return judge.problems


def judge_interrupted(judge, path):
    """Judges the report of a run that a signal ended."""
    if not path.exists():
        judge.add("the run had begun, and its report is missing")
        return
    report = json.loads(path.read_bytes())
    usual = json.loads(judge.usual.files[b"out/report.json"][1])
    # The signal may come after the last case.
    has_all = len(report["cases"]) == len(usual["cases"])
    if report["run"].get("stopped") != "interrupted" and not has_all:
        judge.add("the report does not say that the run was interrupted")


def endless_row(name, options, label, times):
    """A run that cannot be whole: a case that it calls passed was not run as often as asked."""
    words = f"run rent.yaml {options} --report json=out/report.json --report jsonl={EVENTS}".split()

    def check(bench):
        bench.place.add(["rent.yaml", "worlds"])
        # The first of its runs has ended by then.
        moment = bench.draw.uniform(1, 3) * bench.usual["run-repeating"].seconds
        watch = Sending(SIGNALS[label], times, moment, bench.place.work / EVENTS, waits=True)
        bench.place.begin()
        end = run([bench.program, *words], bench.place, watch=watch)
        problems = []
        wanted = 128 + watch.number
        if end.code != wanted:
            problems.append(f"expected exit code {wanted}, found {end}")
        return problems + passed_too_early(bench, end)

    word = "once" if times == 1 else "twice"
    return Row(f"signals/{label}-{word}/{name}", check, ("run-repeating",), True)


def passed_too_early(bench, end):
    """What says that a case passed that was not run as often as asked."""
    problems = []
    if re.search(rb"^passed", end.output, re.M):
        problems.append("prints 'passed' of a case that was not run as often as asked")
    path = bench.place.work / "out" / "report.json"
    if not path.exists():
        return problems + ["the report is missing"]
    if any(case["verdict"] == "passed" for case in json.loads(path.read_bytes())["cases"]):
        problems.append("the report says 'passed' of a case that was not run as often as asked")
    return problems


def time_limit_row(name, options):
    """A run whose time limit ends before it can be whole."""
    words = f"run rent.yaml {options} --time-limit 1 --report json=out/report.json".split()

    def check(bench):
        bench.place.add(["rent.yaml", "worlds"])
        bench.place.begin()
        end = run([bench.program, *words], bench.place)
        problems = [] if end.code == 2 else [f"expected exit code 2, found {end}"]
        return problems + passed_too_early(bench, end)

    return Row(f"repeats/time-limit/{name}", check, (), True)


class WhenWriting(Watch):
    """Sends a signal while a file has a temporary name."""

    def __init__(self, number, folder):
        super().__init__()
        self.number, self.folder = number, folder

    def look(self, process, seconds):
        if not self.sent and any(path.suffix in (".tmp", ".part") for path in self.folder.iterdir()):
            self.send(process, self.number)


# Commands that write a file, with their inputs: in the first one, a world's threads could get a signal, too.
WRITING = {
    "demo": ("demo worlds/spaceport.yaml --record out/file", ["worlds"]),
    "merge": ("merge shards/1.json shards/2.json --report json=out/file", ["shards"]),
}


def writing_row(label, name):
    """A signal while a file is written."""
    words, inputs = WRITING[name]

    def check(bench):
        library = make_library(bench.place.folder, "slow_rename")
        if library is None:
            raise Skip("a file is written slowly with a C compiler, and here is none")
        bench.place.add(inputs)
        bench.place.begin()
        watch = WhenWriting(SIGNALS[label], bench.place.work / "out")
        end = run([bench.program, *words.split()], bench.place,
                  Surroundings(environment={"LD_PRELOAD": str(library)}), b"n\nv\n", watch)
        files = sorted(path.name for path in (bench.place.work / "out").iterdir())
        problems = [] if files == ["file"] else [f"expected out/file alone, found {files}"]
        if not watch.sent or end.code != -watch.number:
            problems.append(f"expected an end by the signal, found {end}")
        return problems

    return Row(f"signals/{label}-once/writing-{name}", check, (), True)


def signal_rows():
    for label in SIGNALS:
        for name in WRITING:
            yield writing_row(label, name)
        for times in (1, 2):
            for number in range(MOMENTS):
                yield signal_row(REPEATING, label, times, number, number < 2)
            yield endless_row("run-repeat", f"--repeat {ENDLESS}", label, times)
        yield endless_row("run-seeds", f"--seeds 1..{ENDLESS}", label, 1)
    for index, command in enumerate(TABLE):
        if command.serves:
            continue
        for number in range(MOMENTS):
            # Signals and their number take turns.
            turn = index + number
            label, times = tuple(SIGNALS)[turn % 3], 1 + turn // 3 % 2
            yield signal_row(command, label, times, number, command.is_main and number < 1 and not command.is_slow)
    for label in SIGNALS:
        def serve(bench, label=label):
            return bench.check(BY_NAME["serve"], watch=Serving(SIGNALS[label]))

        yield Row(f"signals/{label}-once/serve", serve, ("serve",), True)

        def serve_idle(bench, label=label):
            watch = ServingIdle(SIGNALS[label])
            try:
                command = BY_NAME["serve-drivers"]
                bench.place.add(command.inputs)
                judge = Judge(command, bench.usual[command.name])
                end = bench.run(command, watch=watch)
                if end.errors:
                    judge.add(f"it says {text_of(end.errors)!r}")
                return judge.judge(end, bench.place)
            finally:
                watch.close()

        yield Row(f"signals/{label}-once/serve-idle", serve_idle, ("serve-drivers",), label == "term")

        def watching(bench, label=label):
            bench.place.add(["rent.yaml", "worlds"])
            bench.place.begin()
            watch = Sending(SIGNALS[label], 1, bench.draw.uniform(0, 1))
            end = run([bench.program, "run", "rent.yaml", "--watch"], bench.place, watch=watch)
            wanted = (0, 128 + watch.number, -watch.number)
            return [] if end.code in wanted else [f"expected exit code 0 or {128 + watch.number}, found {end}"]

        yield Row(f"signals/{label}-once/run-watching", watching, (), True)
    yield time_limit_row("run-repeat", f"--repeat {ENDLESS}")


# The sandbox's process.

class Killing(Watch):
    """Kills processes of sandboxes at a moment: one, or all."""

    def __init__(self, draw, moment, takes_all):
        super().__init__()
        self.draw, self.moment, self.takes_all = draw, moment, takes_all
        self.killed = 0

    def look(self, process, seconds):
        if self.killed or seconds < self.moment:
            return
        found = sorted(number for number in descendants()
                       if number != process and "sandbox" in running_program(number).partition(" ")[0])
        if not found:
            return
        for number in found if self.takes_all else [self.draw.choice(found)]:
            try:
                os.kill(number, signal.SIGKILL)
                self.killed += 1
            except ProcessLookupError:
                pass


def kill_row(number, is_quick):
    def check(bench):
        usual = bench.usual[CONFINED.name]
        watch = Killing(bench.draw, bench.draw.uniform(0, .9) * usual.seconds, number % 2 == 1)
        problems = bench.check(CONFINED, Surroundings(excuses=True), watch=watch)
        if not problems and not watch.killed:
            raise Skip("no process of the sandbox was there to be killed at the drawn moment")
        return problems

    return Row(f"sandbox/killed-{'all' if number % 2 else 'one'}/{number}", check, (CONFINED.name,), is_quick)


def sandbox_rows():
    for number in range(MOMENTS):
        yield kill_row(number, number < 6)


# The clock.

# Commands that wait for a program which they start.
STARTING = {"bench", "new-target", "test-wallet-program"}
# Commands that verify what they have just issued: with a clock that falls, it is valid from later on.
VERIFYING = {"test-verifier-files"}


def clock_rows():
    """The clock is set back once, and at each reading: what waits until a time of it would wait for long."""
    for command in TABLE:
        def check(bench, once, command=command):
            if bench.clock is None:
                raise Skip("the system's clock is set back with a C compiler, and here is none")
            variables = {"LD_PRELOAD": str(bench.clock)}
            options = {}
            if once:
                variables["CLOCK_READINGS"] = str(bench.draw.randrange(40))
            elif command.name in VERIFYING:
                options["expects"] = {2}
            return bench.check(command, Surroundings(environment=variables), **options)

        yield Row(f"clock/set-back/{command.name}", functools.partial(check, once=True), (command.name,),
                  command.is_main and not command.is_slow)
        yield Row(f"clock/falls/{command.name}", functools.partial(check, once=False), (command.name,),
                  command.name in STARTING | VERIFYING)


def make_library(folder, name):
    """Compiles a library to load before a program; None without a compiler."""
    library = folder / f"{name}.so"
    compiler = shutil.which("cc")
    if compiler is None:
        return None
    source = os.path.join(os.path.dirname(os.path.abspath(__file__)), f"{name}.c")
    subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", str(library), source], check=True)
    return library


def all_rows():
    """Every row by its name, in the order of the table."""
    rows = {}
    for make in (usual_rows, descriptor_rows, limit_rows, disk_rows, environment_rows, name_rows, input_rows,
                 output_rows, signal_rows, sandbox_rows, clock_rows):
        for row in make():
            assert row.name not in rows, row.name
            rows[row.name] = row
    return rows
