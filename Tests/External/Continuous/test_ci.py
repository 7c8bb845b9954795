#!/usr/bin/env python3
"""Runs the steps of docs/ci, the action for GitHub and the template for GitLab, in folders as a runner makes them.

    test_ci.py PRESENTMENT [TEST]

What only a runner has, such as the upload of artifacts, is not run; the paths that it takes are compared with what the
steps left.
"""

import hashlib
import json
import os
import pathlib
import re
import socket
import subprocess
import sys
import tarfile
import unittest
from xml.etree import ElementTree

import yaml

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "Tests" / "External"))
import scratch  # noqa: E402
from ports import free_port  # noqa: E402

PRESENTMENT = ""
CHOSEN = ["genuine.license", "issuer.expired"]
SERVER = ROOT / "docs" / "your-site" / "server.py"
FAILING = (ROOT / "docs" / "examples" / "cloned.yaml").read_text()


class Runner(scratch.Folder):
    """A project with scenarios and the files of a server and a wallet, and an archive like that of make dist."""

    def setUp(self):
        super().setUp()
        project = self.project = self.folder / "project"
        project.mkdir()
        (project / "worlds").symlink_to(ROOT / "scenarios" / "worlds")
        (project / "passing.yaml").symlink_to(ROOT / "scenarios" / "headline.yaml")
        (project / "failing.yaml").write_text(FAILING)
        program = json.dumps([sys.executable, "-B", str(ROOT / "docs/your-wallet/wallet.py")])
        (project / "wallet.yaml").write_text(f"program: {program}\nlimits: {{ timeout: 60 s }}\n")
        self.port = free_port()
        address = f"http://localhost:{self.port}"
        (project / "shop.yaml").write_text(
            f"origin: {address}\nbegin: POST {address}/request\nsubmit: POST {address}/response\n"
            "limits: { timeout: 60 s }\naccepted: { json: /verdict, is: verified }\n")
        # A script in the program's place, since an archive of the program itself takes long to pack.
        program = self.folder / "presentment"
        program.write_text(f'#!/bin/sh\nexec "{PRESENTMENT}" "$@"\n')
        program.chmod(0o755)
        archive = self.folder / "archive.tar.gz"
        with tarfile.open(archive, "w:gz") as file:
            file.add(program, "presentment-x86_64/bin/presentment")
        program.unlink()
        self.archive = archive.as_uri()
        self.sha256 = hashlib.sha256(archive.read_bytes()).hexdigest()
        self.start = f"{sys.executable} -B {SERVER} presentment presentment-roots/issuer-roots.pem {self.port}"
        self.ready = f"{address}/"

    def cases(self, name):
        """The names and the verdicts of the cases of a report."""
        tree = ElementTree.parse(self.project / "presentment-reports" / f"{name}.xml")
        return {case.get("name"): [child.tag for child in case] for case in tree.iter("testcase")}

    def left(self, *path):
        """The names of the files in a folder of the reports."""
        return sorted(file.name for file in self.project.joinpath("presentment-reports", *path).glob("*"))


class Action(Runner):
    """The action for GitHub."""

    def value(self, text):
        return re.sub(r"\$\{\{ inputs\.([\w-]+) \}\}", lambda found: self.inputs[found.group(1)], text)

    def applies(self, condition, has_failed, named):
        """Whether a step runs, after the outcomes of the steps with an id. The conditions of the action are few, and
        others are an error."""
        condition = condition.removeprefix("${{").removesuffix("}}").strip()
        runs = not has_failed
        for part in condition.split(" && ") if condition else []:
            if part == "!cancelled()":
                runs = True
            elif found := re.fullmatch(r"inputs\.([\w-]+) != ''", part):
                if not self.inputs[found.group(1)]:
                    return False
            elif found := re.fullmatch(r"steps\.(\w+)\.outcome == 'success'", part):
                if named[found.group(1)] != "passed":
                    return False
            else:
                self.fail(f"unknown condition {part}")
        return runs

    def act(self, **inputs):
        """Runs the steps. Returns the outcome of each, and keeps what they printed."""
        action = yaml.safe_load((ROOT / "docs/ci/action.yml").read_text())
        declared = action["inputs"]
        self.assertLessEqual(set(inputs), set(declared))
        self.inputs = {name: inputs.get(name, one.get("default")) for name, one in declared.items()}
        temporary = self.folder / "temporary"
        temporary.mkdir(exist_ok=True)
        path = self.folder / "path"
        path.write_text("")
        outcomes, named, self.printed = {}, {}, ""
        for step in action["runs"]["steps"]:
            if not self.applies(step.get("if", ""), "failed" in outcomes.values(), named):
                outcomes[step["name"]] = "skipped"
                continue
            if "uses" in step:
                self.uploaded = self.value(step["with"]["path"])
                continue
            self.assertEqual(step["shell"], "bash")
            self.assertNotIn("${{", step["run"], "an input in a script can be a command")
            script = self.folder / "step.sh"
            script.write_text(step["run"])
            environment = {
                "HOME": str(self.folder), "RUNNER_TEMP": str(temporary), "GITHUB_PATH": str(path),
                "PATH": ":".join([*reversed(path.read_text().splitlines()), os.environ["PATH"]]),
                **{name: self.value(text) for name, text in step["env"].items()}}
            run = subprocess.run(
                ["bash", "--noprofile", "--norc", "-eo", "pipefail", script], cwd=self.project, env=environment,
                capture_output=True, text=True)
            self.printed += run.stdout + run.stderr
            outcomes[step["name"]] = named[step.get("id")] = "failed" if run.returncode else "passed"
        return outcomes

    def act_installed(self, **inputs):
        return self.act(archive=self.archive, sha256=self.sha256, **inputs)

    def test_passing_scenario(self):
        outcomes = self.act_installed(scenarios="passing.yaml\n")
        self.assertEqual(
            list(outcomes.values()), ["passed", "passed", "skipped", "skipped"], self.printed)
        self.assertEqual(list(self.cases("scenarios").values()), [[]])

    def test_failing_scenario(self):
        outcomes = self.act_installed(
            scenarios="passing.yaml\nfailing.yaml\n", wallet="wallet.yaml", options="--filter=genuine.*")
        self.assertEqual(
            list(outcomes.values()), ["passed", "failed", "skipped", "passed"], self.printed)
        self.assertEqual(sorted(self.cases("scenarios").values()), [[], ["failure"]])
        self.assertTrue([name for name in self.left("traces") if name.endswith(".html")], self.left("traces"))
        self.assertIn("::error file=failing.yaml,line=11", self.printed)
        self.assertTrue(self.cases("wallet"))
        self.assertEqual(self.uploaded, "presentment-reports")

    def test_server(self):
        outcomes = self.act_installed(
            verifier="shop.yaml", start=self.start, ready=self.ready,
            options="\n".join(f"--filter={name}" for name in CHOSEN))
        self.assertEqual(
            list(outcomes.values()), ["passed", "skipped", "passed", "skipped"], self.printed)
        self.assertEqual(sum(not marks for marks in self.cases("verifier").values()), len(CHOSEN))
        with socket.socket() as closed:
            self.assertNotEqual(closed.connect_ex(("127.0.0.1", self.port)), 0, "the server goes on")

    def test_another_archive(self):
        outcomes = self.act(
            archive=self.archive, sha256="0" * 64, scenarios="passing.yaml", verifier="shop.yaml", wallet="wallet.yaml")
        self.assertEqual(
            list(outcomes.values()), ["failed", "skipped", "skipped", "skipped"], self.printed)
        self.assertFalse((self.folder / "temporary/presentment").exists())


class Template(Runner):
    """The template for GitLab."""

    def run_job(self, name, **variables):
        template = yaml.safe_load((ROOT / "docs/ci/gitlab.yml").read_text())
        declared = {name: one["value"] for name, one in template["variables"].items()}
        self.assertLessEqual(set(variables), set(declared))
        job = {**template[template[name]["extends"]], **template[name]}
        condition = job["rules"][0]["if"].removeprefix("$")
        self.assertTrue(variables[condition], "the job does not run")
        # The packages of the image are not this test's.
        programs = self.folder / "programs"
        programs.mkdir()
        (programs / "apt-get").write_text("#!/bin/sh\n")
        (programs / "apt-get").chmod(0o755)
        environment = {
            "HOME": str(self.folder), "CI_PROJECT_DIR": str(self.project), "PATH": f"{programs}:{os.environ['PATH']}",
            **declared, "PRESENTMENT_ARCHIVE": self.archive, "PRESENTMENT_SHA256": self.sha256, **variables}
        script = "\n".join(["set -eo pipefail", *job["before_script"], *job["script"]])
        # The server goes on until the container ends, which is this group of processes.
        with open(self.folder / "printed", "w") as printed:
            process = subprocess.Popen(
                ["bash", "--noprofile", "--norc", "-c", script], cwd=self.project, env=environment,
                stdout=printed, stderr=subprocess.STDOUT, start_new_session=True)
            code = process.wait()
        try:
            os.killpg(process.pid, 9)
        except ProcessLookupError:
            pass
        for pattern in [*job["artifacts"]["paths"], job["artifacts"]["reports"]["junit"]]:
            self.assertTrue(list(self.project.glob(pattern)), pattern)
        return code

    def printed(self):
        return (self.folder / "printed").read_text()

    def test_scenarios(self):
        code = self.run_job("presentment-scenarios", PRESENTMENT_SCENARIOS="passing.yaml failing.yaml")
        self.assertEqual(code, 1, self.printed())
        self.assertEqual(sorted(self.cases("scenarios").values()), [[], ["failure"]])
        self.assertTrue([name for name in self.left("traces") if name.endswith(".html")])

    def test_server(self):
        code = self.run_job(
            "presentment-verifier", PRESENTMENT_VERIFIER="shop.yaml", PRESENTMENT_START=self.start,
            PRESENTMENT_READY=self.ready, PRESENTMENT_OPTIONS=" ".join(f"--filter={name}" for name in CHOSEN))
        self.assertEqual(code, 0, self.printed())
        self.assertEqual(sum(not marks for marks in self.cases("verifier").values()), len(CHOSEN))

    def test_wallet(self):
        code = self.run_job(
            "presentment-wallet", PRESENTMENT_WALLET="wallet.yaml", PRESENTMENT_OPTIONS="--filter=genuine.*")
        self.assertEqual(code, 0, self.printed())
        self.assertTrue(self.cases("wallet"))


if __name__ == "__main__":
    PRESENTMENT = sys.argv.pop(1)
    unittest.main()
