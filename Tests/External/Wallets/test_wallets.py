#!/usr/bin/env python3
"""Tries `presentment test-wallet` with the wallet of docs/your-wallet, with mistakes in it, and with programs that
answer badly.

    test_wallets.py PRESENTMENT [TEST]
"""

import json
import pathlib
import resource
import subprocess
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
sys.path[:0] = [str(HERE.parent), str(HERE)]
import mistakes  # noqa: E402
import scratch  # noqa: E402
import wallet  # noqa: E402

PRESENTMENT = ""
# Seconds. Only a program that does not answer reaches the short one's end.
TIMEOUT, SHORT_TIMEOUT = 60, 1


class Folder(scratch.Folder):
    def run_there(self, *arguments):
        return self.run_in_folder(PRESENTMENT, "test-wallet", *arguments)

    def target(self, *program, timeout=TIMEOUT):
        words = [sys.executable, "-B", *map(str, program)]
        return self.write("wallet.yaml", f"program: {json.dumps(words)}\nlimits: {{ timeout: {timeout} s }}\n")

    def tried(self, *arguments):
        """The result, and the verdict of each case that is wrong or undecided."""
        (self.folder / "known.yaml").unlink(missing_ok=True)
        run = self.run_there(*arguments, "--update-known", "known.yaml")
        known = self.folder / "known.yaml"
        text = known.read_text() if known.exists() else ""
        cases = [line.split(": ", 1)[1] for line in text.splitlines() if "case: " in line]
        verdicts = [line.split(": ", 1)[1] for line in text.splitlines() if "verdict: " in line]
        return run, dict(zip(cases, verdicts))


class Wallets(Folder):
    def test_example(self):
        run, wrong = self.tried(
            self.target(ROOT / "docs/your-wallet/wallet.py"), "--strict", "--report", "json=out.json")
        self.assertEqual(run.returncode, 0, run)
        self.assertEqual(wrong, {})
        self.assertIn(": nothing is wrong", run.stdout)
        merged = subprocess.run([PRESENTMENT, "merge", "out.json"], cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(merged.returncode, 0, merged)

    def test_mistakes(self):
        self.assertGreaterEqual(len(mistakes.MISTAKES), 25)
        for name, (_, case, verdict) in mistakes.MISTAKES.items():
            with self.subTest(mistake=name):
                run, wrong = self.tried(self.target(HERE / "mistakes.py", name), "--filter", case, "--strict")
                self.assertEqual(wrong.get(case), verdict, run)
                self.assertEqual(run.returncode, 1, run)

    def test_answers_all(self):
        run, wrong = self.tried(
            self.target(HERE / "mistakes.py", "answers-all"), "--out", "wrong", "--report", "json=a.json")
        self.assertEqual(run.returncode, 1, run)
        merged = self.run_in_folder(PRESENTMENT, "merge", "a.json", "a.json", "--matrix", "compared.html")
        self.assertEqual(merged.returncode, 0, merged)
        listed = self.run_there("--list").stdout.splitlines()
        dishonest = {line.split()[0] for line in listed if line.split()[1] in ("refuse", "warn")}
        # What cannot be read cannot be answered, and a document that is not held neither.
        unanswerable = {case for case in dishonest if case.startswith("form.")} | {"raw-request.unknown-document"}
        for case in dishonest - unanswerable:
            self.assertEqual(wrong.get(case), "wrongly-accepted", case)
        explained = subprocess.run(
            [PRESENTMENT, "verify", "wrong/reader.expired.json"], cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(explained.returncode, 0, explained)
        self.assertIn("family_name", explained.stdout)

    def test_refuses_all(self):
        run, wrong = self.tried(self.target(HERE / "mistakes.py", "refuses-all"))
        self.assertEqual(run.returncode, 2, run)
        self.assertIn("decided 0", run.stdout)
        self.assertIn("[suite.genuine-refused]", run.stdout)
        self.assertEqual(wrong, {})

    def test_mistake_of_the_answer_is_named(self):
        run = self.run_there(self.target(HERE / "mistakes.py", "releases-surplus"), "--filter", "genuine.names")
        self.assertIn("[element.requested", run.stdout)
        run = self.run_there(self.target(HERE / "mistakes.py", "answers-without-showing"), "--filter", "genuine.names")
        self.assertIn("which the view did not show", run.stdout)

    def test_known(self):
        target = self.target(HERE / "mistakes.py", "ignores-end-of-validity")
        run, wrong = self.tried(target, "--filter", "reader.*")
        self.assertEqual((run.returncode, wrong), (1, {"reader.expired": "wrongly-accepted"}))
        known = (self.folder / "known.yaml").read_text()
        self.write("known.yaml", known.replace('"?"', "WALLET-7"))
        run = self.run_there(target, "--filter", "reader.*", "--known", "known.yaml")
        self.assertEqual(run.returncode, 0, run)
        run = self.run_there(
            self.target(ROOT / "docs/your-wallet/wallet.py"), "--filter", "reader.*", "--known", "known.yaml")
        # Its name is another.
        self.assertEqual(run.returncode, 0, run)


class Files(Folder):
    """A library without a program: requests and answers are files."""

    def answer(self, name, text):
        (self.folder / "suite/answers" / f"{name}.json").write_text(text)

    def answer_all(self):
        held = json.loads((self.folder / "suite/wallet.json").read_text())
        wallet.roots[:] = [wallet.x509.load_der_x509_certificate(wallet.decode(one)) for one in held["readerRoots"]]
        wallet.revocations[:] = [wallet.x509.load_der_x509_crl(wallet.decode(one)) for one in held["revocationLists"]]
        for document in held["documents"]:
            kind, number = document["documentType"], int.from_bytes(wallet.decode(document["deviceKey"]["d"]), "big")
            wallet.keys[kind] = wallet.ec.derive_private_key(number, wallet.ec.SECP256R1())
            wallet.documents[kind] = wallet.cbor2.loads(wallet.decode(document["document"]))
        for file in sorted((self.folder / "suite/cases").iterdir()):
            case = json.loads(file.read_text())
            shown = wallet.answer({**case, "do": "request", "id": 1})
            answer = shown if "refused" in shown else {
                **shown, **wallet.answer({"do": "agree", "to": 1, "raw": case["raw"]})}
            self.answer(case["id"], json.dumps(answer))

    def test_library(self):
        written = self.run_there("--write-files", "suite", "--seed", "5")
        self.assertEqual(written.returncode, 0, written)
        undecided = self.run_there("--files", "suite")
        self.assertEqual(undecided.returncode, 2, undecided)
        self.answer_all()
        run, wrong = self.tried("--files", "suite", "--strict")
        self.assertEqual(run.returncode, 0, run)
        self.assertEqual(wrong, {})
        (self.folder / "suite/answers/reader.expired.json").write_text(
            (self.folder / "suite/answers/genuine.names.json").read_text())
        (self.folder / "suite/answers/reader.unknown.json").unlink()
        self.answer("genuine.one-element", (self.folder / "suite/answers/genuine.names.json").read_text())
        run, wrong = self.tried("--files", "suite")
        self.assertEqual(run.returncode, 1, run)
        self.assertEqual(wrong, {
            "reader.expired": "wrongly-accepted", "reader.unknown": "unclear", "genuine.one-element": "wrong-answer"})

    def test_bad_folders(self):
        for arguments in (["--files", "missing"], ["--files", "."], ["--write-files", "file/suite"]):
            self.write("file", "")
            run = self.run_there(*arguments)
            self.assertEqual(run.returncode, 2, run)
        self.assertEqual(self.run_there("--write-files", "suite").returncode, 0)
        self.answer("genuine.names", "{")
        run = self.run_there("--files", "suite")
        self.assertEqual(run.returncode, 2, run)
        self.assertIn("genuine.names.json", run.stdout)


class BadPrograms(Folder):
    """Each ends with a clear error, in bounded memory."""

    WAYS = {
        "ends": "there is no wallet here", "closes-output": "ended", "does-not-read": "did not answer within",
        "hangs": "did not answer within 1 s", "no-json": "not a JSON object", "list": "not a JSON object",
        "other-id": "answered another message", "no-key": "no member deviceKey with a public key",
        "unsupported": "does not know 'provision'", "huge": "longer than 1048576 bytes",
        "chatty-log": "the last words", "dies": "the wallet's program ended",
    }
    LATE = {"does-not-read", "hangs"}
    MEMORY = 512 << 20

    def test_ways(self):
        for way, message in self.WAYS.items():
            with self.subTest(way=way):
                target = self.target(HERE / "bad.py", way, timeout=SHORT_TIMEOUT if way in self.LATE else TIMEOUT)
                run = self.run_there(target, "--filter", "genuine.names")
                self.assertEqual(run.returncode, 2, run)
                self.assertIn(message, run.stdout)
                self.assertIn("[suite.no-wallet]", run.stdout)
                self.assertIn("decided 0", run.stdout)
        self.assertLess(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss << 10, self.MEMORY)

    def test_targets(self):
        for text, message in [
            ("program: missing-program-of-nobody\n", "suite.no-wallet"),
            ("target: A\n", "the key 'program' is missing"),
            ("program: []\n", "not a program with its arguments"),
            ("program: --version\n", "not a program with its arguments"),
            ("program: A=b\n", "not a program with its arguments"),
            ("programm: a\n", "did you mean 'program'?"),
            ("program: a\nlimits: { timeout: 2 h }\n", "wallet.yaml:2:20"),
            ("program: a\nlimits: { answer: 0 }\n", "not between 1 and"),
        ]:
            self.write("wallet.yaml", text)
            run = self.run_there("wallet.yaml")
            self.assertEqual(run.returncode, 2, run)
            self.assertIn(message, run.stdout + run.stderr)

    def test_usage(self):
        for arguments in ([], ["missing.yaml"], ["a.yaml", "--files", "b"], ["--filter", "reader.expire", "--list"]):
            self.assertEqual(self.run_there(*arguments).returncode, 2, arguments)
        self.assertIn("did you mean 'reader.expired'?", self.run_there("--filter", "reader.expire", "--list").stderr)


if __name__ == "__main__":
    PRESENTMENT = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main()
