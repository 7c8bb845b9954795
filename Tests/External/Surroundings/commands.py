"""The commands of the program, each with arguments, inputs and outputs, and the files that they need."""

import dataclasses
import datetime
import os
import re
import shlex
import shutil
import socket
import subprocess

from execution import Watch

ORIGIN = "https://spaceship-rentals.example"
LICENSE = "{ type: org.iso.18013.5.1.mDL, elements: { given_name: Kelly, age_over_21: true } }\n"
CASES = ["rent.yaml", "refused.yaml", "worlds"]
SHARDS = ["shards/1.json", "shards/2.json"]
REPORTS = ("--report json=out/report.json --report jsonl=out/events.jsonl --report junit=out/report.xml "
           "--report tap=out/report.tap --report html=out/report.html --trace out/traces")


@dataclasses.dataclass(frozen=True)
class Command:
    """One call of the program, in a folder with its inputs."""

    name: str
    # Separated by spaces. {at} is the time of the fixtures.
    arguments: str
    # The first input is the one that rows replace.
    inputs: list = dataclasses.field(default_factory=list)
    # The files that it is asked to write, by their names among the arguments, or in a folder of these.
    outputs: list = dataclasses.field(default_factory=list)
    code: int = 0
    # What it reads from standard input, or the name of the input that it reads.
    text: str = ""
    # The codes that it may end with when standard input is another; empty for a command that does not read it.
    codes_without_input: tuple = ()
    # True if the output differs each time.
    is_random: bool = False
    # True for the row of a command in the quick set.
    is_main: bool = False
    # True if it runs until a signal.
    serves: bool = False
    # True if it may replace its input.
    replaces_input: bool = False
    # True if it takes seconds of processor time.
    is_slow: bool = False
    # True if a folder is as good as the first input.
    takes_folders: bool = False

    @property
    def subcommand(self):
        return self.arguments.split()[0]

    def words(self, at):
        return shlex.split(self.arguments.replace("{at}", at))


TABLE = [
    Command("run", f"run rent.yaml refused.yaml --jobs 2 {REPORTS}", CASES, [
        "out/report.json", "out/events.jsonl", "out/report.xml", "out/report.tap", "out/report.html",
        "out/traces/rent.trace.jsonl"], is_main=True, takes_folders=True),
    Command("run-failing", f"run wrong.yaml {REPORTS}", ["wrong.yaml", "worlds"], [
        "out/report.json", "out/traces/wrong.html"], code=1),
    Command("run-unreadable", "run misspelled.yaml rent.yaml --report json=out/report.json",
            ["misspelled.yaml", "rent.yaml", "worlds"], ["out/report.json"], code=2),
    Command("run-skipped", "run skipped.yaml --trace out/traces --report json=out/report.json",
            ["skipped.yaml", "worlds"], ["out/report.json"]),
    Command("run-stored", "run stored.yaml --trace out/traces --report json=out/report.json",
            ["stored.yaml", "worlds"], ["out/report.json"]),
    Command("run-report-printed", "run rent.yaml --report json=-", ["rent.yaml", "worlds"]),
    Command("run-events-printed", "run rent.yaml --report jsonl=-", ["rent.yaml", "worlds"]),
    Command("run-listing", "run rent.yaml refused.yaml --list", CASES, takes_folders=True),
    Command("run-story", "run rent.yaml --story --explain checks --cross-check", ["rent.yaml", "worlds"]),
    Command("run-repeating", "run rent.yaml --repeat 3 --golden kept --quiet", ["rent.yaml", "worlds", "kept"]),
    Command("run-updating", "run wrong.yaml --update --yes", ["wrong.yaml", "worlds"]),
    Command("merge", f"merge {' '.join(SHARDS)} --report json=out/report.json --report junit=out/report.xml",
            SHARDS, ["out/report.json", "out/report.xml"], is_main=True, replaces_input=True),
    Command("merge-junit", f"merge {' '.join(SHARDS)} --report junit=out/merged.xml", SHARDS, ["out/merged.xml"]),
    Command("merge-matrix", "merge whole/1.json whole/2.json --matrix out/matrix.html",
            ["whole/1.json", "whole/2.json"], ["out/matrix.html"]),
    Command("merge-printing", f"merge {' '.join(SHARDS)} --report tap=-", SHARDS),
    Command("diff", "diff kept/rent.trace.jsonl same/rent.trace.jsonl", ["kept/rent.trace.jsonl", "same"],
            takes_folders=True),
    Command("diff-different", "diff kept/rent.trace.jsonl other/rent.trace.jsonl", ["kept/rent.trace.jsonl", "other"],
            code=1, is_main=True),
    Command("trace", "trace kept/rent.trace.jsonl --html out/page.html", ["kept/rent.trace.jsonl"], ["out/page.html"],
            is_main=True),
    Command("trace-several", "trace kept/rent.trace.jsonl again/rent-again.trace.jsonl --html out/pages",
            ["kept/rent.trace.jsonl", "again"], ["out/pages/rent.html", "out/pages/rent-again.html"]),
    Command("trace-printing", "trace - --html -", text="kept/rent.trace.jsonl", codes_without_input=(2,)),
    Command("sweep", "sweep rent.yaml --only 44 --change dropped --trace out/sweep.trace.jsonl",
            ["rent.yaml", "worlds"], ["out/sweep.trace.jsonl"], is_main=True),
    Command("sweep-page", "sweep rent.yaml --only 44 --change dropped --html out/map.html", ["rent.yaml", "worlds"],
            ["out/map.html"]),
    Command("sweep-several", "sweep brief.yaml brief-again.yaml --stride 40 --html out/maps --jobs 2",
            ["brief.yaml", "brief-again.yaml"], ["out/maps/brief.html", "out/maps/brief-again.html"], is_main=True),
    Command("sweep-confined", "sweep rent.yaml --only 44 --stride 4 --sandbox process --jobs 2 --json",
            ["rent.yaml", "worlds"]),
    Command("explore", "explore rent.yaml --runs 2 --jobs 2 --output out/found.yaml", ["rent.yaml", "worlds"],
            is_main=True),
    Command("explore-page", "explore rent.yaml --runs 2 --jobs 2 --output out/found.yaml --html out/explored.html",
            ["rent.yaml", "worlds"], ["out/explored.html"]),
    Command("vacuous", "vacuous rent.yaml refused.yaml --jobs 2", CASES, is_main=True, takes_folders=True),
    Command("lint", "lint rent.yaml refused.yaml", CASES, is_main=True, takes_folders=True),
    Command("lint-unreadable", "lint misspelled.yaml", ["misspelled.yaml", "worlds"], code=2),
    Command("format", "format untidy.yaml", ["untidy.yaml"], ["untidy.yaml"], is_main=True, takes_folders=True),
    Command("format-checking", "format --check untidy.yaml", ["untidy.yaml"], code=1),
    Command("new", "new out/first", [], ["out/first.yaml"], is_main=True),
    Command("demo", "demo rent.yaml --record out/steps.yaml", ["rent.yaml", "worlds"], ["out/steps.yaml"],
            text="play\n", codes_without_input=(0, 1, 2), is_main=True),
    Command("serve", "serve --port 0 --world worlds/any-site.yaml --scenarios .", ["worlds", "rent.yaml"],
            is_random=True, serves=True, is_main=True),
    Command("serve-drivers", "serve --port 0 --bidi 0 --world worlds/any-site.yaml --scenarios .",
            ["worlds", "rent.yaml"], is_random=True, serves=True),
    Command("inspect", "inspect trusted/issuer.pem", ["trusted/issuer.pem"], is_main=True, takes_folders=True),
    Command("inspect-reading", "inspect -", text="trusted/issuer.pem", codes_without_input=(2,)),
    Command("verify", "verify answered.json --issuer-root trusted/issuer.pem --at {at}",
            ["answered.json", "trusted/issuer.pem"], is_main=True, takes_folders=True),
    Command("inspect-several", "inspect trusted/issuer.pem kept/rent.trace.jsonl",
            ["trusted/issuer.pem", "kept/rent.trace.jsonl"], takes_folders=True),
    Command("verify-several", "verify answered.json document.cbor --issuer-root trusted/issuer.pem --at {at}",
            ["answered.json", "document.cbor", "trusted/issuer.pem"], code=3, takes_folders=True),
    Command("verify-refusing", "verify answered.json --issuer-root trusted/issuer.pem --at 2040-01-01T00:00:00Z",
            ["answered.json", "trusted/issuer.pem"], code=1, takes_folders=True),
    Command("verify-reading", "verify - --issuer-root trusted/issuer.pem --at {at} --json --cross-check",
            ["trusted/issuer.pem"], text="answered.json", codes_without_input=(2,)),
    Command("verify-without-session", "verify document.cbor --issuer-root trusted/issuer.pem --at {at}",
            ["document.cbor", "trusted/issuer.pem"], code=3, takes_folders=True),
    Command("request", f"request --origin {ORIGIN} --document-type org.iso.18013.5.1.mDL --element "
            "org.iso.18013.5.1:family_name --throwaway-reader Rentals --out out/exchange.json --page out/page.json",
            [], ["out/exchange.json", "out/page.json"], is_random=True, is_main=True),
    Command("respond", "respond exchange.json --world worlds/spaceport.yaml --device kellys-iphone --app Wallet "
            "--out out/answered.json --issuer-root out/issuer.pem", ["exchange.json", "worlds"],
            ["out/answered.json", "out/issuer.pem"], is_random=True, is_main=True, replaces_input=True),
    Command("respond-document", "respond exchange.json --world worlds/spaceport.yaml --device kellys-iphone --app "
            "Wallet --out out/answered.json --write-document out/document.cbor", ["exchange.json", "worlds"],
            ["out/answered.json", "out/document.cbor"], is_random=True, replaces_input=True),
    Command("respond-several", "respond exchange.json asked.json --world worlds/spaceport.yaml --device kellys-iphone "
            "--app Wallet --out out/answered --issuer-root out/issuer.pem", ["exchange.json", "asked.json", "worlds"],
            ["out/answered/exchange.json", "out/answered/asked.json", "out/issuer.pem"], is_random=True),
    Command("issue-several", "issue license.yaml pass.yaml --write-device-key out/keys --issuer-root out/root.pem "
            "--out out/issued", ["license.yaml", "pass.yaml"],
            ["out/issued/license.cbor", "out/issued/pass.cbor", "out/keys/license.pem", "out/keys/pass.pem",
             "out/root.pem"], is_random=True),
    Command("issue", "issue license.yaml --write-device-key out/key.pem --issuer-root out/root.pem "
            "--out out/license.cbor", ["license.yaml"], ["out/license.cbor", "out/key.pem", "out/root.pem"],
            is_random=True, is_main=True),
    Command("trust", "trust trusted/issuer.pem --at {at}", ["trusted/issuer.pem"], is_main=True, takes_folders=True),
    Command("faults", "faults", is_main=True),
    Command("answer", f"answer --request page.json --origin {ORIGIN} --world worlds/any-site.yaml "
            "--issuer-roots out/roots.pem --sandbox process", ["page.json", "worlds"], ["out/roots.pem"],
            is_random=True, is_main=True),
    Command("test-verifier", "test-verifier --list", is_main=True),
    Command("test-verifier-files", "test-verifier --write-files out/suite --filter genuine.license", [],
            ["out/suite/cases/genuine.license.json"], is_random=True),
    Command("test-wallet", "test-wallet --list", is_main=True),
    Command("test-wallet-program", "test-wallet wallet.yaml --filter genuine.names", ["wallet.yaml"], code=2),
    Command("test-wallet-report", "test-wallet wallet.yaml --filter genuine.names --report json=out/report.json",
            ["wallet.yaml"], code=2),
    Command("test-wallet-files", "test-wallet --write-files out/suite --filter genuine.names", [],
            ["out/suite/suite.json", "out/suite/wallet.json", "out/suite/cases/genuine.names.json"], is_random=True),
    Command("new-target", "new-target http://localhost:9/", code=2, is_main=True),
    Command("qr", "qr FIDO:/025431809", is_main=True),
    Command("qr-several", "qr FIDO:/025431809 https://shop.example"),
    Command("qr-file", "qr FIDO:/025431809 --out out/code.svg", [], ["out/code.svg"]),
    Command("schema", "schema", is_main=True),
    Command("schema-trace", "schema trace"),
    Command("browser-checklist", "browser-checklist --only GET", is_main=True),
    Command("why", "why NotAllowedError", is_main=True),
    Command("bench", "bench program --milliseconds 1", is_random=True, is_main=True, is_slow=True),
    Command("bench-page", "bench program --milliseconds 1 --compare bench.json --html out/bench.html", ["bench.json"],
            ["out/bench.html"], is_random=True, is_slow=True),
    Command("help", "--help", is_main=True),
    Command("version", "--version"),
    Command("wrong-usage", "run rent.yaml --jobs 0", ["rent.yaml", "worlds"], code=2),
]
BY_NAME = {command.name: command for command in TABLE}

# Commands that rows of their own use.
REPEATING = Command("run-long", f"run rent.yaml refused.yaml --jobs 2 --repeat 8 {REPORTS}", CASES, ["out/report.json"])
# Each case runs once: a run that differs from another one of the same case would be noticed.
CONFINED = Command("run-confined", f"run confined --filter 'refused or rent or killed or trap' --jobs 2 {REPORTS}",
                   ["confined", "worlds"], ["out/report.json"])
FEW_FILES = Command("run-many", f"run rent.yaml refused.yaml stored.yaml --jobs 8 --repeat 2 {REPORTS}",
                    [*CASES, "stored.yaml"], ["out/report.json"])
OWN = {command.name: command for command in (REPEATING, CONFINED, FEW_FILES)}


def command(name):
    return BY_NAME.get(name) or OWN[name]


class Serving(Watch):
    """Ends a server with a signal as soon as it listens."""

    def __init__(self, number):
        super().__init__()
        self.number = number
        self.last = 0

    def look(self, process, seconds):
        if self.sent or seconds - self.last < .1:
            return
        self.last = seconds
        if listens(process):
            self.send(process, self.number)


class ServingIdle(Serving):
    """Before the signal, connects to each port and sends nothing."""

    def __init__(self, number):
        super().__init__(number)
        self.clients = []

    def look(self, process, seconds):
        ports = listened(process)
        if not self.sent and len(ports) == 2:
            self.clients = [socket.create_connection(("127.0.0.1", port)) for port in ports]
            self.send(process, self.number)

    def close(self):
        for client in self.clients:
            client.close()


def listens(process):
    """True if a process waits for connections."""
    return bool(listened(process))


def listened(process):
    """The ports at which a process waits for connections."""
    folder = f"/proc/{process}/fd"
    try:
        sockets = {os.readlink(f"{folder}/{name}") for name in os.listdir(folder)}
        with open(f"/proc/{process}/net/tcp") as table:
            rows = [line.split() for line in table.readlines()[1:]]
    except OSError:
        return []
    return [int(row[1].split(":")[1], 16) for row in rows
            if row[3] == "0A" and f"socket:[{row[9]}]" in sockets]


# A whole sweep of it takes less than a tenth of a second.
BRIEF = """\
scenario: Wallet is switched off
because: a few messages are sent
world:
  authorities: { issuers: { dmv: { name: DMV, state: US-CA } } }
  devices: { phone: { apps: { Wallet: {} } } }
steps:
  - person: { switches-off: Wallet }
  - messages: { count: 3 }
"""


def make_fixtures(program, scenarios, folder):
    """Makes the inputs of the commands. Returns the time at which the answer is valid."""
    folder.mkdir()
    shutil.copytree(scenarios / "worlds", folder / "worlds")
    headline = (scenarios / "headline.yaml").read_text()
    (folder / "rent.yaml").write_text(headline)
    for name in ("brief", "brief-again"):
        (folder / f"{name}.yaml").write_text(BRIEF)
    (folder / "wrong.yaml").write_text(headline.replace("requester: Spaceship Rentals", "requester: Spaceship Hire"))
    (folder / "target.yaml").write_text(
        "origin: http://localhost:9\nbegin: POST http://localhost:9/a\nsubmit: POST http://localhost:9/b\n")
    (folder / "wallet.yaml").write_text("program: 'false'\n")
    (folder / "misspelled.yaml").write_text(headline.replace("because:", "becuse:"))
    (folder / "untidy.yaml").write_text(re.sub(r"^clock: ", "clock:    ", headline, flags=re.M))
    (folder / "skipped.yaml").write_text(headline + "matrix:\n  - { case: not now, skip: it takes too long }\n")
    (folder / "stored.yaml").write_text(headline.replace("steps:", "changes: { storage: temporary }\nsteps:", 1))
    shutil.copyfile(scenarios / "attacks" / "request-out-of-bounds.yaml", folder / "refused.yaml")
    for one in ("kept", "same", "other", "again", "shards", "whole", "trusted", "confined"):
        (folder / one).mkdir()
    # The same refusals, of which no step says which party refuses.
    vague = re.sub(r"^.*code: sandbox.device-request.*\n", "", (folder / "refused.yaml").read_text(), flags=re.M)
    for number in range(4):
        (folder / "confined" / f"refused-vaguely-{number}.yaml").write_text(vague)
        for one in ("rent", "refused"):
            shutil.copyfile(folder / f"{one}.yaml", folder / "confined" / f"{one}-{number}.yaml")
    shutil.copyfile(scenarios / "faults" / "sandbox" / "process-misbehaves.yaml", folder / "confined" / "faulty.yaml")

    def run(arguments):
        done = subprocess.run([program, *shlex.split(arguments)], cwd=folder, capture_output=True, text=True)
        if done.returncode != 0:
            raise SystemExit(f"{program} {arguments}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
        return done.stdout

    for name in ("license", "pass"):
        (folder / f"{name}.yaml").write_text(LICENSE)
    run(f"request --origin {ORIGIN} --document-type org.iso.18013.5.1.mDL --element org.iso.18013.5.1:family_name "
        "--throwaway-reader Rentals --out exchange.json --page page.json")
    shutil.copyfile(folder / "exchange.json", folder / "asked.json")
    at = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(hours=1)
    run("respond exchange.json --world worlds/spaceport.yaml --device kellys-iphone --app Wallet --out answered.json "
        "--issuer-root trusted/issuer.pem --write-document document.cbor")
    run("run rent.yaml --trace kept")
    run("run rent.yaml --trace other --seed 8")
    shutil.copyfile(folder / "kept" / "rent.trace.jsonl", folder / "same" / "rent.trace.jsonl")
    shutil.copyfile(folder / "other" / "rent.trace.jsonl", folder / "again" / "rent-again.trace.jsonl")
    for number in (1, 2):
        run(f"run rent.yaml refused.yaml --shard {number}/2 --report json=shards/{number}.json")
        run(f"run rent.yaml refused.yaml --report json=whole/{number}.json")
    (folder / "bench.json").write_text(run("bench program --milliseconds 1 --json"))
    return at.strftime("%Y-%m-%dT%H:%M:%SZ")
