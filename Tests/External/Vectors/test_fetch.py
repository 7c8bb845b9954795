#!/usr/bin/env python3
"""Tests of .ci/fetch-vectors with repositories of their own in place of the public ones.

    test_fetch.py
"""

import hashlib
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
PROGRAM = ROOT / ".ci" / "fetch-vectors"
LISTS = ROOT / ".ci" / "vectors"
HOST = "https://vectors.example"

MESSAGE = bytes(range(40))
KEY = bytes(range(100, 132))
# {"nameSpaces": {"space": [24(<<{"elementIdentifier": "name", "elementValue": "Kelly"}>>)]}}
DOCUMENT = bytes.fromhex(
    "a16a6e616d65537061636573a165737061636581d818582ba2"
    "71656c656d656e744964656e746966696572646e616d65"
    "6c656c656d656e7456616c7565654b656c6c79"
)
LITERALS = f"""
val message = "{MESSAGE.hex()[:30]}" +
    "{MESSAGE.hex()[30:].upper()}".hex()
static const uint8_t key[] = {{{", ".join(f"0x{byte:02x}" for byte in KEY)}}};
let document = "{DOCUMENT.hex()}"
"""
NUMBERS = json.dumps({"tests": [{"input": "00ff", "isValid": True}]})


def digest(data):
    return hashlib.sha256(data).hexdigest()


def literal(data, **more):
    return {"$from": "known/literals.kt", "sha256": digest(data)[:16], **more}


RECIPE = {
    "vectors": [
        {
            "id": "one",
            "expect": "valid",
            "hex": literal(MESSAGE),
            "part": literal(MESSAGE, bytes=[1, 3]),
            "key": literal(KEY, **{"as": "base64url"}),
            "input": {"$from": "known/numbers.json", "json": "tests/0/input"},
            "isValid": {"$from": "known/numbers.json", "json": "tests/0/isValid"},
            "joined": {"$join": ["0a", {"$text": "b"}, literal(MESSAGE, bytes=[0, 2])]},
            "digest": {"$digest": literal(MESSAGE)},
            "elements": {"$elements": literal(DOCUMENT)},
        }
    ]
}
EXPECTED = {
    "vectors": [
        {
            "id": "one",
            "expect": "valid",
            "hex": MESSAGE.hex(),
            "part": "010203",
            "key": "ZGVmZ2hpamtsbW5vcHFyc3R1dnd4eXp7fH1-f4CBgoM",
            "input": "00ff",
            "isValid": True,
            "joined": "0a620001",
            "digest": digest(MESSAGE),
            "elements": {"space": {"name": "Kelly"}},
        }
    ]
}


class FetchTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.lists, self.into, self.hub, self.temporary = (
            self.folder / name for name in ("lists", "into", "hub", "temporary")
        )
        self.temporary.mkdir()
        self.commit = self.commit_files({"source/literals.kt": LITERALS, "numbers.json": NUMBERS})
        self.write_lists({"vectors/cose.json": RECIPE})

    def git(self, *arguments):
        command = ["git", "-C", str(self.hub / "owner" / "known"), "-c", "user.name=t", "-c", "user.email=t@t.example"]
        return subprocess.run([*command, *arguments], check=True, capture_output=True, text=True).stdout.strip()

    def commit_files(self, files):
        for path, text in files.items():
            place = self.hub / "owner" / "known" / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text)
        self.git("init", "--quiet")
        self.git("add", ".")
        self.git("commit", "--quiet", "--message", "files")
        return self.git("rev-parse", "HEAD")

    def write_lists(self, recipes, unavailable=None):
        source = {
            "name": "known",
            "repository": f"{HOST}/owner/known",
            "commit": self.commit,
            "folders": {
                "source": {"literals.kt": digest(LITERALS.encode())},
                "": {"numbers.json": digest(NUMBERS.encode())},
            },
        }
        for target, recipe in recipes.items():
            place = self.lists / "recipes" / target
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(json.dumps(recipe))
        (self.lists / "sources.json").write_text(json.dumps({"sources": [source], "unavailable": unavailable or {}}))

    def fetch(self, *more, hub=None):
        command = [sys.executable, "-B", str(PROGRAM), "--lists", str(self.lists), "--into", str(self.into)]
        command += ["--mirror", f"{HOST}=file://{hub or self.hub}", *more]
        environment = dict(os.environ, TMPDIR=str(self.temporary))
        done = subprocess.run(command, env=environment, capture_output=True, text=True)
        self.assertEqual(done.stderr, "")
        self.assertEqual(list(self.temporary.iterdir()), [], "something is left in the temporary folder")
        return done.returncode, done.stdout

    def written(self, target="vectors/cose.json"):
        return json.loads((self.into / target).read_text())

    def test_every_kind_of_place_is_replaced_by_its_value(self):
        code, output = self.fetch()
        self.assertEqual(code, 0, output)
        self.assertEqual(self.written(), EXPECTED)
        self.assertIn("1 file is complete", output)

    def test_a_file_that_is_not_json_has_the_bytes_of_its_literal(self):
        self.write_lists({"vectors/real/document.cbor.json": {"$file": literal(DOCUMENT)}})
        code, output = self.fetch()
        self.assertEqual(code, 0, output)
        self.assertEqual((self.into / "vectors" / "real" / "document.cbor").read_bytes(), DOCUMENT)

    def test_verified_sources_are_kept(self):
        self.fetch()
        code, output = self.fetch(hub=self.folder / "nowhere")
        self.assertEqual(code, 0, output)

    def test_a_damaged_kept_source_is_fetched_again(self):
        self.fetch()
        (self.into / "sources" / digest(LITERALS.encode())).write_text("damaged")
        code, output = self.fetch()
        self.assertEqual(code, 0, output)
        self.assertIn("1 of 2 files", output)
        self.assertEqual(self.written(), EXPECTED)

    def test_a_changed_source_is_refused(self):
        changed = LITERALS.replace("message", "other")
        self.commit = self.commit_files({"source/literals.kt": changed})
        self.write_lists({})
        code, output = self.fetch()
        self.assertEqual(code, 1)
        self.assertIn(f"known/literals.kt is refused: its SHA-256 is {digest(changed.encode())}", output)
        self.assertIn("vectors/cose.json is left out: 1 of 1 entry missing", output)
        self.assertFalse((self.into / "vectors" / "cose.json").exists())

    def test_a_file_of_an_earlier_run_goes_if_its_source_is_refused(self):
        self.fetch()
        self.write_lists({"vectors/cose.json": {"vectors": [{"id": "one", "hex": literal(b"another value")}]}})
        code, output = self.fetch()
        self.assertEqual(code, 1)
        self.assertIn("known/literals.kt has no literal whose SHA-256 starts with", output)
        self.assertFalse((self.into / "vectors" / "cose.json").exists())

    def test_an_unreachable_repository_leaves_its_file_out_and_names_the_tests(self):
        self.write_lists({"vectors/hpke.json": {"vectors": [{"id": "own", "hex": "00"}]}})
        code, output = self.fetch(hub=self.folder / "nowhere")
        self.assertEqual(code, 1)
        self.assertIn(f"file://{self.folder}/nowhere/owner/known at {self.commit}: fatal: ", output)
        self.assertIn("vectors/cose.json is left out", output)
        self.assertIn("Tests/COSETests/KnownMessageTests.swift: COSE messages of other implementations", output)
        self.assertFalse((self.into / "vectors" / "cose.json").exists())
        self.assertTrue((self.into / "vectors" / "hpke.json").exists())

    def test_an_unknown_commit_is_reported(self):
        self.commit = "0" * 39 + "1"
        self.write_lists({})
        code, output = self.fetch()
        self.assertEqual(code, 1)
        self.assertIn(f"at {self.commit}: ", output)

    def test_a_value_without_a_source_is_reported_with_its_reason(self):
        missing = {"vectors": [{"id": "gone", "hex": {"$missing": "it was never published"}}]}
        self.write_lists({"vectors/cose.json": missing}, {"vectors/age_over.json": "it is printed in a PDF only"})
        code, output = self.fetch()
        self.assertEqual(code, 1)
        self.assertIn("it was never published\n    gone\n", output)
        self.assertIn("vectors/age_over.json: it is printed in a PDF only", output)
        self.assertIn("Tests/MobileDocumentTests/AgeOverTests.swift: Table D.1 of ISO/IEC 18013-5", output)

    def test_a_comparison_reports_members_that_differ(self):
        other = self.folder / "other" / "vectors"
        other.mkdir(parents=True)
        (other / "cose.json").write_text(json.dumps({"vectors": [{**EXPECTED["vectors"][0], "more": 1}], "more": 1}))
        code, output = self.fetch("--compare", str(other.parent))
        self.assertEqual(code, 0, output)
        self.assertIn("vectors/cose.json: equal", output)
        (other / "cose.json").write_text(json.dumps({"vectors": [{"id": "one", "hex": "00"}]}))
        code, output = self.fetch("--compare", str(other.parent))
        self.assertEqual(code, 1)
        self.assertIn("vectors/cose.json: differs in /vectors/0/hex", output)


class ListTests(unittest.TestCase):
    def test_the_recipes_use_the_listed_sources_and_no_others(self):
        sources = json.loads((LISTS / "sources.json").read_text())["sources"]
        listed = [
            f"{source['name']}/{name}"
            for source in sources
            for files in source["folders"].values()
            for name in files
        ]
        self.assertEqual(len(set(listed)), len(listed))
        used = set()

        def walk(value):
            if isinstance(value, dict):
                used.update([value["$from"]] if "$from" in value else [])
                value = list(value.values())
            for one in value if isinstance(value, list) else []:
                walk(one)

        for path in (LISTS / "recipes").rglob("*.json"):
            walk(json.loads(path.read_text()))
        self.assertEqual(used, set(listed))

    def test_each_source_has_a_commit_and_digests(self):
        for source in json.loads((LISTS / "sources.json").read_text())["sources"]:
            self.assertRegex(source["commit"], "^[0-9a-f]{40}$")
            self.assertTrue(source["repository"].startswith("https://github.com/"), source["repository"])
            for files in source["folders"].values():
                for value in files.values():
                    self.assertRegex(value, "^[0-9a-f]{64}$")


if __name__ == "__main__":
    unittest.main()
