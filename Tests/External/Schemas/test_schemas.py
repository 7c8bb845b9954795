#!/usr/bin/env python3
"""Validates files with the schemas of `presentment schema`, by a validator of another author, as an editor does; and
the list of what the programs contain with the schema of CycloneDX.

    test_schemas.py PRESENTMENT [TEST]
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import jsonschema
import ruamel.yaml
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

ROOT = pathlib.Path(__file__).resolve().parents[3]
SCENARIOS = ROOT / "scenarios"
PRESENTMENT = ""


class Core(ruamel.yaml.SafeConstructor):
    """The core schema of YAML 1.2, as editors read it: a time is a text."""


Core.add_constructor("tag:yaml.org,2002:timestamp", ruamel.yaml.SafeConstructor.construct_yaml_str)


def run(*arguments, folder=ROOT):
    return subprocess.run([PRESENTMENT, *map(str, arguments)], cwd=folder, capture_output=True, text=True)


def validator(subject):
    schema = json.loads(run("schema", subject).stdout)
    kind = jsonschema.validators.validator_for(schema, default=None)
    kind.check_schema(schema)
    return kind(schema)


def problems(judge, file):
    """The place and the message of each error, with those of the alternatives that come closest."""
    reader = ruamel.yaml.YAML(typ="safe", pure=True)
    reader.Constructor = Core
    content = reader.load(pathlib.Path(file))
    found = []
    for error in judge.iter_errors(content):
        error = jsonschema.exceptions.best_match([error])
        place = "/".join(map(str, error.absolute_path))
        found.append(f"{os.path.relpath(file, ROOT)}: {place}: {error.message[:200]}")
    return found


def filled(body):
    """The text of a snippet with its defaults, and the first of its choices."""
    text = "".join(f"{line}\n" for line in body)
    text = re.sub(r"\$\{\d+\|([^,|]*)[^}]*\|\}", r"\1", text)
    return re.sub(r"\$\{\d+:([^}]*)\}", r"\1", text).replace("\\$", "$")


class Schemas(unittest.TestCase):
    def files(self, is_world):
        files = [file for file in sorted(SCENARIOS.rglob("*.yaml")) if "flows" not in file.relative_to(SCENARIOS).parts]
        return [file for file in files if ("worlds" in file.relative_to(SCENARIOS).parts) == is_world]

    def check(self, subject, files, least):
        judge = validator(subject)
        self.assertGreater(len(files), least)
        found = [problem for file in files for problem in problems(judge, file)]
        self.assertEqual(found, [], "\n".join(found[:20]))

    def test_scenarios(self):
        self.check("scenario", self.files(is_world=False), 100)

    def test_worlds(self):
        self.check("world", self.files(is_world=True), 5)

    def test_new_scenario(self):
        with tempfile.TemporaryDirectory(prefix="presentment-") as folder:
            made = run("new", "first", folder=folder)
            self.assertEqual(made.returncode, 0, made)
            self.check("scenario", sorted(pathlib.Path(folder).glob("*.yaml")), 0)

    def test_snippets(self):
        """The first snippet is a scenario that passes; each of the others fits the schema as a step of it."""
        snippets = json.loads((ROOT / "docs/editors/presentment.code-snippets").read_text())
        bodies = [filled(snippet["body"]) for snippet in snippets.values()]
        self.assertGreater(len(bodies), 1)
        with tempfile.TemporaryDirectory(prefix="presentment-") as folder:
            place = pathlib.Path(folder)
            (place / "worlds").symlink_to(SCENARIOS / "worlds")
            files = [place / f"{number}.yaml" for number in range(len(bodies))]
            for file, body in zip(files, bodies):
                file.write_text(bodies[0] if file == files[0] else f"{bodies[0]}  {body}")
            self.check("scenario", files, 1)
            linted = run("lint", *files, folder=folder)
            self.assertEqual(linted.returncode, 0, linted)
            passed = run("run", files[0], folder=folder)
            self.assertEqual(passed.returncode, 0, passed)

    def test_mistakes(self):
        """An editor marks what `lint` refuses: an unknown key, an unknown step, a value of another type."""
        judge = validator("scenario")
        text = (SCENARIOS / "headline.yaml").read_text()
        for old, new in [("seed: 7", "sede: 7"), ("- person:", "- persona:"), ("seed: 7", "seed: [x]")]:
            self.assertIn(old, text)
            with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
                file.write(text.replace(old, new, 1))
                file.flush()
                self.assertNotEqual(run("lint", file.name).returncode, 0)
                self.assertTrue(problems(judge, file.name), new)

    def test_trace(self):
        judge = validator("trace")
        with tempfile.TemporaryDirectory(prefix="presentment-") as folder:
            self.assertEqual(run("run", "scenarios/headline", "--trace", folder).returncode, 0)
            lines = next(pathlib.Path(folder).glob("*.jsonl")).read_text().splitlines()
        self.assertGreater(len(lines), 100)
        for number, line in enumerate(lines, 1):
            error = jsonschema.exceptions.best_match(judge.iter_errors(json.loads(line)))
            self.assertIsNone(error, f"line {number}: {error and error.message[:300]}")


@unittest.skipUnless(shutil.which("dpkg-query"), "the list has versions of Debian packages")
class Contents(unittest.TestCase):
    def test_contents(self):
        made = subprocess.run([ROOT / ".ci" / "list-contents"], capture_output=True, text=True)
        self.assertEqual(made.returncode, 0, made.stderr)
        judge = JsonStrictValidator(SchemaVersion.V1_5)
        self.assertIsNone(judge.validate_str(made.stdout))
        contents = json.loads(made.stdout)
        names = {one["name"] for one in contents["components"]}
        self.assertLessEqual({line.split()[0] for line in (ROOT / ".ci/packages").read_text().splitlines()}, names)
        del contents["components"][0]["name"]
        self.assertIsNotNone(judge.validate_str(json.dumps(contents)))


if __name__ == "__main__":
    PRESENTMENT = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main()
