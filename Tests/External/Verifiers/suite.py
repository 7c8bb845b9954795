#!/usr/bin/env python3
"""Runs `presentment test-verifier` against the servers of this folder.

    suite.py PRESENTMENT               a table of what each server accepts, as docs/test-your-server.md has it
    suite.py PRESENTMENT --check       the same, compared with the page
    suite.py PRESENTMENT --write       the same, written into the page
    suite.py PRESENTMENT --planted     the careful server without each of its checks: which cases find it
    suite.py PRESENTMENT --planted utf-8 chain    only without these
    suite.py PRESENTMENT --planted --expected     only the cases that must find each, in minutes

Exits 1 if a result is not as it must be: `presentment` and `careful` do nothing wrong; `accept-all` is wrong in every
dishonest case that it can be wrong in, `refuse-all` is undecided; each check that is taken out is found by the cases
that are about it, or is in UNTRIED with the reason; and the page has the table.
"""

import argparse
import contextlib
import itertools
import json
import pathlib
import re
import subprocess
import sys
import tempfile

FOLDER = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER.parent / "Interoperability"))
from cases import REFUSED_BY  # noqa: E402

PAGE = FOLDER.parents[2] / "docs" / "test-your-server.md"
TABLE = re.compile(r"^\| cases \|.*\n(?:\|.*\n)+", re.M)
SERVERS = ["presentment", "careful", "pymdoccbor", "isomdoc", "accept-all", "refuse-all"]
# What the careful server must ask for to have the check's case.
OPTIONS = {
    "ages": ["--asks", json.dumps({
        "org.iso.18013.5.1.mDL": {"org.iso.18013.5.1": ["age_over_21", "age_over_70", "given_name"]}})],
    "element-dates": ["--asks", json.dumps({
        "org.iso.18013.5.1.mDL": {"org.iso.18013.5.1": ["birth_date", "issue_date", "given_name"]}})],
    "second-document": ["--asks", json.dumps({
        "org.iso.18013.5.1.mDL": {"org.iso.18013.5.1": ["family_name", "given_name"]},
        "org.iso.23220.photoid.1": {"org.iso.23220.1": ["family_name"]}})],
}
# The suite's cases that find the lack of a check, besides those of REFUSED_BY, which are faults and answers of a wallet
# in Python.
FOUND_BY = {
    "ages": ["issuer.ages-contradict"],
    "chain": ["issuer.signer-of-lookalike-root"],
    "clean-errors": ["http.empty", "http.not-json", "http.array", "http.number", "http.deep"],
    "critical-extensions": ["issuer.signer-extension-unknown"],
    "device-critical-headers": ["wallet.device-header-critical"],
    "device-key": ["device-key.forged-signature"],
    "encoding": ["wallet.device-authentication.name-spaces-re-encoded"],
    "fresh-key": ["request.fresh-key"],
    "fresh-nonce": ["request.fresh-nonce"],
    "key-usage": ["issuer.signer-for-key-agreement"],
    "path-length": ["issuer.signer-too-deep"],
    "refusal-empty": ["issuer.expired"],
    "root-dates": ["trust.root-expired", "trust.root-not-yet-valid"],
    "root-trust": ["issuer.signer-of-unknown-root"],
    "second-digest": ["wallet.second-value-changed", "wallet.last-value-changed"],
    "second-document": ["several-documents.second-value-changed"],
    "session-at-once": ["sessions.twice-at-once"],
    "session-known": ["sessions.no-session"],
    "session-once": ["sessions.same-answer-twice"],
    "transcript-nonce": ["sessions.answer-of-another-session", "sessions.answer-of-another-person"],
    "transcript-origin": ["sessions.answer-for-another-origin"],
    "utf-8": ["wallet.unread-text-not-utf8"],
    "value-digests": ["issuer.name-space-without-digests"],
}
# Checks of the careful server whose lack no case of the suite shows, each with the reason.
UNTRIED = {
    "authorities": "the root allows no authority below it, so a signer between breaks its path length, too",
    "base64url": "padding is tolerated: no server is wrong that takes it",
    "body-limit": "a server may read a body of 8 MiB, and then refuse it",
    "element-once": "a wallet of a world answers with one value of an element that its issuer signed twice",
    "nonce-length": "the phone answers no request with such a nonce, so the run ends before the first case",
    "second-name-space": "the license has one name space",
    "session-expires": "no case waits for the end of a session",
    "signer-key": "the document of a signer of small order has a signature that fits no such key",
}


@contextlib.contextmanager
def serving(name, roots, *further):
    """The origin of a server that runs as a program of its own."""
    command = [sys.executable, "-B", FOLDER / "server.py", name, "--roots", roots, *further]
    process = subprocess.Popen(list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        yield process.stdout.readline().strip()
    finally:
        process.terminate()
        process.wait()
        process.stdout.close()


class Suite:
    def __init__(self, program, folder):
        self.program, self.folder = str(pathlib.Path(program).resolve()), folder
        self.roots = folder / "roots" / "issuer-roots.pem"
        subprocess.run([self.program, "test-verifier", "--roots", str(self.roots.parent)], check=True,
                       stdout=subprocess.DEVNULL)

    def run(self, name, *further, cases=(), jobs=None):
        """The exit code and the cases of a run: (group, weight, id, verdict, message)."""
        filters = [word for one in cases for word in ("--filter", one)]
        with serving(name, self.roots, "--presentment", self.program, *further) as origin:
            target, report = self.folder / "target.yaml", self.folder / "report.json"
            target.write_text("\n".join([
                f"origin: {origin}", f"begin: POST {origin}/request", f"submit: POST {origin}/response",
                "accepted: { json: /verdict, is: verified }", ""]))
            filters += ["--jobs", str(jobs)] if jobs else []
            report.unlink(missing_ok=True)
            done = subprocess.run(
                [self.program, "test-verifier", target, "--strict", "--report", f"json={report}", *filters],
                capture_output=True, text=True)
            cases = json.loads(report.read_text())["cases"] if report.exists() else []
        rows = [
            (*case["tags"], case["name"].partition(":")[0], case["verdict"],
             (case.get("failure") or {}).get("message", "").partition(":")[0]) for case in cases]
        return done.returncode, rows, done.stdout


def table(suite):
    problems, columns, groups = [], {}, []
    for name in SERVERS:
        code, rows, output = suite.run(name)
        # A run without a decided case reports itself.
        rows = columns[name] = [row for row in rows if row[3] in ("passed", "failed")]
        groups = list(dict.fromkeys([*groups, *(row[0] for row in rows)]))
        wrong = [row for row in rows if row[3] == "failed"]
        if name in ("presentment", "careful") and (code or wrong):
            problems.append(f"{name}: exit code {code}\n{output}")
        if name == "refuse-all" and (code != 2 or rows):
            problems.append(f"{name}: exit code {code}, {len(rows)} decided cases")
        if name == "accept-all" and (code != 1 or not wrong):
            problems.append(f"{name}: exit code {code}")
    named = [name for name in SERVERS if columns[name]]
    lines = ["| cases | " + " | ".join(f"`{name}`" for name in named) + " |", "| --- |" + " --- |" * len(named)]
    for group in groups:
        for weight in ("must", "should"):
            cells = []
            for name in named:
                found = [row for row in columns[name] if row[:2] == (group, weight)]
                right = sum(row[3] == "passed" for row in found)
                cells.append(f"{right} of {len(found)}" if found else "")
            if any(cells):
                lines.append(f"| {group}, {weight} | " + " | ".join(cells) + " |")
    return "".join(f"{line}\n" for line in lines), problems


def compared(made):
    """The lines of a table that the page has otherwise."""
    [shown] = TABLE.findall(PAGE.read_text())
    pairs = itertools.zip_longest(shown.splitlines(), made.splitlines(), fillvalue="nothing")
    return [f"{PAGE.name} has {one}\n  the run has {other}" for one, other in pairs if one != other]


def expected_cases(check):
    """The suite's cases that must find the lack of a check."""
    return [one for one in REFUSED_BY.get(check, []) if isinstance(one, str)] + FOUND_BY.get(check, [])


def planted(suite, chosen, is_quick):
    checks = subprocess.run(
        [sys.executable, "-B", str(FOLDER / "server.py"), "--list-checks"], capture_output=True, text=True, check=True)
    problems, found = [], 0
    for line in checks.stdout.splitlines():
        name = line.split()[0]
        if chosen and name not in chosen:
            continue
        expected = expected_cases(name)
        if is_quick and not expected:
            continue
        cases = expected if is_quick else ()
        # Without this check the careful server takes the session that began last.
        jobs = 1 if name == "session-known" else None
        code, rows, _ = suite.run("careful", *OPTIONS.get(name, []), "--without", name, cases=cases, jobs=jobs)
        wrong = [row[2] for row in rows if row[3] == "failed"]
        print(f"{name:28} {code}  {', '.join(wrong[:4]) + (' …' if len(wrong) > 4 else '') or 'nothing'}", flush=True)
        found += bool(wrong)
        if name in UNTRIED:
            problems += [f"{name}: found by {wrong}"] if wrong else []
            continue
        # A case of weight may is never wrong.
        missing = set(expected) - set(wrong) - {row[2] for row in rows if row[1] == "may"}
        if missing or not wrong:
            problems.append(f"{name}: not found by {', '.join(sorted(missing)) or 'any case'}")
    print(f"{found} mistakes found")
    return problems


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("presentment")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--planted", nargs="*", metavar="CHECK")
    parser.add_argument("--expected", action="store_true")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="presentment-") as folder:
        suite = Suite(arguments.presentment, pathlib.Path(folder))
        if arguments.planted is None:
            made, problems = table(suite)
            print(made, end="")
            if arguments.write and not problems:
                PAGE.write_text(TABLE.sub(lambda _: made, PAGE.read_text(), count=1))
            problems += compared(made) if arguments.check else []
        else:
            problems = planted(suite, arguments.planted, arguments.expected)
    for problem in problems:
        print(problem, file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
