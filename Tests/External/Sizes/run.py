#!/usr/bin/env python3
"""Measures every command of `presentment` that reads files, on files from 1 KB to the command's limit.

    run.py PRESENTMENT [WORD ...]

Prints a table: processor time of the program at each size (the best of three), its growth, and its largest memory. A
growth of 16 is linear: it is the largest factor of the time for 16 times the bytes, without the program's start. For
each file that a command takes, the row of the costliest content; --all prints every row. A WORD chooses rows by a part
of "COMMAND ARGUMENT: CONTENT".

Exits 1 if a file just above a limit is not refused with exit code 2 and a message about its size, or if a program ends
by a signal; 2 if a command takes an argument that this file does not know. No time fails. --check looks only at this,
with files of 1 KB: the limits, and that no argument was forgotten.
"""

import argparse
import dataclasses
import json
import math
import os
import pathlib
import re
import resource
import shlex
import signal
import subprocess
import sys
import tempfile
import traceback

import inputs

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.append(str(ROOT / "Tests" / "External" / "Surroundings"))
import commands  # noqa: E402

KIB, MIB = 1 << 10, 1 << 20
SIZES = [KIB, 16 * KIB, 256 * KIB, 4 * MIB]
# The longest time of a program, in seconds of its processor time; a longer one is shown as this.
LONGEST = 60
# A single measure is exact enough from this time on, in seconds.
LONG = .3
# A growth is computed for times above the start's from this on, in seconds.
SHORTEST = 0.03
# Marked with an asterisk: more than this growth, more seconds for a MiB, more bytes of memory for a byte of the file.
GROWTH, SECONDS, BYTES = 24, 1.0, 64

# The named constants of the limits: a file below Sources, and a name.
LIMITS = {
    "inspected": ("Tools/Inspection/Inspector.swift", "maximumLength"),
    "recording": ("Roles/Recordings/Recording.swift", "maximumLength"),
    "exchange": ("Roles/ExchangeFiles/File/ExchangeFileError.swift", "fileBytes"),
    "key": ("Roles/ExchangeFiles/File/PrivateKeyFile.swift", "maximumLength"),
    "source": ("Scenarios/LocatedYAML/SourceLimits.swift", "bytes"),
    "trace": ("Tools/TraceViews/TraceFile.swift", "maximumLength"),
    "report": ("Tools/Reports/Run/ReportFile.swift", "limits"),
    "bench": ("Apps/PresentmentCommand/Bench/BenchReport.swift", "maximumLength"),
}


@dataclasses.dataclass(frozen=True)
class Subject:
    """An argument that takes a file."""

    # The command and its argument, for example "verify files".
    argument: str
    # The call. {file} is the file of the size, {other} another of the same size, {out} a new name.
    call: str
    # The kinds of content, by the names of `contents`.
    kinds: tuple
    limit: str
    name: str = "large"
    # The largest measured size, for a command whose work on a valid file is much more than its reading.
    largest: int = 0
    text: str = ""
    # The exit code for a file above the limit.
    refused: int = 2


EXCHANGE_OUT = "--out out.json"
QR_CODE = ("FIDO:/676760493505906304872794267153721102830791035401684141755928634133814168227179318566"
           "50028258012555437800282578800148737005640537768593930020377648667110631634480200807428")
HOLDER = "--world worlds/spaceport.yaml --device kellys-iphone --app Wallet"
READS_SCENARIO = (
    "comments", "unknown keys", "many steps", "nested lists", "aliases of aliases", "not closed", "long title")
ASKED = f"--origin {commands.ORIGIN} --document-type org.iso.18013.5.1.mDL --element org.iso.18013.5.1:family_name"
# A run of each case takes milliseconds.
CASES_RUN = 16 * KIB

SUBJECTS = [
    Subject("inspect files", "inspect {file}", ("json", "cbor", "texts", "pem", "trace", "exchange"), "inspected"),
    Subject("inspect files, --full --offsets", "inspect {file} --full --offsets", ("json", "cbor", "trace"),
            "inspected"),
    Subject("inspect files, --session-key", f"inspect {{file}} --session-key {'07' * 32}", ("texts",), "inspected"),
    Subject("inspect files, --qr-code", f"inspect {{file}} --qr-code {QR_CODE}", ("texts",), "inspected"),
    Subject("inspect --ephemeral-key", "inspect document.cbor --ephemeral-key {file}", ("key", "json", "texts"), "key"),
    Subject("inspect --key", "inspect document.cbor --key {file}", ("key", "json", "texts"), "key"),
    Subject("verify files", "verify {file} --at {at}", ("exchange", "answered", "cbor", "json", "texts"), "exchange"),
    Subject("verify files, --json --cross-check", "verify {file} --at {at} --json --cross-check --issuer-root "
            "trusted/issuer.pem", ("answered", "cbor"), "exchange"),
    Subject("verify --issuer-root", "verify answered.json --at {at} --issuer-root {file}", ("pem", "texts"),
            "exchange"),
    Subject("verify --vical", "verify answered.json --at {at} --vical {file} --vical-signer trusted/issuer.pem",
            ("cbor", "texts", "pem"), "exchange"),
    Subject("verify --vical-signer", "verify answered.json --at {at} --vical document.cbor --vical-signer {file}",
            ("pem", "texts"), "exchange"),
    Subject("trust files", "trust {file} --at {at}", ("pem", "cbor", "texts"), "exchange"),
    Subject("trust --vical-signer", "trust trusted/issuer.pem --at {at} --vical-signer {file}", ("pem", "texts"),
            "exchange"),
    Subject("request --like", f"request --origin {commands.ORIGIN} --like {{file}} {EXCHANGE_OUT}",
            ("exchange", "cbor", "json", "texts"), "exchange"),
    Subject("request --reader-certificates",
            f"request {ASKED} --reader-certificates {{file}} --reader-key exchange.json {EXCHANGE_OUT}",
            ("pem", "texts"), "exchange"),
    Subject("request --reader-key",
            f"request {ASKED} --reader-certificates trusted/issuer.pem --reader-key {{file}} {EXCHANGE_OUT}",
            ("key", "json", "texts"), "key"),
    Subject("request --issuer-root", f"request {ASKED} --issuer-root {{file}} {EXCHANGE_OUT}", ("pem", "texts"),
            "exchange"),
    Subject("request --transaction",
            f"request --origin {commands.ORIGIN} --protocol openid4vp-v1-unsigned --element claims:given_name "
            f"--document-type 'dc+sd-jwt urn:eudi:pid:1' --transaction {{file}} {EXCHANGE_OUT}", ("json", "texts"),
            "exchange"),
    Subject("respond files", f"respond {{file}} {HOLDER} {EXCHANGE_OUT}", ("exchange", "answered", "json"), "exchange"),
    Subject("respond --world", f"respond exchange.json --world {{file}} {EXCHANGE_OUT}", ("world",), "source",
            "large.yaml"),
    Subject("respond --document", f"respond exchange.json --document {{file}} --device-key key.pem {EXCHANGE_OUT}",
            ("cbor", "json", "texts"), "exchange"),
    Subject("respond --device-key",
            f"respond exchange.json --document document.cbor --device-key {{file}} {EXCHANGE_OUT}",
            ("key", "json", "texts"), "key"),
    Subject("respond --trusted-readers", f"respond exchange.json {HOLDER} --trusted-readers {{file}} {EXCHANGE_OUT}",
            ("pem", "texts"), "exchange"),
    Subject("issue files", f"issue {{file}} --device-key key.pem --issuer-root root.made {EXCHANGE_OUT}",
            ("comments", "unknown keys", "not closed"), "source", "large.yaml"),
    Subject("issue --device-key", f"issue license.yaml --device-key {{file}} --issuer-root root.made {EXCHANGE_OUT}",
            ("key", "json", "texts"), "key"),
    Subject("issue --world", f"issue license.yaml --device-key key.pem --world {{file}} {EXCHANGE_OUT}", ("world",),
            "source", "large.yaml"),
    Subject("issue --signer-key",
            "issue license.yaml --device-key key.pem --signer-certificates trusted/issuer.pem --signer-key {file} "
            f"{EXCHANGE_OUT}", ("key", "json", "texts"), "key"),
    Subject("issue --signer-certificates",
            "issue license.yaml --device-key key.pem --signer-key key.pem --signer-certificates {file} "
            f"{EXCHANGE_OUT}", ("pem", "texts"), "exchange"),
    Subject("answer --request",
            f"answer --request {{file}} --origin {commands.ORIGIN} --world worlds/any-site.yaml --sandbox in-process",
            ("exchange", "json"), "exchange"),
    Subject("answer --world", f"answer --request page.json --origin {commands.ORIGIN} --world {{file}} "
            "--sandbox in-process", ("world",), "source", "large.yaml"),
    Subject("test-verifier target", "test-verifier {file}", ("comments", "unknown keys", "not closed"), "source",
            "large.yaml"),
    Subject("test-verifier --known", "test-verifier target.yaml --known {file}", ("comments", "not closed"), "source",
            "large.yaml"),
    Subject("test-wallet target", "test-wallet {file}", ("comments", "unknown keys", "not closed"), "source",
            "large.yaml"),
    Subject("test-wallet --known", "test-wallet wallet.yaml --known {file}", ("comments", "not closed"), "source",
            "large.yaml"),
    Subject("lint paths", "lint {file}", ("scenario", "world"), "source", "large.yaml"),
    Subject("format paths", "format --check {file}", ("scenario",), "source", "large.yaml"),
    Subject("run paths, --list", "run {file} --list", ("scenario",), "source", "large.yaml"),
    Subject("run paths", "run {file} --quiet --jobs 1", ("scenario",), "source", "large.yaml", CASES_RUN),
    Subject("run --only-failed", "run rent.yaml --list --only-failed {file}", ("report",), "report"),
    Subject("run --durations", "run rent.yaml --list --shard 1/2 --durations {file}", ("report",), "report"),
    Subject("run --replay", "run rent.yaml --quiet --jobs 1 --replay {file}", ("json",), "recording"),
    Subject("run --golden", "run rent.yaml --quiet --golden golden", ("trace",), "trace",
            "golden/rent.trace.jsonl",
            # The case fails, as with any other trace that differs.
            refused=1),
    Subject("sweep paths", "sweep {file} --only 44 --change dropped --jobs 1", READS_SCENARIO, "source",
            "large.yaml"),
    Subject("explore paths", "explore {file} --runs 1 --jobs 1 --output {out}", READS_SCENARIO, "source",
            "large.yaml"),
    Subject("vacuous paths", "vacuous {file} --jobs 1", READS_SCENARIO, "source", "large.yaml", CASES_RUN),
    Subject("demo scenario", "demo {file}", READS_SCENARIO, "source", "large.yaml", text="play\n"),
    Subject("merge report", "merge {file}", ("report",), "report"),
    Subject("merge report, every format",
            "merge {file} --report junit={out}.xml --report tap={out}.tap --report html={out}.html", ("report",),
            "report"),
    Subject("diff left", "diff {file} {other}", ("trace",), "trace"),
    Subject("diff left, same", "diff {file} kept/rent.trace.jsonl", ("trace",), "trace"),
    Subject("diff right", "diff kept/rent.trace.jsonl {file}", ("trace",), "trace"),
    Subject("trace files", "trace {file} --html {out}", ("trace",), "trace"),
    Subject("bench --compare", "bench program --milliseconds 1 --compare {file}", ("bench", "small members"), "bench"),
]

# Arguments without a file to read, and those whose file another row reads in the same way.
OTHERS = {
    "run": "record remote programs filter tag case report shard seed seeds sandbox jobs repeat time-limit step-limit "
           "trace slowest explain",
    "merge": "report matrix", "trace": "html",
    "sweep": "case seed sandbox jobs only change trace bit stride html",
    "explore": "seed runs time sandbox jobs output html",
    "vacuous": "sandbox jobs", "new": "name", "demo": "case seed fault language sandbox record",
    # Reads files as `demo` and `lint` do.
    "serve": "world scenarios port address bidi host-name allow-origin allow-embedding sandbox",
    "inspect": "profile qr-code session-key counter", "verify": "at policy", "trust": "at",
    "request": "origin merchant-identifier team-identifier document-type element protocol throwaway-reader reader-root "
               "out page",
    "respond": "origin protocol device app seed issuer-root write-document write-device-key elements withhold error at "
               "out",
    "issue": "write-device-key issuer seed issuer-root at out",
    "answer": "origin device app seed at sandbox format fault issuer-roots", "faults": "name",
    "qr": "texts level out",
    "test-verifier": "roots reader-domain write-files files filter seed jobs sandbox report update-known out",
    "test-wallet": "write-files files filter seed report update-known out",
    "new-target": "url submit origin seed", "schema": "subject",
    "browser-checklist": "profile only", "why": "name profile",
    "bench": "topics milliseconds registrations html", "help": "subcommands",
}


def refuse(message):
    print(f"run.py: {message}", file=sys.stderr)
    sys.exit(2)


def limit(name):
    """The number of a named constant."""
    path, constant = LIMITS[name]
    text = (ROOT / "Sources" / path).read_text()
    found = re.search(rf"static let {constant}\b[^\n]*?(\d+) << (\d+)", text)
    if not found:
        refuse(f"{path} has no constant '{constant}' of the form N << N")
    return int(found[1]) << int(found[2])


def require_all(program):
    """Refuses to continue if a command takes an argument that is in no table."""
    dump = subprocess.run([program, "--experimental-dump-help"], capture_output=True, check=True)
    known = {tuple(subject.argument.partition(",")[0].split(" ", 1)) for subject in SUBJECTS}
    unknown = []
    for command in json.loads(dump.stdout)["command"]["subcommands"]:
        others = OTHERS.get(command["commandName"], "").split()
        for argument in command.get("arguments", []):
            is_option = argument["kind"] == "option"
            name = argument["names"][0]["name"] if is_option else argument["valueName"]
            row = command["commandName"], f"--{name}" if is_option else name
            if argument["kind"] != "flag" and name not in others and row not in known:
                unknown.append(" ".join(row))
    if unknown:
        refuse(f"these arguments are neither in SUBJECTS nor in OTHERS: {', '.join(unknown)}")


def contents(folder):
    """The makers of content by kind: each gets a size, and returns parts."""
    certificate = (folder / "trusted" / "issuer.pem").read_bytes()
    recorded = (folder / "kept" / "rent.trace.jsonl").read_text()
    report = json.dumps(json.loads((folder / "shards" / "whole.json").read_text()))
    scenario = (folder / "rent.yaml").read_text()
    named = inputs.scenarios(scenario)
    return {
        "json": inputs.JSON, "cbor": inputs.CBOR, "texts": inputs.TEXTS, "pem": inputs.pem(certificate),
        "trace": inputs.traces(recorded), "other trace": inputs.traces(recorded, 1),
        "exchange": inputs.exchanges((folder / "exchange.json").read_text(), certificate),
        "answered": inputs.exchanges((folder / "answered.json").read_text(), certificate),
        "report": inputs.reports(report), "bench": {"many figures": inputs.benches},
        "small members": {"small members": inputs.JSON["small members"]},
        "scenario": named, "world": inputs.worlds((folder / "worlds" / "any-site.yaml").read_text()),
        "key": {kind: (lambda size, kind=kind: inputs.keys(size, kind)) for kind in ("PEM", "JSON Web Key")},
        **{kind: {kind: named[kind]} for kind in READS_SCENARIO},
    }


def is_made(path, make, size):
    """Writes a content, unless it has no room in the size.

    Another process does so, and this one stays small: the system counts its memory as that of the programs it starts.
    """
    process = os.fork()
    if process == 0:
        code = 2
        try:
            with open(path, "wb") as file:
                for part in make(size):
                    file.write(part)
            code = 0
        except inputs.TooSmall:
            code = 1
        except Exception:
            traceback.print_exc()
        finally:
            os._exit(code)
    code = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
    if code not in (0, 1):
        refuse(f"{path.name} cannot be made with {size} bytes")
    return code == 0


@dataclasses.dataclass
class Measure:
    """What one call took."""

    seconds: float
    memory: int
    code: int
    signal: int
    message: str


def call(words, folder, text="", keeps_output=False):
    """Runs the program once. Its output is kept if that is asked: writing it takes time."""
    with tempfile.TemporaryFile() as errors, tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as output:
        given.write(text.encode())
        given.seek(0)
        process = os.fork()
        if process == 0:
            try:
                os.chdir(folder)
                written = output.fileno() if keeps_output else os.open(os.devnull, os.O_RDWR)
                for descriptor, number in ((given.fileno(), 0), (written, 1), (errors.fileno(), 2)):
                    os.dup2(descriptor, number)
                resource.setrlimit(resource.RLIMIT_CPU, (LONGEST, LONGEST))
                os.execv(words[0], words)
            finally:
                os._exit(127)
        status, usage = os.wait4(process, 0)[1:]
        message = ""
        for file in (output, errors):
            file.seek(0)
            message += file.read(4 * KIB).decode("utf-8", "replace")
    return Measure(
        usage.ru_utime + usage.ru_stime, usage.ru_maxrss * KIB,
        os.WEXITSTATUS(status) if os.WIFEXITED(status) else -1,
        os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0, message)


class Bench:
    """The folder with the fixtures, and what is found there."""

    def __init__(self, program, folder):
        self.program, self.folder = program, folder
        self.at = commands.make_fixtures(program, ROOT / "scenarios", folder)
        (folder / "golden").mkdir()
        for arguments in (
                "run rent.yaml --report json=shards/whole.json",
                f"respond exchange.json {HOLDER} --out again.json --write-device-key key.pem"):
            subprocess.run([program, *shlex.split(arguments)], cwd=folder, check=True, capture_output=True)
        self.start = min((call([program, "--version"], folder) for _ in range(5)), key=lambda one: one.seconds)
        self.problems = []

    def words(self, subject):
        names = {"file": subject.name, "other": "other.file", "out": "made", "at": self.at}
        return [self.program, *shlex.split(subject.call.format(**names))]

    def measure(self, subject, content, make, size, rounds):
        """The best of some calls; nothing for a content that has no room in the size."""
        if not is_made(self.folder / subject.name, make, size):
            return None
        best = None
        for _ in range(rounds):
            one = call(self.words(subject), self.folder, subject.text)
            best = one if best is None or one.seconds < best.seconds else best
            if one.seconds > LONG:
                break
        for made in self.folder.glob("made*"):
            made.unlink()
        if best.signal and best.seconds < LONGEST - 1:
            self.problems.append(
                f"{subject.argument}: {content}, {size} bytes: ended by {signal.Signals(best.signal).name}")
        return best

    def require_limit(self, subject):
        """Notes a problem if a file above the limit is not refused for its size."""
        most = limit(subject.limit)
        with open(self.folder / subject.name, "wb") as file:
            file.truncate(most + 1)
        done = call(self.words(subject), self.folder, subject.text, keeps_output=True)
        if done.code != subject.refused or not re.search(r"limit|larg|longer|more than|at most|exceed", done.message):
            self.problems.append(
                f"{subject.argument}: a file of {most + 1} bytes is not refused for its size, but ends with "
                f"{done.code or done.signal}: {done.message.strip()[:200]}")


def shown(count):
    for unit, name in ((1 << 30, "GB"), (MIB, "MB"), (KIB, "KB")):
        if count >= unit:
            return f"{count / unit:.0f} {name}"
    return f"{count} B"


def duration(measure):
    if measure is None:
        return ""
    if measure.signal:
        return f"> {LONGEST} s"
    return f"{measure.seconds:.2g} s" if measure.seconds >= 1 else f"{measure.seconds * 1000:.0f} ms"


@dataclasses.dataclass
class Row:
    """The measures of a content."""

    subject: Subject
    content: str
    measures: dict
    start: Measure

    @property
    def last(self):
        return max(self.measures)

    @property
    def growth(self):
        """The largest factor of the time for 16 times the bytes."""
        sizes, found = sorted(self.measures), 0
        for small, large in zip(sizes, sizes[1:]):
            before, after = (max(.001, self.measures[size].seconds - self.start.seconds) for size in (small, large))
            if after > SHORTEST:
                found = max(found, (after / before) ** (math.log(16) / math.log(large / small)))
        return found

    @property
    def seconds(self):
        return max(0, self.measures[self.last].seconds - self.start.seconds)

    @property
    def memory(self):
        return max(0, self.measures[self.last].memory - self.start.memory)

    @property
    def is_marked(self):
        return self.growth > GROWTH or self.seconds > SECONDS * max(1, self.last / MIB) or (
            self.memory > BYTES * max(MIB, self.last)) or any(one.signal for one in self.measures.values())

    def text(self):
        cells = [self.subject.argument, self.content]
        cells += [duration(self.measures.get(size)) for size in SIZES]
        cells += ["" if self.last in SIZES else f"{duration(self.measures[self.last])} ({shown(self.last)})"]
        cells += [f"{self.growth:.0f}" if self.growth else "", shown(self.measures[self.last].memory)]
        cells += [f"{self.measures[self.last].code}" + (" *" if self.is_marked else "")]
        return f"| {' | '.join(cells)} |"


def rows(bench, subject, makers, arguments):
    """Measures the contents of a subject, one after the other."""
    largest = min(limit(subject.limit), arguments.largest, subject.largest or limit(subject.limit))
    sizes = sorted({size for size in [*SIZES, largest] if size <= largest})
    for kind in subject.kinds:
        for content, make in makers[kind].items():
            title = f"{subject.argument}: {content}"
            if arguments.words and not any(word in title for word in arguments.words):
                continue
            measures = {}
            for size in sizes:
                if "{other}" in subject.call:
                    is_made(bench.folder / "other.file", makers["other trace"][content], size)
                one = bench.measure(subject, content, make, size, 1 if arguments.check else arguments.rounds)
                if one:
                    measures[size] = one
                if one and (one.signal or arguments.check):
                    break
            if measures:
                yield Row(subject, content, measures, bench.start)
            if arguments.check:
                break


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("words", nargs="*")
    parser.add_argument("--all", action="store_true", help="print every row")
    parser.add_argument("--check", action="store_true", help="look at limits only, without a table")
    parser.add_argument("--largest", type=int, default=16 * MIB, metavar="BYTES",
                        help="measure no file above this size (default: %(default)s)")
    parser.add_argument("--rounds", type=int, default=3, metavar="N",
                        help="the number of calls of which the best counts (default: %(default)s)")
    arguments = parser.parse_intermixed_args()
    program = str(pathlib.Path(arguments.program).resolve())
    require_all(program)
    with tempfile.TemporaryDirectory(prefix="presentment-sizes-") as name:
        bench = Bench(program, pathlib.Path(name) / "files")
        makers = contents(bench.folder)
        if not arguments.check:
            print(f"start of the command: {duration(bench.start)}, {shown(bench.start.memory)}\n")
            header = ["file", "content", *map(shown, SIZES), "limit", "growth", "memory", "exit"]
            print(f"| {' | '.join(header)} |\n|{' --- |' * len(header)}", flush=True)
        for subject in SUBJECTS:
            found = []
            for row in rows(bench, subject, makers, arguments):
                found.append(row)
                if arguments.all and not arguments.check:
                    print(row.text(), flush=True)
            if not found:
                continue
            bench.require_limit(subject)
            (bench.folder / subject.name).unlink()
            if not arguments.all and not arguments.check:
                print(max(found, key=lambda row: (row.is_marked, row.last, row.seconds)).text(), flush=True)
    for problem in bench.problems:
        print(problem, file=sys.stderr)
    sys.exit(1 if bench.problems else 0)


main()
