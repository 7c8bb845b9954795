#!/usr/bin/env python3
"""Runs `presentment test-verifier` against the servers of this folder.

    suite.py PRESENTMENT               a table of what each server accepts, as docs/test-your-server.md has it
    suite.py PRESENTMENT --planted     the careful server without each of its checks: which cases find it
    suite.py PRESENTMENT --planted utf-8 chain    only without these

Exits 1 if a result is not as it must be: `presentment` and `careful` do nothing wrong; `accept-all` is wrong in every
dishonest case that it can be wrong in, `refuse-all` is undecided; and each check that is taken out is found, or is in
UNTRIED with the reason.
"""

import argparse
import contextlib
import json
import pathlib
import subprocess
import sys
import tempfile

FOLDER = pathlib.Path(__file__).resolve().parent
SERVERS = ["presentment", "careful", "pymdoccbor", "isomdoc", "accept-all", "refuse-all"]
# What the careful server must ask for to have the check's case.
OPTIONS = {
    "element-dates": ["--asks", json.dumps({
        "org.iso.18013.5.1.mDL": {"org.iso.18013.5.1": ["birth_date", "issue_date", "given_name"]}})],
    "second-document": ["--asks", json.dumps({
        "org.iso.18013.5.1.mDL": {"org.iso.18013.5.1": ["family_name", "given_name"]},
        "org.iso.23220.photoid.1": {"org.iso.23220.1": ["family_name"]}})],
}
# Checks of the careful server whose lack no case of the suite shows, each with the reason.
UNTRIED = {
    "ages": "a wallet that holds contradicting ages answers with one of them",
    "authorities": "the root allows no authority below it, so a signer between breaks its path length, too",
    "element-once": "a wallet of a world answers with one value of an element that its issuer signed twice",
    "nonce-length": "the phone answers no request with such a nonce, so the run ends before the first case",
    "root-dates": "the roots that --roots writes are valid",
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

    def run(self, name, *further):
        """The exit code and the cases of a run: (group, weight, id, verdict, message)."""
        with serving(name, self.roots, "--presentment", self.program, *further) as origin:
            target, report = self.folder / "target.yaml", self.folder / "report.json"
            target.write_text("\n".join([
                f"origin: {origin}", f"begin: POST {origin}/request", f"submit: POST {origin}/response",
                "accepted: { json: /verdict, is: verified }", ""]))
            report.unlink(missing_ok=True)
            done = subprocess.run(
                [self.program, "test-verifier", target, "--strict", "--report", f"json={report}"],
                capture_output=True, text=True)
            cases = json.loads(report.read_text())["cases"]
        rows = [
            (*case["tags"], case["name"].partition(":")[0], case["verdict"],
             (case.get("failure") or {}).get("message", "").partition(":")[0]) for case in cases]
        return done.returncode, rows, done.stdout


def table(suite):
    problems, columns, groups = [], {}, []
    for name in SERVERS:
        code, rows, output = suite.run(name)
        columns[name] = rows
        groups = list(dict.fromkeys([*groups, *(row[0] for row in rows)]))
        wrong = [row for row in rows if row[3] == "failed"]
        if name in ("presentment", "careful") and (code or wrong):
            problems.append(f"{name}: exit code {code}\n{output}")
        if name == "refuse-all" and (code != 2 or rows):
            problems.append(f"{name}: exit code {code}, {len(rows)} cases")
        if name == "accept-all" and (code != 1 or not wrong):
            problems.append(f"{name}: exit code {code}")
    print("| cases | " + " | ".join(f"`{name}`" for name in SERVERS) + " |")
    print("| --- |" + " --- |" * len(SERVERS))
    for group in groups:
        for weight in ("must", "should"):
            cells = []
            for name in SERVERS:
                found = [row for row in columns[name] if row[:2] == (group, weight) and row[3] in ("passed", "failed")]
                right = sum(row[3] == "passed" for row in found)
                cells.append(f"{right} of {len(found)}" if found else "")
            if any(cells):
                print(f"| {group}, {weight} | " + " | ".join(cells) + " |")
    return problems


def planted(suite, chosen):
    checks = subprocess.run(
        [sys.executable, "-B", str(FOLDER / "server.py"), "--list-checks"], capture_output=True, text=True, check=True)
    problems, found = [], 0
    for line in checks.stdout.splitlines():
        name = line.split()[0]
        if chosen and name not in chosen:
            continue
        code, rows, _ = suite.run("careful", *OPTIONS.get(name, []), "--without", name)
        wrong = [row[2] for row in rows if row[3] == "failed"]
        print(f"{name:28} {code}  {', '.join(wrong[:4]) + (' …' if len(wrong) > 4 else '') or 'nothing'}", flush=True)
        found += bool(wrong)
        if bool(wrong) == (name in UNTRIED):
            problems.append(f"{name}: found by {wrong}")
    print(f"{found} mistakes found")
    return problems


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("presentment")
    parser.add_argument("--planted", nargs="*", metavar="CHECK")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="presentment-") as folder:
        suite = Suite(arguments.presentment, pathlib.Path(folder))
        problems = table(suite) if arguments.planted is None else planted(suite, arguments.planted)
    for problem in problems:
        print(problem, file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
