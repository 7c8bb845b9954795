#!/usr/bin/env python3
"""Reads the files that earlier versions wrote or read, with the current command: what docs/compatibility.md promises.

    test_versions.py PRESENTMENT [TEST]
    test_versions.py PRESENTMENT --write VERSION    writes the samples of a version, with its own command

The samples are in a folder for each version, beside this file.
"""

import gzip
import json
import pathlib
import re
import shutil
import subprocess
import sys
import unittest
from xml.etree import ElementTree

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
sys.path.insert(0, str(HERE.parent))
import scratch  # noqa: E402

PRESENTMENT = ""
VERSIONS = sorted(folder for folder in HERE.iterdir() if folder.is_dir() and folder.name[0].isdigit())
# The lists of names that do not change, each with the command that prints the current ones; checks are in their page.
NAMES = {
    "faults.txt": ["faults"], "verifier-cases.txt": ["test-verifier", "--list"],
    "wallet-cases.txt": ["test-wallet", "--list"],
}
# Scenarios with the parts of the language: worlds that extend others, flows, a matrix, recordings.
SCENARIOS = ["headline.yaml", "worlds/spaceport.yaml", "flows", "language", "own-server", "own-wallet"]
TRACED = "scenarios/headline.yaml"
# Files that verify reads, each with its report and its exit code: answers in both protocols, and documents alone.
VERIFIED = {
    "answered.json": ("verified.json", 0), "answered-openid4vp.json": ("verified-openid4vp.json", 0),
    "issued.cbor": ("issued-mdoc.json", 3), "issued.sd-jwt": ("issued-sd-jwt.json", 3),
}


def names(text):
    """The first word of each line that has a name with a dot."""
    return sorted(set(re.findall(r"^([a-z][\w-]*(?:\.[\w-]+)+)(?:\s|$)", text, re.M)))


def checks():
    """The codes of checks in the tables of their page, which a test compares with the declarations."""
    page = (ROOT / "docs" / "checks.md").read_text()
    return sorted(set(re.findall(r"^\| `([\w.-]+(?:/[\w.-]+)?)` \|", page, re.M)))


def shape(value):
    """The paths of a JSON value's members, with the types that are not null."""
    if isinstance(value, dict):
        members = {("." + name + path, kind) for name, one in value.items() for path, kind in shape(one)}
        return members | {("", "object")}
    if isinstance(value, list):
        return {("[]" + path, kind) for one in value for path, kind in shape(one)} | {("", "array")}
    return set() if value is None else {("", type(value).__name__.replace("float", "int"))}


def with_program(target):
    """The text of a wallet's target, with the program of the example in the place of its name."""
    return target.replace("PROGRAM", json.dumps([sys.executable, "-B", str(ROOT / "docs/your-wallet/wallet.py")]))


def elements(file):
    """The paths of an XML file's elements and attributes."""
    def paths(element, path):
        path += f"/{element.tag}"
        below = set().union(*(paths(child, path) for child in element))
        return below | {path} | {f"{path}@{name}" for name in element.attrib}
    return paths(ElementTree.parse(file).getroot(), "")


class Version(scratch.Folder):
    """A copy of a version's samples in a folder of its own."""

    def run_there(self, *arguments, code=0):
        run = self.run_in_folder(PRESENTMENT, *arguments)
        self.assertEqual(run.returncode, code, run)
        return run

    def each(self):
        self.assertTrue(VERSIONS, "there are no samples")
        for version in VERSIONS:
            shutil.copytree(version, self.folder / version.name)
            self.folder /= version.name
            yield version
            self.folder = self.folder.parent

    def test_scenarios(self):
        for _ in self.each():
            self.run_there("lint", "scenarios")
            self.run_there("run", "scenarios", "--quiet")
            self.run_there("run", "failing.yaml", "--quiet", code=1)
            self.run_there("run", "missing.yaml", code=2)

    def test_trace(self):
        for version in self.each():
            old = gzip.decompress((version / "trace.jsonl.gz").read_bytes()).decode()
            trace = self.write("a.trace.jsonl", old)
            self.run_there("trace", trace, "--html", "trace.html")
            self.assertIn("Kelly", (self.folder / "trace.html").read_text())
            self.run_there("inspect", trace)
            self.run_there("diff", trace, trace)
            self.run_there("run", TRACED, "--trace", "now", "--quiet")
            now = next((self.folder / "now").glob("*.trace.jsonl")).read_text()
            old, new = ([json.loads(line) for line in text.splitlines()] for text in (old, now))
            self.assertLessEqual(shape(old), shape(new))

    def test_report(self):
        for version in self.each():
            self.run_there("merge", "report.json", "--report", "json=merged.json", code=1)
            merged = json.loads((self.folder / "merged.json").read_text())
            old = json.loads((version / "report.json").read_text())
            self.assertLessEqual(shape(old), shape(merged))
            self.assertEqual(merged["totals"], old["totals"])
            again = self.run_there("run", "scenarios", "failing.yaml", "--only-failed", "report.json", code=1)
            self.assertIn("0 passed, 1 failed", again.stdout)
            self.run_there("run", "scenarios", "--shard", "1/2", "--durations", "report.json", "--quiet")
            self.run_there(
                "run", "scenarios", "failing.yaml", "--report", "json=new.json", "--report", "junit=new.xml", "--quiet",
                code=1)
            self.assertLessEqual(shape(old), shape(json.loads((self.folder / "new.json").read_text())))
            self.assertLessEqual(elements(version / "report.xml"), elements(self.folder / "new.xml"))

    def test_report_of_a_suite(self):
        for version in self.each():
            self.wallet(version)
            self.run_there("test-wallet", "wallet.yaml", "--filter", "genuine.*", "--report", "json=new.json")
            old = json.loads((version / "wallet-report.json").read_text())
            self.assertLessEqual(shape(old), shape(json.loads((self.folder / "new.json").read_text())))
            self.run_there("merge", "wallet-report.json", "new.json", "--matrix", "matrix.html")
            self.assertIn(old["cases"][0]["name"].partition(":")[0], (self.folder / "matrix.html").read_text())

    def test_exchange(self):
        for version in self.each():
            time = (version / "time").read_text().strip()
            samples = [("trusted.json", ["trust", "issuer.pem"], 0)]
            for file, (report, code) in VERIFIED.items():
                samples.append((report, ["verify", file, "--issuer-root", "issuer.pem"], code))
            for report, command, code in samples:
                old = json.loads((version / report).read_text())
                now = json.loads(self.run_there(*command, "--at", time, "--json", code=code).stdout)
                self.assertLessEqual(shape(old), shape(now), report)
                self.assertEqual(old.get("verdict"), now.get("verdict"), report)
            late = self.run_there(
                "verify", "answered.json", "--issuer-root", "issuer.pem", "--at", "2060-01-01T00:00:00Z", code=1)
            self.assertIn("mso.validity/expired", late.stdout)

    def wallet(self, version):
        """Writes the version's target of a wallet, with the program of the example."""
        self.write("wallet.yaml", with_program((version / "wallet.yaml").read_text()))

    def test_targets(self):
        for version in self.each():
            self.wallet(version)
            self.run_there("test-wallet", "wallet.yaml", "--known", "known.yaml", "--filter", "genuine.*")
            # No server has this port: the file is read, and the call fails.
            run = self.run_there("test-verifier", "shop.yaml", "--filter", "genuine.license", code=2)
            self.assertNotIn("source.", run.stdout + run.stderr)

    def test_names(self):
        for version in self.each():
            for file, command in NAMES.items():
                now = names(self.run_there(*command).stdout)
                old = (version / file).read_text().split()
                self.assertTrue(old)
                self.assertEqual([name for name in old if name not in now], [], file)
            old = (version / "checks.txt").read_text().split()
            self.assertEqual([name for name in old if name not in checks()], [], "checks.txt")


def write(version):
    """Writes the samples of a version with its command."""
    folder = HERE / version
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "scenarios").mkdir(parents=True)

    def run(*arguments, codes=(0,)):
        done = subprocess.run([PRESENTMENT, *arguments], cwd=folder, capture_output=True, text=True)
        if done.returncode not in codes:
            sys.exit(f"presentment {' '.join(arguments)}: {done.stdout}{done.stderr}")
        return done.stdout

    if run("--version").split()[-1] != version:
        sys.exit(f"the command has version {run('--version').split()[-1]}")
    for name in SCENARIOS:
        # Worlds and flows are found in folders above, too.
        is_shared = name.startswith(("worlds", "flows"))
        source, target = ROOT / "scenarios" / name, (folder if is_shared else folder / "scenarios") / name
        target.parent.mkdir(exist_ok=True)
        (shutil.copytree if source.is_dir() else shutil.copy)(source, target)
    shutil.copy(ROOT / "docs" / "examples" / "cloned.yaml", folder / "failing.yaml")
    run("run", TRACED, "--trace", "traces", "--quiet")
    trace = next((folder / "traces").glob("*.trace.jsonl")).read_bytes()
    (folder / "trace.jsonl.gz").write_bytes(gzip.compress(trace, mtime=0))
    shutil.rmtree(folder / "traces")
    run("run", "scenarios", "failing.yaml", "--report", "json=report.json", "--report", "junit=report.xml", "--quiet",
        codes=(1,))
    run("request", "--origin", "https://spaceship-rentals.example", "--document-type", "org.iso.18013.5.1.mDL",
        "--element", "org.iso.18013.5.1:family_name:retain", "--element", "org.iso.18013.5.1:age_over_21",
        "--throwaway-reader", "Spaceship Rentals", "--out", "exchange.json")
    run("respond", "exchange.json", "--world", "worlds/spaceport.yaml", "--device", "kellys-iphone",
        "--app", "Wallet", "--out", "answered.json", "--issuer-root", "issuer.pem")
    for document, file in (("pid.yaml", "issued.sd-jwt"), ("license.yaml", "issued.cbor")):
        run("issue", str(ROOT / "docs/examples" / document), "--world", "worlds/spaceport.yaml",
            "--issuer", "spaceport-dmv", "--write-device-key", "device.pem", "--out", file)
    run("request", "--origin", "https://spaceship-rentals.example", "--document-type", "org.iso.18013.5.1.mDL",
        "--element", "org.iso.18013.5.1:family_name:retain", "--protocol", "openid4vp-v1-signed",
        "--throwaway-reader", "Spaceship Rentals", "--out", "exchange.json")
    run("respond", "exchange.json", "--document", "issued.cbor", "--device-key", "device.pem",
        "--out", "answered-openid4vp.json")
    for file, (report, code) in VERIFIED.items():
        text = run("verify", file, "--issuer-root", "issuer.pem", "--json", codes=(code,))
        (folder / report).write_text(text)
    (folder / "time").write_text(re.search(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", run(
        "verify", "answered.json", "--issuer-root", "issuer.pem"))[0] + "\n")
    for extra in ("exchange.json", "exchange.json.reader-root.pem", "device.pem"):
        (folder / extra).unlink()
    (folder / "trusted.json").write_text(run("trust", "issuer.pem", "--json"))
    target = "target: My wallet\nprogram: PROGRAM\nlimits: { timeout: 60 s }\n"
    (folder / "wallet.yaml").write_text(with_program(target))
    run("test-wallet", "wallet.yaml", "--filter", "genuine.*", "--report", "json=wallet-report.json")
    (folder / "wallet.yaml").write_text(target)
    (folder / "known.yaml").write_text(
        "- case: genuine.*\n  verdict: wrongly-refused\n  because: WALLET-1, seen at times\n  flaky: true\n")
    (folder / "shop.yaml").write_text(
        "origin: http://localhost:1\nbegin: POST http://localhost:1/request\nsubmit: POST http://localhost:1/response\n"
        "limits: { timeout: 5 s }\naccepted: { json: /verdict, is: verified }\n")
    for file, command in NAMES.items():
        (folder / file).write_text("\n".join(names(run(*command))) + "\n")
    (folder / "checks.txt").write_text("\n".join(checks()) + "\n")


if __name__ == "__main__":
    PRESENTMENT = str(pathlib.Path(sys.argv.pop(1)).resolve())
    if sys.argv[1:2] == ["--write"]:
        write(sys.argv[2])
    else:
        unittest.main()
